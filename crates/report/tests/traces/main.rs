//! Real traces against figures that somebody else counted, made ones against the truth that their
//! maker knows, and the laws on all of them.
//!
//! The corpus lies outside the repository; without it these tests say that they skipped.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests read the corpus, say when they skip, and may fail where they stand"
)]

mod charts;
mod graphs;
mod laws;
mod reference;
mod reference_fold;
mod truth;
mod verdicts;

use std::fs::File;
use std::path::{Path, PathBuf};

use flamelane_find::Thresholds;
use flamelane_link::{Choice, Linked, Naming, Rules, link};
use flamelane_read::{Content, Limits};
use flamelane_report::{Capture, Found, Source, assemble};
use serde_json::Value;

/// The corpus, where it is: `FLAMELANE_CORPUS`, else `shared/corpus` beside the repository.
fn corpus() -> Option<PathBuf> {
    let named = std::env::var_os("FLAMELANE_CORPUS").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let found = named.unwrap_or(beside);
    if found.is_dir() {
        return Some(found);
    }
    println!("skipped: no corpus; set FLAMELANE_CORPUS to its folder");
    None
}

fn json(path: &Path) -> Value {
    let file = File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_reader(std::io::BufReader::new(file)).unwrap()
}

/// Reads and links one file.
fn linked(path: &Path, rules: Rules) -> Option<Linked> {
    let mut file = File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    match flamelane_read::open(&mut file, &Limits::default(), None).ok()?.content {
        Content::Trace(trace) => Some(link(*trace, rules)),
        Content::Profile(_) => None,
    }
}

fn whole() -> Rules {
    Rules { naming: Naming::Raw, choice: Choice::Whole, ..Rules::default() }
}

fn capture(linked: &Linked) -> Capture {
    let profile = flamelane_fold::fold(linked);
    let checks = flamelane_find::health(linked);
    let notes = flamelane_model::Notes::new();
    let source = Source { file: "trace", format: "kineto", notes: &notes };
    let limits = Thresholds::default();
    let answer = flamelane_find::find(linked, &checks, &limits);
    let found = Found { checks: &checks, answer: &answer, limits: &limits, replay: None };
    assemble(source, linked, &profile, found)
}

/// Traces of the corpus, by name.
fn traces(corpus: &Path) -> Vec<PathBuf> {
    let list = std::fs::read_dir(corpus.join("kineto")).unwrap();
    let mut files: Vec<PathBuf> = list.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}
