//! Wrong kinds: each is named, and each says what to do.

use flamelane_read::{Foreign, Limits, ReadError, open};

fn refused(bytes: &[u8]) -> ReadError {
    open(&mut &bytes[..], &Limits::default(), None).unwrap_err()
}

#[track_caller]
fn check(kind: Foreign, bytes: &[u8]) {
    let error = refused(bytes);
    assert!(matches!(error, ReadError::Foreign { kind: found } if found == kind), "{error}");
    assert!(error.hint().is_some());
}

#[test]
fn known_kinds_are_named() {
    check(Foreign::Chakra, br#"{"schema": "1.0.2-chakra.0.0.4", "pid": 1, "nodes": [{}]}"#);
    check(Foreign::MemorySnapshot, b"\x80\x04\x95\x00\x01}\x94(\x8c\x08segments\x94]");
    check(Foreign::MemorySnapshotJson, br#"{"segments": [], "device_traces": [[]]}"#);
    check(Foreign::MemoryTimeline, b"[[-1, 1, 1024, 0], [-1, 1, 512, 0]]");
    check(Foreign::Pickle, b"\x80\x04}.");
    check(Foreign::Html, b"\n<!DOCTYPE html><html><body>404</body>");
    check(Foreign::Svg, b"<?xml version=\"1.0\"?><svg width=\"1200\"></svg>");
    check(Foreign::Zip, b"PK\x03\x04rest of it");
    check(Foreign::NsysStream, b"U3w[END]NVIDIA Nsight Systems Stream 2023.4.4.54");
    check(Foreign::NcuReport, b"NVR\0rest");
    check(Foreign::Sqlite, b"SQLite format 3\0rest");
    check(Foreign::NsysSqlite, b"SQLite format 3\0CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL");
    check(Foreign::RocmSqlite, b"SQLite format 3\0CREATE TABLE rocpd_api");
    check(Foreign::Perfetto, b"\x0a\x04\x50\x01\x40\x05\x0a\x04\x50\x01\x40\x06");
    check(Foreign::XPlane, b"\x0a\x0d\x08\x01\x12\x09/host:CPU");
    check(Foreign::Proton, br#"[{"children": [], "frame": {"name": "f"}, "metrics": {}}]"#);
    check(Foreign::RocprofJson, br#"{"rocprofiler-sdk-tool": [{"metadata": {}}]}"#);
    check(
        Foreign::RocprofCsv,
        b"\"Domain\",\"Function\",\"Start_Timestamp\"\n\"HIP\",\"f\",\"1\"\n",
    );
    check(Foreign::PerfData, b"PERFILE2rest");
    check(
        Foreign::PerfScript,
        b"java 123 [001] 45.6: cycles:\n\t 7f3a ffi_call (/lib/libffi.so)\n\n",
    );
    check(Foreign::Parquet, b"PAR1rest");
    check(Foreign::Elf, b"\x7fELF\x02");
    check(
        Foreign::TorchTable,
        b"-----------------------  ------------\n     Name    Self CPU %    # of Calls\n",
    );
    check(Foreign::GitLfsPointer, b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n");
}

#[test]
fn a_report_of_nsight_systems_says_its_version_and_the_export() {
    let error = refused(b"NVIDIA Tegra Profiler Report 2025@5@1@121-2551\0rest");
    assert_eq!(
        error.to_string(),
        "the input is an Nsight Systems report written by version `2025.5.1.121-2551`"
    );
    assert!(error.hint().unwrap().contains("nsys export --type sqlite -o OUT FILE"));
}

#[test]
fn an_empty_file_explains_itself() {
    for bytes in [&b""[..], b"\n \n"] {
        let error = refused(bytes);
        assert_eq!(error.to_string(), "the input is empty");
        let hint = error.hint().unwrap();
        assert!(hint.contains("export_stacks") && hint.contains("flamelane fold"), "{hint}");
    }
}

#[test]
fn unknown_kinds_say_what_was_there() {
    let check = |bytes: &[u8], expected: &str| assert_eq!(refused(bytes).to_string(), expected);
    check(
        br#"{"name": "x", "items": [1, 2]}"#,
        "the input is JSON of an unknown shape: its keys are `name`, `items`",
    );
    check(b"[1, 2]", "the input is JSON of an unknown shape: an array of plain values");
    check(
        b"Hello, this is a letter.\nIt has no stacks.\n",
        "the input is text without stacks or events; it begins with `Hello, this is a letter.`",
    );
    check(
        b"\x00\x01\x02\xff",
        "the input is binary data of an unknown kind; it begins with `00 01 02 ff`",
    );
    let error = refused(b"[1, 2]");
    assert!(
        error.hint().unwrap().contains("kineto, speedscope, chrome, node-stacks, pprof, folded")
    );
}

#[test]
fn an_unknown_format_is_not_guessed() {
    let error = open(&mut &b"a;b 1\n"[..], &Limits::default(), Some("perf")).unwrap_err();
    assert_eq!(error.to_string(), "there is no input format `perf`");
}
