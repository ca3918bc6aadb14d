//! Which room may see which: the arrows of ARCHITECTURE.md, read from the manifests.

use anyhow::Result;

use super::manifest::{self, Manifest};
use super::{House, Remarks};

/// Each room with the rooms that it may see.
const ARROWS: [(&str, &[&str]); 11] = [
    ("model", &[]),
    ("read", &["model"]),
    ("link", &["model"]),
    ("fold", &["model", "link"]),
    ("chart", &["model", "link"]),
    ("find", &["model", "link"]),
    ("whatif", &["model", "link"]),
    ("report", &["model", "link", "fold", "find", "whatif"]),
    ("write", &["model", "report"]),
    ("testkit", &["model"]),
    ("cli", &["model", "read", "link", "fold", "chart", "find", "whatif", "report", "write"]),
];

/// The one room that is for tests and house tasks alone.
const TESTKIT: &str = "testkit";

/// Checks every member's `[dependencies]` against the arrows.
pub(super) fn check(house: &House, remarks: &mut Remarks) -> Result<()> {
    for manifest in manifest::read_all(house)? {
        for what in wrong_arrows(&manifest) {
            remarks.add(&manifest.file, what);
        }
    }
    Ok(())
}

fn wrong_arrows(manifest: &Manifest) -> Vec<String> {
    if manifest.room == "xtask" {
        return Vec::new();
    }
    let Some((_, allowed)) = ARROWS.iter().find(|(room, _)| *room == manifest.room) else {
        return vec![format!("room `{}` has no row in the table of arrows", manifest.room)];
    };
    let seen = manifest.built_with.iter().filter_map(|package| room_of(package));
    seen.filter(|room| !allowed.contains(room))
        .map(|room| complaint(&manifest.room, room))
        .collect()
}

fn complaint(from: &str, to: &str) -> String {
    if to == TESTKIT {
        return format!("`{from}` may use `{TESTKIT}` under `[dev-dependencies]` alone");
    }
    format!("`{from}` must not see `{to}`: wire them in `cli`, or move the noun to `model`")
}

/// The room that a package of this workspace is.
fn room_of(package: &str) -> Option<&str> {
    if package == "flamelane" { Some("cli") } else { package.strip_prefix("flamelane-") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(room: &str, built_with: &[&str], expected: &[&str]) {
        let manifest = Manifest {
            file: format!("crates/{room}/Cargo.toml"),
            room: room.to_owned(),
            built_with: built_with.iter().map(|name| (*name).to_owned()).collect(),
            tested_with: vec!["flamelane-testkit".to_owned()],
        };
        assert_eq!(wrong_arrows(&manifest), expected);
    }

    #[test]
    fn a_verb_sees_the_nouns() {
        check("fold", &["flamelane-model", "flamelane-link", "rustc-hash"], &[]);
    }

    #[test]
    fn a_verb_does_not_see_its_neighbour() {
        let what = "`fold` must not see `find`: wire them in `cli`, or move the noun to `model`";
        check("fold", &["flamelane-find"], &[what]);
    }

    #[test]
    fn the_testkit_stays_out_of_the_product() {
        let what = "`cli` may use `testkit` under `[dev-dependencies]` alone";
        check("cli", &["flamelane-testkit", "flamelane-read"], &[what]);
        check("xtask", &["flamelane-testkit"], &[]);
    }

    #[test]
    fn nobody_depends_on_the_binary() {
        let what = "`write` must not see `cli`: wire them in `cli`, or move the noun to `model`";
        check("write", &["flamelane"], &[what]);
    }

    #[test]
    fn a_new_room_needs_a_row() {
        check("store", &[], &["room `store` has no row in the table of arrows"]);
    }
}
