//! Replays joined with the capture of their graph, and with what the file says of its nodes.

use flamelane_link::{Joined, Linked, Rules, join, link, recording};
use flamelane_model::{FrameKind, NONE, Strings, Trace, node_id};

use crate::read;

/// What lies between the begin and the end of a capture: two modules with half the launches each.
fn body(n: usize) -> [String; 2] {
    let half = |n: usize| "a ".repeat(n);
    let (first, second) = (half(n / 2), half(n - n / 2));
    let module =
        |name: &str, launches: &str| format!("[{name:<width$}] ", width = 20 + launches.len());
    let modules = module("nn.Module: Attention", &first) + &module("nn.Module: Mlp", &second);
    let pad = " ".repeat(20);
    [modules, format!(" {pad}{first}   {pad}{second}")]
}

/// A capture of `n` launches, and a replay of `m` kernels whose nodes are numbered from the last to
/// the first. The launches ran nothing and carry no names, as on CUDA.
fn drawn(n: usize, m: usize) -> Trace {
    let [modules, launches] = body(n);
    let begin = "<cudaStreamBeginCapture> ";
    let skip = " ".repeat(begin.len());
    let end = "<cudaStreamEndCapture>";
    let until = " ".repeat(begin.len() + modules.len() + end.len());
    let capture = format!("[capture{}]", " ".repeat(until.len() - 6));
    let mut trace = read(&format!(
        "
        main | {capture} [replay  ]
             |  {begin}{modules}{end}     gg
             |  {skip}{launches}
        gpu  |  {until}        {}
        ",
        "g ".repeat(m)
    ));
    for span in 0..m {
        trace.device.graph_node[span] = node_id(5, (m - span) as i64);
    }
    trace
}

/// Joins a capture with itself; the lines say of each kernel, by time, what is below its replay.
fn own(trace: Trace) -> (Joined, Vec<String>) {
    let mut linked = link(trace, Rules::default());
    let own = recording(&linked, "this capture");
    let found = join(&mut linked, &[&own]);
    let lines = (0..linked.trace.device.len()).map(|span| below(&linked, span)).collect();
    (found, lines)
}

fn below(linked: &Linked, span: usize) -> String {
    let Some(stack) = linked.recorded[span] else { return String::new() };
    let path = linked.nested.stacks.path(stack);
    let names: Vec<&str> = path.iter().map(|frame| linked.trace.text(frame.name)).collect();
    let graph = names.iter().position(|name| *name == "[graph]").unwrap();
    assert_eq!(names[..graph].last(), Some(&"cudaGraphLaunch"));
    assert_eq!(path[graph].kind, FrameKind::Synthetic);
    names[graph + 1..].join(";")
}

#[test]
fn the_nth_node_is_the_nth_launch_of_the_capture() {
    let (found, lines) = own(drawn(20, 20));
    assert_eq!((found.kernels, found.joined, found.by_order), (20, 20, 20), "{found:?}");
    // Nodes are numbered against time here: the last kernels were recorded first.
    let (first, second) = lines.split_at(10);
    assert!(first.iter().all(|line| line == "nn.Module: Mlp"), "{lines:?}");
    assert!(second.iter().all(|line| line == "nn.Module: Attention"), "{lines:?}");
}

#[test]
fn without_node_ids_time_tells_the_order_on_one_stream_only() {
    let mut one = drawn(20, 20);
    one.device.graph_node.fill(NONE);
    let mut two = one.clone();
    let (found, lines) = own(one);
    assert_eq!(found.by_order, 20, "{found:?}");
    assert_eq!(lines[0], "nn.Module: Attention");
    let mut lane = two.lanes[two.device.lane[0].index()].clone();
    lane.id += 1;
    two.lanes.push(lane);
    two.device.lane[3] = flamelane_model::LaneId::new(two.lanes.len() - 1);
    assert_eq!(own(two).0.joined, 0);
}

#[test]
fn a_capture_with_another_number_of_launches_is_of_another_graph() {
    assert_eq!(own(drawn(21, 20)).0.joined, 0);
    assert_eq!(own(drawn(20, 21)).0.joined, 0);
}

#[test]
fn few_kernels_agree_by_chance() {
    assert_eq!(own(drawn(15, 15)).0.joined, 0);
    assert_eq!(own(drawn(16, 16)).0.joined, 16);
}

