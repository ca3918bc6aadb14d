//! Every health check as drawings: one capture it objects to, and one it does not.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

use flamelane_find::{Check, Status, Thresholds, health, unprofiled};
use flamelane_link::{Choice, Rules, link};
use flamelane_model::{ProcessId, Trace};
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
fn a_window_with_little_work_or_no_length_supports_no_verdict() {
    let of = |choice| {
        let linked = link(read(SOUND, MICRO), Rules { choice, ..Rules::default() });
        let checks = health(&linked);
        let check = checks.into_iter().find(|check| check.check == "device-work").unwrap();
        (check.status, check.message)
    };
    assert_eq!(of(Choice::Whole).0, Status::Ok);
    let (status, said) = of(Choice::Time(0, 1));
    assert_eq!((status, said.starts_with("none of")), (Status::Fail, true), "{said}");
    let (status, said) = of(Choice::Time(6_000, 12_000));
    assert_eq!((status, said.starts_with("only 3 of")), (Status::Fail, true), "{said}");
    let (status, said) = of(Choice::Time(5, 5));
    assert_eq!((status, said.contains("no length")), (Status::Fail, true), "{said}");
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

#[test]
fn a_verdict_is_withheld_above_half_not_recorded_and_not_at_half() {
    let drawing = |b: &str| {
        format!(
            "
            main   | aa   bb
            gpu    |   aaaa
            gpu:20 |                 {b}
            "
        )
    };
    // 10 of 20 characters, 10 of 19.
    assert_eq!(status(&drawing("bbbb"), 20 * MICRO, "not-recorded"), Some(Status::Warn));
    assert_eq!(status(&drawing("bbb"), 20 * MICRO, "not-recorded"), Some(Status::Fail));
}

#[test]
fn a_window_inside_the_capture_of_graphs_supports_no_verdict() {
    let drawing = |begin: &str| {
        format!(
            "
            main | {{step[DECODE]                                                          }}
                 | aa bb cc dd {begin}<cudaStreamEndCapture>  ee
            gpu  |  aaabbbcccddd                                                     eee
            "
        )
    };
    let long = "<cudaStreamBeginCapture>    ";
    assert_eq!(status(&drawing(long), MICRO, "stream-capture"), Some(Status::Fail));
    let short = "    <cudaStreamBeginCapture>";
    assert_eq!(status(&drawing(short), MICRO, "stream-capture"), Some(Status::Fail));
    let none = "                            ";
    assert_eq!(
        status(&drawing(none), MICRO, "stream-capture"),
        Some(Status::Fail),
        "it began before"
    );
    let brief = drawing(none).replace("<cudaStreamEndCapture>", "                      ");
    assert_eq!(status(&brief, MICRO, "stream-capture"), None);
    let at_most_half = SOUND.replace("[end      ]", "<cudaStreamBeginCapture>");
    assert_eq!(status(&at_most_half, MICRO, "stream-capture"), None);
}

#[test]
fn compiling_inside_the_window_is_said() {
    let drawing = |name: &str| {
        format!(
            "
            main | {{ProfilerStep#0                           }}
                 | [{name}  ] aa bb
            gpu  |             aaabbb
            "
        )
    };
    assert_eq!(status(&drawing("compile"), MICRO, "warm-up"), Some(Status::Warn));
    assert_eq!(status(&drawing("forward"), MICRO, "warm-up"), None);
}

#[test]
fn warm_up_steps_in_a_chosen_window_are_said() {
    let drawing = "
        main | {ProfilerStep#0      }{ProfilerStep#1 }{ProfilerStep#2 }{ProfilerStep#3 }
             | [compile       ] aa    bb               cc               dd
        gpu  |                   aaa   bbb              ccc              ddd
        ";
    let check = |choice: Choice| {
        let rules = Rules { choice, ..Rules::default() };
        let checks = health(&link(read(drawing, MICRO), rules));
        checks.iter().find(|check| check.check == "warm-up").map(|check| check.message.clone())
    };
    assert_eq!(check(Choice::KeptSteps), None);
    let said = check(Choice::Whole).unwrap();
    assert!(said.starts_with("inside the window: 1 step of warm-up, and compiling"), "{said}");
}

#[test]
fn several_processes_in_a_file_and_on_a_device_are_said() {
    let shared = "
        main  | [run                     ]
              |  aa   cc
        other | [run                     ]
              |     bb
        gpu   |   aaa bbbccc
        ";
    let apart = "
        main  | [run                     ]
              |  aa   cc
        other | [run                     ]
              |     bb
        gpu   |   aaa    ccc
        gpu1  |       bbb
        ";
    let said = |drawing: &str| {
        let mut trace = read(drawing, MICRO);
        let other = trace.lanes.iter().position(|lane| lane.id == 4243).unwrap();
        trace.processes.push(trace.processes[0].clone());
        trace.lanes[other].process = ProcessId(trace.processes.len() as u32 - 1);
        let checks = health(&link(trace, Rules::default()));
        checks.iter().find(|check| check.check == "processes").unwrap().message.clone()
    };
    let (shared_said, apart_said) = (said(shared), said(apart));
    assert!(shared_said.starts_with("2 processes"), "{shared_said}");
    let wanted = "on device 0 each one's idle time may be the other's busy time, 69.2 % of it";
    assert!(shared_said.contains(wanted), "{shared_said}");
    assert!(apart_said.starts_with("2 processes"), "{apart_said}");
    assert!(!apart_said.contains("each one's"), "{apart_said}");
    assert_eq!(status(shared, MICRO, "processes"), None, "threads of one process");
}

#[test]
fn work_that_runs_when_all_markers_are_over_makes_step_times_unreliable() {
    let drawing = |first: &str| {
        format!(
            "
            main | {{step[DECODE]  }}{{step[DECODE]  }}
                 |  aa               bb
            gpu  | {first} bbb
            "
        )
    };
    let late = "                                                      aaa";
    let ahead = "   aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    assert_eq!(status(&drawing(late), MILLI, "step-times"), Some(Status::Fail));
    assert_eq!(status(&drawing(ahead), MILLI, "step-times"), None, "the queue is full");
    let in_time = "   aaaaaaaaaaaa     ";
    assert_eq!(status(&drawing(in_time), MILLI, "step-times"), None);
}

#[test]
fn work_of_steps_that_run_at_the_same_time_may_be_in_the_wrong_one() {
    let drawing = |launching: &str| {
        format!(
            "
            one  | {{step[DECODE]        }}
            two  |    {{step[DECODE]         }}
            {launching} |     aa bb
            gpu  |      aaabbb
            "
        )
    };
    assert_eq!(status(&drawing("exec"), MICRO, "step-overlap"), Some(Status::Warn));
    assert_eq!(status(&drawing("two "), MICRO, "step-overlap"), None);
}

#[test]
fn a_step_much_longer_than_without_the_profiler_supports_no_verdict() {
    let linked = link(read(SOUND, MICRO), Rules::default());
    let check = |step| unprofiled(&linked, step, &Thresholds::default());
    // The two steps of the drawing last 26 and 25 µs on the device: the upper middle is 26.
    let walls: Vec<i64> =
        (0..2).map(|i| linked.per_step.busy[i] + linked.per_step.idle[i]).collect();
    let wall = walls.iter().copied().max().unwrap();
    assert_eq!(check(wall).status, Status::Ok);
    assert_eq!(check(wall * 100 / 116).status, Status::Fail);
    assert_eq!(check(wall * 2).status, Status::Warn, "shorter: another workload");
    assert_eq!(check(0).status, Status::Warn);
    assert!(check(wall / 2).message.contains("2.00 × as long"), "{}", check(wall / 2).message);
}

#[test]
fn a_full_launch_queue_is_no_overhead() {
    let drawing = |call: usize| {
        let row = |len: usize| -> String {
            ('a'..='x')
                .flat_map(|c| {
                    format!("{:20}", c.to_string().repeat(len)).chars().collect::<Vec<_>>()
                })
                .collect()
        };
        format!("main | [run                 ]\n | {}\n gpu |    {}", row(call), row(20))
    };
    assert_eq!(status(&drawing(19), MICRO, "launch-queue"), Some(Status::Ok));
    assert_eq!(status(&drawing(5), MICRO, "launch-queue"), None);
}

#[test]
fn whatever_is_wrong_names_a_recipe_of_the_page() {
    #![expect(clippy::disallowed_methods, reason = "tests read the page")]
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/recording.md");
    let page = std::fs::read_to_string(page).unwrap();
    let anchor = |line: &str| {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        heading.replace(' ', "-")
    };
    let anchors: Vec<String> = page.lines().filter(|l| l.starts_with("## ")).map(anchor).collect();
    let drawings = [
        ("main | [run  ]\n | aa\n gpu | aaa", MICRO),
        ("main | [run ]\n | aa\n gpu | ##########  aaa", MICRO),
        ("main | [run ]\n | aa bb\n gpu |  aaa    bbb", 100 * MILLI),
        ("main | {step[DECODE]}{step[EXTEND]}\n | aa  bb\n gpu | aaa    bbb", MICRO),
    ];
    let mut n_bad = 0;
    for (drawing, unit) in drawings {
        for check in checks(drawing, unit).iter().filter(|check| check.status != Status::Ok) {
            n_bad += 1;
            let recipe = check.recipe.unwrap_or_else(|| panic!("{} names no recipe", check.check));
            assert!(anchors.iter().any(|a| a == recipe), "{}: {recipe}", check.check);
            assert!(check.fix.is_some(), "{}", check.check);
        }
    }
    assert!(n_bad >= 6, "{n_bad}");
}
