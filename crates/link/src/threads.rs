//! Threads: names that tell the threads of several processes apart.

use flamelane_model::{LaneKind, ProcessId, StrId, Trace};
use rustc_hash::FxHashMap;

/// Adds the process to names that threads of several processes share: stacks begin with the name
/// of their thread, and two threads are not one.
pub(crate) fn tell_apart(trace: &mut Trace) {
    let mut first: FxHashMap<StrId, ProcessId> = FxHashMap::default();
    let mut shared: FxHashMap<StrId, bool> = FxHashMap::default();
    for lane in trace.lanes.iter().filter(|lane| lane.kind == LaneKind::Thread) {
        let process = *first.entry(lane.name).or_insert(lane.process);
        *shared.entry(lane.name).or_default() |= process != lane.process;
    }
    for row in 0..trace.lanes.len() {
        let lane = &trace.lanes[row];
        if lane.kind == LaneKind::Thread && shared.get(&lane.name) == Some(&true) {
            let (name, process) = (lane.name, trace.process(lane.process).label);
            let told = format!("{}, process {}", trace.text(name), trace.text(process));
            trace.lanes[row].name = trace.strings.intern(&told);
        }
    }
}