#[test]
fn of_captures_of_different_code_none_is_taken() {
    let again = |module: &str| {
        let mut trace = drawn(20, 20);
        // The same capture once more, before the other, by other modules.
        let host = trace.host.clone();
        let later = trace.extent.to + 1_000_000;
        let other = trace.strings.intern(module);
        for row in 0..host.len() {
            let name = host.name[row];
            let text = trace.text(name);
            if text.contains("GraphLaunch") || text == "replay" {
                continue;
            }
            let name = if text == "nn.Module: Mlp" { other } else { name };
            let time = (host.start[row] + later, host.end[row] + later);
            let span = trace.host.push(host.lane[row], host.kind[row], name, time);
            if host.kind[row] == FrameKind::Runtime {
                trace.calls.push(span, NONE, NONE, NONE);
            }
        }
        own(trace).0.joined
    };
    assert_eq!(again("nn.Module: Mlp"), 20);
    assert_eq!(again("nn.Module: Experts"), 0);
}

#[test]
fn what_ran_during_a_capture_was_not_recorded() {
    let mut trace = drawn(20, 20);
    // The first launch of the capture ran: another thread of the same model, say.
    let call = (0..trace.calls.len())
        .find(|&call| {
            trace.text(trace.host.name[trace.calls.span[call].index()]) == "cudaLaunchKernel"
        })
        .unwrap();
    let span = flamelane_model::DeviceSpan {
        lane: trace.device.lane[0],
        kind: flamelane_model::DeviceKind::Kernel,
        name: trace.device.name[0],
        start: 0,
        end: 1,
        correlation: trace.calls.correlation[call],
        external: NONE,
        bytes: NONE,
        graph_node: NONE,
    };
    trace.device.push(span);
    assert_eq!(own(trace).0.joined, 0);
}

#[test]
fn captured_kernels_with_names_join_however_few_they_are() {
    let named = |name: &str| {
        let mut trace = drawn(3, 3);
        let name = trace.strings.intern(name);
        let ids = trace.calls.correlation.iter().copied();
        trace.launched_names = ids.filter(|&id| id != NONE).map(|id| (id, name)).collect();
        trace.launched_names.sort_unstable();
        own(trace).0
    };
    assert_eq!(named("g").by_name, 3);
    assert_eq!(named("h").joined, 0);
}

/// A replay of 20 nodes whose stacks the file dumps, for nodes `known` of graph `graph`.
fn dumped(graph: i64, known: std::ops::RangeInclusive<i64>) -> (Joined, Vec<String>) {
    let mut replayed = link(drawn(1, 20), Rules::default());
    let mut dump = Trace { strings: Strings::new(), ..Trace::default() };
    let nodes = &mut dump.graph_nodes;
    for name in ["run.py(3): step", "mlp.py(12): forward"] {
        let frames = [dump.strings.intern("run.py(1): <module>"), dump.strings.intern(name)];
        nodes.stacks.push(frames.to_vec());
    }
    nodes.recorded = known.map(|node| (node_id(graph, node), u32::from(node > 10))).collect();
    let other = recording(&link(dump, Rules::default()), "dump.json");
    let found = join(&mut replayed, &[&other]);
    let lines = (0..20).map(|span| below(&replayed, span)).collect();
    (found, lines)
}

#[test]
fn stacks_of_nodes_are_joined_by_id() {
    let (found, lines) = dumped(5, 1..=20);
    assert_eq!((found.by_node, found.joined), (20, 20), "{found:?}");
    assert_eq!(lines[0], "run.py(1): <module>;mlp.py(12): forward");
    assert_eq!(lines[19], "run.py(1): <module>;run.py(3): step");
}

#[test]
fn ids_of_another_process_join_nothing() {
    assert_eq!(dumped(6, 1..=20).0.joined, 0, "another graph");
    assert_eq!(dumped(5, 5..=20).0.joined, 16);
    assert_eq!(dumped(5, 6..=20).0.joined, 0, "fewer than four fifths are known");
    assert_eq!(dumped(5, 1..=40).0.joined, 20);
    assert_eq!(dumped(5, 1..=41).0.joined, 0, "most of the dump's graph did not run");
}

#[test]
fn a_named_region_is_what_is_known_where_nothing_else_is() {
    let region = |n: usize| {
        let mut trace = drawn(n, 20);
        let name = trace.strings.intern("layers.0.attention");
        trace.graph_nodes.regions = (0..12).map(|span| (span, name)).collect();
        own(trace)
    };
    let (found, lines) = region(1);
    assert_eq!((found.by_region, found.joined), (12, 12), "{found:?}");
    assert_eq!((lines[0].as_str(), lines[12].as_str()), ("layers.0.attention", ""));
    let (found, _) = region(20);
    assert_eq!((found.by_region, found.by_order), (0, 20), "{found:?}");
}
