//! What a learned token may meet that it has not seen: each a bug of the prototype once.

use flamelane_model::NONE;

use super::{document, read_all_ways};

/// Three equal events to learn from, then one with another text in it.
fn learned(usual: &str, odd: &str) -> flamelane_model::Trace {
    let events = [usual, usual, usual, odd, usual];
    let (trace, notes) = read_all_ways(document(&events).as_bytes()).unwrap();
    assert!(notes.is_empty(), "{notes:?}");
    trace
}

const KERNEL: &str = r#"{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 9}}"#;

#[test]
fn more_space_before_a_value_than_the_token_had() {
    let trace = learned(KERNEL, &KERNEL.replace("\"ts\": 5", "\"ts\":  \n\t 6.5"));
    assert_eq!(trace.device.start, [0, 0, 0, 1_500, 0]);
    let trace = learned(KERNEL, &KERNEL.replace("\"name\": \"k\"", "\"name\":   \"other\""));
    assert_eq!(trace.text(trace.device.name[3]), "other");
}

#[test]
fn a_string_where_the_token_had_a_number_and_back() {
    let text = KERNEL.replace("\"stream\": 7", "\"stream\": \"20\"");
    let trace = learned(KERNEL, &text);
    assert_eq!(trace.lane(trace.device.lane[3]).id, 20);
    let trace = learned(&text, KERNEL);
    assert_eq!(trace.lane(trace.device.lane[3]).id, 7);
    let trace = learned(KERNEL, &KERNEL.replace("\"ts\": 5", "\"ts\": \"5.001\""));
    assert_eq!(trace.device.start[3], 1);
    let trace = learned(KERNEL, &KERNEL.replace("\"name\": \"k\"", "\"name\": 12"));
    assert_eq!(trace.text(trace.device.name[3]), "");
}

#[test]
fn args_that_are_null_and_then_an_object() {
    let null = r#"{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 5, "dur": 2, "args": null}"#;
    let trace = learned(null, KERNEL);
    assert_eq!(trace.device.correlation, [NONE, NONE, NONE, 9, NONE]);
    let trace = learned(KERNEL, null);
    assert_eq!(trace.device.correlation, [9, 9, 9, NONE, 9]);
    let trace = learned(KERNEL, &null.replace("null", "{}"));
    assert_eq!(trace.device.correlation[3], NONE);
    let trace = learned(null, &null.replace("null", "[1, {\"correlation\": 3}]"));
    assert_eq!(trace.device.correlation[3], NONE);
}

#[test]
fn literal_values_at_the_end_of_one_event_and_the_start_of_the_next() {
    let last =
        r#"{"ts": 5, "dur": 2, "name": "k", "ph": "X", "cat": "kernel", "pid": 0, "tid": 7}"#;
    let trace = learned(last, &last.replace("\"tid\": 7", "\"tid\": 8"));
    let ids: Vec<i64> = trace.device.lane.iter().map(|lane| trace.lane(*lane).id).collect();
    assert_eq!(ids, [7, 7, 7, 8, 7]);
    let trace = learned(last, r#"{"ts": 5, "dur": 2, "name": "k", "ph": "X", "cat": "kernel"}"#);
    assert_eq!(trace.lane(trace.device.lane[3]).id, 0);
    assert_eq!(trace.lane(trace.device.lane[4]).id, 7);
}

#[test]
fn the_same_text_means_other_things_inside_args_and_outside() {
    let usual = r#"{"ph": "X", "cat": "cpu_op", "args": {"name": "inner", "External id": 1}, "name": "op", "pid": 1, "tid": 1, "ts": 1, "dur": 1}"#;
    let odd = r#"{"ph": "X", "cat": "cpu_op", "args": {"External id": 2, "name": "inner"}, "name": "odd", "pid": 1, "tid": 1, "ts": 1, "dur": 1}"#;
    let trace = learned(usual, odd);
    let names: Vec<&str> = trace.host.name.iter().map(|name| trace.text(*name)).collect();
    assert_eq!(names, ["op", "op", "op", "odd", "op"]);
    assert_eq!(trace.op_links.external[3].1, 2);
}

#[test]
fn a_number_that_only_starts_like_the_learned_one() {
    let trace =
        learned(KERNEL, &KERNEL.replace("\"pid\": 0, \"tid\": 7", "\"pid\": 0, \"tid\": 77"));
    assert_eq!(trace.device.len(), 5);
    let op =
        r#"{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 12, "ts": 1, "dur": 1}"#;
    let trace = learned(op, &op.replace("\"tid\": 12", "\"tid\": 2147483648123"));
    assert_eq!(trace.lane(trace.host.lane[3]).id, 2_147_483_648_123);
}

#[test]
fn varied_literals_give_up_the_literals_and_stay_right() {
    let events: Vec<String> = (0..6_000)
        .map(|i| {
            format!(
                r#"{{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": {}, "ts": {i}, "dur": 1, "args": {{"key {i}": 1}}}}"#,
                i % 5_000
            )
        })
        .collect();
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    let (trace, _) = read_all_ways(document(&events).as_bytes()).unwrap();
    assert_eq!(trace.lanes.len(), 5_000);
    assert_eq!(trace.lane(trace.host.lane[5_999]).id, 999);
}
