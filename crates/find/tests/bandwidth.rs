//! The bound of a decode step by the bytes that it reads, on drawings.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

use flamelane_find::{ModelBytes, StepBound, step_bound};
use flamelane_link::{Linked, Rules, link};
use flamelane_read::{Content, Limits};
use flamelane_testkit::{Layout, draw};

/// Two decode steps around a prefill, on the device of a name, one character a microsecond.
fn linked(device: &str, world_size: Option<u64>) -> Linked {
    let drawing = "
        main | {step[DECODE] }{step[EXTEND]                }{step[DECODE] } [end ]
             | aa             bb                            cc             dd
        gpu  |   aaaaaaaaaa     bbbbbbbbbbbbbbbbbbbbbbbbb     cccccccccc    dd
        ";
    let json = draw::capture(drawing).to_json(Layout::Kineto);
    let read = flamelane_read::open(&mut json.as_bytes(), &Limits::default(), Some("kineto"));
    let Content::Trace(mut trace) = read.unwrap().content else { panic!("a trace") };
    trace.devices[0].name = trace.strings.intern(device);
    trace.metadata.world_size = world_size;
    link(*trace, Rules::default())
}

fn bound(linked: &Linked, weights: u64, bandwidth: Option<u64>) -> StepBound {
    step_bound(linked, ModelBytes { weights, kv: 0, bandwidth })
}

#[test]
fn a_decode_step_stands_beside_the_time_that_reading_takes() {
    // 3,350 bytes a nanosecond: 5 µs for 16.75 MB.
    let found = bound(&linked("NVIDIA H100 80GB HBM3", None), 16_750_000, None);
    assert_eq!((found.bound, found.n_devices), (Some(5_000), 1));
    assert_eq!((found.n_steps, found.phase.as_deref()), (2, Some("decode")));
    // The steps last 12 and 15 µs on the device: from the end of the work before to its own end.
    assert_eq!(found.measured, Some(12_000));
    assert!(
        found.sentence.starts_with("decode step 12.0 µs p50, 2.40 × the 5.00 µs"),
        "{}",
        found.sentence
    );
}

#[test]
fn ranks_share_the_bytes_and_the_sentence_of_the_assumption_says_so() {
    let found = bound(&linked("NVIDIA H100 80GB HBM3", Some(8)), 16_750_000, None);
    assert_eq!((found.bound, found.n_devices), (Some(625), 8));
    assert!(found.assumption.contains("8 ranks"), "{}", found.assumption);
}

#[test]
fn an_unknown_device_is_said_and_can_be_given() {
    let unknown = linked("AMD Radeon Graphics", None);
    let found = bound(&unknown, 1_000_000, None);
    assert_eq!((found.bound, found.bandwidth), (None, None));
    assert!(found.sentence.contains("--device-bandwidth"), "{}", found.sentence);
    let given = bound(&unknown, 1_000_000, Some(1_000_000_000_000));
    assert_eq!((given.bound, given.source.as_str()), (Some(1_000), "given"));
}

#[test]
fn a_step_faster_than_reading_means_wrong_figures() {
    let found = bound(&linked("NVIDIA H100 80GB HBM3", None), 1_000_000_000, None);
    assert!(found.sentence.ends_with("given are wrong"), "{}", found.sentence);
}
