//! Steps that differ: populations before averages.

use flamelane_find::Kind;

use crate::tape::Tape;

/// Ten steps as a graph and ten kernel by kernel, at batches around 32.
fn fallback(named: bool, slower: f64) -> Tape {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..20_u64 {
        let begin = at;
        if step < 10 {
            tape.launch("cudaGraphLaunch", at, 20.0);
            for kernel in 0..100 {
                tape.work(("kernel", "k"), (at + 25.0 + 17.0 * f64::from(kernel), 17.0), 7, 0);
            }
            at += 100.0;
        } else {
            for _ in 0..100 {
                tape.op("aten::mm", at, slower);
                tape.kernel("k", at + 2.0, 17.0);
                at += slower;
            }
        }
        at = tape.sync(at) + 10.0;
        let batch = if step < 10 { 30 + step % 3 } else { 33 + step % 4 };
        let name = if named { format!("decode bs={batch}") } else { format!("step#{step}") };
        tape.range(&name, begin, at - begin);
    }
    tape
}

#[test]
fn steps_that_fall_off_the_graph_are_one_finding() {
    let found = fallback(true, 44.0).found();
    assert_eq!(found.first().kind, Kind::GraphFallback);
    assert!(found.first().sentence.contains("above batch 32"), "{}", found.first().sentence);
    assert_eq!(found.verdict, "launch-bound");
    let patterns: Vec<_> = found.answer.patterns.iter().map(|p| p.pattern).collect();
    assert_eq!(patterns[0], "populations");
    let found = fallback(false, 44.0).found();
    assert!(found.first().sentence.contains("from step 10 on"), "{}", found.first().sentence);
}

#[test]
fn two_kinds_of_steps_without_any_graph_are_no_fallback() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..20_u64 {
        let begin = at;
        let (n, len, host) = if step < 10 { (10, 400.0, 20.0) } else { (40, 100.0, 250.0) };
        for _ in 0..n {
            tape.op("aten::mm", at, host);
            tape.kernel("k", at + 2.0, len);
            at += host;
        }
        at = tape.sync(at) + 10.0;
        tape.range(&format!("step#{step}"), begin, at - begin);
    }
    let found = tape.found();
    assert!(found.of(Kind::GraphFallback).is_none(), "{:?}", found.kinds());
    assert!(
        !found.answer.findings.iter().any(|f| f.experiment.contains("cudagraph_capture_sizes"))
    );
}

#[test]
fn as_fast_without_a_graph_is_no_fallback() {
    assert!(fallback(true, 17.5).found().of(Kind::GraphFallback).is_none());
}

#[test]
fn host_work_that_grows_is_said_to_grow() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..20 {
        let begin = at;
        for _ in 0..20 {
            tape.kernel("k", at, 100.0);
            at += 7.0;
        }
        at = tape.sync(at);
        let host = 500.0 + 50.0 * f64::from(step);
        tape.python("serve.py(9): check_stops", at, host);
        at += host;
        tape.range(&format!("step#{step}"), begin, at - begin);
    }
    let found = tape.found();
    assert!(found.first().sentence.contains("grows by"), "{}", found.first().sentence);
    assert!(found.answer.patterns.iter().any(|pattern| pattern.pattern == "trend"));
}

/// Ten steps of 10 ms with a kernel at their beginning; `last` is the length of the last.
fn alike(last: f64) -> Tape {
    let mut tape = Tape::default();
    for step in 0..10 {
        let at = f64::from(step) * 10_000.0;
        let len = if step == 9 { last } else { 10_000.0 };
        tape.kernel("k", at, 30.0);
        tape.op("aten::to", at + 10.0, len - 20.0);
        tape.range(&format!("ProfilerStep#{step}"), at, len);
    }
    tape
}

#[test]
fn what_the_window_cuts_off_the_last_step_makes_no_outlier() {
    let pattern = |tape: &Tape, name: &str| {
        let found = tape.found();
        let pattern = found.answer.patterns.iter().find(|pattern| pattern.pattern == name);
        pattern.map(|pattern| pattern.sentence.clone())
    };
    let same = alike(10_100.0);
    assert_eq!(pattern(&same, "outliers"), None);
    let said = pattern(&same, "edges").expect("the first has no gap before it, the last has two");
    assert!(said.contains("`ProfilerStep#0`") && said.contains("`ProfilerStep#9`"), "{said}");
    let longer = pattern(&alike(40_000.0), "outliers").expect("its own marker is longer");
    assert!(longer.contains("`ProfilerStep#9`"), "{longer}");
}

#[test]
fn a_step_on_two_devices_is_as_long_as_on_one() {
    let run = |n_devices: u64| {
        let mut tape = Tape::default();
        let mut at = 0.0;
        for step in 0..12 {
            let begin = at;
            for device in 0..n_devices {
                tape.launch("cudaLaunchKernel", at, 5.0);
                let len = if step == 5 { 30_000.0 } else { 9_000.0 };
                tape.work_on(device, ("kernel", "gemm"), (at + 10.0, len));
            }
            at += if step == 5 { 31_000.0 } else { 10_000.0 };
            tape.range(&format!("step#{step}"), begin, at - begin);
        }
        let linked = crate::tape::linked(&tape.json());
        let times = flamelane_link::step_times(&linked);
        let found = tape.found();
        let patterns: Vec<String> = found.answer.patterns.into_iter().map(|p| p.sentence).collect();
        (times, patterns)
    };
    let (one, two) = (run(1), run(2));
    assert_eq!(one, two);
    assert!(one.1.iter().any(|sentence| sentence.contains("`step#5` 31.0 ms")), "{:?}", one.1);
}
