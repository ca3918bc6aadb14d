//! Every third-party package that a room names has a row in CONTRIBUTING.md: why, size, licence.

use std::collections::BTreeSet;

use anyhow::Result;

use super::{House, Remarks, manifest};

const TABLE: &str = "CONTRIBUTING.md";

/// Checks the table against the manifests, both ways.
pub(super) fn check(house: &House, remarks: &mut Remarks) -> Result<()> {
    if !house.has(TABLE) {
        remarks.skip(format!("{TABLE} is not there yet"));
        return Ok(());
    }
    let text = house.text(TABLE)?.unwrap_or_default();
    let listed = listed(&text);
    let used = used(house)?;
    for package in used.difference(&listed) {
        remarks.add(TABLE, format!("dependency `{package}` has no row in the table"));
    }
    for package in listed.difference(&used) {
        remarks.add(TABLE, format!("dependency `{package}` has a row, and nobody depends on it"));
    }
    Ok(())
}

/// Every package that a member names and that is not a room.
fn used(house: &House) -> Result<BTreeSet<String>> {
    let manifests = manifest::read_all(house)?;
    let named =
        manifests.into_iter().flat_map(|room| [room.built_with, room.tested_with]).flatten();
    Ok(named.filter(|package| !package.starts_with("flamelane")).collect())
}

/// The packages of the table that follows the heading with the word "dependencies".
fn listed(text: &str) -> BTreeSet<String> {
    let is_heading = |line: &str| line.starts_with('#');
    let is_ours = |line: &str| is_heading(line) && line.to_lowercase().contains("dependenc");
    let section = text.lines().skip_while(|line| !is_ours(line)).skip(1);
    let rows = section.take_while(|line| !is_heading(line)).filter(|line| line.starts_with('|'));
    rows.filter_map(|row| row.split('|').nth(1)).flat_map(packages_of_cell).collect()
}

/// The names in backticks of a table cell.
fn packages_of_cell(cell: &str) -> impl Iterator<Item = String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_under_the_heading_is_read() {
        let text = "# Contributing\n| `not` | me |\n## Dependencies\n\n| package | why |\n| --- | --- |\n\
                    | `serde`, `serde_json` | JSON |\n| `toml` | settings for `flamelane.toml` |\n\
                    ## Words\n| `lane` | a row |\n";
        let expected = ["serde", "serde_json", "toml"].map(str::to_owned);
        assert_eq!(listed(text), BTreeSet::from(expected));
    }
}
