//! Traces as text, drawn as one line a span.

use flamelane_model::{Notes, Trace};

use super::*;

#[track_caller]
fn trace(text: &str) -> (Trace, Notes) {
    assert_eq!(sniff(text.as_bytes()), Sniff::Yes, "{text}");
    let read = read(&mut text.as_bytes(), &Limits::default()).unwrap();
    match read.content {
        Content::Trace(trace) => (*trace, read.notes),
        Content::Profile(_) => panic!("a trace"),
    }
}

/// `lane: name start-end`, times in µs, by start.
fn drawn(trace: &Trace) -> Vec<String> {
    let mut rows: Vec<usize> = (0..trace.host.len()).collect();
    rows.sort_by_key(|row| trace.host.start[*row]);
    let line = |row: usize| {
        let lane = trace.text(trace.lane(trace.host.lane[row]).name);
        let (start, end) = (trace.host.start[row] / 1000, trace.host.end[row] / 1000);
        format!("{lane}: {} {start}-{end}", trace.text(trace.host.name[row]))
    };
    rows.into_iter().map(line).collect()
}

fn codes(notes: &Notes) -> Vec<(&str, u64)> {
    notes.iter().map(|note| (note.code, note.count)).collect()
}

#[track_caller]
fn check(events: &str, spans: &[&str], expected: &[(&str, u64)]) {
    let (trace, notes) = trace(&format!("[{events}]"));
    assert_eq!(drawn(&trace), spans);
    assert_eq!(codes(&notes), expected);
}

#[test]
fn begins_and_ends_pair_by_name_in_order_of_time() {
    check(
        r#"{"ph":"E","name":"b","ts":9,"pid":1,"tid":2},{"ph":"B","name":"a","ts":0,"pid":1,"tid":2},
        {"ph":"B","name":"b","ts":1,"pid":1,"tid":2},{"ph":"E","ts":10,"pid":1,"tid":2}"#,
        &["2: a 0-10", "2: b 1-9"],
        &[],
    );
}

#[test]
fn crossing_lost_and_open_marks_are_counted() {
    check(
        r#"{"ph":"B","name":"a","ts":0,"pid":1,"tid":2},{"ph":"B","name":"b","ts":1,"pid":1,"tid":2},
        {"ph":"E","name":"a","ts":5,"pid":1,"tid":2},{"ph":"E","name":"c","ts":6,"pid":1,"tid":2}"#,
        &["2: a 0-5", "2: b 1-6"],
        &[("crossing-event", 1), ("end-without-begin", 1), ("unclosed-event", 1)],
    );
}

#[test]
fn an_end_that_stands_before_its_begin_of_the_same_time_closes_it() {
    check(
        r#"{"ph":"E","name":"c","ts":2,"pid":1,"tid":2},{"ph":"B","name":"c","ts":2,"pid":1,"tid":2}"#,
        &["2: c 0-0"],
        &[],
    );
}

#[test]
fn asynchronous_spans_get_a_lane_a_category() {
    check(
        r#"{"ph":"b","cat":"net","id":"0x1","name":"get","ts":0,"pid":1,"tid":2},
        {"ph":"b","cat":"net","id":"0x2","name":"get","ts":1,"pid":1,"tid":3},
        {"ph":"n","cat":"net","id":"0x2","name":"first byte","ts":2,"pid":1,"tid":3},
        {"ph":"e","cat":"net","id":"0x1","name":"get","ts":3,"pid":1,"tid":2},
        {"ph":"e","cat":"net","id":"0x2","name":"get","ts":5,"pid":1,"tid":3},
        {"ph":"S","cat":"old","id":7,"name":"x","ts":6,"pid":1,"tid":3},
        {"ph":"F","cat":"old","id":7,"name":"x","ts":8,"pid":1,"tid":9},
        {"ph":"b","cat":"new","id2":{"local":"0x1"},"name":"y","ts":9,"pid":1,"tid":3},
        {"ph":"e","cat":"new","id2":{"local":"0x1"},"name":"y","ts":9.5,"pid":1,"tid":3}"#,
        &["async net: get 0-3", "async net: get 1-5", "async old: x 6-8", "async new: y 9-9"],
        &[],
    );
}

#[test]
fn names_of_lanes_come_from_metadata_wherever_it_stands() {
    let (trace, _) = trace(
        r#"{"displayTimeUnit":"ns","traceEvents":[
        {"ph":"X","name":"f","ts":5,"dur":2,"pid":"worker","tid":"main"},
        {"ph":"X","name":"g","ts":6,"dur":1,"pid":7,"tid":8},
        {"ph":"M","name":"thread_name","pid":7,"tid":8,"args":{"name":"T\u00e9"}},
        {"ph":"M","name":"process_name","pid":7,"args":{"name":"P"}},
        {"ph":"C","name":"mem","ts":6,"pid":7,"args":{"x":1}}],"systemTraceEvents":"..."}"#,
    );
    assert_eq!(drawn(&trace), ["main: f 0-2", "Té: g 1-2"]);
    assert_eq!(trace.text(trace.processes[1].name), "P");
    assert_eq!(trace.census[&("C".to_owned(), String::new())], 1);
    assert_eq!((trace.origin, trace.extent.to), (5_000, 2_000));
}

#[test]
fn py_spy_frames_are_python_with_their_place() {
    let (trace, _) = trace(
        r#"[{"args":{"filename":"a.py","line":3},"cat":"py-spy","name":"f","ph":"B","pid":1,"tid":1,"ts":0},
        {"args":{"filename":"a.py","line":9},"cat":"py-spy","name":"f","ph":"E","pid":1,"tid":1,"ts":4}]"#,
    );
    assert_eq!(drawn(&trace), ["1: f (a.py:3) 0-4"]);
    assert_eq!(trace.host.kind[0], flamelane_model::FrameKind::Python);
}

#[test]
fn a_missing_duration_is_that_of_the_thread_or_none() {
    check(
        r#"{"ph":"X","name":"a","ts":0,"tdur":4,"pid":0,"tid":0},{"ph":"X","name":"b","ts":7,"pid":0,"tid":0}"#,
        &["0: a 0-4", "0: b 7-7"],
        &[("no-duration", 2)],
    );
}

#[test]
fn an_empty_list_is_an_empty_trace() {
    let (trace, _) = trace(r#"{"traceEvents":[]}"#);
    assert!(trace.host.is_empty() && trace.lanes.is_empty());
}

#[test]
fn every_beginning_of_a_trace_is_read_or_refused() {
    let text = r#"{"traceEvents":[{"ph":"X","name":"f","ts":5.25,"dur":2,"pid":"w","tid":1,"args":{"a":["}"]}},
        {"ph":"B","name":"g\n","ts":"6","pid":7,"tid":8}], "stackFrames":{"1":{"name":"x"}}}"#;
    for n in 0..text.len() {
        let _ = sniff(&text.as_bytes()[..n]);
        let _ = read(&mut &text.as_bytes()[..n], &Limits::default());
    }
}
