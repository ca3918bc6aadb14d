//! The host's own time: islands, fences, allocators, compiles, input, pauses.

use flamelane_find::Kind;

use crate::tape::Tape;

#[test]
fn many_short_gaps_are_a_fence_and_few_are_not() {
    let comb = |n: u32| {
        let mut tape = Tape::default();
        for kernel in 0..n {
            let at = f64::from(kernel) * 40.0;
            tape.op("aten::add", at, 36.0);
            tape.kernel("elementwise", at + 20.0, 8.0);
        }
        tape.found()
    };
    let found = comb(200);
    assert_eq!(found.kinds(), [Kind::PicketFence]);
    assert_eq!(found.verdict, "launch-bound");
    assert_eq!(found.first().count, 200, "the one before the first kernel, too");
    assert!(found.first().max_gain < found.first().owned, "the device's own pause stays");
    assert_eq!(comb(30).kinds(), [Kind::DispatchBound], "30 gaps are no fence");
}

#[test]
fn a_long_gap_is_an_island_of_the_frame_that_ran() {
    let mut tape = Tape::default();
    for image in 0..6 {
        let at = f64::from(image) * 10_000.0;
        tape.python("resize.py(4): resize", at, 6_000.0);
        tape.python("PIL/Image.py(5): scale", at + 10.0, 5_900.0);
        for kernel in 0..4 {
            tape.kernel("conv", at + 6_000.0 + f64::from(kernel) * 7.0, 900.0);
        }
        tape.range(&format!("ProfilerStep#{image}"), at, 10_000.0);
    }
    let found = tape.found();
    assert_eq!(found.first().kind, Kind::HostIsland);
    assert_eq!(found.verdict, "host-bound");
    assert!(found.says("scale"), "{}", found.first().sentence);
}

#[test]
fn allocator_calls_in_steady_steps_are_churn_and_one_is_not() {
    let run = |per_step: u32, steps: u32| {
        let mut tape = Tape::default();
        let mut at = 0.0;
        for step in 0..10 {
            let begin = at;
            for _ in 0..if step < steps { per_step } else { 0 } {
                tape.call("cudaMalloc", at, 1_000.0);
                at += 1_000.0;
            }
            for _ in 0..20 {
                tape.kernel("gemm", at, 1_500.0);
                at += 7.0;
            }
            at = tape.sync(at);
            tape.python("train.py(3): gc.collect", at, 5_000.0);
            at += 5_000.0;
            tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
        }
        tape.found()
    };
    let found = run(4, 10);
    assert_eq!(found.owned(Kind::AllocatorChurn), 4_000);
    assert!(found.says("cudaMalloc"));
    assert_eq!(found.owned(Kind::Pause), 5_000, "garbage collection in every step");
    assert_eq!(found.verdict, "host-bound");
    assert!(run(1, 1).of(Kind::AllocatorChurn).is_none(), "one call in one step");
}

#[test]
fn what_to_try_against_churn_fits_the_call() {
    let run = |calls: &[&str]| {
        let mut tape = Tape::default();
        let mut at = 0.0;
        for step in 0..10 {
            let begin = at;
            for call in calls {
                tape.call(call, at, 1_000.0);
                at += 1_000.0;
            }
            for _ in 0..20 {
                tape.kernel("gemm", at, 1_500.0);
                at += 7.0;
            }
            at = tape.sync(at);
            tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
        }
        let found = tape.found();
        let churn = found.of(Kind::AllocatorChurn).unwrap();
        (churn.experiment.clone(), churn.sentence.clone())
    };
    let (graphs, sentence) = run(&["cudaGraphInstantiate", "cudaGraphInstantiate"]);
    assert!(graphs.contains("capture each graph once") && !graphs.contains("empty_cache"));
    assert!(!sentence.contains("earlier free"), "{sentence}");
    assert!(run(&["cudaHostAlloc", "cudaHostAlloc"]).0.contains("pinned"));
    let (device, sentence) = run(&["cudaMalloc", "cudaFree"]);
    assert!(device.contains("empty_cache") && sentence.contains("earlier free"), "{sentence}");
}

