//! Loops: small work again and again, and what only looks like it.

use flamelane_find::Kind;

use crate::tape::Tape;

/// Steps in which a function does a small operator `n` times.
fn rounds(n: u32, parent: &str, child: &str) -> Tape {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..6 {
        let begin = at;
        tape.python(parent, at, f64::from(n) * 60.0);
        for _ in 0..n {
            tape.python(child, at + 1.0, 50.0);
            tape.op("aten::mul", at + 2.0, 40.0);
            tape.kernel("mul", at + 10.0, 3.0);
            at += 60.0;
        }
        for _ in 0..10 {
            tape.kernel("gemm", at, 900.0);
            at += 7.0;
        }
        at = tape.sync(at);
        tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
    }
    tape
}

#[test]
fn many_rounds_of_small_work_are_a_loop_that_owns_nothing() {
    let found = rounds(64, "moe.py(9): route", "moe.py(20): expert").found();
    let looped = found.of(Kind::Loop).unwrap();
    assert_eq!((looped.owned, looped.headline), (0, false));
    assert!(looped.max_gain > 6 * 64 * 20_000, "{looped:?}");
    assert!(looped.sentence.contains("`expert` runs 64 × in each `route`"), "{}", looped.sentence);
}

#[test]
fn few_rounds_and_layers_of_a_model_are_no_loop() {
    assert!(rounds(15, "moe.py(9): route", "moe.py(20): expert").found().of(Kind::Loop).is_none());
    let layers = rounds(64, "llama.py(9): forward", "torch/nn/modules/module.py(3): _call_impl");
    assert!(layers.found().of(Kind::Loop).is_none());
}

#[test]
fn rounds_without_kernels_are_not_told_to_batch_kernels() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..6 {
        let begin = at;
        tape.python("video.py(9): read", at, 64.0 * 60.0);
        for _ in 0..64 {
            tape.python("video.py(20): decode", at + 1.0, 50.0);
            at += 60.0;
        }
        for _ in 0..10 {
            tape.kernel("gemm", at, 900.0);
            at += 7.0;
        }
        at = tape.sync(at);
        tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
    }
    let found = tape.found();
    let looped = found.of(Kind::Loop).unwrap();
    assert!(looped.sentence.contains("without kernels"), "{}", looped.sentence);
    assert!(!looped.sentence.contains(" 0 ns"), "{}", looped.sentence);
    assert!(!looped.experiment.contains("GEMM"), "{}", looped.experiment);
}
