//! On damaged text too all ways of reading agree, and nothing panics.

use proptest::prelude::*;

use super::{document, read_damaged};

const EVENTS: [&str; 4] = [
    "\n  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 1, \"tid\": 1,\n    \"ts\": 1.250, \"dur\": 10.001,\n    \"args\": {\n      \"External id\": 5,\"Input Dims\": [[1, 2], []], \"Call stack\": \"a(1);b\\\"(2)\"\n    }\n  }",
    r#"{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 2.5, "dur": 3.0, "args": {"cbid": 211, "correlation": 7}}"#,
    r#"{"ph": "s", "id": 7, "pid": 1, "tid": 1, "ts": 2.5, "cat": "ac2g", "name": "ac2g"}"#,
    r#"{"ph": "X", "cat": "kernel", "name": "void k<1>(\u0041, \\)", "pid": 0, "tid": 7, "ts": 4, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 7, "x": {"y": [1, "}"]}}}"#,
];

fn small() -> Vec<u8> {
    document(&[EVENTS, EVENTS, EVENTS].concat()).into_bytes()
}

#[test]
fn every_prefix_of_a_file_gives_all_whole_events() {
    let bytes = small();
    let mut last = 0;
    for n in 0..=bytes.len() {
        let n_events = match read_damaged(&bytes[..n]) {
            Ok((trace, _)) => trace.census.values().sum(),
            Err(_) => 0,
        };
        assert!(n_events >= last, "{n} bytes");
        last = n_events;
    }
    assert_eq!(last, 12);
}

#[test]
fn one_byte_more_or_less_loses_one_event_at_most() {
    let bytes = small();
    for at in 40..bytes.len() - 2 {
        for with in [&b""[..], b"\"", b"}", b"{", b",", b"\\", b"]", b"\x00", b"\xff", b"x"] {
            let damaged = [&bytes[..at], with, &bytes[at + 1..]].concat();
            let (trace, _) = read_damaged(&damaged).unwrap();
            let n_events: u64 = trace.census.values().sum();
            assert!(n_events >= 10, "{n_events} events, {with:?} at {at}");
        }
    }
}

proptest! {
    #[test]
    fn random_bytes_are_read_alike_and_never_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..400),
        start in prop::sample::select(vec!["", "[", "{", "[{\"ph\":", "{\"traceEvents\":[{\"ph\":\"X\","]),
    ) {
        let _ = read_damaged(&[start.as_bytes(), &bytes].concat());
    }

    #[test]
    fn random_structure_is_read_alike_and_never_panics(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\"ph\":\"X\"", "\"ts\":1", "\"dur\":2.5",
            "\"name\":\"a\"", "\"cat\":\"kernel\"", "\"args\":{", "\"args\":null", "\n", " ", "1e9",
            "\"traceEvents\":[", "\"pid\":7", "\"tid\":\"x\"", "-", "NaN", "\\u12", "\u{e9}",
        ]), 0..60),
    ) {
        let _ = read_damaged(pieces.concat().as_bytes());
        let _ = read_damaged(format!("[{}", pieces.concat()).as_bytes());
    }
}
