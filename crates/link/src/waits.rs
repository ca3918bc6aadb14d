//! Waits: host calls that block, and how much of each the device used.
//!
//! The absorbed part of a call is the part during which the device was busy; it costs nothing. The
//! rest is exposed.

use flamelane_model::{
    CallId, HostSpanId, Interval, Ns, ProcessId, SyncKind, SyncRow, Trace, union,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::busy::{DeviceTime, Ground};
use crate::launches::{CallKind, Origin, call_kind};

/// A host call that blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The call.
    pub call: CallId,
    /// Its host span.
    pub span: HostSpanId,
    /// When it ran.
    pub time: Interval,
    /// Whether it is a copy rather than a synchronise call.
    pub is_copy: bool,
    /// The part during which the device was busy, over the whole call.
    pub absorbed: Ns,
    /// Length of the part inside the window.
    pub inside: Ns,
    /// Absorbed time of the part inside the window.
    pub absorbed_inside: Ns,
}

/// What the names of all calls say, looked up once a name.
pub(crate) struct CallKinds {
    /// One a string; only those of names of calls say anything.
    by_name: Vec<CallKind>,
}

impl CallKinds {
    pub(crate) fn new(trace: &Trace) -> Self {
        let mut known: Vec<Option<CallKind>> = vec![None; trace.strings.len()];
        for span in &trace.calls.span {
            let name = trace.host.name[span.index()];
            known[name.index()].get_or_insert_with(|| call_kind(trace.text(name)));
        }
        Self { by_name: known.into_iter().map(Option::unwrap_or_default).collect() }
    }

    pub(crate) fn of(&self, trace: &Trace, call: usize) -> CallKind {
        let name = trace.host.name[trace.calls.span[call].index()];
        self.by_name.get(name.index()).copied().unwrap_or_default()
    }
}

/// All blocking calls, in file order.
///
/// A copy call that is asynchronous by its name blocks too when it returned only after its own copy
/// had ended (pageable memory).
pub(crate) fn waits(
    ground: &Ground<'_>,
    origins: &[Origin],
    kinds: &CallKinds,
    devices: &[DeviceTime],
) -> Vec<Wait> {
    let trace = ground.trace;
    let copy_end = copy_ends(trace, origins);
    let (own, none) = (OwnBusy::new(trace, devices), Busy::new(Vec::new()));
    let named = Named::new(trace);
    let streams = streams_busy(ground, &named);
    let mut waits = Vec::new();
    for call in 0..trace.calls.len() {
        let kind = kinds.of(trace, call);
        let span = trace.calls.span[call];
        let time = Interval::new(trace.host.start[span.index()], trace.host.end[span.index()]);
        let waited = kind.copies && copy_end.get(&(call as u32)).is_some_and(|&end| time.to >= end);
        if !(kind.syncs || kind.copies_blocking || waited) {
            continue;
        }
        let process = trace.lane(trace.host.lane[span.index()]).process;
        let busy = match named.stream_of(trace.calls.correlation[call], time) {
            Some((device, stream)) => {
                streams.get(&(Some(process), device, stream)).unwrap_or(&none)
            }
            None => own.of(process),
        };
        let parts = ground.window.clip(time);
        let (inside, absorbed_inside) =
            parts.fold((0, 0), |sum, part| (sum.0 + part.len(), sum.1 + busy.within(part)));
        waits.push(Wait {
            call: CallId::new(call),
            span,
            time,
            is_copy: !kind.syncs,
            absorbed: busy.within(time),
            inside,
            absorbed_inside,
        });
    }
    waits
}

/// Busy time of the devices of each process: a process waits for its own work.
struct OwnBusy {
    all: Busy,
    by_process: FxHashMap<ProcessId, Busy>,
}

impl OwnBusy {
    fn new(trace: &Trace, devices: &[DeviceTime]) -> Self {
        let mut rows: FxHashMap<ProcessId, Vec<Interval>> = FxHashMap::default();
        for device in devices {
            if let Some(process) = trace.devices[device.device.index()].process {
                rows.entry(process).or_default().extend(&device.busy);
            }
        }
        let all = devices.iter().flat_map(|device| device.busy.iter().copied());
        let all = Busy::new(union(all.collect()));
        if rows.len() < 2 {
            return Self { all, by_process: FxHashMap::default() };
        }
        let busy = |(process, runs)| (process, Busy::new(union(runs)));
        Self { all, by_process: rows.into_iter().map(busy).collect() }
    }

    /// A process that launches nothing may wait for any device.
    fn of(&self, process: ProcessId) -> &Busy {
        self.by_process.get(&process).unwrap_or(&self.all)
    }
}

