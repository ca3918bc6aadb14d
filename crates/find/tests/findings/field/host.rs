//! The host's own work: graphs that are not used, compiles, allocators, checks.

use flamelane_find::Kind;

use crate::tape::Tape;

/// W04: replays up to batch 32, the same kernels one by one above.
fn falls_off(named: bool) -> Tape {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..20_u64 {
        let begin = at;
        if step < 10 {
            tape.launch("cudaGraphLaunch", at + 60.0, 41.0);
            for kernel in 0..300 {
                tape.work(("kernel", "k"), (at + 110.0 + 17.0 * f64::from(kernel), 17.0), 7, 0);
            }
            at += 5_420.0;
        } else {
            for kernel in 0..300 {
                let call = at + 44.0 * f64::from(kernel);
                tape.op("aten::op", call, 40.0);
                tape.launch("cudaLaunchKernel", call + 20.0, 5.0);
                tape.work(("kernel", "k"), (call + 26.0, 17.0), 7, 0);
            }
            at += 13_240.0;
        }
        let batch = if step < 10 { 30 + step % 3 } else { 33 + step % 4 };
        let name = if named { format!("decode bs={batch}") } else { "decode".to_owned() };
        tape.range(&name, begin, at - begin);
    }
    tape
}

#[test]
fn above_a_batch_the_graph_is_not_used() {
    let found = falls_off(true).found();
    assert_eq!((found.verdict, found.answer.n_steps), ("launch-bound", 20));
    let first = found.first();
    assert_eq!(first.kind, Kind::GraphFallback);
    // 13240 - 5100 idle in a slow step, 5420 - 5100 in a fast one; of the first slow step less
    // is the host's: its gap begins in the step before.
    assert_eq!(found.figure(Kind::GraphFallback, "step_slow_ns"), 13_240_000);
    assert_eq!(found.figure(Kind::GraphFallback, "step_fast_ns"), 5_420_000);
    let owned = first.owned / 10;
    assert!((7_700_000..=7_900_000).contains(&owned), "{owned}");
    assert!(first.sentence.contains("above batch 32"), "{}", first.sentence);
    assert!(first.sentence.contains("2.44 ×"), "{}", first.sentence);
    assert!(!format!("{:?}", first.evidence).contains("trend"), "two populations are no trend");
}

#[test]
fn without_a_batch_the_place_tells_the_steps_apart() {
    let found = falls_off(false).found();
    assert_eq!(found.first().kind, Kind::GraphFallback);
    assert!(found.first().sentence.contains("from step 10 on"), "{}", found.first().sentence);
}

/// W10a: one step in sixty compiles a kernel that nothing used before.
#[test]
fn a_compile_in_one_step() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..60 {
        let begin = at;
        if step == 37 {
            tape.python("triton.jit.run", at, 181_200.0);
            tape.python("compile", at, 180_000.0);
            tape.call("cuModuleLoadData", at + 180_000.0, 1_200.0);
            at += 181_200.0;
        }
        tape.launch("cudaGraphLaunch", at, 20.0);
        for kernel in 0..100 {
            let name = if step >= 37 && kernel == 50 { "new_shape" } else { "k" };
            tape.work(("kernel", name), (at + 30.0 + 28.0 * f64::from(kernel), 28.0), 7, 0);
        }
        tape.call("cudaStreamSynchronize", at + 40.0, 2_790.0);
        at += 3_000.0;
        tape.range(&format!("step#{step}"), begin, at - begin);
    }
    let found = tape.found();
    assert_eq!((found.verdict, found.answer.n_steps), ("gpu-bound", 59));
    let compile = found.of(Kind::Compile).unwrap();
    assert_eq!((compile.owned, compile.count), (0, 1));
    assert!(compile.sentence.contains("180 ms once, in `step#37`"), "{}", compile.sentence);
    assert!(compile.sentence.contains("triton.jit.run"), "{}", compile.sentence);
}

