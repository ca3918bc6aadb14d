//! Copies and collectives that nothing hides.

use flamelane_find::Kind;

use crate::tape::Tape;

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
