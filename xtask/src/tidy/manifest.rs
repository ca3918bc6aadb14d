//! The dependency tables of a crate's manifest.

use anyhow::{Context, Result};
use toml::{Table, Value};

use super::House;

/// One crate of the workspace, with the names in its dependency tables.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Manifest {
    /// Where the manifest is, relative to the root of the repository.
    pub(super) file: String,
    /// The folder's name, which is the room's name.
    pub(super) room: String,
    /// Packages named under `dependencies` and `build-dependencies`, for any target; sorted.
    pub(super) built_with: Vec<String>,
    /// Packages named under `dev-dependencies`; sorted.
    pub(super) tested_with: Vec<String>,
}

/// Reads the manifest of every workspace member.
pub(super) fn read_all(house: &House) -> Result<Vec<Manifest>> {
    let mut manifests = Vec::new();
    for file in &house.files {
        if let Some(room) = room_of(file) {
            let text = house.text(file)?.with_context(|| format!("{file} is not UTF-8"))?;
            manifests.push(parse(file, room, &text)?);
        }
    }
    Ok(manifests)
}

/// The room whose manifest `file` is: `crates/<room>/Cargo.toml`, or the house tasks' own.
fn room_of(file: &str) -> Option<&str> {
    let folder = file.strip_suffix("/Cargo.toml")?;
    let room = folder.strip_prefix("crates/").unwrap_or(folder);
    (room == "xtask" || (folder != room && !room.contains('/'))).then_some(room)
}

fn parse(file: &str, room: &str, text: &str) -> Result<Manifest> {
    let table: Table = text.parse().with_context(|| format!("cannot parse {file}"))?;
    let mut built_with = Vec::new();
    let mut tested_with = Vec::new();
    let targets = table.get("target").and_then(Value::as_table);
    let tables = targets.into_iter().flat_map(Table::values).filter_map(Value::as_table);
    for table in tables.chain([&table]) {
        built_with.extend(names(table, "dependencies"));
        built_with.extend(names(table, "build-dependencies"));
        tested_with.extend(names(table, "dev-dependencies"));
    }
    built_with.sort();
    tested_with.sort();
    Ok(Manifest { file: file.to_owned(), room: room.to_owned(), built_with, tested_with })
}

/// The package names under `key`, where `package = "…"` renames count by what they really are.
fn names(table: &Table, key: &str) -> Vec<String> {
    let Some(entries) = table.get(key).and_then(Value::as_table) else { return Vec::new() };
    let renamed = |value: &Value| value.get("package").and_then(Value::as_str).map(str::to_owned);
    entries.iter().map(|(name, value)| renamed(value).unwrap_or_else(|| name.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_of_a_manifest_is_read() {
        let text = "[dependencies]\nserde = '1'\nfast = { package = 'memchr', version = '2' }\n\
                    [target.'cfg(unix)'.dependencies]\nlibc = '0.2'\n\
                    [build-dependencies]\ncc = '1'\n[dev-dependencies]\ninsta.workspace = true\n";
        let manifest = parse("crates/read/Cargo.toml", "read", text).unwrap();
        assert_eq!(manifest.built_with, ["cc", "libc", "memchr", "serde"]);
        assert_eq!(manifest.tested_with, ["insta"]);
    }

    #[test]
    fn only_members_are_rooms() {
        assert_eq!(room_of("crates/read/Cargo.toml"), Some("read"));
        assert_eq!(room_of("xtask/Cargo.toml"), Some("xtask"));
        assert_eq!(room_of("Cargo.toml"), None);
        assert_eq!(room_of("fuzz/Cargo.toml"), None);
        assert_eq!(room_of("crates/read/tests/data/Cargo.toml"), None);
    }
}
