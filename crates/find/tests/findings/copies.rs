//! Copies and collectives that nothing hides.

use flamelane_find::Kind;

use crate::tape::Tape;

/// Segments of a copy and compute, in turn or with the next copy behind the compute before.
fn segments(overlapped: bool) -> Tape {
    let mut tape = Tape::default();
    let (copy, compute) = (3_000.0_f64, 6_000.0_f64);
    let mut at = 0.0;
    let mut done = 0.0;
    for segment in 0..9 {
        let begins: f64 = if overlapped && segment > 0 { at - compute } else { at };
        tape.launch("cudaMemcpyAsync", begins.max(0.0), 5.0);
        let begins = begins.max(0.0) + 6.0;
        tape.work(("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)"), (begins, copy), 14, 75_000_000);
        let ready = begins + copy;
        let start = ready.max(done);
        tape.launch("cudaLaunchKernel", start - 8.0, 5.0);
        tape.work(("kernel", "gemm"), (start + 1.0, compute), 7, 0);
        done = start + 1.0 + compute;
        at = done;
    }
    tape
}

#[test]
fn copies_in_turn_with_compute_could_hide_behind_it() {
    let found = segments(false).found();
    assert_eq!(found.verdict, "copy-bound");
    let first = found.first();
    assert_eq!(first.kind, Kind::CopyOnCriticalPath);
    assert_eq!(found.owned(Kind::CopyOnCriticalPath), 27_000);
    assert_eq!(first.max_gain, 24_000_000, "the first one has nothing to hide behind");
}

#[test]
fn a_prefetching_loop_has_no_finding() {
    let found = segments(true).found();
    assert_eq!(found.verdict, "gpu-bound");
    assert!(found.of(Kind::CopyOnCriticalPath).is_none(), "{:?}", found.kinds());
}

#[test]
fn collectives_without_compute_are_exposed() {
    let mut tape = Tape::default();
    for layer in 0..40 {
        let at = f64::from(layer) * 1_000.0;
        tape.kernel("gemm", at, 700.0);
        tape.launch("cudaLaunchKernel", at + 10.0, 5.0);
        let name = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL";
        tape.work(("kernel", name), (at + 306.0, 690.0), 20, 0);
    }
    let found = tape.found();
    assert_eq!(found.verdict, "communication-bound");
    let exposed = found.of(Kind::ExposedComm).unwrap();
    assert_eq!(exposed.owned, 40 * 290_000, "what compute hides is not counted");
    assert!(exposed.confidence.starts_with("medium"), "one rank alone");
}
