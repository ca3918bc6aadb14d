//! Replays joined with recordings: the same model run eagerly and as a graph.

use flamelane_link::{Linked, Rules, join, link, recording};
use flamelane_model::FrameKind;
use flamelane_read::{Content, Limits};
use flamelane_testkit::{Change, Layout, Options, Scenario};

fn run(scenario: Scenario, changes: Vec<Change>, layers: u32) -> Linked {
    let options = Options { changes, layers, steps: 3, ..Options::new(scenario) };
    let mut json = Vec::new();
    options.simulate().write_json(Layout::Kineto, &mut json).unwrap();
    let read = flamelane_read::open(&mut &json[..], &Limits::default(), Some("kineto"));
    match read.unwrap().content {
        Content::Trace(trace) => link(*trace, Rules::default()),
        Content::Profile(_) => panic!("a trace"),
    }
}

#[test]
fn kernels_of_a_replay_get_the_stacks_of_an_eager_run() {
    let eager = run(Scenario::EagerDecode, Vec::new(), 3);
    let mut graph = run(Scenario::EagerDecode, vec![Change::AsGraph], 3);
    let found = join(&mut graph, &recording(&eager, "eager.json"));
    assert_eq!(found.joined, found.kernels, "{found:?}");
    assert!(found.kernels > 60, "{found:?}");
    let stacks = &graph.nested.stacks;
    let mut n_modules = 0;
    for (span, recorded) in graph.recorded.iter().enumerate() {
        let Some(recorded) = recorded else { continue };
        let call = graph.launch_stack(span).unwrap();
        let above: Vec<_> = stacks.climb(*recorded).collect();
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
    let found = join(&mut graph, &recording(&training, "train.json"));
    assert_eq!(found.joined, 0, "{found:?}");
    assert!(graph.recorded.iter().all(Option::is_none));
}

#[test]
fn a_few_kernels_more_or_less_do_not_matter() {
    let eager = run(Scenario::EagerDecode, Vec::new(), 6);
    let mut recorded = recording(&eager, "eager.json");
    for part in &mut recorded.parts {
        part.remove(5);
        part.remove(20);
        part[30].name = "renamed".to_owned();
    }
    let mut graph = run(Scenario::EagerDecode, vec![Change::AsGraph], 6);
    let found = join(&mut graph, &recorded);
    assert!(found.joined < found.kernels && found.joined * 10 > found.kernels * 9, "{found:?}");
}
