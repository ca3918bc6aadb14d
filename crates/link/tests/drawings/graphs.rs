//! Replays joined with an eager run of the same model, by name.

use flamelane_link::{Joined, Linked, Recording, Rules, join, link, recording};
use flamelane_model::{FrameKind, StackId, Trace};
use flamelane_read::{Content, Limits};
use flamelane_testkit::{Change, Layout, Options, Scenario};

fn made(scenario: Scenario, changes: Vec<Change>, layers: u32) -> Trace {
    let options = Options { changes, layers, steps: 3, ..Options::new(scenario) };
    let mut json = Vec::new();
    options.simulate().write_json(Layout::Kineto, &mut json).unwrap();
    let read = flamelane_read::open(&mut &json[..], &Limits::default(), Some("kineto"));
    match read.unwrap().content {
        Content::Trace(trace) => *trace,
        Content::Profile(_) => panic!("a trace"),
    }
}

fn run(scenario: Scenario, changes: Vec<Change>, layers: u32) -> Linked {
    link(made(scenario, changes, layers), Rules::default())
}

fn eager(layers: u32) -> Recording {
    recording(&run(Scenario::EagerDecode, Vec::new(), layers), "eager.json")
}

fn as_graph(layers: u32) -> Linked {
    run(Scenario::EagerDecode, vec![Change::AsGraph], layers)
}

#[test]
fn kernels_of_a_replay_get_the_stacks_of_an_eager_run() {
    let mut graph = as_graph(3);
    let found = join(&mut graph, &[&eager(3)]);
    assert_eq!(found.by_name, found.kernels, "{found:?}");
    assert!(found.kernels > 60, "{found:?}");
    assert_eq!((found.joined, found.ratio), (found.kernels, 1.0), "{found:?}");
    let stacks = &graph.nested.stacks;
    let mut n_modules = 0;
    for (span, recorded) in graph.recorded.iter().enumerate() {
        let Some(recorded) = recorded else { continue };
        let call = graph.launch_stack(span).unwrap();
        let above: Vec<StackId> = stacks.climb(*recorded).collect();
        assert!(above.contains(&call), "the replay's own stack stays above");
        let frames = above.iter().map(|&node| stacks.frame(node));
        n_modules += usize::from(frames.clone().any(|frame| frame.kind == FrameKind::Module));
        assert!(frames.into_iter().any(|frame| graph.trace.text(frame.name) == "[graph]"));
    }
    assert_eq!(n_modules as u64, found.joined);
}

#[test]
fn a_recording_of_other_work_joins_nothing() {
    let training = run(Scenario::Backward, Vec::new(), 3);
    let mut graph = run(Scenario::GraphDecode, Vec::new(), 3);
    let found = join(&mut graph, &[&recording(&training, "train.json")]);
    assert_eq!(found.joined, 0, "{found:?}");
    assert!(found.nearest < 0.8, "{found:?}");
    assert!(graph.recorded.iter().all(Option::is_none));
}

/// Joins with the eager run after a change of its steps' launches.
fn changed(change: impl Fn(&mut Recording)) -> Joined {
    let mut recorded = eager(6);
    change(&mut recorded);
    join(&mut as_graph(6), &[&recorded])
}

#[test]
fn a_few_kernels_more_or_less_do_not_matter() {
    let found = changed(|recorded| {
        for part in &mut recorded.parts {
            part.launches.remove(5);
            part.launches.remove(20);
        }
    });
    assert!(found.joined < found.kernels && found.joined * 10 > found.kernels * 9, "{found:?}");
    assert_eq!(found.joined, found.by_name);
}

#[test]
fn a_kernel_of_the_same_family_between_two_that_agree_is_the_same_launch() {
    let renamed = |name: &'static str| {
        changed(move |recorded| {
            let swapped = recorded.strings.intern(name);
            let Recording { parts, strings, .. } = recorded;
            let launches = parts.iter_mut().flat_map(|part| &mut part.launches);
            let is_gemm =
                |name| flamelane_link::family(strings.text(name), &Rules::default()) == "gemm";
            launches
                .filter(|launch| is_gemm(launch.name))
                .step_by(9)
                .for_each(|launch| launch.name = swapped);
        })
    };
    let same = renamed("nvjet_gemm_of_another_shape");
    assert!(same.by_place > 0 && same.joined == same.kernels && same.ratio < 1.0, "{same:?}");
    let other = renamed("softmax_of_another_model");
    assert!(other.by_place == 0 && other.joined < other.kernels, "{other:?}");
    assert_eq!(other.joined, same.by_name);
}

#[test]
fn a_replay_is_refused_when_more_than_a_fifth_has_other_names() {
    let share = |nth: usize| {
        let found = changed(move |recorded| {
            let other = recorded.strings.intern("something_else");
            let launches = recorded.parts.iter_mut().flat_map(|part| &mut part.launches);
            launches.step_by(nth).for_each(|launch| launch.name = other);
        });
        (100 * found.joined / found.kernels, found.nearest > 0.5)
    };
    assert_eq!(share(4), (0, true));
    assert!(share(8).0 > 80);
}

#[test]
fn a_replay_is_found_in_a_run_that_marks_no_steps() {
    let found = changed(|recorded| {
        let mut all = flamelane_link::Part::default();
        for part in recorded.parts.drain(..) {
            all.launches.extend(part.launches);
        }
        recorded.parts.push(all);
    });
    assert_eq!(found.by_name, found.kernels, "{found:?}");
}
