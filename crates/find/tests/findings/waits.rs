//! Blocking calls: the lead that they destroy, and no more.

use flamelane_find::Kind;

use crate::tape::Tape;

/// Steps that launch `lead` µs of work in ten kernels, wait, and then do `host` µs of work.
fn steps(n: u64, lead: f64, host: f64) -> Tape {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..n {
        let begin = at;
        for kernel in 0..10 {
            tape.kernel("gemm", at + f64::from(kernel) * 7.0, lead / 10.0);
        }
        at += 70.0;
        tape.op("aten::item", at, 1.0);
        let end = tape.sync(at + 1.0);
        tape.python("serve.py(9): detokenize", end, host);
        at = end + host;
        tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
    }
    tape
}

#[test]
fn a_wait_costs_the_bubble_behind_it() {
    let found = steps(8, 5_000.0, 3_000.0).found();
    let first = found.first();
    assert_eq!(first.kind, Kind::SyncCliff);
    assert_eq!(found.verdict, "sync-bound");
    assert!(first.sentence.contains("detokenize"), "{}", first.sentence);
    // 3000 of host work, 2 to return, 6 to the first kernel; the last step has no first kernel.
    let owned = found.owned(Kind::SyncCliff);
    assert!((2_990..=3_010).contains(&owned), "{owned}");
    assert_eq!(first.owned, first.max_gain);
    assert_eq!(found.of(Kind::HostIsland).map(|f| f.owned), None, "nobody else owns it");
}

#[test]
fn a_wait_owns_no_more_than_the_lead_it_destroyed() {
    let found = steps(8, 1_000.0, 3_000.0).found();
    let owned = found.owned(Kind::SyncCliff);
    // 1006 µs after the launch of the first kernel the device is done; 71 µs were launched by then.
    assert!((900..=1_000).contains(&owned), "{owned}");
    let island = found.owned(Kind::HostIsland);
    assert!((1_990..=2_110).contains(&island), "{island}");
    assert!(found.first().kind == Kind::HostIsland);
    assert!(found.first().shares_with.contains(&Kind::SyncCliff));
}

#[test]
fn smaller_waits_join_the_chain_and_larger_ones_begin_their_own() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..6 {
        let begin = at;
        for kernel in 0..10 {
            tape.kernel("gemm", at + f64::from(kernel) * 7.0, 500.0);
        }
        at = tape.sync(at + 80.0);
        // A read of a value: a short kernel and a wait for it.
        tape.python("serve.py(20): stop", at, 300.0);
        tape.kernel("reduce", at + 300.0, 3.0);
        tape.op("aten::is_nonzero", at + 306.0, 20.0);
        at = tape.sync(at + 307.0);
        tape.python("serve.py(30): tokens", at, 700.0);
        at += 700.0;
        tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
    }
    let found = tape.found();
    let cliffs: Vec<_> =
        found.answer.findings.iter().filter(|f| f.kind == Kind::SyncCliff).collect();
    assert_eq!(cliffs.len(), 1, "one chain: {cliffs:?}");
    assert_eq!(cliffs[0].sites.len(), 2, "of two call sites");
    assert!(found.says("is_nonzero"));
    let owned = found.owned(Kind::SyncCliff);
    assert!((1_000..=1_030).contains(&owned), "{owned}");
}

#[test]
fn the_lead_is_back_when_the_host_is_as_far_ahead_as_it_was() {
    let mut tape = Tape::default();
    // A small lead is destroyed, then the host runs far ahead, then it does work of its own.
    for kernel in 0..5 {
        tape.kernel("a", f64::from(kernel) * 7.0, 20.0);
    }
    let mut at = tape.sync(40.0);
    for kernel in 0..20 {
        tape.kernel("b", at + f64::from(kernel) * 7.0, 300.0);
    }
    at += 20.0 * 7.0;
    tape.python("work.py(1): long", at, 9_000.0);
    at += 9_000.0;
    for kernel in 0..10 {
        tape.kernel("c", at + f64::from(kernel) * 7.0, 300.0);
    }
    let found = tape.found();
    let owned = found.owned(Kind::SyncCliff);
    assert!(owned < 30, "the chain ended before the long work: {owned}");
    let island = found.owned(Kind::HostIsland);
    assert!((2_900..=3_300).contains(&island), "{island}");
}
