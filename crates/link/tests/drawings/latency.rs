//! Latency, queueing, lead and full queues as drawings.

use std::fmt::Write;

use flamelane_link::{Launches, Linked, Rules, launches};
use flamelane_model::DeviceKind;

use super::linked_by;

fn told(drawing: &str) -> (Linked, Launches) {
    let linked = linked_by(drawing, Rules::default());
    let told = launches(&linked);
    (linked, told)
}

/// Paths as lines: call kind, count, (count, p50) of latency and of queueing in µs.
fn paths(drawing: &str) -> Vec<String> {
    let (linked, told) = told(drawing);
    let path = |path: &flamelane_link::LaunchPath| {
        let (latency, queueing) = (path.latency, path.queueing);
        format!(
            "{} {:?} {}: {}×{} {}×{}",
            linked.trace.text(path.call),
            path.kind,
            path.count,
            latency.count,
            latency.p50 / 1000,
            queueing.count,
            queueing.p50 / 1000,
        )
    };
    told.paths.iter().map(path).collect()
}

#[test]
fn latency_counts_where_the_stream_was_idle_and_queueing_elsewhere() {
    let drawing = "
        main | [run                                 ]
             | aa bb       cc
        gpu  |    aaaaaaabb      ccc
        ";
    // a: 0 → 3 and c: 12 → 18 on an idle stream; b: 3 → 10 behind a.
    assert_eq!(paths(drawing), ["cudaLaunchKernel Kernel 3: 2×3 1×7"]);
}

#[test]
fn a_stream_is_idle_whatever_another_one_does() {
    let drawing = "
        main   | [run                          ]
               | aa bb
        gpu    |    aaaaaaa
        gpu:20 |      bb
        ";
    assert_eq!(paths(drawing), ["cudaLaunchKernel Kernel 2: 2×2 0×0"]);
}

#[test]
fn a_replay_is_one_launch_and_kinds_are_apart() {
    let drawing = "
        main | [run                                 ]
             | gg                DD
        gpu  |   g g g g           DDD
        ";
    let wanted = ["cudaGraphLaunch Kernel 1: 1×2 0×0", "cudaMemcpyAsync Copy 1: 1×2 0×0"];
    let mut found = paths(drawing);
    found.sort();
    assert_eq!(found, wanted);
    let (_, told) = told(drawing);
    let replay = told.paths.iter().find(|path| path.is_graph).unwrap();
    assert_eq!((replay.n_spans, replay.kind), (4, DeviceKind::Kernel));
}

#[test]
fn the_lead_is_what_the_device_still_has_to_do_at_a_launch() {
    let drawing = "
        main | {ProfilerStep#0                  } {ProfilerStep#1              } [end]
             |  aa bb cc                           dd              ee
        gpu  |    aaaaaaaaaabbbbbbbbbbcccccccccc      dddddd         eeeee
        ";
    let (linked, told) = told(drawing);
    // a: nothing before it; b at 4: a until 13, 9 left; c at 7: a and b until 23, 16 left; d and e
    // find an idle device.
    let spread = told.lead.spread;
    assert_eq!((spread.count, spread.p50, spread.p90, told.lead.n_low), (5, 0, 16_000, 4));
    assert_eq!((told.lead.depth.p50, told.lead.depth.p99), (0, 2));
    let rows: Vec<(u32, i64, u64)> =
        told.lead.series.iter().map(|row| (row.step, row.p50, row.n_low)).collect();
    assert_eq!(rows, [(0, 9_000, 2), (1, 0, 2)]);
    assert_eq!(linked.steps.n_kept(), 2);
}

#[test]
fn the_functions_that_launch_most_stand_below_their_path() {
    let drawing = "
        main | [train.py(3): step             ] [other.py(9): read]
             |  aa    bb    cc                     dd
        gpu  |    aa    bb    cc                     dd
        ";
    let (_, told) = told(drawing);
    let frames: Vec<(&str, u64, i64)> = told.paths[0]
        .frames
        .iter()
        .map(|frame| (frame.name.as_str(), frame.count, frame.latency.p50))
        .collect();
    assert_eq!(frames, [("train.py(3): step", 3, 2_000), ("other.py(9): read", 1, 2_000)]);
}

/// A drawing of 24 launches whose calls last `call` of every 20 µs, and their work `work`.
fn steady(call: usize, work: usize) -> String {
    let row = |len: usize| {
        let mut row = String::new();
        for letter in 'a'..='x' {
            write!(row, "{:20}", letter.to_string().repeat(len)).unwrap();
        }
        row
    };
    let (host, device) = (row(call), row(work));
    format!(
        "
        main | [run                    ]
             | {host}
        gpu  |    {device}
        "
    )
}

#[test]
fn long_calls_in_step_with_a_busy_device_mean_a_full_queue() {
    let (_, full) = told(&steady(19, 20));
    let full = full.back_pressure.unwrap();
    // The first finds an empty queue.
    assert_eq!((full.count, full.call_ns, full.depth), (23, 23 * 19_000, 1));
    assert_eq!(told(&steady(5, 20)).1.back_pressure, None, "short calls");
    assert_eq!(told(&steady(19, 12)).1.back_pressure, None, "the device waits");
}

#[test]
fn work_that_starts_before_its_launch_counts_for_no_latency() {
    let drawing = "
        main | [run                                       ]
             | aa        bb         cc       dd
        gpu  |   aaa   bbb        ccc           ddd
        ";
    let (linked, told) = told(drawing);
    // b and c start 3 and 2 µs before their launch, a and d 2 and 3 µs after theirs.
    assert_eq!((told.n_negative, told.paths[0].count), (2, 4));
    assert_eq!((told.paths[0].latency.count, told.paths[0].latency.p50), (2, 2_000));
    assert_eq!(linked.paces[0].launch_latency, 3_000, "of a and d");
}
