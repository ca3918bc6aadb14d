//! Captures that lie, and overlap that is real.

use flamelane_find::Kind;

use crate::tape::Tape;

/// W15a: each second kernel starts before the first ends, as dependent launches do.
#[test]
fn dependent_launches_overlap_for_real() {
    let mut tape = Tape::default();
    for pair in 0..50 {
        let at = f64::from(pair) * 160.0;
        tape.launch("cudaLaunchKernelExC", at, 4.0);
        tape.work(("kernel", "primary"), (at + 5.0, 100.0), 7, 0);
        tape.launch("cudaLaunchKernelExC", at + 4.5, 4.0);
        tape.work(("kernel", "secondary"), (at + 97.0, 58.0), 7, 0);
    }
    tape.range("region", 0.0, 8_000.0);
    let found = tape.found();
    assert_eq!(found.verdict, "gpu-bound");
    assert!(found.failed().is_empty(), "{:?}", found.failed());
    assert_eq!(found.answer.tally().compute, 7_500_000, "busy, not the sum of 7.9 ms");
}

/// W15b: two kernels that would cover hundreds of their successors.
#[test]
fn kernels_that_cover_their_successors_are_not_believed() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for round in 0..80 {
        for (name, length) in [("fmha_bwd", 1_200.0), ("gemm", 2_000.0), ("elementwise", 300.0)] {
            let lies = if round == 20 && name == "fmha_bwd" { 800_000.0 } else { 0.0 };
            tape.launch("hipLaunchKernel", at / 20.0, 5.0);
            tape.work(("kernel", name), (at, length + lies), 7, 0);
            at += length + 5.0;
        }
    }
    tape.range("ProfilerStep#0", 0.0, at);
    let found = tape.found();
    assert!(found.warned("fmha_bwd"), "{:?}", found.checks);
    assert!(found.headlines().is_empty(), "{:?}", found.headlines());
}

/// W17a: graph replays whose kernels were not recorded.
#[test]
fn replays_without_kernels_support_no_verdict() {
    let mut tape = Tape::default();
    for step in 0..40 {
        let at = f64::from(step) * 2_000.0;
        for kernel in 0..6 {
            tape.kernel("outside", at + 40.0 * f64::from(kernel), 30.0);
        }
        tape.call("cudaGraphLaunch", at + 300.0, 40.0);
        tape.call("cudaStreamSynchronize", at + 350.0, 1_600.0);
        tape.range(&format!("decode#{step}"), at, 2_000.0);
    }
    let found = tape.found();
    assert!(found.failed().contains(&"graph-replays"), "{:?}", found.failed());
    assert_eq!(found.kinds(), [], "nothing is said of the host");
}

/// W17b: the recording of a graph's capture.
#[test]
fn a_recording_of_a_capture_is_no_run() {
    let mut tape = Tape::default();
    tape.call("cudaStreamBeginCapture", 50.0, 5.0);
    let mut at = 100.0;
    for _ in 0..1_000 {
        tape.op("aten::mm", at, 20.0);
        tape.call("cudaLaunchKernel", at + 8.0, 4.0);
        at += 33.0;
    }
    tape.call("cudaStreamEndCapture", at, 5.0);
    tape.call("cudaGraphInstantiate", at + 10.0, 900.0);
    for stray in 0..2 {
        tape.kernel("stray", at + 1_000.0 + 20.0 * f64::from(stray), 3.0);
    }
    tape.range("ProfilerStep#0", 0.0, at + 2_000.0);
    let found = tape.found();
    assert!(found.warned("capture"), "{:?}", found.checks);
    assert!(!found.failed().is_empty(), "no verdict");
    assert_eq!(found.kinds(), []);
}

/// W17c: all kernels run after the last marker; they belong to the step that launched them.
#[test]
fn work_belongs_to_the_step_that_launched_it() {
    let mut tape = Tape::default();
    for step in 0..11 {
        let at = f64::from(step) * 1_000.0;
        for kernel in 0..17 {
            tape.launch("hipLaunchKernel", at + 20.0 * f64::from(kernel), 5.0);
            tape.work(("kernel", "prepare"), (at + 20.0 * f64::from(kernel) + 7.0, 6.0), 7, 0);
        }
        tape.launch("hipGraphLaunch", at + 400.0, 60.0);
        for kernel in 0..40 {
            let run = 60_000.0 + 91.0 * f64::from(step * 40 + kernel);
            tape.work(("kernel", "node"), (run, 90.0), 7, 0);
        }
        tape.range(&format!("step[DECODE bs=31]#{step}"), at, 700.0);
    }
    let linked = crate::tape::linked(&tape.json());
    let spans: Vec<usize> =
        (0..11).map(|step| linked.steps.of_span.iter().filter(|&&of| of == step).count()).collect();
    assert_eq!(spans, [57; 11]);
    let found = tape.found();
    assert!(!found.failed().is_empty(), "walls of steps mean nothing: {:?}", found.checks);
}

/// W17d: three kernels carry times long before their launches.
#[test]
fn impossible_times_are_left_out() {
    let mut tape = Tape::default();
    let mut at = 1e9;
    for step in 0..6 {
        let begin = at;
        for kernel in 0..50_u32 {
            tape.launch("cudaLaunchKernel", at + 10.0 * f64::from(kernel), 5.0);
            let start = at + 10.0 + 100.0 * f64::from(kernel);
            let lies = if step == 0 && kernel < 3 { 1e8 } else { 0.0 };
            tape.work(("kernel", "train"), (start - lies, 100.0), 7, 0);
        }
        at = begin + 5_010.0;
        tape.call("cudaStreamSynchronize", begin + 510.0, 4_500.0);
        at += 5.0;
        tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
    }
    let found = tape.found();
    assert!(found.warned("timestamp"), "{:?}", found.checks);
    assert_eq!(found.answer.counted, 6 * 5_015_000, "the window is the steps'");
    assert_eq!(found.answer.tally().compute, (6 * 50 - 3) * 100_000);
    assert_eq!(found.verdict, "gpu-bound");
    assert!(found.owned(Kind::SyncCliff) < 400, "no cliff of 100 s");
}
