//! False alarms are bugs.

use crate::tape::Tape;

#[test]
fn a_full_launch_queue_is_no_overhead() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..6 {
        let begin = at;
        for kernel in 0..100 {
            let long = step > 0 || kernel > 50;
            let call = if long { 500.0 } else { 5.0 };
            tape.op("aten::mm", at, call + 4.0);
            let free = at;
            tape.launch("cudaLaunchKernel", at + 2.0, call);
            let start = if step == 0 && kernel == 0 { free + 8.0 } else { -1.0 };
            tape.queued("gemm", start, 506.0);
            at += call + 6.0;
        }
        tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
    }
    let found = tape.found();
    assert_eq!(found.verdict, "gpu-bound");
    assert!(found.headlines().is_empty(), "{:?}", found.headlines());
}

#[test]
fn a_graph_decode_whose_host_stays_ahead_is_healthy() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..20 {
        tape.launch("cudaGraphLaunch", at, 20.0);
        for _ in 0..50 {
            tape.queued("k", at + 30.0, 100.0);
        }
        tape.python("serve.py(3): schedule", at + 100.0, 3_000.0);
        tape.range(&format!("decode bs=16 {step}"), at, 5_000.0);
        at += 5_000.0;
    }
    let found = tape.found();
    assert_eq!(found.verdict, "gpu-bound");
    assert!(found.headlines().is_empty(), "{:?}", found.headlines());
}

#[test]
fn the_last_synchronise_owns_nothing() {
    let mut tape = Tape::default();
    for _ in 0..50 {
        tape.queued_launch("gemm", 100.0);
    }
    let end = tape.sync(400.0);
    tape.python("torch/profiler/profiler.py(849): stop", end, 5_000.0);
    tape.range("run", 0.0, end + 5_000.0);
    let found = tape.found();
    assert!(found.kinds().is_empty(), "{:?}", found.answer.findings);
}

#[test]
fn work_that_was_not_recorded_is_nobodys_fault() {
    let mut tape = Tape::default();
    tape.launch("cudaLaunchKernel", 0.0, 5.0);
    tape.work(("kernel", "gemm"), (4_500.0, 5_000.0), 7, 0);
    tape.op("aten::to", 10.0, 4_000.0);
    tape.call("hipMemcpyWithStream", 11.0, 3_900.0);
    for kernel in 0..20 {
        tape.launch("cudaLaunchKernel", 4_100.0 + f64::from(kernel) * 7.0, 5.0);
        tape.queued("gemm", 0.0, 500.0);
    }
    tape.range("ProfilerStep#1", 0.0, 19_000.0);
    let found = tape.found();
    assert_eq!(found.verdict, "gpu-bound");
    assert!(found.answer.findings.iter().all(|finding| !finding.headline));
    let named = found.answer.findings.iter().find(|f| f.sentence.contains("hipMemcpyWithStream"));
    assert_eq!(named.unwrap().owned, 0, "named, and without a cost");
}

#[test]
fn a_stream_that_waits_for_another_is_no_host_finding() {
    let mut tape = Tape::default();
    for step in 0..10 {
        let begin = f64::from(step) * 5_000.0;
        for half in 0..4 {
            let at = begin + f64::from(half) * 1_200.0;
            tape.launch("cudaLaunchKernel", begin + f64::from(half) * 20.0, 5.0);
            tape.work(("kernel", "a"), (at + 10.0, 600.0), 7, 0);
            tape.call("cudaStreamWaitEvent", begin + f64::from(half) * 20.0 + 7.0, 2.0);
            tape.launch("cudaLaunchKernel", begin + f64::from(half) * 20.0 + 10.0, 5.0);
            tape.work(("kernel", "b"), (at + 900.0, 300.0), 9, 0);
        }
        tape.range(&format!("ProfilerStep#{step}"), begin, 5_000.0);
    }
    let found = tape.found();
    assert_eq!(found.verdict, "dependency-bound");
}
