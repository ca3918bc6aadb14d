//! The verdict on each phase of a window, on drawings.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

use flamelane_find::{ModelBytes, Thresholds, find, health, step_bound};
use flamelane_link::{Linked, Rules, link};
use flamelane_model::Notes;
use flamelane_read::{Content, Limits};
use flamelane_report::{Capture, Found, Source, add_bound, assemble};
use flamelane_testkit::{Layout, draw};

/// A prefill that fills the device and two decode steps that wait for the host.
const MIXED: &str = "
    main | {step[EXTEND]                        }{step[DECODE]                 }{step[DECODE]                 } [end ]
         | aa bb cc dd                            [detokenize       ] ee ff       [detokenize       ] gg hh      ii
    gpu  |   aaaaaaaaabbbbbbbbbbbbcccccccccccdddddd                     eeefff                          ggghhh     iii
    ";

fn linked(drawing: &str) -> Linked {
    let json = draw::capture(drawing).to_json(Layout::Kineto);
    let read = flamelane_read::open(&mut json.as_bytes(), &Limits::default(), Some("kineto"));
    let Content::Trace(trace) = read.unwrap().content else { panic!("a trace") };
    link(*trace, Rules::default())
}

fn capture(linked: &Linked) -> Capture {
    let profile = flamelane_fold::fold(linked);
    let (checks, limits, notes) = (health(linked), Thresholds::default(), Notes::new());
    let answer = find(linked, &checks, &limits);
    let found = Found { checks: &checks, answer: &answer, limits: &limits, replay: None };
    let source = Source { file: "drawing.json", format: "kineto", notes: &notes };
    assemble(source, linked, &profile, found)
}

#[test]
fn each_phase_has_a_verdict_of_its_own() {
    let linked = linked(MIXED);
    let capture = capture(&linked);
    let names: Vec<Option<&str>> = capture.phases.iter().map(|p| p.phase.as_deref()).collect();
    assert_eq!(names, [Some("prefill"), Some("decode")]);
    let [prefill, decode] = &capture.phases[..] else { panic!("two phases") };
    assert_eq!((prefill.count, decode.count), (1, 2));
    assert_eq!(prefill.verdict.kind, "gpu-bound", "{}", prefill.verdict.sentence);
    assert_ne!(decode.verdict.kind, "gpu-bound", "{}", decode.verdict.sentence);
    assert!(decode.blank.contains("detokenize"), "{}", decode.blank);
    assert!(prefill.dense.starts_with("dense") && decode.dense.starts_with("waiting"));
    let whole = capture.window.busy_ns + capture.window.idle_ns;
    let in_phases: i64 = capture.phases.iter().map(|phase| phase.busy_ns + phase.idle_ns).sum();
    assert!(in_phases <= whole);
    let shares: f64 = capture.phases.iter().map(|phase| phase.share).sum();
    assert!((shares - in_phases as f64 / whole as f64).abs() < 1e-9, "{shares}");
}

#[test]
fn steps_of_one_phase_need_no_second_verdict() {
    let alike = MIXED.replace("EXTEND", "DECODE");
    assert_eq!(capture(&linked(&alike)).phases.len(), 0);
}

#[test]
fn the_bound_stands_in_the_protocol_too() {
    let linked = linked(MIXED);
    let mut capture = capture(&linked);
    assert!(capture.bound.is_none() && capture.protocol.bound.is_none());
    let given = ModelBytes { weights: 3_000, kv: 1_000, bandwidth: Some(1_000_000_000) };
    add_bound(&mut capture, given, step_bound(&linked, given));
    let bound = capture.bound.unwrap();
    assert_eq!((bound.bound_ns, bound.model_bytes, bound.kv_bytes), (Some(4_000), 3_000, 1_000));
    assert_eq!(capture.protocol.bound, Some(bound.sentence));
}