/// W10b: every micro-batch compiles.
#[test]
fn a_compile_in_every_step() {
    let mut tape = Tape::default();
    for batch in 0..6 {
        let begin = f64::from(batch) * 50_000.0;
        tape.python("attn_bwd.compile", begin, 47_000.0);
        tape.call("cuModuleLoadData", begin + 47_000.0, 1_000.0);
        for kernel in 0..100 {
            let start = begin + 48_010.0 + 18.0 * f64::from(kernel);
            tape.launch("cudaLaunchKernel", begin + 48_000.0 + 8.0 * f64::from(kernel), 5.0);
            tape.work(("kernel", "t"), (start, 18.0), 7, 0);
        }
        tape.call("cudaDeviceSynchronize", begin + 48_900.0, 910.0);
        tape.range(&format!("micro_batch#{batch}"), begin, 50_000.0);
    }
    let found = tape.found();
    assert_eq!((found.verdict, found.answer.n_steps), ("host-bound", 6));
    let first = found.first();
    assert_eq!((first.kind, first.owned), (Kind::Compile, 6 * 47_000_000));
    assert_eq!(found.owned(Kind::Compile), 48_000, "the module's load, too");
    assert!(first.sentence.contains("attn_bwd.compile"), "{}", first.sentence);
    assert!(first.sentence.contains("all 6 steps"), "{}", first.sentence);
    assert!(first.experiment.contains("cache never hits"), "{}", first.experiment);
}

/// W11: memory is allocated and freed, and garbage collected, in every step.
#[test]
fn housekeeping_that_costs_more_than_the_work() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..10 {
        let begin = at;
        for _ in 0..40 {
            tape.call("cudaMalloc", at, 100.0);
            at += 100.0;
        }
        for kernel in 0..100 {
            tape.launch("cudaLaunchKernel", at + 10.0 * f64::from(kernel), 6.0);
            tape.work(("kernel", "t"), (at + 10.0 + 150.0 * f64::from(kernel), 150.0), 7, 0);
        }
        at += 15_010.0;
        tape.python("gc.collect", at, 17_200.0);
        at += 17_200.0;
        tape.python("empty_cache", at, 4_000.0);
        for _ in 0..40 {
            tape.call("cudaFree", at, 100.0);
            at += 100.0;
        }
        tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
    }
    let found = tape.found();
    assert_eq!((found.verdict, found.answer.n_steps), ("host-bound", 10));
    assert_eq!(found.answer.tally().compute, 10 * 15_000_000);
    let churn = found.of(Kind::AllocatorChurn).unwrap();
    assert_eq!((churn.owned, churn.count), (10 * 8_000_000, 800));
    for words in ["80 × a step", "cudaMalloc", "cudaFree"] {
        assert!(churn.sentence.contains(words), "{}", churn.sentence);
    }
    let pause = found.of(Kind::Pause).unwrap();
    assert_eq!(pause.owned, 10 * 17_200_000);
    assert!(pause.sentence.contains("`gc.collect`"), "{}", pause.sentence);
    assert!(pause.sentence.contains("in 10 steps"), "{}", pause.sentence);
}

/// W14: a small compiled function that is mostly checks.
#[test]
fn a_small_function_that_is_mostly_checks() {
    let mut tape = Tape::default();
    for call in 0..200 {
        let at = f64::from(call) * 417.0;
        tape.python("compiled_fn", at, 417.0);
        tape.op("TorchDynamo Cache Lookup", at, 176.0);
        tape.python("cudagraph_tree.check_invariants", at + 176.0, 128.0);
        tape.launch("cudaGraphLaunch", at + 304.0, 41.0);
        for kernel in 0..6 {
            tape.work(("kernel", "fused"), (at + 345.0 + 12.0 * f64::from(kernel), 12.0), 7, 0);
        }
        tape.call("cudaStreamSynchronize", at + 345.0, 72.0);
        tape.range(&format!("call#{call}"), at, 417.0);
    }
    let found = tape.found();
    assert_eq!((found.verdict, found.answer.n_steps), ("host-bound", 200));
    let first = found.first();
    assert_eq!(first.kind, Kind::HostIsland);
    // The wait destroys a lead of 72; 345 - 72 are the host's own.
    assert_eq!(first.owned, 199 * 273_000);
    assert_eq!(found.of(Kind::SyncCliff).unwrap().owned, 199 * 72_000);
    assert_eq!(found.answer.tally().compute, 200 * 72_000);
    for name in ["check_invariants", "TorchDynamo Cache Lookup", "cudaGraphLaunch"] {
        assert!(found.says(name), "{name}");
    }
}
