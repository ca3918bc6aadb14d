//! The examples of the README and the guide, run as they are written.
//!
//! `TRYCMD=overwrite cargo test -p flamelane --test guide` writes their outputs anew.

use std::path::{Path, PathBuf};

/// A folder to run in that holds the fixtures and nothing else, so that what examples write does
/// not end up among the sources.
fn workplace(root: &Path) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide");
    std::fs::create_dir_all(&place).expect("the target folder is writable");
    let link = place.join("fixtures");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(root.join("fixtures"), &link).expect("links can be made");
    place
}

#[test]
fn the_examples_of_readme_and_guide_do_what_they_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    std::env::set_current_dir(workplace(&root)).unwrap();
    trycmd::TestCases::new()
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1")
        .case(root.join("README.md"))
        .case(root.join("docs/guide/*.md"))
        .case(root.join("docs/concepts/*.md"));
}

#[test]
fn every_command_says_what_it_takes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    trycmd::TestCases::new().env("COLUMNS", "100").case(root.join("tests/help.md"));
}
