//! The licences of everything that the workspace is built from, as cargo knows them.

use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::{House, Remarks};

/// Licences that the product may ship under its own.
const ALLOWED: [&str; 11] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Checks that each package offers a licence that is allowed.
pub(super) fn check(house: &House, remarks: &mut Remarks) -> Result<()> {
    for package in packages(house)? {
        let name = package["name"].as_str().unwrap_or_default();
        let version = package["version"].as_str().unwrap_or_default();
        match package["license"].as_str() {
            None => remarks.add(format!("{name} {version}"), "names no licence"),
            Some(expression) if !is_allowed(expression) => {
                let what = format!("licence `{expression}` is not allowed: find another package");
                remarks.add(format!("{name} {version}"), what);
            }
            Some(_) => {}
        }
    }
    Ok(())
}

fn packages(house: &House) -> Result<Vec<Value>> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let answer = Command::new(cargo)
        .args(["metadata", "--format-version", "1"])
        .current_dir(&house.root)
        .output()
        .context("cannot run `cargo metadata`")?;
    if !answer.status.success() {
        bail!("`cargo metadata` failed: {}", String::from_utf8_lossy(&answer.stderr).trim());
    }
    let mut metadata: Value = serde_json::from_slice(&answer.stdout)?;
    match metadata["packages"].take() {
        Value::Array(packages) => Ok(packages),
        _ => bail!("`cargo metadata` lists no packages"),
    }
}

/// Whether an SPDX expression can be met with allowed licences alone.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    let met = any_of(&mut words);
    met && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn any_of(words: &mut Words<'_>) -> bool {
    let mut met = all_of(words);
    while words.next_if_eq(&"OR").is_some() {
        met |= all_of(words);
    }
    met
}

fn all_of(words: &mut Words<'_>) -> bool {
    let mut met = term(words);
    while words.next_if_eq(&"AND").is_some() {
        met &= term(words);
    }
    met
}

/// One licence, with or without an exception (which only ever gives more rights), or a group.
fn term(words: &mut Words<'_>) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let met = any_of(words);
        return words.next_if_eq(&")").is_some() && met;
    }
    let met = words.next().is_some_and(|licence| ALLOWED.contains(&licence));
    if words.next_if_eq(&"WITH").is_some() {
        return words.next().is_some() && met;
    }
    met
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_allowed_choice_is_enough() {
        assert!(is_allowed("MIT"));
        assert!(is_allowed("MIT OR Apache-2.0"));
        assert!(is_allowed("MIT/Apache-2.0"));
        assert!(is_allowed("GPL-3.0-only OR MIT"));
        assert!(is_allowed("Apache-2.0 WITH LLVM-exception OR LGPL-2.1-or-later"));
        assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
    }

    #[test]
    fn every_part_of_a_conjunction_counts() {
        assert!(!is_allowed("MIT AND GPL-3.0-only"));
        assert!(!is_allowed("(MIT OR Apache-2.0) AND MPL-2.0"));
    }

    #[test]
    fn copyleft_and_nonsense_are_turned_down() {
        for expression in ["CDDL-1.0", "AGPL-3.0-or-later", "MPL-2.0", "", "(MIT", "MIT MIT"] {
            assert!(!is_allowed(expression), "{expression}");
        }
    }
}
