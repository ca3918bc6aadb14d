//! Every fixture has a line in its folder's README: origin, tool version, licence, how it was made.

use std::collections::BTreeMap;

use anyhow::Result;

use super::{House, Remarks};

/// Checks that each file under `fixtures/` is named by the README beside it.
pub(super) fn check(house: &House, remarks: &mut Remarks) -> Result<()> {
    let folders = by_folder(&house.files);
    if folders.is_empty() {
        remarks.skip("there are no fixtures yet");
    }
    for (folder, names) in folders {
        let readme = format!("{folder}/README.md");
        if !house.has(&readme) {
            remarks.add(folder, "has fixtures and no README.md");
            continue;
        }
        let text = house.text(&readme)?.unwrap_or_default();
        for name in names.into_iter().filter(|name| !mentions(&text, name)) {
            remarks.add(format!("{folder}/{name}"), format!("has no line in {readme}"));
        }
    }
    Ok(())
}

/// The names of all fixtures, READMEs left out, by the folder that they are in.
fn by_folder(files: &[String]) -> BTreeMap<&str, Vec<&str>> {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.starts_with("fixtures/")) {
        if let Some((folder, name)) = file.rsplit_once('/').filter(|(_, name)| *name != "README.md")
        {
            folders.entry(folder).or_default().push(name);
        }
    }
    folders
}

/// Whether a line of the README is about the file: its name in backticks.
fn mentions(readme: &str, name: &str) -> bool {
    readme.contains(&format!("`{name}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixtures_are_gathered_by_folder() {
        let files = ["fixtures/README.md", "fixtures/folded/README.md", "fixtures/folded/a.folded"];
        let files = files.map(str::to_owned);
        assert_eq!(by_folder(&files), BTreeMap::from([("fixtures/folded", vec!["a.folded"])]));
    }

    #[test]
    fn a_name_counts_only_whole() {
        assert!(mentions("| `a.folded` | made by hand |", "a.folded"));
        assert!(!mentions("| `aa.folded` | made by hand |", "a.folded"));
    }
}
