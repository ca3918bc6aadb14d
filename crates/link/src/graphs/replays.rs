//! Replays: the device spans of each graph launch, in the order in which their nodes were recorded.

use flamelane_model::{DeviceKind, NONE};
use rustc_hash::FxHashMap;

use crate::Linked;
use crate::launches::call_kind;

/// What one launch of a graph ran.
pub(super) struct Replay {
    /// The launch.
    pub(super) call: u32,
    /// Its kernels, copies and fills.
    pub(super) spans: Vec<u32>,
    /// Whether their order is that of the recording: by node, or on one stream.
    pub(super) is_in_order: bool,
}

/// The replays of a capture, by launch; rows that hold a whole graph are none.
pub(super) fn replays(linked: &Linked) -> Vec<Replay> {
    let trace = &linked.trace;
    let mut by_call: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let mut known: Vec<Option<bool>> = vec![None; trace.strings.len()];
    for (span, origin) in linked.origins.iter().enumerate() {
        let Some(call) = origin.call() else { continue };
        let name = trace.host.name[trace.calls.span[call.index()].index()];
        let replays =
            *known[name.index()].get_or_insert_with(|| call_kind(trace.text(name)).replays);
        if replays && trace.device.kind[span] != DeviceKind::Graph {
            by_call.entry(call.0).or_default().push(span as u32);
        }
    }
    let mut calls: Vec<(u32, Vec<u32>)> = by_call.into_iter().collect();
    calls.sort_unstable_by_key(|(call, _)| *call);
    calls.into_iter().map(|(call, spans)| in_order(linked, call, spans)).collect()
}

fn in_order(linked: &Linked, call: u32, mut spans: Vec<u32>) -> Replay {
    let device = &linked.trace.device;
    let node = |span: u32| device.graph_node[span as usize];
    let mut nodes: Vec<i64> = spans.iter().map(|&span| node(span)).collect();
    nodes.sort_unstable();
    nodes.dedup();
    // A node that ran twice is one of a loop, and tells no order.
    let has_nodes = nodes.len() == spans.len() && nodes.first().is_some_and(|&node| node != NONE);
    let lane = |span: &u32| device.lane[*span as usize];
    let is_in_order = has_nodes || spans.windows(2).all(|two| lane(&two[0]) == lane(&two[1]));
    spans.sort_by_key(|&span| {
        (if has_nodes { node(span) } else { 0 }, device.start[span as usize], span)
    });
    Replay { call, spans, is_in_order }
}
