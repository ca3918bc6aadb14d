//! Files that no JSON parser takes: what can be read is read, what is lost is counted.

use std::io;

use flamelane_model::{Notes, Trace};
use flamelane_read::{Content, Limits};

use super::{event, kineto, read_all};

fn document(events: &[&str]) -> Vec<u8> {
    format!("{{\"schemaVersion\": 1, \"traceEvents\": [\n{}\n]}}", events.join(",\n")).into_bytes()
}

fn names(trace: &Trace) -> Vec<&str> {
    trace.host.name.iter().map(|name| trace.text(*name)).collect()
}

#[test]
fn raw_quotes_in_names_are_part_of_them() {
    for name in [
        r#"dynamo {"device": "cpu"}"#,
        r#"lambda x: x["key"]"#,
        r#"a "b", "c": 1"#,
        r#"""#,
        r#"say "hi""#,
        r#"{"a", "b"}, {"c"}"#,
    ] {
        let good = event("cpu_op", "good", 1, r#""External id": 1"#);
        let odd = good.replace("\"good\"", &format!("\"{name}\""));
        let (trace, notes) = read_all(&document(&[&good, &odd, &good]));
        assert_eq!(names(&trace), ["good", name, "good"]);
        assert_eq!(notes.count("repaired-event"), 1, "{name}");
        assert_eq!(notes.count("damaged-event"), 0, "{name}");
    }
}

#[test]
fn raw_quotes_in_arguments_cost_nothing() {
    let good = event("cpu_op", "good", 1, r#""External id": 1"#);
    for args in [
        r#""Concrete Inputs": ["a "b"", "", "c"d"], "External id": 2"#,
        r#""file": "/"/x", "External id": 2"#,
        r#""a": {"b": "c"d"}, "External id": 2"#,
        r#""Input type": ["a"x", "b"], "External id": 2"#,
        r#""Input type": ["a, "b"], "External id": 2"#,
    ] {
        let odd = event("cpu_op", "odd", 1, args);
        let (trace, notes) = read_all(&document(&[&good, &odd, &odd, &good, &odd]));
        assert_eq!(names(&trace), ["good", "odd", "odd", "good", "odd"], "{args}");
        assert_eq!(trace.op_links.external[1].1, 2, "{args}");
        assert_eq!(notes.count("repaired-event"), 3, "{args}");
        assert_eq!(notes.iter().count(), 1, "{args}");
    }
}

#[test]
fn invalid_utf8_control_characters_and_bad_escapes_are_no_damage() {
    let good = event("cpu_op", "good", 1, "");
    let mut bytes = document(&[
        &good,
        &event("cpu_op", "a\u{1}\tb", 1, ""),
        &event("cpu_op", r"C:\qux", 1, ""),
    ]);
    let at = bytes.windows(4).position(|four| four == b"good").unwrap();
    bytes[at + 1] = 0xff;
    let (trace, notes) = read_all(&bytes);
    assert_eq!(names(&trace), ["g\u{fffd}od", "a\u{1}\tb", r"C:\qux"]);
    assert!(notes.is_empty());
}

#[test]
fn not_a_number_and_trailing_commas_are_no_damage() {
    let odd = event(
        "cpu_op",
        "odd",
        1,
        r#""a": NaN, "b": -Infinity, "c": None, "d": [inf, nan], "External id": 4,"#,
    );
    let (trace, notes) = read_all(&document(&[&odd, &odd, ""]));
    assert_eq!(trace.op_links.external.len(), 2);
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn a_truncated_file_gives_its_whole_events_and_the_place() {
    let good = event("cpu_op", "good", 1, r#""External id": 1"#);
    let bytes = document(&[&good, &good, &good]);
    let cut = bytes.len() - 30;
    let (trace, notes) = read_all(&bytes[..cut]);
    assert_eq!(trace.host.len(), 2);
    assert_eq!(notes.count("truncated"), 1);
    let place = notes.iter().next().unwrap().first.strip_prefix("byte ").unwrap().parse::<usize>();
    assert_eq!(bytes[place.unwrap()], b'{');
}

#[test]
fn a_hole_costs_the_events_it_touches() {
    let good = event("cpu_op", "good", 1, r#""External id": 1"#);
    let last = event("cpu_op", "last", 1, r#""External id": 9"#);
    let bytes = document(&[&good, &good, &good, &good, &last]);
    let length = good.len();
    for from in length..length * 3 {
        let holed = [&bytes[..from], &bytes[from + length / 2..]].concat();
        let (trace, _) = read_all(&holed);
        assert!(trace.host.len() >= 2, "{} events from {from}", trace.host.len());
        assert_eq!(trace.text(*trace.host.name.last().unwrap()), "last");
    }
}

#[test]
fn many_damaged_events_cost_time_in_proportion() {
    let good = event("cpu_op", "good", 1, r#""External id": 1"#);
    let bad = good.replace("\"good\"", "\"go\"od");
    let mut events = vec![bad.as_str(); 40_000];
    events.push(&good);
    let (trace, notes) = read_all(&document(&events));
    assert_eq!(trace.host.len() as u64 + notes.count("damaged-event"), 40_001, "{notes:?}");
    assert_eq!(trace.text(*trace.host.name.last().unwrap()), "good");
}

/// A long stream made of a start, a piece many times over, and an end.
struct Long {
    parts: [(Vec<u8>, u64); 3],
    part: usize,
    at: usize,
}

impl Long {
    fn new(start: &str, piece: &str, times: u64, end: &str) -> Self {
        let part = |text: &str, times| (text.as_bytes().to_vec(), times);
        Self { parts: [part(start, 1), part(piece, times), part(end, 1)], part: 0, at: 0 }
    }
}

impl io::Read for Long {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.part < 3 {
            let (text, times) = &mut self.parts[self.part];
            if *times == 0 || text.is_empty() {
                self.part += 1;
                continue;
            }
            let n = out.len().min(text.len() - self.at);
            out[..n].copy_from_slice(&text[self.at..self.at + n]);
            self.at += n;
            if self.at == text.len() {
                (self.at, *times) = (0, *times - 1);
            }
            return Ok(n);
        }
        Ok(0)
    }
}

fn read_long(mut stream: Long, limits: &Limits) -> (Trace, Notes) {
    let read = (kineto().read)(&mut stream, limits).unwrap();
    let Content::Trace(trace) = read.content else { panic!("a trace") };
    (*trace, read.notes)
}

const SMALL: Limits = Limits { max_unpacked: 1 << 40, max_event: 1 << 20, max_lanes: 100 };

#[test]
fn an_endless_string_is_skipped_without_being_held() {
    let good = event("cpu_op", "good", 1, "");
    let piece = "x".repeat(1 << 16);
    let stream = Long::new(
        &format!("[{good}, {{\"ph\": \"X\", \"name\": \""),
        &piece,
        512,
        &format!("\"}}, {good}]"),
    );
    let (trace, notes) = read_long(stream, &SMALL);
    assert_eq!(trace.host.len(), 2);
    assert_eq!(notes.count("oversized-event"), 1);
    let stream = Long::new(
        "{\"distributedInfo\": \"",
        &piece,
        512,
        &format!("\", \"host\": \"{piece}\", \"traceEvents\": [{good}]}}"),
    );
    let (trace, notes) = read_long(stream, &SMALL);
    assert_eq!(trace.host.len(), 1);
    assert_eq!(notes.count("oversized-value"), 1);
}

#[test]
fn a_large_event_within_the_limit_is_read() {
    let stack = "module.py(1): f;".repeat(100_000);
    let args = format!("\"Call stack\": \"{stack}\", \"External id\": 3");
    let (trace, notes) = read_all(&document(&[&event("cpu_op", "big", 1, &args)]));
    assert_eq!(trace.op_links.external[0].1, 3);
    assert!(notes.is_empty());
}

#[test]
fn deep_nesting_is_a_counter() {
    let deep = "[".repeat(300_000) + &"]".repeat(300_000);
    let args = format!("\"deep\": {deep}, \"External id\": 3");
    let (trace, _) = read_all(&document(&[&event("cpu_op", "deep", 1, &args)]));
    assert_eq!(trace.op_links.external[0].1, 3);
    let top = format!("{{\"x\": {deep}, \"traceEvents\": []}}");
    assert!(read_all(top.as_bytes()).0.host.is_empty());
    let _ = (kineto().read)(&mut "[{\"a\":".repeat(200_000).as_bytes(), &SMALL);
}

#[test]
fn lanes_past_the_limit_share_one() {
    let rows: Vec<String> = (0..1_000)
        .flat_map(|i| {
            let kernel = format!("\"device\": {}, \"stream\": {i}", i % 3);
            [event("cpu_op", "op", i, ""), event("kernel", "k", i, &kernel)]
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let bytes = document(&rows);
    let read = (kineto().read)(&mut &bytes[..], &SMALL).unwrap();
    let Content::Trace(trace) = read.content else { panic!("a trace") };
    assert_eq!((trace.host.len(), trace.device.len()), (1_000, 1_000));
    assert_eq!(trace.lanes.len(), 102);
    assert_eq!(read.notes.count("too-many-lanes"), 1_900);
    assert_eq!(trace.text(trace.lane(*trace.host.lane.last().unwrap()).name), "[other lanes]");
    assert!(trace.device.lane.iter().all(|lane| trace.lane(*lane).device.is_some()));
}

#[test]
fn floods_of_metadata_are_bounded() {
    let rows: Vec<String> = (0..50_000)
        .map(|i| format!(r#"{{"name": "thread_name", "ph": "M", "pid": {i}, "tid": {i}, "args": {{"name": "row {i}"}}}}"#))
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let bytes = document(&rows);
    let read = (kineto().read)(&mut &bytes[..], &SMALL).unwrap();
    let Content::Trace(trace) = read.content else { panic!("a trace") };
    assert!(trace.lanes.is_empty() && trace.strings.len() < 300);
    assert!(read.notes.count("too-many-names") > 0);
}

/// A stream that fails at its end.
struct Failing<'b>(&'b [u8]);

impl io::Read for Failing<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = io::Read::read(&mut self.0, out)?;
        if n == 0 { Err(io::Error::other("the cable was pulled")) } else { Ok(n) }
    }
}

#[test]
fn a_stream_that_fails_gives_what_came_before() {
    let good = event("cpu_op", "good", 1, "");
    let bytes = document(&[&good, &good]);
    let read = (kineto().read)(&mut Failing(&bytes[..bytes.len() - 10]), &SMALL).unwrap();
    assert_eq!(read.notes.count("input-error"), 1);
    let error = (kineto().read)(&mut Failing(b""), &SMALL).unwrap_err();
    assert!(error.to_string().contains("after 0 bytes"));
}
