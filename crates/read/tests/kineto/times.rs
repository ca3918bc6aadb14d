//! Clocks, decimals and the values beside the events.

use flamelane_model::Interval;

use super::{event, read_all};

fn op(ts: &str, dur: &str) -> String {
    format!(
        r#"{{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": {ts}, "dur": {dur}}}"#
    )
}

fn document(before: &str, events: &str, after: &str) -> Vec<u8> {
    format!("{{{before}\"traceEvents\": [{events}]{after}}}").into_bytes()
}

#[test]
fn the_base_counts_before_and_after_the_events() {
    for (before, after) in [
        ("\"baseTimeNanoseconds\": 1751410836000000000, ", ""),
        ("", ", \"displayTimeUnit\": \"ms\", \"baseTimeNanoseconds\": 1751410836000000000"),
    ] {
        let events = [op("1000.5", "2"), op("1.250", "1")].join(",");
        let (trace, _) = read_all(&document(before, &events, after));
        assert_eq!(trace.origin, 1_751_410_836_000_001_250);
        assert_eq!(trace.host.start, [999_250, 0]);
        assert_eq!(trace.extent, Interval::new(0, 1_001_250));
    }
}

#[test]
fn absolute_microseconds_with_decimals_keep_every_nanosecond() {
    let (trace, _) = read_all(&document("", &op("1712195495509888.704", "0.001"), ""));
    assert_eq!(trace.origin, 1_712_195_495_509_888_704);
    assert_eq!(trace.host.end, [1]);
    assert!(!trace.metadata.whole_micros);
}

#[test]
fn whole_micros_is_told_also_when_decimals_are_all_0() {
    let (trace, _) = read_all(&document("", &op("5", "3.000"), ""));
    assert!(trace.metadata.whole_micros);
}

#[test]
fn negative_durations_become_0_and_are_counted() {
    let events = [op("5", "-3.5"), op("5", "2")].join(",");
    let (trace, notes) = read_all(&document("", &events, ""));
    assert_eq!(trace.host.end, [0, 2_000]);
    assert_eq!(notes.count("negative-duration"), 1);
}

#[test]
fn times_past_64_bits_saturate_and_are_counted() {
    let events = [op("1", "9223372036854775807"), op("1e40", "1"), op("-1e40", "1")].join(",");
    let (trace, notes) = read_all(&document("", &events, ""));
    assert_eq!(trace.host.len(), 3);
    assert!(notes.count("time-overflow") >= 1);
    assert!(trace.host.start.iter().zip(&trace.host.end).all(|(from, to)| from <= to));
}

#[test]
fn missing_times_are_told() {
    let no_time = r#"{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "dur": 1}"#;
    let no_duration = r#"{"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "ts": 1}"#;
    let (trace, notes) = read_all(&document("", &[no_time, no_duration].join(","), ""));
    assert_eq!(trace.host.len(), 1);
    assert_eq!((notes.count("no-time"), notes.count("no-duration")), (1, 1));
}

#[test]
fn unpadded_fractions_of_march_2024_are_nanoseconds() {
    let unpadded: Vec<String> = (0..200)
        .map(|i| op(&format!("1711600000000{:03}.{}", i, (i * 37) % 1000), "1.5"))
        .collect();
    let (trace, _) = read_all(&document("", &unpadded.join(","), ""));
    assert_eq!(trace.origin, 1_711_600_000_000_000_000);
    assert_eq!(trace.host.start[2], 2_074);
    assert_eq!(trace.host.end[2] - trace.host.start[2], 1_005);
}

#[test]
fn fractions_of_a_float_printer_are_decimals() {
    let trimmed: Vec<String> = (0..200)
        .map(|i| {
            op(
                &format!("17116000{:03}.{}", i, f64::from((i * 37) % 1000) / 1000.0)
                    .replace(".0.", "."),
                "1.5",
            )
        })
        .collect();
    let (trace, _) = read_all(&document("", &trimmed.join(","), ""));
    assert_eq!(trace.host.end[2] - trace.host.start[2], 1_500);
}

#[test]
fn the_job_may_be_described_twice_and_versions_are_told() {
    let before = r#""schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8, "pg_config": [{"pg_name": "0", "ranks": "[0, 1, ...]"}]}, "cupti_version": 18, "with_stack": 1, "host_name": "secret.example", "username": "someone", "PT_PROFILER_JOB_NAME": "job", "#;
    let after = r#", "traceName": "/home/someone/x.json", "distributedInfo": {"rank": 3}"#;
    let (trace, _) = read_all(&document(before, &op("1", "1"), after));
    let metadata = &trace.metadata;
    assert_eq!((metadata.rank, metadata.world_size), (Some(3), Some(8)));
    assert_eq!(metadata.backend.as_deref(), Some("nccl"));
    assert_eq!(metadata.properties["cupti_version"], "18");
    assert_eq!(metadata.properties["with_stack"], "1");
    let told = format!("{:?}", metadata.properties);
    assert!(!told.contains("secret") && !told.contains("someone") && !told.contains("job"));
}

#[test]
fn log_lines_behind_the_events_do_no_harm() {
    let after = ", \"INFO\": [\"INFO:2024 a \"quoted\" name\", \"x\"], \"ERROR\": [\"unbalanced \" here\"], \"baseTimeNanoseconds\": 1000";
    let (trace, _) = read_all(&document("", &op("1", "1"), after));
    assert_eq!(trace.origin, 2_000);
}

#[test]
fn the_profiler_says_when_it_recorded() {
    let row = r#"{"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler", "ts": 10, "dur": 90, "args": {"Op count": 0}}"#;
    let (trace, _) = read_all(&document("", &[&op("20", "1"), row].join(","), ""));
    assert_eq!(trace.metadata.recorded, Some(Interval::new(0, 90_000)));
    assert_eq!(trace.host.start, [10_000]);
    assert_eq!(trace.lanes.len(), 1);
}

#[test]
fn keys_may_repeat_and_come_in_any_order() {
    let odd = r#"{"args": {"stream": 7, "correlation": 1, "correlation": 2}, "dur": 1, "ts": 9, "ts": 5, "tid": 7, "pid": 0, "name": "first", "name": "k", "cat": "kernel", "ph": "X"}"#;
    let (trace, _) = read_all(&document("", odd, ""));
    assert_eq!((trace.origin, trace.device.correlation[0]), (5_000, 2));
    assert_eq!(trace.text(trace.device.name[0]), "k");
}

#[test]
fn a_file_without_events_is_a_trace_and_one_without_the_list_is_not() {
    let (trace, notes) = read_all(&document("", "", ""));
    assert!(trace.host.is_empty() && notes.is_empty());
    let reader = super::kineto();
    for text in ["{}", "[[1, 2], [3, 4]]", "", "{\"schemaVersion\": 1}", "nonsense"] {
        let result = (reader.read)(&mut text.as_bytes(), &flamelane_read::Limits::default());
        assert!(result.is_err(), "{text}");
    }
}

#[test]
fn a_bare_list_is_a_file() {
    let list = format!("\u{feff} [{}]", event("kernel", "k", 7, r#""stream": 7"#));
    let (trace, _) = read_all(list.as_bytes());
    assert_eq!(trace.device.len(), 1);
}
