//! The lead rule on drawings, to the nanosecond: one character is 10 µs.

use flamelane_find::Kind;
use flamelane_testkit::draw;

use crate::tape::{Found, Tape, found};

const UNIT: i64 = 10_000;

fn drawn(drawing: &str) -> Found {
    found(&draw::scaled(drawing, UNIT).to_json(flamelane_testkit::Layout::Kineto), &[])
}

/// Checks what findings own, in characters: `(kind, what it is about, owned)`, largest first.
fn check(drawing: &str, expected: &[(Kind, &str, i64)]) {
    let found = drawn(drawing);
    let rows: Vec<(Kind, &str, i64)> = found
        .answer
        .findings
        .iter()
        .map(|finding| {
            assert_eq!(finding.owned % UNIT, 0, "{finding:?}");
            (finding.kind, finding.subject.as_str(), finding.owned / UNIT)
        })
        .collect();
    assert_eq!(rows, expected);
}

/// What is no call's: the launch of the first kernel at least.
fn dispatch(owned: i64) -> (Kind, &'static str, i64) {
    (Kind::DispatchBound, "late launches, first under `cudaLaunchKernel`", owned)
}

/// The same where most of it is in another frame.
fn late(owned: i64) -> (Kind, &'static str, i64) {
    (Kind::DispatchBound, "late launches, first under `late`", owned)
}

#[test]
fn a_lead_is_spent_in_the_middle_of_a_gap() {
    // The call absorbs 8 of `a`; of the 14 behind it 8 are its own.
    check(
        "
        main | a<sync     >[late    ]b
        gpu  |  aaaaaaaa              bbb
        ",
        &[(Kind::SyncCliff, "`cudaStreamSynchronize`", 8), late(7)],
    );
}

#[test]
fn a_lead_that_lasts_owns_the_whole_gap() {
    check(
        "
        main | a<sync                   >[late]b
        gpu  |  aaaaaaaaaaaaaaaaaaaaaaaa        bbb
        ",
        &[(Kind::SyncCliff, "`cudaStreamSynchronize`", 8), dispatch(1)],
    );
}

#[test]
fn a_smaller_wait_joins_the_chain() {
    let found = drawn(
        "
        main | a(first op              )[late](second )b
             |  <sync                >        c<sync >
        gpu  |  aaaaaaaaaaaaaaaaaaaa           ccc      bbb
        ",
    );
    let cliffs: Vec<_> =
        found.answer.findings.iter().filter(|f| f.kind == Kind::SyncCliff).collect();
    assert_eq!(cliffs.len(), 1, "{cliffs:?}");
    assert_eq!((cliffs[0].subject.as_str(), cliffs[0].count), ("`first op`", 1));
    assert_eq!(cliffs[0].owned, (11 + 6) * UNIT, "both gaps");
    assert!(found.says("`second` × 1"), "{:?}", cliffs[0].evidence);
}

#[test]
fn a_larger_wait_begins_a_chain_of_its_own() {
    // The first call absorbs 5 and spends 3, until `b` puts the host 12 ahead; the second absorbs
    // 12 itself.
    check(
        "
        main | a(first )b(second op     )[late]c
             |  <sync>   <sync        >
        gpu  |  aaaaa    bbbbbbbbbbbb           ccc
        ",
        &[(Kind::SyncCliff, "`second op`", 11), (Kind::SyncCliff, "`first`", 3), dispatch(2)],
    );
}

#[test]
fn a_chain_ends_where_the_host_is_as_far_ahead_again() {
    // The call destroys a lead of 5 and spends 1; by the launch of `b` the host is 9 ahead.
    check(
        "
        main | a<sync>b  [late         ]c
        gpu  |  aaaaa  bbbbbbbbb         ccc
        ",
        &[late(11), (Kind::SyncCliff, "`cudaStreamSynchronize`", 1)],
    );
}

#[test]
fn a_smaller_lead_does_not_end_the_chain() {
    // The call destroys a lead of 12; by `b` the host is only 3 ahead.
    check(
        "
        main | a<sync        >b  [late ]c
        gpu  |  aaaaaaaaaaaa   bbb       ccc
        ",
        &[(Kind::SyncCliff, "`cudaStreamSynchronize`", 10), dispatch(1)],
    );
}

#[test]
fn each_device_has_a_lead_of_its_own() {
    // 2 of `a` and 10 of `b` run while the call waits for both; 22 and 16 follow.
    let found = drawn(
        "
        main | a b<sync          >[late ]c d
        gpu  |  aaaa                      ccc
        gpu1 |    bbbbbbbbbb                ddd
        ",
    );
    let cliff = found.of(Kind::SyncCliff).unwrap();
    assert_eq!(cliff.owned, (2 + 10) * UNIT);
}

#[test]
fn a_copy_of_pinned_memory_is_no_pageable_one_on_any_device() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..10 {
        let begin = at;
        for device in [0, 1] {
            tape.launch("cudaLaunchKernel", at, 5.0);
            tape.work_on(device, ("kernel", "gemm"), (at + 6.0, 900.0));
            at += 7.0;
        }
        tape.call("cudaMemcpyAsync", at, 950.0);
        tape.work_on(0, ("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)"), (begin + 920.0, 10.0));
        at += 950.0;
        tape.python("serve.py(9): late", at, 300.0);
        at += 300.0;
        tape.range(&format!("step#{step}"), begin, at - begin);
    }
    let found = tape.found();
    assert!(found.of(Kind::SyncCliff).is_some(), "{:?}", found.kinds());
    assert!(found.of(Kind::PageableCopy).is_none(), "{:?}", found.kinds());
}

#[test]
fn a_wait_on_a_thread_that_launches_nothing_costs_nothing() {
    let found = drawn(
        "
        main    | a   [work          ]b
        monitor |  <sync     >
        gpu     |  aaaaaaaa           bbb
        ",
    );
    assert!(found.of(Kind::SyncCliff).is_none(), "{:?}", found.kinds());
}

#[test]
fn a_thread_counts_from_one_launch_in_a_hundred_on() {
    let waits = |n_others: usize| {
        let (blank, calls, kernels) =
            (". ".repeat(n_others), "z ".repeat(n_others), " z".repeat(n_others));
        let found = drawn(&format!(
            "
            main    | {calls}     [work       ]b
            monitor | {blank}m<sync     >
            gpu     | {kernels} mmmmmmmm         bbb
            ",
        ));
        found.of(Kind::SyncCliff).map(|finding| finding.owned / UNIT)
    };
    assert_eq!(waits(98), Some(8), "one of a hundred");
    assert_eq!(waits(99), None, "one of 101");
}
