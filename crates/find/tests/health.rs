//! Every health check as drawings: one capture it objects to, and one it does not.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

use flamelane_find::{Check, Status, health};
use flamelane_link::{Rules, link};
use flamelane_model::Trace;
use flamelane_read::{Content, Limits};
use flamelane_testkit::{Layout, draw};

/// A capture that no check objects to, one character a microsecond.
const SOUND: &str = "
    main | [run                                                         ]
         | {step[DECODE]           }{step[DECODE]           } [end      ]
         |  aa bb cc dd gg           ee ff hh ii jj
    gpu  |   aaabbbcccdddg g g g       eeefffhhhiiijjj
    ";

/// Reads a drawing in which a character lasts `unit` ns.
fn read(drawing: &str, unit: i64) -> Trace {
    let json = draw::scaled(drawing, unit).to_json(Layout::Kineto);
    let read = flamelane_read::open(&mut json.as_bytes(), &Limits::default(), Some("kineto"));
    match read.unwrap().content {
        Content::Trace(trace) => *trace,
        Content::Profile(_) => panic!("a trace"),
    }
}

fn checks(drawing: &str, unit: i64) -> Vec<Check> {
    health(&link(read(drawing, unit), Rules::default()))
}

/// How the check of a name came out; none where it was not made.
fn status(drawing: &str, unit: i64, check: &str) -> Option<Status> {
    checks(drawing, unit).iter().find(|found| found.check == check).map(|found| found.status)
}

const MICRO: i64 = 1_000;
const MILLI: i64 = 1_000_000;

#[test]
fn a_sound_capture_has_nothing_to_object_to() {
    let checks = checks(SOUND, MICRO);
    let bad: Vec<&Check> = checks.iter().filter(|check| check.status != Status::Ok).collect();
    assert!(bad.is_empty(), "{bad:?}");
    assert!(checks.iter().all(|check| check.fix.is_none()), "nothing to fix");
    let names: Vec<&str> = checks.iter().map(|check| check.check).collect();
    let wanted = [
        "device-work",
        "attributed",
        "host-stacks",
        "idle-explained",
        "not-recorded",
        "graph-replays",
        "device-gaps",
        "steps",
    ];
    assert_eq!(names[..wanted.len()], wanted);
}

#[test]
fn few_device_spans_support_no_verdict() {
    let drawing = "
        main | [run      ]
             |  aa
        gpu  |    aaa
        ";
    assert_eq!(status(drawing, MICRO, "device-work"), Some(Status::Fail));
}

#[test]
fn work_launched_before_the_capture_is_not_attributed() {
    let drawing = |earlier: &str| {
        format!(
            "
            main | [run                                             ]
                 |            aa
            gpu  | {earlier}  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
            "
        )
    };
    assert_eq!(status(&drawing("#         "), MICRO, "attributed"), Some(Status::Warn));
    assert_eq!(status(&drawing("          "), MICRO, "attributed"), Some(Status::Ok));
    let mostly = "
        main | [run     ]
             |       aa
        gpu  | #####   aaa
        ";
    assert_eq!(status(mostly, MICRO, "attributed"), Some(Status::Fail));
}

#[test]
fn operators_without_python_are_said() {
    let drawing = "
        main | (op       )
             |  aa
        gpu  |    aaa
        ";
    assert_eq!(status(drawing, MICRO, "host-stacks"), Some(Status::Warn));
}

