//! What every file must keep to: its size, its first line, and no trace of the machine it was written on.

use anyhow::Result;

use super::{House, Remarks};

/// The most lines a file written by hand may have, its tests included.
const MAX_LINES: usize = 600;

/// File name endings that have a size limit.
const SIZED: [&str; 6] = [".rs", ".js", ".mjs", ".ts", ".css", ".py"];

/// Absolute paths that only some machines have; split here so that this file may be checked too.
const FORBIDDEN: [&str; 4] =
    [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/fa", "rm/"), concat!(".lib", "rary/")];

/// Checks that no file is larger than a person reads in one go.
pub(super) fn sizes(house: &House, remarks: &mut Remarks) -> Result<()> {
    for file in house.written_by_hand(&SIZED) {
        let n_lines = house.text(file)?.map_or(0, |text| text.lines().count());
        if n_lines > MAX_LINES {
            remarks.add(file, format!("{n_lines} lines, more than {MAX_LINES}: split it by topic"));
        }
    }
    Ok(())
}

/// Checks that every Rust file says in its first line what it is for.
pub(super) fn headers(house: &House, remarks: &mut Remarks) -> Result<()> {
    for file in house.written_by_hand(&[".rs"]) {
        if house.text(file)?.is_some_and(|text| !has_header(&text)) {
            remarks.add(file, "opens without `//!` and a sentence on what it is for");
        }
    }
    Ok(())
}

/// Checks that no text names a folder of somebody's machine, and no lock file a registry's host.
pub(super) fn forbidden_strings(house: &House, remarks: &mut Remarks) -> Result<()> {
    for file in &house.files {
        let Some(text) = house.text(file)? else { continue };
        for (n_line, string) in forbidden_in(&text) {
            remarks.add(format!("{file}:{n_line}"), format!("names `{string}`"));
        }
        if file.ends_with("package-lock.json") && text.contains("\"resolved\": \"http") {
            let advice = "set `omit-lockfile-registry-resolved=true` in `.npmrc` and lock again";
            remarks.add(file, format!("names a registry's host: {advice}"));
        }
    }
    Ok(())
}

fn has_header(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.strip_prefix("//! ").is_some_and(|sentence| !sentence.trim().is_empty())
}

/// Each line, counted from one, that holds a forbidden string.
fn forbidden_in(text: &str) -> Vec<(usize, &'static str)> {
    let on_line = |line: &str| FORBIDDEN.into_iter().find(|string| line.contains(string));
    text.lines().zip(1..).filter_map(|(line, n)| on_line(line).map(|string| (n, string))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_a_sentence_on_the_first_line() {
        assert!(has_header("//! Reads folded stacks.\nuse std::fs;\n"));
        assert!(!has_header("//!\n//! Reads folded stacks.\n"));
        assert!(!has_header("use std::fs;\n//! Too late.\n"));
        assert!(!has_header(""));
    }

    #[test]
    fn a_path_of_one_machine_is_found_by_line() {
        let text = format!("fine\nopens {}main/trace.json\n", FORBIDDEN[0]);
        assert_eq!(forbidden_in(&text), [(2, FORBIDDEN[0])]);
        assert_eq!(forbidden_in("a network of roots, teamwork\n"), []);
    }
}
