//! Copies on the critical path, and the same copies hidden.

use flamelane_find::Kind;

use crate::tape::Tape;

const COPY: f64 = 300.0;
const COMPUTE: f64 = 600.0;
const HOST_TO_DEVICE: (&str, &str) = ("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)");

/// W18a: copy, wait, compute, wait in turn.
#[test]
fn copies_in_turn() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for _ in 0..9 {
        tape.launch("cudaMemcpyAsync", at, 10.0);
        tape.work(HOST_TO_DEVICE, (at + 10.0, COPY), 14, 7_500_000);
        tape.call("cudaStreamSynchronize", at + 12.0, COPY - 2.0);
        at += 10.0 + COPY;
        for kernel in 0..10 {
            tape.kernel("segment", at + 6.0 * f64::from(kernel), COMPUTE / 10.0);
        }
        at = tape.sync(at + 70.0);
    }
    tape.range("sample_step", 0.0, at);
    let found = tape.found();
    assert_eq!(found.verdict, "copy-bound");
    let first = found.first();
    assert_eq!(first.kind, Kind::CopyOnCriticalPath);
    assert_eq!(first.owned, 9 * 300_000);
    assert_eq!(first.max_gain, 8 * 300_000, "the first has no compute before it");
    assert_eq!(found.count_figure(Kind::CopyOnCriticalPath, "runs"), 9);
    assert!(first.sentence.contains("25.0 GB/s"), "{}", first.sentence);
}

/// W18b: each copy begins with the compute before.
#[test]
fn copies_behind_compute() {
    let mut tape = Tape::default();
    let mut begin = 10.0;
    let mut done: f64 = 0.0;
    for _ in 0..9 {
        tape.launch("cudaMemcpyAsync", begin - 8.0, 6.0);
        tape.work(HOST_TO_DEVICE, (begin, COPY), 14, 7_500_000);
        let start = done.max(begin + COPY);
        for kernel in 0..10 {
            tape.launch("cudaLaunchKernel", begin + 6.0 * f64::from(kernel), 5.0);
            let at = start + f64::from(kernel) * COMPUTE / 10.0;
            tape.work(("kernel", "segment"), (at, COMPUTE / 10.0), 7, 0);
        }
        (begin, done) = (start, start + COMPUTE);
    }
    tape.range("sample_step", 0.0, done);
    let found = tape.found();
    assert_eq!(found.verdict, "gpu-bound");
    assert_eq!(found.of(Kind::CopyOnCriticalPath), None);
    assert!(found.headlines().is_empty(), "{:?}", found.headlines());
}