/// Steps of which those in `slow` begin with a compile of `compile` µs.
fn compiling(n: u32, slow: &[u32], compile: f64) -> Tape {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..n {
        let begin = at;
        if slow.contains(&step) {
            tape.python("triton.jit.run", at, compile);
            tape.python("attn_bwd.compile", at + 1.0, compile - 2.0);
            at += compile;
        }
        for _ in 0..20 {
            tape.kernel("gemm", at, 1_000.0);
            at += 7.0;
        }
        at = tape.sync(at);
        tape.range(&format!("step#{step}"), begin, at - begin);
    }
    tape
}

#[test]
fn a_compile_once_is_told_and_left_out() {
    let found = compiling(40, &[27], 900_000.0).found();
    let compile = found.of(Kind::Compile).unwrap();
    assert_eq!(compile.owned, 0, "it is no steady state");
    assert!(compile.sentence.contains("triton.jit.run"), "{}", compile.sentence);
    assert_eq!(found.verdict, "gpu-bound");
}

#[test]
fn a_compile_in_every_step_counts() {
    let found = compiling(6, &[0, 1, 2, 3, 4, 5], 90_000.0).found();
    assert_eq!(found.first().kind, Kind::Compile);
    assert!(found.first().sentence.contains("all 6 steps"), "{}", found.first().sentence);
    assert_eq!(found.verdict, "host-bound");
}

#[test]
fn the_first_launch_of_a_kernel_may_load_it() {
    let mut tape = Tape::default();
    for kernel in 0..100 {
        tape.kernel("gemm", f64::from(kernel) * 60.0, 50.0);
    }
    tape.launch("cudaLaunchKernel", 6_100.0, 9_000.0);
    tape.work(("kernel", "new_kernel"), (15_101.0, 50.0), 7, 0);
    for kernel in 0..100 {
        tape.kernel("gemm", 15_200.0 + f64::from(kernel) * 60.0, 50.0);
    }
    let found = tape.found();
    let owned = found.owned(Kind::Compile);
    assert!((8_990..=9_110).contains(&owned), "{owned}");
}

#[test]
fn waiting_for_a_loader_is_input_and_working_in_one_is_not() {
    let run = |name: &str, inner: &str| {
        let mut tape = Tape::default();
        let mut at = 0.0;
        for step in 0_usize..24 {
            let begin = at;
            let wait = [80_000.0, 1_300.0, 0.0, 0.0][step % 4];
            if wait > 0.0 {
                tape.range(name, at, wait);
                tape.python(inner, at + 1.0, wait - 2.0);
                at += wait;
            }
            for _ in 0..20 {
                tape.kernel("gemm", at, 450.0);
                at += 7.0;
            }
            at = tape.sync(at);
            tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
        }
        tape.found()
    };
    let waits = run("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", "queue.get");
    assert_eq!((waits.first().kind, waits.verdict), (Kind::InputWait, "input-bound"));
    assert!(waits.first().sentence.contains("every 4 steps"), "{}", waits.first().sentence);
    // 20.4 ms of waiting and 8.9 ms of work a step.
    let experiment = &waits.first().experiment;
    assert!(
        experiment.contains("at least 14 workers, or batches prepared 3.3 × as fast"),
        "{experiment}"
    );
    let works = run(
        "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
        "data.py(3): __getitem__",
    );
    assert!(works.of(Kind::InputWait).is_none(), "{:?}", works.kinds());
}

#[test]
fn a_long_hole_in_few_steps_is_a_pause() {
    let run = |holes: &[u32]| {
        let mut tape = Tape::default();
        let mut at = 0.0;
        for step in 0..16 {
            let begin = at;
            for kernel in 0..20 {
                if kernel == 10 && holes.contains(&step) {
                    at += 50_000.0;
                }
                tape.kernel("gemm", at, 500.0);
                at += 7.0;
            }
            at = tape.sync(at);
            tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
        }
        tape.found()
    };
    assert!((40_000..51_000).contains(&(run(&[4]).owned(Kind::Pause) * 16)));
    assert!(run(&[1, 3, 5, 7, 9, 11]).of(Kind::Pause).is_none(), "six of sixteen");
}