/// Latest end of the copies that each call launched.
fn copy_ends(trace: &Trace, origins: &[Origin]) -> FxHashMap<u32, Ns> {
    let mut ends: FxHashMap<u32, Ns> = FxHashMap::default();
    for (span, origin) in origins.iter().enumerate() {
        if trace.device.kind[span] == flamelane_model::DeviceKind::Copy
            && let Some(CallId(call)) = origin.call()
        {
            let end = ends.entry(call).or_insert(Ns::MIN);
            *end = (*end).max(trace.device.end[span]);
        }
    }
    ends
}

/// The streams that synchronise records name, by the correlation id of their calls.
struct Named(FxHashMap<i64, Vec<SyncRow>>);

impl Named {
    fn new(trace: &Trace) -> Self {
        let mut by_id: FxHashMap<i64, Vec<SyncRow>> = FxHashMap::default();
        let told = trace.syncs.iter().filter(|sync| {
            sync.kind == SyncKind::HostWait && sync.stream >= 0 && sync.correlation > 0
        });
        for sync in told {
            let rows = by_id.entry(sync.correlation).or_default();
            if rows.len() < MOST_RECORDS {
                rows.push(*sync);
            }
        }
        Self(by_id)
    }

    /// The device and stream that a call waited for: of the record at its time, since calls of
    /// several processes may share an id.
    fn stream_of(&self, id: i64, time: Interval) -> Option<(i64, i64)> {
        let rows = self.0.get(&id)?;
        let meets =
            |sync: &&SyncRow| !Interval::new(sync.span.0, sync.span.1).clip(time).is_empty();
        let row = rows.iter().find(meets).or(rows.first())?;
        Some((row.device, row.stream))
    }
}

/// Most records looked at that carry one id.
const MOST_RECORDS: usize = 16;

/// A stream of a process: its device's number and its own.
type StreamKey = (Option<ProcessId>, i64, i64);

/// Busy time of the streams that synchronise calls name, over the whole file.
fn streams_busy(ground: &Ground<'_>, named: &Named) -> FxHashMap<StreamKey, Busy> {
    let trace = ground.trace;
    let wanted = named.0.values().flatten().map(|sync| (sync.device, sync.stream));
    let wanted: FxHashSet<(i64, i64)> = wanted.collect();
    if wanted.is_empty() {
        return FxHashMap::default();
    }
    let mut spans: FxHashMap<StreamKey, Vec<Interval>> = FxHashMap::default();
    for span in (0..trace.device.len()).filter(|&span| ground.trust.counts[span]) {
        let lane = trace.lane(trace.device.lane[span]);
        let Some(device) = lane.device.map(|id| &trace.devices[id.index()]) else { continue };
        if wanted.contains(&(device.id, lane.id)) {
            let time = Interval::new(trace.device.start[span], ground.trust.end[span]);
            spans.entry((device.process, device.id, lane.id)).or_default().push(time);
        }
    }
    spans.into_iter().map(|(stream, spans)| (stream, Busy::new(union(spans)))).collect()
}

/// Disjoint busy intervals with running sums, to measure any stretch in logarithmic time.
#[derive(Clone, Debug, Default)]
pub struct Busy {
    intervals: Vec<Interval>,
    before: Vec<Ns>,
}

impl Busy {
    /// `intervals` are disjoint and in order.
    pub fn new(intervals: Vec<Interval>) -> Self {
        let mut sum = 0;
        let before = intervals.iter().map(|interval| {
            let before = sum;
            sum = interval.len().saturating_add(sum);
            before
        });
        Self { before: before.collect(), intervals }
    }

    /// Busy time before `at`, where `after` intervals begin before it.
    fn until(&self, at: Ns, after: usize) -> Ns {
        let Some(last) = after.checked_sub(1) else { return 0 };
        let part = self.intervals[last].clip(Interval::new(Ns::MIN, at)).len();
        self.before[last].saturating_add(part)
    }

    /// Busy time inside a stretch.
    pub fn within(&self, time: Interval) -> Ns {
        let first = self.intervals.partition_point(|interval| interval.from < time.from);
        // Most stretches are short: the end is near.
        let mut reach = 1;
        let begins_before = |at: usize| self.intervals.get(at).is_some_and(|i| i.from < time.to);
        while begins_before(first + reach) {
            reach *= 2;
        }
        let near = &self.intervals[first..self.intervals.len().min(first + reach)];
        let last = first + near.partition_point(|interval| interval.from < time.to);
        self.until(time.to, last) - self.until(time.from, first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_time_inside_a_stretch_is_exact() {
        let busy = Busy::new(vec![Interval::new(2, 5), Interval::new(8, 9)]);
        assert_eq!(busy.within(Interval::new(0, 20)), 4);
        assert_eq!(busy.within(Interval::new(3, 4)), 1);
        assert_eq!(busy.within(Interval::new(5, 8)), 0);
        assert_eq!(busy.within(Interval::new(4, 9)), 2);
    }
}
