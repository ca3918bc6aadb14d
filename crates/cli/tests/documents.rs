//! What the commands print as JSON is what `docs/reference` promises, for every bundled trace.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

#[path = "../../write/tests/reports/schema.rs"]
mod schema;

use std::path::{Path, PathBuf};
use std::process::Command;

use schema::Schema;
use serde_json::Value;

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/kineto");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_trace = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.ends_with(".json.gz") && !name.contains(".truth.")
    };
    let mut files: Vec<PathBuf> = files.filter(is_trace).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// Runs a command on every fixture and holds its document against the schema.
fn check(command: &str, schema: &str) {
    for file in fixtures() {
        let mut run = Command::new(env!("CARGO_BIN_EXE_flamelane"));
        let output =
            run.args([command, "--quiet", "--format", "json"]).arg(&file).output().unwrap();
        assert!(output.status.success(), "{command} {}", file.display());
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut schema = Schema::new(schema);
        assert_eq!(schema.errors(&document), Vec::<String>::new(), "{command} {}", file.display());
        assert!(schema.paths.contains("schema"));
    }
}

#[test]
fn report() {
    check("report", include_str!("../../../docs/reference/report.schema.json"));
}

#[test]
fn top() {
    check("top", include_str!("../../../docs/reference/top.schema.json"));
}

#[test]
fn steps() {
    check("steps", include_str!("../../../docs/reference/steps.schema.json"));
}

#[test]
fn inspect() {
    check("inspect", include_str!("../../../docs/reference/inspect.schema.json"));
}
