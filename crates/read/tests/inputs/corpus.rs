//! Every file of the shared corpus is read, or refused for the right reason.
//!
//! The corpus stays outside the repository: `FLAMELANE_CORPUS` says where, else a folder
//! `shared/corpus` beside the repository. Without it these tests say so and pass.

use std::path::{Path, PathBuf};

use flamelane_read::{Foreign, Limits, Read, ReadError, open};

use crate::drawn::{file, line};

fn corpus() -> Option<PathBuf> {
    let given = std::env::var_os("FLAMELANE_CORPUS").map(PathBuf::from);
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = given.unwrap_or_else(beside);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there is no corpus at `{}`", folder.display());
    None
}

fn read(path: &Path) -> Result<Read, ReadError> {
    open(&mut &file(path)[..], &Limits::default(), None)
}

/// Reads every file of a folder; `check` gets its name and the outcome, and is told in one line.
fn each(folder: &str, check: impl Fn(&str, &Result<Read, ReadError>)) {
    let Some(corpus) = corpus() else { return };
    let entries = std::fs::read_dir(corpus.join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let result = read(&path);
        println!("{folder}/{name}: {}", line(&result));
        check(&name, &result);
    }
}

#[track_caller]
fn is_read(format: &str, name: &str, result: &Result<Read, ReadError>) {
    match result {
        Ok(read) => assert_eq!(read.format, format, "{name}"),
        Err(error) => panic!("{name}: {error}"),
    }
}

#[track_caller]
fn is_refused(kind: Foreign, name: &str, result: &Result<Read, ReadError>) {
    match result {
        Err(ReadError::Foreign { kind: found }) => assert_eq!(*found, kind, "{name}"),
        other => panic!("{name}: {}", line(other)),
    }
}

#[test]
fn folded_stacks_are_read() {
    each("folded", |name, result| is_read("folded", name, result));
}

#[test]
fn py_spy_is_read_whatever_it_wrote() {
    each("pyspy", |name, result| match name.rsplit_once('.').unwrap().1 {
        "svg" => is_refused(Foreign::Svg, name, result),
        "json" => is_read("speedscope", name, result),
        _ => is_read("folded", name, result),
    });
}

#[test]
fn speedscope_files_are_read() {
    each("speedscope", |name, result| is_read("speedscope", name, result));
}

#[test]
fn pprof_is_read_in_all_its_ages() {
    each("pprof", |name, result| is_read("pprof", name, result));
}

#[test]
fn chrome_traces_are_read() {
    each("traceevent", |name, result| is_read("chrome", name, result));
}

#[test]
fn what_comes_later_is_refused_by_name() {
    each("perf", |name, result| is_refused(Foreign::PerfScript, name, result));
    each("memsnap", |name, result| is_refused(Foreign::MemorySnapshot, name, result));
    each("nsys", |name, result| is_refused(Foreign::NsysSqlite, name, result));
    each("xplane", |name, result| is_refused(Foreign::XPlane, name, result));
    each("proton", |name, result| is_refused(Foreign::Proton, name, result));
    each("rocprof", |name, result| {
        let csv = Path::new(name).extension().is_some_and(|end| end == "csv");
        is_refused(if csv { Foreign::RocprofCsv } else { Foreign::RocmSqlite }, name, result);
    });
    each("torch-tables", |name, result| match name.rsplit_once('.').unwrap().1 {
        "txt" => is_refused(Foreign::TorchTable, name, result),
        "gz" => is_refused(Foreign::MemoryTimeline, name, result),
        _ => assert!(matches!(result, Err(ReadError::UnknownText { .. })), "{name}"),
    });
}
