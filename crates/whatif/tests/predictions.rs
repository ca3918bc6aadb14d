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
    let read = flamelane_read::open(&mut &json[..], &Limits::default(), Some("kineto"));
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
    let mut n = 0;
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
            }
        }
    }
    assert!(n >= 20, "only {n} predictions");
}