#[test]
fn idle_time_under_nothing_but_a_marker_is_not_explained() {
    let drawing = "
        main | {ProfilerStep#0           }{ProfilerStep#1           } [end]
             |  aa                bb       cc                dd
        gpu  |   aaa                bbb     ccc                ddd
        ";
    assert_eq!(status(drawing, MICRO, "idle-explained"), Some(Status::Warn));
}

#[test]
fn a_stream_that_starts_late_hides_work_that_was_not_recorded() {
    let drawing = "
        main   | [run                     ]
               | aa   bb
        gpu    |  aaaa
        gpu:20 |                bbbbbbbbbbbbbbbbbbbbbbbb
        ";
    assert_eq!(status(drawing, 20 * MICRO, "not-recorded"), Some(Status::Warn));
    assert_eq!(status(drawing, MICRO, "not-recorded"), Some(Status::Ok));
}

#[test]
fn replays_without_their_kernels_are_counted() {
    let replays = |n_empty: usize| {
        let empty = "<cudaGraphLaunch>".repeat(n_empty);
        format!(
            "
            main | gg        hh         {empty}
            gpu  |   g g g     h h h
            "
        )
    };
    assert_eq!(status(&replays(0), MICRO, "graph-replays"), Some(Status::Ok));
    assert_eq!(status(&replays(2), MICRO, "graph-replays"), Some(Status::Warn));
    assert_eq!(status(&replays(3), MICRO, "graph-replays"), Some(Status::Fail));
}

#[test]
fn the_recording_of_a_graph_capture_is_no_run() {
    let capture = |rest: &str| {
        let launches = "<cudaLaunchKernel>".repeat(30);
        format!(
            "
            main | <cudaStreamBeginCapture>{launches}
                 {rest}
            "
        )
    };
    let one_kernel = "| aa\n gpu  |   aaa";
    assert_eq!(status(&capture("|"), MICRO, "capture-only"), Some(Status::Fail));
    assert_eq!(status(&capture(one_kernel), MICRO, "capture-only"), Some(Status::Fail));
    assert_eq!(status(SOUND, MICRO, "capture-only"), None);
}

#[test]
fn work_that_starts_long_before_its_launch_has_impossible_times() {
    let drawing = "
        main | [run              ]
             |  aa         bb
        gpu  |    aaa bbb
        ";
    assert_eq!(status(drawing, MILLI, "timestamps"), Some(Status::Warn));
    assert_eq!(status(drawing, 100, "timestamps"), None);
}

#[test]
fn durations_that_cover_their_successors_are_untrustworthy() {
    let drawing = |long: &str| {
        format!(
            "
            main | [run                         ]
                 | aa bb cc dd
            gpu  |  {long}
                 |     bbbb cccc dddd
            "
        )
    };
    assert_eq!(status(&drawing("aaaaaaaaaaaaaaaaaaa"), MICRO, "durations"), Some(Status::Warn));
    assert_eq!(status(&drawing("aa"), MICRO, "durations"), None);
}

#[test]
fn long_pauses_with_work_queued_mean_missing_records() {
    let drawing = "
        main | [run                              ]
             | aa bb cc
        gpu  |    aaaaaaaaaa     bbbb      cccc
        ";
    assert_eq!(status(drawing, MILLI, "device-gaps"), Some(Status::Fail));
    assert_eq!(status(drawing, MICRO, "device-gaps"), Some(Status::Ok));
}

#[test]
fn a_run_without_steps_is_said() {
    let drawing = "
        main | [run      ]
             |  aa
        gpu  |    aaa
        ";
    assert_eq!(status(drawing, MICRO, "steps"), Some(Status::Warn));
}

#[test]
fn steps_of_two_phases_in_one_window_are_said() {
    let mixed = SOUND.replacen("{step[DECODE]", "{step[EXTEND]", 1);
    assert_eq!(status(&mixed, MICRO, "phases"), Some(Status::Warn));
    assert_eq!(status(SOUND, MICRO, "phases"), None);
}

#[test]
fn what_the_profiler_recorded_beside_the_times_has_a_cost() {
    let mut trace = read(SOUND, MICRO);
    for value in ["0", "1"] {
        trace.metadata.properties.insert("profile_memory".to_owned(), value.to_owned());
        let checks = health(&link(trace.clone(), Rules::default()));
        let cost = checks.iter().find(|check| check.check == "profiler-cost");
        assert_eq!(
            cost.is_some_and(|check| check.message.contains("profile_memory")),
            value == "1"
        );
    }
}
