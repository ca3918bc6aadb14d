//! Advice fits what the capture shows: no graph for what is a graph, workers for a loader, and
//! neighbours where nothing was recorded.

use flamelane_find::{Kind, Thresholds, find};
use flamelane_link::NO_STEP;

use crate::tape::{Found, Tape, linked};

/// Steps of a few small launches and then a graph of `n_kernels`, whose launch takes `launch`.
fn replayed(n_kernels: u32, launch: f64, runtime: &str) -> Found {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..12 {
        let begin = at;
        for _ in 0..6 {
            tape.op("aten::copy_", at, 36.0);
            tape.kernel("fill", at + 30.0, 2.0);
            at += 40.0;
        }
        tape.launch(&format!("{runtime}GraphLaunch"), at, launch);
        for kernel in 0..n_kernels {
            tape.queued(&format!("k{kernel}"), at + launch + 4.0, 10.0);
        }
        at += launch + 5.0 + 10.0 * f64::from(n_kernels);
        tape.range(&format!("decode bs=16 #{step}"), begin, at - begin);
    }
    tape.found()
}

#[test]
fn a_step_that_replays_a_graph_is_not_told_to_use_graphs() {
    let slow = replayed(60, 400.0, "cuda");
    let first = slow.first();
    assert_eq!((first.kind, first.is_replayed), (Kind::DispatchBound, true));
    assert!(!first.experiment.contains("torch.compile"), "{}", first.experiment);
    for words in ["larger graphs", "CUDA 12.6", "next step before waiting"] {
        assert!(first.experiment.contains(words), "{}", first.experiment);
    }
    assert!(!slow.answer.graphs_help());
    let hip = replayed(60, 400.0, "hip");
    assert!(hip.first().experiment.contains("newer driver"), "{}", hip.first().experiment);
    assert!(!hip.first().experiment.contains("CUDA"), "{}", hip.first().experiment);
    let fast = replayed(60, 10.0, "cuda");
    let dispatch = fast.of(Kind::DispatchBound).unwrap();
    assert!(dispatch.experiment.contains("next step before waiting"), "{}", dispatch.experiment);
    assert!(!dispatch.experiment.contains("driver"), "{}", dispatch.experiment);
}

#[test]
fn a_step_that_replays_little_may_still_use_graphs() {
    let found = replayed(1, 10.0, "cuda");
    let first = found.first();
    assert_eq!((found.verdict, first.is_replayed), ("launch-bound", false));
    assert!(first.experiment.contains("CUDA graphs"), "{}", first.experiment);
    assert!(found.answer.graphs_help());
}

#[test]
fn a_fence_of_small_graphs_needs_larger_ones() {
    let comb = |launch: &str| {
        let mut tape = Tape::default();
        for piece in 0..200 {
            let at = f64::from(piece) * 60.0;
            tape.op("aten::attention", at, 56.0);
            tape.launch(launch, at + 40.0, 5.0);
            tape.queued("k", at + 46.0, 8.0);
        }
        tape.found()
    };
    let pieces = comb("cudaGraphLaunch");
    assert_eq!((pieces.first().kind, pieces.first().is_replayed), (Kind::PicketFence, true));
    assert!(pieces.first().experiment.contains("larger graphs"), "{}", pieces.first().experiment);
    let kernels = comb("cudaLaunchKernel");
    assert_eq!((kernels.first().kind, kernels.first().is_replayed), (Kind::PicketFence, false));
    assert!(kernels.first().experiment.contains("CUDA graphs"), "{}", kernels.first().experiment);
}

/// Steps whose batch is made by `loader`, as operators below its range.
fn loading(loader: &str) -> Found {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..6 {
        let begin = at;
        tape.range(loader, at, 8_000.0);
        tape.op("aten::stack", at + 2_000.0, 3_000.0);
        tape.op("aten::copy_", at + 5_000.0, 2_500.0);
        at += 8_000.0;
        for _ in 0..20 {
            tape.kernel("conv", at, 20.0);
            at += 20.0;
        }
        tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
    }
    tape.found()
}

