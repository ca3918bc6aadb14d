//! Replays of real captures, joined with the captures of their graphs.

use flamelane_link::{Choice, Rules, join, recording};
use flamelane_model::Weight;

use crate::{corpus, linked, traces};

#[test]
fn a_full_decode_graph_gets_the_stacks_of_its_capture() {
    let Some(corpus) = corpus() else { return };
    let files = traces(&corpus);
    let file = |part: &str| {
        let found = files.iter().find(|path| path.to_string_lossy().contains(part));
        found.unwrap_or_else(|| panic!("no capture is called {part}"))
    };
    let whole = Rules { choice: Choice::Whole, ..Rules::default() };
    let captured = linked(file("vllm_decode_full_graph_capture"), whole).unwrap();
    let mut replayed = linked(file("vllm_decode_full_graph_execution"), Rules::default()).unwrap();
    let before = flamelane_fold::fold(&replayed).sum(&Weight::Gpu);
    let found = join(&mut replayed, &recording(&captured, "capture"));
    assert_eq!((found.joined, found.kernels), (421, 421));
    assert!(found.ratio >= 0.99, "{found:?}");
    let profile = flamelane_fold::fold(&replayed);
    assert_eq!(profile.sum(&Weight::Gpu), before, "names move no time");

    let mut other = linked(file("qwen3_30b_a3b_B300"), Rules::default()).unwrap();
    let found = join(&mut other, &recording(&captured, "capture"));
    assert_eq!(found.joined, 0, "another model on another device");
}
