//! Launches: which call enqueued each device span.

use flamelane_model::{CallId, FlowEnd, NONE, Ns, Trace};
use rustc_hash::FxHashMap;

use crate::{devices, rivals};

/// Where a device span came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This call enqueued it.
    Call(CallId),
    /// Enqueued before the capture began: unlinked, and first on its stream.
    BeforeCapture,
    /// No call in the file claims it.
    Unattributed,
}

impl Origin {
    /// The call, when there is one.
    pub fn call(self) -> Option<CallId> {
        match self {
            Self::Call(call) => Some(call),
            _ => None,
        }
    }
}

/// Matches device spans with calls: by correlation id, else by launch arrow.
///
/// Where several calls carry one id the first in the file counts. One call may enqueue many spans
/// (a graph replay). Calls of other processes than the span's do not count, and devices are split by
/// process.
pub(crate) fn origins(trace: &mut Trace) -> Vec<Origin> {
    let calls = calls(trace);
    devices::settle(trace, &calls);
    let origin = |call: Option<CallId>| call.map_or(Origin::Unattributed, Origin::Call);
    let mut origins: Vec<Origin> = calls.into_iter().map(origin).collect();
    mark_before_capture(trace, &mut origins);
    origins
}

/// One a device span: its launch.
fn calls(trace: &Trace) -> Vec<Option<CallId>> {
    let by_flow = flows(trace);
    let arrow =
        |span: usize| by_flow.get(&(trace.device.lane[span].0, trace.device.start[span])).copied();
    if rivals::are_several(trace) {
        let mut calls = rivals::calls(trace);
        for (span, call) in calls.iter_mut().enumerate() {
            if trace.device.correlation[span] == NONE {
                *call = arrow(span);
            }
        }
        return calls;
    }
    let by_correlation = Correlations::new(trace);
    let call = |(span, &id): (usize, &i64)| {
        if id == NONE { arrow(span) } else { by_correlation.call(id) }
    };
    trace.device.correlation.iter().enumerate().map(call).collect()
}

/// Unlinked spans before the first linked one of their stream were launched before the capture.
fn mark_before_capture(trace: &Trace, origins: &mut [Origin]) {
    let mut first_linked = vec![Ns::MAX; trace.lanes.len()];
    for (span, origin) in origins.iter().enumerate() {
        if origin.call().is_some() {
            let first = &mut first_linked[trace.device.lane[span].index()];
            *first = (*first).min(trace.device.start[span]);
        }
    }
    let any_call = !trace.calls.is_empty();
    for (span, origin) in origins.iter_mut().enumerate() {
        let first = first_linked[trace.device.lane[span].index()];
        if *origin == Origin::Unattributed && any_call && trace.device.start[span] < first {
            *origin = Origin::BeforeCapture;
        }
    }
}

/// Correlation id → call. Ids are nearly consecutive in real files, so a dense table serves; a
/// hash serves the rest.
enum Correlations {
    Dense { least: i64, call: Vec<u32> },
    Sparse(FxHashMap<i64, u32>),
}

impl Correlations {
    fn new(trace: &Trace) -> Self {
        let ids = &trace.calls.correlation;
        let known = || ids.iter().copied().filter(|&id| id != NONE);
        let least = known().min().unwrap_or(0);
        let most = known().max().unwrap_or(0);
        let width = most.saturating_sub(least).saturating_add(1);
        if width as u64 > 8 * (ids.len() as u64 + 1024) {
            let mut sparse = FxHashMap::default();
            for (call, &id) in ids.iter().enumerate().filter(|(_, id)| **id != NONE) {
                sparse.entry(id).or_insert(call as u32);
            }
            return Self::Sparse(sparse);
        }
        let mut dense = vec![u32::MAX; width as usize];
        for (call, &id) in ids.iter().enumerate().filter(|(_, id)| **id != NONE) {
            let slot = &mut dense[(id - least) as usize];
            *slot = (*slot).min(call as u32);
        }
        Self::Dense { least, call: dense }
    }

    fn call(&self, id: i64) -> Option<CallId> {
        match self {
            Self::Dense { least, call } => {
                let slot = usize::try_from(id.checked_sub(*least)?).ok()?;
                call.get(slot).copied().filter(|&call| call != u32::MAX).map(CallId)
            }
            Self::Sparse(map) => map.get(&id).copied().map(CallId),
        }
    }
}

/// (stream lane, start of the device span) → call, through launch arrows. Only for spans without a
/// correlation id, so the table is empty in files that have them all.
fn flows(trace: &Trace) -> FxHashMap<(u32, Ns), CallId> {
    let mut landing = FxHashMap::default();
    if trace.device.correlation.iter().all(|&id| id != NONE) || trace.flows.is_empty() {
        return landing;
    }
    let mut call_at = FxHashMap::default();
    for (call, span) in trace.calls.span.iter().enumerate() {
        let host = span.index();
        let key = (trace.host.lane[host].0, trace.host.start[host]);
        call_at.entry(key).or_insert(CallId::new(call));
    }
    let mut started = FxHashMap::default();
    for flow in trace.flows.iter().filter(|flow| flow.end == FlowEnd::Start) {
        if let Some(&call) = call_at.get(&(flow.lane.0, flow.at)) {
            started.entry(flow.id).or_insert(call);
        }
    }
    for flow in trace.flows.iter().filter(|flow| flow.end == FlowEnd::Finish) {
        if let Some(&call) = started.get(&flow.id) {
            landing.entry((flow.lane.0, flow.at)).or_insert(call);
        }
    }
    landing
}

/// What the names of calls say about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a name")]
pub struct CallKind {
    /// The name contains `Launch`.
    pub launches: bool,
    /// The name contains `GraphLaunch`.
    pub replays: bool,
    /// A call that only waits: stream, device, event or context synchronise.
    pub syncs: bool,
    /// A copy call of any kind.
    pub copies: bool,
    /// A copy call that blocks by its contract.
    pub copies_blocking: bool,
    /// Makes a stream wait for an event.
    pub waits_event: bool,
}

/// Classifies a call by its name.
pub fn call_kind(name: &str) -> CallKind {
    let bare = ["cuda", "hip", "cu"].iter().find_map(|prefix| name.strip_prefix(prefix));
    let bare = bare.unwrap_or(name);
    let plain = bare.split("_v").next().unwrap_or(bare);
    let copies = bare.starts_with("Memcpy");
    CallKind {
        launches: name.contains("Launch"),
        replays: name.contains("GraphLaunch"),
        syncs: matches!(
            plain,
            "StreamSynchronize" | "DeviceSynchronize" | "EventSynchronize" | "CtxSynchronize"
        ) && bare.len() < name.len(),
        copies,
        copies_blocking: copies && !bare.contains("Async") && !bare.contains("Peer"),
        waits_event: bare.starts_with("StreamWaitEvent"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_known_by_its_name() {
        assert!(call_kind("hipGraphLaunch").replays);
        assert!(call_kind("cudaDeviceSynchronize").syncs);
        assert!(call_kind("cudaStreamSynchronize_v3020").syncs);
        assert!(call_kind("cuCtxSynchronize").syncs);
        assert!(!call_kind("cudaStreamWaitEvent").syncs);
        assert!(call_kind("cudaStreamWaitEvent").waits_event);
        assert!(call_kind("hipMemcpyWithStream").copies_blocking);
        assert!(!call_kind("cudaMemcpyAsync").copies_blocking);
        assert!(!call_kind("Synchronize").syncs);
    }
}
