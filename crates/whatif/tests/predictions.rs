//! Predictions against the generator's own run with the change.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

use flamelane_link::{Linked, Rules, link};
use flamelane_model::{Ns, StackId};
use flamelane_read::{Content, Limits};
use flamelane_testkit::{Change as Made, Options, Scenario};
use flamelane_whatif::{Change, Replay};

fn linked(options: &Options) -> Linked {
    let mut json = Vec::new();
    options.simulate().write_json(options.layout, &mut json).unwrap();
    read(&json)
}

fn read(json: &[u8]) -> Linked {
    let mut json = json;
    let read = flamelane_read::open(&mut json, &Limits::default(), Some("kineto"));
    match read.unwrap().content {
        Content::Trace(trace) => link(*trace, Rules::default()),
        Content::Profile(_) => panic!("a trace"),
    }
}

/// The blocking call that absorbs most.
fn largest_wait(linked: &Linked) -> StackId {
    let wait = linked.waits.iter().max_by_key(|wait| wait.absorbed_inside).unwrap();
    linked.nested.call_stack[wait.call.index()]
}

fn change(made: Made, linked: &Linked) -> Change {
    match made {
        Made::WithoutSync => {
            let item = |stack: &StackId| {
                let names = linked.nested.stacks.names(*stack, &linked.trace.strings);
                names.iter().any(|name| name.contains("_local_scalar_dense"))
            };
            let mut stacks =
                linked.waits.iter().map(|wait| linked.nested.call_stack[wait.call.index()]);
            let found = stacks.find(item);
            Change::DropSync(vec![found.unwrap_or_else(|| largest_wait(linked))])
        }
        Made::OverlapCopies => Change::OverlapCopies,
        Made::AsGraph => Change::Graph(None),
    }
}

/// Mean step of the generator's run.
fn step(options: &Options) -> Ns {
    let linked = linked(options);
    linked.window.wall() / linked.n_steps() as Ns
}

#[test]
fn a_prediction_is_what_the_changed_run_takes() {
    // All of them, and those in which to expect no change would be wrong by more than 5 %.
    let (mut n, mut n_telling) = (0, 0);
    for scenario in Scenario::ALL {
        for &made in scenario.changes() {
            for (seed, steps, layers, noise) in [(1, 12, 4, 20), (2, 20, 6, 3), (3, 16, 8, 10)] {
                let mut options = Options::new(scenario);
                options.seed = seed;
                options.steps = steps;
                options.layers = layers;
                options.noise_percent = noise;
                let before = linked(&options);
                let replay = Replay::new(&before).unwrap();
                assert!(replay.check().error().abs() < 0.005, "{:?}", replay.check());
                let said = replay.predict(&change(made, &before)).unwrap();
                options.changes = vec![made];
                let after = step(&options);
                let error = said.after as f64 / after as f64 - 1.0;
                assert!(
                    error.abs() <= 0.05,
                    "{} {made:?} {seed}: {} is said to become {}, it is {after}",
                    scenario.name(),
                    said.before,
                    said.after,
                );
                n += 1;
                n_telling += usize::from((said.before as f64 / after as f64 - 1.0).abs() > 0.05);
            }
        }
    }
    assert!(n >= 20 && n_telling >= 12, "only {n} predictions, {n_telling} of which tell");
}

/// Nine copies with compute behind each, in turn; or the next copy beside the compute before.
fn segments(overlapped: bool) -> String {
    let (copy, compute) = (3_033.3, 6_077.8);
    let mut events = Vec::new();
    let mut id = 0;
    let mut put = |cat: &str,
                   name: &str,
                   (pid, tid): (u32, u32),
                   (at, len): (f64, f64),
                   id: u32| {
        events.push(format!(
            r#"{{"ph":"X","cat":"{cat}","name":"{name}","pid":{pid},"tid":{tid},"ts":{at:.3},"dur":{len:.3},"args":{{"correlation":{id},"stream":{tid},"device":0,"bytes":75000000}}}}"#
        ));
    };
    let (mut at, mut done) = (0.0_f64, 0.0_f64);
    for segment in 0..9 {
        let begins = if overlapped && segment > 0 { at - compute } else { at };
        id += 1;
        put("cuda_runtime", "cudaMemcpyAsync", (1000, 1), (begins, 5.0), id);
        put("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", (0, 14), (begins + 6.0, copy), id);
        let ready = begins + 6.0 + copy;
        if !overlapped {
            id += 1;
            put("cuda_runtime", "cudaStreamSynchronize", (1000, 1), (begins + 6.0, copy + 2.0), id);
        }
        let start = ready.max(done) + 10.0;
        id += 1;
        put("cuda_runtime", "cudaLaunchKernel", (1000, 1), (start - 6.0, 5.0), id);
        put("kernel", "gemm", (0, 7), (start, compute), id);
        done = start + compute;
        at = done;
        if !overlapped {
            id += 1;
            put("cuda_runtime", "cudaStreamSynchronize", (1000, 1), (start, compute + 2.0), id);
            at += 4.0;
        }
    }
    format!(r#"{{"schemaVersion":1,"traceEvents":[{}]}}"#, events.join(","))
}

#[test]
fn serial_copies_overlapped_take_what_the_overlapped_loop_takes() {
    let before = read(segments(false).as_bytes());
    let after = read(segments(true).as_bytes()).window.wall();
    let replay = Replay::new(&before).unwrap();
    let said = replay.predict(&Change::OverlapCopies).unwrap();
    let error = said.after as f64 / after as f64 - 1.0;
    assert!(error.abs() < 0.05, "{} is said to become {}, it is {after}", said.before, said.after);
    assert!(said.gain > 20_000_000, "{}", said.gain);
}

#[test]
fn delays_without_a_cause_are_not_replayed() {
    // Every kernel starts a millisecond after it could.
    let event = |cat: &str, pid: u32, at: u32, len: u32, id: u32| {
        format!(
            r#"{{"ph":"X","cat":"{cat}","name":"cudaLaunchKernel","pid":{pid},"tid":7,"ts":{at},"dur":{len},"args":{{"correlation":{id},"stream":7,"device":0}}}}"#
        )
    };
    let mut events = Vec::new();
    for n in 0..20 {
        events.push(event("cuda_runtime", 1000, n * 10, 5, n + 1));
        events.push(event("kernel", 0, 500 + n * 1_100, 100, n + 1));
    }
    let linked = read(format!(r#"{{"traceEvents":[{}]}}"#, events.join(",")).as_bytes());
    let declined = Replay::new(&linked).unwrap_err();
    let said = declined.to_string();
    assert!(said.contains("misses the measured step") && said.contains(" % shorter:"), "{said}");
}

#[test]
fn odd_traces_replay_or_are_declined() {
    for seed in 0..2_000 {
        let (json, _) = flamelane_testkit::random::trace_json(seed);
        let linked = read(json.as_bytes());
        let Ok(replay) = Replay::new(&linked) else { continue };
        let stacks = linked.waits.iter().map(|wait| linked.nested.call_stack[wait.call.index()]);
        let drop = Change::DropSync(stacks.collect());
        for change in [drop, Change::OverlapCopies, Change::Graph(None)] {
            if let Some(said) = replay.predict(&change) {
                assert!(said.after >= 0 && said.count > 0, "{seed}: {said:?}");
            }
        }
    }
}
