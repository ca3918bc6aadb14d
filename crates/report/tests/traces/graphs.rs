//! Replays of real captures, joined with the captures of their graphs.

use flamelane_link::{
    Choice, Linked, Part, Recorded, Recording, Rules, comparison, join, recording,
};
use flamelane_model::{DeviceKind, Frame, FrameKind, Weight};

use crate::{corpus, linked, traces};

/// The capture of the corpus whose name has a part, linked.
fn capture(part: &str, rules: Rules) -> Option<Linked> {
    let files = traces(&corpus()?);
    let found = files.iter().find(|path| path.to_string_lossy().contains(part));
    let found = found.unwrap_or_else(|| panic!("no capture is called {part}"));
    Some(linked(found, rules).unwrap())
}

/// The sum of each weight.
fn sums(linked: &Linked) -> Vec<i64> {
    let profile = flamelane_fold::fold(linked);
    profile.columns.iter().map(|column| profile.sum(&column.weight)).collect()
}

fn whole() -> Rules {
    Rules { choice: Choice::Whole, ..Rules::default() }
}

const GRAPHS: [&str; 3] = ["vllm_decode_full_graph_execution", "30b_a3b_B300", "30b_a3b_MI300"];

#[test]
fn a_full_decode_graph_gets_the_stacks_of_its_capture() {
    let Some(captured) = capture("vllm_decode_full_graph_capture", whole()) else { return };
    let mut replayed = capture(GRAPHS[0], Rules::default()).unwrap();
    let before = sums(&replayed);
    let recorded = recording(&captured, "capture");
    let found = join(&mut replayed, &[&recorded]);
    assert_eq!((found.by_name, found.joined, found.kernels), (421, 421, 421));
    assert!(found.ratio >= 0.992, "{found:?}");
    assert_eq!(sums(&replayed), before, "names move no time");
    // What the graph hid: the operator that has most of the device's time.
    let profile = flamelane_fold::fold(&replayed);
    let totals = profile.totals(&Weight::Gpu);
    let experts = profile.stacks.nodes().filter(|&node| {
        let frame = profile.stacks.frame(node);
        frame.kind == FrameKind::Op && profile.strings.text(frame.name) == "vllm::moe_forward"
    });
    let experts: i64 = experts.map(|node| totals[node.index()]).sum();
    assert!(experts * 100 > 60 * profile.sum(&Weight::Gpu), "{experts}");

    for other in &GRAPHS[1..] {
        let mut other = capture(other, Rules::default()).unwrap();
        let found = join(&mut other, &[&recorded]);
        assert_eq!(found.joined, 0, "another model on another device");
    }
}

#[test]
fn an_eager_run_of_another_model_joins_nothing() {
    let eager = ["sglang_Qwen3-8B_prefilldecode", "b200_eager", "mi300_Qwen_Qwen1.5"];
    for file in eager {
        let Some(eager) = capture(file, whole()) else { return };
        let recorded = recording(&eager, file);
        assert!(!recorded.is_empty());
        for graph in GRAPHS {
            let found = join(&mut capture(graph, Rules::default()).unwrap(), &[&recorded]);
            assert!(found.joined == 0 && found.nearest < 0.25, "{file} and {graph}: {found:?}");
        }
    }
}

#[test]
fn a_file_of_short_graphs_is_refused_in_whole() {
    // Inductor's graphs of 1 to 20 launches, beside eager steps with kernels of the same names.
    let Some(mut linked) = capture("negative_queue_length_values", Rules::default()) else {
        return;
    };
    let own = recording(&linked, "this capture");
    let found = join(&mut linked, &[&own]);
    assert_eq!((found.kernels, found.joined), (135, 0), "{found:?}");
}

/// What a graph ran as a recording in which each launch has a frame of its own, `#row` of `count`.
fn own(linked: &Linked) -> Recording {
    let mut own = Recording::default();
    let device = &linked.trace.device;
    let mut spans: Vec<usize> =
        (0..device.len()).filter(|&span| is_replayed(linked, span)).collect();
    spans.sort_by_key(|&span| (device.start[span], span));
    let mut part = Part::default();
    for span in spans {
        let name = comparison(linked.trace.text(device.name[span])).into_owned();
        let name = if device.kind[span] == DeviceKind::Kernel { name } else { String::new() };
        let frame = own.strings.intern(&format!("#{span}"));
        let frame = Frame { name: frame, kind: FrameKind::Module };
        let stack = own.stacks.child(own.stacks.root(), frame);
        let name = own.strings.intern(&name);
        part.launches.push(Recorded { kind: device.kind[span], name, stack });
    }
    own.parts.push(part);
    own
}

fn is_replayed(linked: &Linked, span: usize) -> bool {
    let Some(call) = linked.origins[span].call() else { return false };
    let host = linked.trace.calls.span[call.index()].index();
    flamelane_link::call_kind(linked.trace.text(linked.trace.host.name[host])).replays
}

#[test]
fn a_damaged_recording_joins_most_and_hardly_any_wrong() {
    for graph in GRAPHS {
        let Some(mut linked) = capture(graph, Rules::default()) else { return };
        let mut damaged = own(&linked);
        let mut chance = Chance(11);
        let sound = std::mem::take(&mut damaged.parts[0].launches);
        let other = damaged.strings.intern("gemm_of_another_shape");
        let name = damaged.strings.intern("#none");
        let frame = Frame { name, kind: FrameKind::Module };
        let none = damaged.stacks.child(damaged.stacks.root(), frame);
        let launches = &mut damaged.parts[0].launches;
        for (row, &launch) in sound.iter().enumerate() {
            let (extra, lost, renamed) = (chance.one_in(20), chance.one_in(20), chance.one_in(33));
            if extra {
                // A launch as there are others, at a place where there is none.
                launches.push(Recorded { stack: none, ..sound[(row + 7) % sound.len()] });
            }
            if !lost {
                let name = if renamed { other } else { launch.name };
                launches.push(Recorded { name, ..launch });
            }
        }
        let before = sums(&linked);
        let found = join(&mut linked, &[&damaged]);
        assert_eq!(sums(&linked), before, "{graph}: names move no time");
        let right = |(span, stack): (usize, &Option<flamelane_model::StackId>)| {
            let frame = linked.nested.stacks.frame((*stack)?);
            Some(linked.trace.text(frame.name) == format!("#{span}"))
        };
        let said: Vec<bool> = linked.recorded.iter().enumerate().filter_map(right).collect();
        let wrong = said.iter().filter(|right| !**right).count();
        println!("{graph}: {} of {} joined, {wrong} wrong, {found:?}", found.joined, found.kernels);
        assert!(found.joined * 100 >= found.kernels * 90, "{graph}: {found:?}");
        assert!(wrong * 100 <= said.len(), "{graph}: {wrong} of {}", said.len());
    }
}

/// Numbers that look random and are the same each time.
struct Chance(u64);

impl Chance {
    fn one_in(&mut self, n: u64) -> bool {
        let step = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = step.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33).is_multiple_of(n)
    }
}
