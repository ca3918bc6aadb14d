//! The conservation laws, on every trace.

use std::path::Path;

use flamelane_find::{Answer, Thresholds};
use flamelane_link::{Linked, Partition, Rules};
use flamelane_model::{FrameKind, Weight};
use flamelane_testkit::capture::Capture;
use flamelane_testkit::random;

use crate::truth::made;
use crate::{capture, charts, corpus, linked, traces, whole};

/// Laws 1 to 4 and 6 on one linked trace.
fn check(file: &str, linked: &Linked) {
    let profile = flamelane_fold::fold(linked);
    let device = &linked.trace.device;
    let selected = (0..device.len()).filter(|&span| linked.window.selected[span]);
    let durations: i64 = selected.map(|span| device.duration(span)).sum();
    assert_eq!(profile.sum(&Weight::Gpu), durations, "{file}: law 1");

    let (mut walls, mut busy, mut idle) = (0, 0, 0);
    for time in &linked.devices {
        let part = time.partition;
        let parts = part.compute + part.comm + part.copy + part.idle;
        assert_eq!(parts, time.wall, "{file}: law 3");
        let gaps: i64 = time.gaps.iter().map(|gap| gap.span.len()).sum();
        assert_eq!(gaps, part.idle, "{file}: gaps are the idle time");
        walls += time.wall;
        busy += time.busy_ns();
        idle += part.idle;
    }
    assert_eq!(profile.sum(&Weight::Idle), idle, "{file}: law 2");
    assert_eq!(linked.idle.by_class.iter().sum::<i64>(), idle, "{file}: law 2 by class");
    assert_eq!(profile.sum(&Weight::GpuBusy), busy, "{file}: busy time is shared out");
    assert_eq!(linked.per_step.sum(), walls, "{file}: every nanosecond has a step");

    let answer = flamelane_find::find(linked, &[], &Thresholds::default());
    law_5(file, linked, &answer);
    charts::check(file, linked);
    for step in flamelane_report::every_step(linked, &answer.patterns).list {
        assert!(step.stretch_ns.0 <= step.stretch_ns.1, "{file}: {step:?}");
        assert_eq!(step.kept, step.left_out.is_none(), "{file}: {step:?}");
    }
    for pattern in &answer.patterns {
        let is_kept = |&step: &u32| linked.steps.list[step as usize].is_kept();
        assert!(pattern.steps.iter().all(is_kept), "{file}: {pattern:?}");
    }

    let wall = profile.totals(&Weight::Wall);
    for node in profile.stacks.nodes() {
        let is_thread = profile.stacks.frame(node).kind == FrameKind::Thread;
        if is_thread && wall[node.index()] != 0 {
            assert_eq!(wall[node.index()], linked.window.wall(), "{file}: law 4");
        }
    }
    for wait in &linked.waits {
        assert!(wait.absorbed >= 0 && wait.absorbed <= wait.time.len(), "{file}: absorbed");
    }
}

/// Findings own disjoint parts of what is lost, and the tally holds all of the time that counts.
fn law_5(file: &str, linked: &Linked, answer: &Answer) {
    let owned: i64 = answer.findings.iter().map(|finding| finding.owned).sum();
    let lost = |part: Partition| part.idle + part.comm + part.copy;
    let all: i64 = linked.devices.iter().map(|device| lost(device.partition)).sum();
    assert!(owned <= all, "{file}: law 5: {owned} of {all}");
    let tally = answer.tally();
    assert_eq!(tally.whole() + tally.not_recorded, answer.counted, "{file}: the tally is whole");
    assert_eq!(owned + answer.unexplained, tally.whole() - tally.compute, "{file}: the rest");
    for finding in &answer.findings {
        assert!(finding.owned >= 0 && finding.max_gain >= 0, "{file}: {finding:?}");
        assert!(finding.max_gain <= tally.whole(), "{file}: {finding:?}");
    }
}

#[test]
fn the_laws_hold_on_every_real_trace() {
    let Some(corpus) = corpus() else { return };
    let mut n_checked = 0;
    for path in traces(&corpus) {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        for rules in [Rules::default(), whole()] {
            let Some(linked) = linked(&path, rules) else { continue };
            check(&file, &linked);
            n_checked += 1;
        }
    }
    assert!(n_checked >= 90, "only {n_checked} checked");
}

#[test]
fn the_json_sums_to_the_window() {
    let Some(corpus) = corpus() else { return };
    for path in traces(&corpus) {
        let Some(linked) = linked(&path, Rules::default()) else { continue };
        let capture = capture(&linked);
        let idle: i64 = capture.idle.iter().map(|owner| owner.ns).sum();
        assert_eq!(idle, capture.window.idle_ns, "{}", path.display());
        let classes: i64 = capture.idle_classes.iter().map(|class| class.ns).sum();
        assert_eq!(classes, capture.window.idle_ns, "{}", path.display());
    }
}

/// On one stream, host and device in step, a step's stretch is exactly its busy and idle time, and
/// begins where that of the step before ends.
#[test]
fn the_stretches_of_steps_follow_each_other_and_are_as_long_as_the_steps() {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/kineto/llm-decode.json.gz");
    let linked = linked(Path::new(fixture), Rules::default()).unwrap();
    let list = flamelane_report::every_step(&linked, &[]).list;
    assert!(list.len() > 3);
    for pair in list[..list.len() - 1].windows(2) {
        let (from, to) = pair[1].stretch_ns;
        assert_eq!((from, to - from), (pair[0].stretch_ns.1, pair[1].wall_ns), "{}", pair[1].name);
    }
}

#[test]
fn the_laws_hold_on_ten_thousand_made_traces() {
    for seed in 0..10_000 {
        let (json, _) = random::trace_json(seed);
        let rules = if seed % 4 == 0 { whole() } else { Rules::default() };
        check(&format!("random {seed}"), &made(&json, rules));
    }
}

#[test]
fn the_laws_hold_where_processes_share_a_file() {
    for seed in 0..400 {
        let mut captures = [random::capture(seed), random::capture(seed + 10_000)];
        captures[1].pid += 1;
        let linked = made(&Capture::joined_json(&captures), Rules::default());
        check(&format!("random {seed} twice"), &linked);
    }
}
