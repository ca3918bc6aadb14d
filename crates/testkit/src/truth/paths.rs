//! Device time by the stack that was open at the launch.

use std::collections::{BTreeMap, HashMap};

use super::innermost::{rank, snapped_ends};
use crate::capture::{Capture, HostIdx};

/// Device spans that no launch in the file explains.
const UNLINKED: &str = "[launched before capture]";

/// Device ns by path; `[launched before capture]` takes all that has no launch.
pub(super) fn gpu_ns_by_path(capture: &Capture) -> BTreeMap<String, i64> {
    let stacks = launch_stacks(capture);
    let mut by_path = BTreeMap::new();
    for span in &capture.devices {
        let stack = span.launch.and_then(|call| stacks.get(&call)).map_or(UNLINKED, String::as_str);
        let path = format!("{stack};{}", capture.names.text(span.name).replace(';', ":"));
        *by_path.entry(path).or_default() += span.end - span.start;
    }
    by_path
}

/// The stack at the start of every launching call, the call last.
fn launch_stacks(capture: &Capture) -> HashMap<HostIdx, String> {
    let ends = snapped_ends(capture);
    let mut calls: Vec<HostIdx> = capture.devices.iter().filter_map(|span| span.launch).collect();
    calls.sort_unstable();
    calls.dedup();
    calls.sort_by_key(|&call| place(capture, call));
    let mut spans: Vec<HostIdx> = (0..capture.hosts.len() as HostIdx)
        .filter(|&idx| ends[idx as usize] > capture.hosts[idx as usize].start)
        .collect();
    spans.sort_by_key(|&idx| (capture.hosts[idx as usize].thread, rank(capture, &ends, idx)));
    let mut spans = spans.into_iter().peekable();
    let mut open: Vec<HostIdx> = Vec::new();
    let mut stacks = HashMap::new();
    for call in calls {
        let (thread, at) = place(capture, call);
        while let Some(idx) = spans.next_if(|&idx| place(capture, idx) <= (thread, at)) {
            open.push(idx);
        }
        open.retain(|&idx| capture.hosts[idx as usize].thread == thread && ends[idx as usize] > at);
        stacks.insert(call, stack_text(capture, &open, call));
    }
    stacks
}

fn place(capture: &Capture, idx: HostIdx) -> (u16, i64) {
    let span = &capture.hosts[idx as usize];
    (span.thread, span.start)
}

fn stack_text(capture: &Capture, open: &[HostIdx], call: HostIdx) -> String {
    let explains = |&&idx: &&HostIdx| idx != call && !capture.hosts[idx as usize].marker;
    let frames = open.iter().filter(explains).chain([&call]);
    let names: Vec<String> = frames.map(|&idx| capture.host_name(idx).replace(';', ":")).collect();
    names.join(";")
}
