//! Captures that cannot be as they say: clocks apart, ids that repeat, waits for nothing, sums that
//! do not fit.

use crate::tape::{Tape, linked};
use flamelane_find::{Check, Kind, Status, health};
use flamelane_link::IdleClass;

fn check(json: &str, name: &str) -> Option<Check> {
    health(&linked(json)).into_iter().find(|check| check.check == name)
}

#[test]
fn kernels_that_start_before_their_launches_are_said() {
    let run = |early: f64, share: u32| {
        let mut tape = Tape::default();
        for kernel in 0..100 {
            let at = 1_000.0 + f64::from(kernel) * 100.0;
            tape.launch("cudaLaunchKernel", at, 5.0);
            let start = if kernel < share { at - early } else { at + 6.0 };
            tape.work(("kernel", "gemm"), (start, 50.0), 7, 0);
        }
        check(&tape.json(), "clocks").map(|check| check.message)
    };
    let said = run(500.0, 100).expect("clocks half a millisecond apart");
    assert!(said.starts_with("100.0 % of kernels"), "{said}");
    assert!(said.contains("500 µs in the median"), "{said}");
    assert!(run(500.0, 3).is_some_and(|said| said.starts_with("3.0 %")));
    assert_eq!(run(500.0, 1), None, "one of a hundred");
    assert_eq!(run(4.0, 100), None, "as exact as clocks are");
}

#[test]
fn one_id_for_all_launches_supports_no_verdict() {
    let mut tape = Tape::default();
    for kernel in 0..50 {
        tape.kernel("gemm", f64::from(kernel) * 100.0, 50.0);
    }
    let json = tape.json();
    assert_eq!(check(&json, "ids"), None);
    let same = (1..=50)
        .rev()
        .fold(json, |json, id| json.replace(&format!("\"correlation\":{id}"), "\"correlation\":7"));
    let linked = linked(&same);
    assert_eq!(linked.idle.by_class[IdleClass::InsideGraph as usize], 0, "there is no graph");
    let checks = health(&linked);
    let said = checks.iter().find(|check| check.check == "ids").expect("49 calls too many");
    assert!(said.message.starts_with("49 calls carry"), "{}", said.message);
    assert_eq!(said.status, Status::Fail);
}

#[test]
fn a_long_wait_for_a_device_that_shows_nothing_is_work_not_recorded() {
    let run = |wait: f64| {
        let mut tape = Tape::default();
        for step in 0..10 {
            let at = f64::from(step) * 10_000.0;
            tape.kernel("gemm", at, 1.0);
            tape.call("cudaDeviceSynchronize", at + 20.0, wait);
            tape.op("aten::to", at + 20.0 + wait, 9_900.0 - wait);
            tape.range(&format!("ProfilerStep#{step}"), at, 10_000.0);
        }
        (linked(&tape.json()), tape.found())
    };
    let (linked, found) = run(9_000.0);
    assert!(found.failed().contains(&"not-recorded"), "{:?}", found.failed());
    assert!(found.of(Kind::DispatchBound).is_none(), "no graph makes it shorter");
    let hidden = linked.idle.by_class[IdleClass::NotRecorded as usize];
    assert_eq!(hidden, 10 * 9_000_000, "each wait as a whole");
    let (linked, _) = run(1_000.0);
    assert_eq!(linked.idle.by_class[IdleClass::NotRecorded as usize], 0, "slow to wake up");
}

#[test]
fn sums_that_do_not_fit_are_counted() {
    let mut tape = Tape::default();
    for kernel in 0..20 {
        tape.kernel("gemm", f64::from(kernel) * 100.0, 50.0);
    }
    assert_eq!(check(&tape.json(), "sums"), None);
    let mut linked = linked(&tape.json());
    let device = linked.devices[0].clone();
    linked.devices[0].partition.compute = i64::MAX - 1;
    linked.devices.push(device);
    let said = health(&linked).into_iter().find(|check| check.check == "sums");
    assert_eq!(said.map(|check| check.value), Some(1.0), "each fits, both together do not");
}

#[test]
fn calls_that_last_no_time_are_no_hole() {
    let run = |calls: bool| {
        let mut tape = Tape::default();
        for step in 0..16 {
            let at = f64::from(step) * 110_000.0;
            tape.kernel("gemm", at, 5_000.0);
            if step == 4 && calls {
                (1..1_000)
                    .for_each(|n| tape.call("cudaGetLastError", at + f64::from(n) * 100.0, 0.0));
            }
            let next = if step == 4 { at + 100_000.0 } else { at + 100.0 };
            tape.kernel("gemm", next, 5_000.0);
            tape.op("aten::to", next + 10.0, at + 110_000.0 - next - 10.0);
            tape.range(&format!("ProfilerStep#{step}"), at, 110_000.0);
        }
        tape.found()
    };
    assert!(run(false).of(Kind::Pause).is_some(), "{:?}", run(false).kinds());
    assert!(run(true).of(Kind::Pause).is_none(), "{:?}", run(true).kinds());
}
