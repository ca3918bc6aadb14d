//! Rules of linking as drawings: one line is one lane, one character is 1 µs.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod captures;
mod graphs;
mod hostile;
mod joins;
mod latency;
mod processes;
mod ranges;
mod steps;
mod threads;
mod times;

use std::fmt::Write;

use flamelane_link::{Choice, IdleClass, Linked, Rules, link};
use flamelane_model::{FrameKind, Trace};
use flamelane_read::{Content, Limits};
use flamelane_testkit::draw;

fn linked_by(drawing: &str, rules: Rules) -> Linked {
    link(read(drawing), rules)
}

fn read(drawing: &str) -> Trace {
    read_json(&draw::json(drawing))
}

fn read_json(json: &str) -> Trace {
    let read = flamelane_read::open(&mut json.as_bytes(), &Limits::default(), Some("kineto"));
    match read.unwrap().content {
        Content::Trace(trace) => *trace,
        Content::Profile(_) => panic!("a trace"),
    }
}

/// Idle owners of a drawing as lines `ns class stack`, in order of the stacks' first sight.
fn idle(linked: &Linked) -> String {
    let mut text = String::new();
    for owner in &linked.idle.owners {
        let stacks = &linked.nested.stacks;
        let path = stacks.path(owner.stack).into_iter();
        let names = path.filter(|frame| frame.kind != FrameKind::Thread);
        let names: Vec<&str> = names.map(|frame| linked.trace.text(frame.name)).collect();
        writeln!(text, "{} {}: {}", owner.ns, owner.class.name(), names.join(";")).unwrap();
    }
    text
}

fn check(drawing: &str, expected: &str) {
    let linked = linked_by(drawing, Rules::default());
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(idle(&linked).lines().collect::<Vec<_>>(), expected, "{drawing}");
}

#[test]
fn a_late_host_owns_the_gap_by_what_it_ran() {
    check(
        "
        main | {ProfilerStep#0                           }
             | [forward  ] [detokenize ] [forward       ]
             |  aa                        bb
        gpu  |    aaaaaaaa                  bbbbbbbbbbbbbb
        ",
        "
        2000 late host: ProfilerStep;forward
        13000 late host: ProfilerStep;detokenize
        4000 launch latency: ProfilerStep;forward;cudaLaunchKernel;[launch latency]
        2000 unrecorded host time: ProfilerStep;[unrecorded host time]
        ",
    );
}

#[test]
fn queued_work_never_makes_a_host_finding() {
    let linked = linked_by(
        "
        main | [forward                           ]
             |  aaa bbb ccc
        gpu  |   aaaaaaaaaaa bbbbbbbbbbbb        ccc
        ",
        Rules::default(),
    );
    let host = [IdleClass::LateHost, IdleClass::UnrecordedHost];
    let idle: i64 = linked.devices[0].gaps.iter().map(|gap| gap.span.len()).sum();
    let device = [IdleClass::Dispatch, IdleClass::DeviceOther];
    let of = |classes: &[IdleClass]| -> i64 {
        classes.iter().map(|&class| linked.idle.by_class[class as usize]).sum()
    };
    assert_eq!(of(&device), idle);
    assert_eq!(of(&host), 0);
}

#[test]
fn compute_hides_communication_and_both_hide_copies() {
    let linked = linked_by(
        "
        main   | (op            )
               | aa  DD bb
        gpu    |   aaaaaa
        gpu:13 |       DDDDDD
        gpu:20 |             bbb
        ",
        Rules { choice: Choice::Whole, ..Rules::default() },
    );
    let part = linked.devices[0].partition;
    assert_eq!((part.compute, part.copy, part.copy_hidden), (9_000, 4_000, 2_000));
}

#[test]
fn concurrent_spans_share_each_nanosecond() {
    let linked = linked_by(
        "
        main  | (op          )
              | aa bb
        gpu   |    aaaaaaaaaa
        gpu:8 |       bbbb
        ",
        Rules { choice: Choice::Whole, ..Rules::default() },
    );
    assert_eq!(linked.busy_share, vec![8_000, 2_000]);
    assert_eq!(linked.devices[0].sum, 14_000);
    assert_eq!(linked.devices[0].busy_ns(), 10_000);
}

#[test]
fn work_belongs_to_the_step_that_launched_it() {
    let linked = linked_by(
        "
        main | {ProfilerStep#0}{ProfilerStep#1} [end]
             |  aa              bb
        gpu  |                 aaaa bbbb
        ",
        Rules::default(),
    );
    assert_eq!(linked.steps.of_span, vec![0, 1]);
    assert_eq!(linked.per_step.busy, vec![4_000, 4_000]);
}

#[test]
fn a_span_that_covers_its_successors_is_cut_to_the_next() {
    let linked = linked_by(
        "
        main | (op                                         )
             | aa bb cc dd ee
        gpu  |  aaaaaaaaaaaaaaaaaaaaaaaaaaa
             |     bbbb cccc dddd
             |                                ee
        ",
        Rules::default(),
    );
    assert_eq!(linked.trust.clipped, vec![0]);
    assert_eq!(linked.trust.end[0] - linked.trace.device.start[0], 3_000);
}

#[test]
fn one_overlap_with_the_next_launch_is_dependent_launch() {
    let linked = linked_by(
        "
        main | (op                      )
             | aa bb cc
        gpu  |  aaaaaaaaaa
             |          bbbbbbbb
             |                   ccc
        ",
        Rules::default(),
    );
    assert!(linked.trust.clipped.is_empty());
}

#[test]
fn a_leading_step_twice_as_long_is_warm_up() {
    let linked = linked_by(
        "
        main | {ProfilerStep#0                        }{ProfilerStep#1}{ProfilerStep#2}{ProfilerStep#3} [end]
             |  aa                                      bb              cc              dd
        gpu  |    aaaaaaa                                 bb              cc              dd
        ",
        Rules::default(),
    );
    let kept: Vec<bool> = linked.steps.list.iter().map(flamelane_link::Step::is_kept).collect();
    assert_eq!(kept, [false, true, true, true]);
    assert_eq!(linked.window.selected, [false, true, true, true]);
}

#[test]
fn ranges_that_cross_keep_both_frames_while_both_are_open() {
    let linked = linked_by(
        "
        main | [enter     ]
             |     {range         }
             |       aa      bb
        gpu  |         aaa     bbb
        ",
        Rules { choice: Choice::Whole, ..Rules::default() },
    );
    let stack = |span: usize| {
        let node = linked.launch_stack(span).unwrap();
        linked.nested.stacks.names(node, &linked.trace.strings)[1..].join(";")
    };
    assert_eq!(stack(0), "enter;range;cudaLaunchKernel");
    assert_eq!(stack(1), "range;cudaLaunchKernel");
}