#[test]
fn a_batch_made_in_the_launching_thread_is_one_island_with_the_loaders_lever() {
    let found = loading("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__");
    assert_eq!(found.kinds(), [Kind::HostIsland], "one loader, one finding");
    let first = found.first();
    assert!(first.subject.contains("`DataLoader.__next__`"), "{}", first.subject);
    for words in ["num_workers", "pin_memory", "prefetch_factor", "persistent_workers"] {
        assert!(first.experiment.contains(words), "{}", first.experiment);
    }
    let other = loading("preprocess");
    assert!(!other.first().experiment.contains("num_workers"), "{}", other.first().experiment);
}

#[test]
fn time_of_which_nothing_was_recorded_is_told_by_its_neighbours() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..6 {
        let begin = at;
        tape.op("aten::embedding", at, 20.0);
        tape.kernel("k", at + 2.0, 300.0);
        at += 20.0 + 3_000.0;
        tape.op("aten::linear", at, 20.0);
        tape.kernel("k", at + 2.0, 300.0);
        at += 400.0;
        tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
    }
    let found = tape.found();
    let island = found.of(Kind::HostIsland).unwrap();
    for words in ["recorded of thread `1`", "between `embedding` and `linear`"] {
        assert!(island.sentence.contains(words), "{}", island.sentence);
        assert!(island.subject.contains(words), "{}", island.subject);
    }
}

#[test]
fn a_call_right_below_the_marker_is_a_neighbour_by_its_own_name() {
    let mut tape = Tape::default();
    for step in 0..6 {
        let begin = f64::from(step) * 4_000.0;
        tape.kernel("k", begin, 300.0);
        tape.kernel("k", begin + 3_000.0, 300.0);
        tape.range(&format!("ProfilerStep#{step}"), begin, 4_000.0);
    }
    let found = tape.found();
    let island = found.of(Kind::HostIsland).unwrap();
    let words = "between one `cudaLaunchKernel` and the next";
    assert!(island.sentence.contains(words), "{}", island.sentence);
}

/// Steps whose markers have names of their own; the host is late before and after a wait.
#[test]
fn the_stack_of_a_finding_is_from_the_step_that_it_points_to() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0..24_u64 {
        let begin = at;
        let (launches, batch) = if step < 12 { (1, 8 + step % 4) } else { (90, 33 + step % 5) };
        tape.python("serve.py(4): prepare", at, 30.0 + 7.0 * (step % 5) as f64);
        at += 80.0;
        for _ in 0..launches {
            tape.launch(
                if launches == 1 { "cudaGraphLaunch" } else { "cudaLaunchKernel" },
                at,
                5.0,
            );
            for _ in 0..90 / launches {
                tape.queued("k", at + 6.0, 20.0);
            }
            at += 50.0;
        }
        at = tape.sync(at) + 60.0;
        tape.range(&format!("decode bs={batch}"), begin, at - begin);
    }
    let linked = linked(&tape.json());
    let answer = find(&linked, &[], &Thresholds::default());
    assert!(answer.findings.len() > 1, "{:?}", answer.findings);
    for finding in &answer.findings {
        let stacks = &linked.nested.stacks;
        let names = stacks.climb(finding.stack).map(|node| stacks.frame(node).name);
        let mut names = names.map(|name| linked.trace.text(name));
        let marker = names.find(|name| name.starts_with("decode bs="));
        assert_ne!(finding.place.host_step, NO_STEP);
        let step = &linked.steps.list[finding.place.host_step as usize];
        assert_eq!(marker, Some(step.name.as_str()), "{:?}", finding.kind);
        if finding.kind == Kind::GraphFallback {
            assert!(
                finding.place.host_step >= 12,
                "a slow step, not the one before: {}",
                step.name
            );
        }
    }
}

#[test]
fn what_wins_nothing_is_not_listed() {
    let found = loading("preprocess");
    assert!(found.answer.findings.iter().all(|f| f.max_gain / found.answer.n_steps > 0));
}
