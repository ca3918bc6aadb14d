//! The script: what each host thread did in order, and the device work that it launched.

use flamelane_link::{CallKind, Class, Linked, Origin};
use flamelane_model::{CallId, DeviceKind, Interval, LaneId, Ns, StackId};

use crate::constants::Constants;
use crate::events::Events;
use crate::names::Names;

/// A call that launches or waits.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) thread: usize,
    /// When it ran.
    pub(crate) time: Interval,
    pub(crate) stack: StackId,
    pub(crate) kind: CallKind,
    /// Its work in [`Script::spans`]: first and after last.
    pub(crate) work: (usize, usize),
    /// From its start until its work goes to the device, beyond what usual calls need.
    pub(crate) submit: Ns,
    pub(crate) wait: Option<Wait>,
    /// The thread slept, and the other one, which ran until that instant, woke it.
    pub(crate) woken: Option<(usize, Ns)>,
}

/// What a blocking call waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wait {
    pub(crate) on: On,
    /// From the end of the work to the return of the call, where the call really waited.
    pub(crate) back: Option<Ns>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On {
    /// Everything launched before on this device.
    Device(usize),
    /// Everything launched before on this stream.
    Stream(usize),
    /// One span.
    Span(usize),
    /// Work from before the capture, which ended then.
    Earlier(Ns),
    Nothing,
}

/// A device span.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) stream: usize,
    pub(crate) time: Interval,
    pub(crate) kind: DeviceKind,
    pub(crate) copies: Option<Direction>,
    /// Copies to pageable memory of the host.
    pub(crate) to_pageable: bool,
    /// Start after the first span of the same call.
    pub(crate) offset: Ns,
    /// Waits for this span of another stream.
    pub(crate) after: Option<usize>,
}

/// Between which sides a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    ToDevice,
    ToHost,
    /// Between devices, or unknown.
    Other,
}

/// A capture as causes.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// By time of their start.
    pub(crate) events: Vec<Event>,
    /// By event, then by device and start.
    pub(crate) spans: Vec<Span>,
    pub(crate) threads: Vec<LaneId>,
    /// The device of each stream.
    pub(crate) streams: Vec<usize>,
    /// One a stream: when its work from before the capture was done, else `Ns::MIN`.
    pub(crate) earlier: Vec<Ns>,
    /// One a device: when each of its spans from before the capture was done, in order.
    pub(crate) earlier_ends: Vec<Vec<Ns>>,
}

impl Event {
    /// The first span of its work.
    pub(crate) fn first(&self) -> Option<usize> {
        (self.work.0 < self.work.1).then_some(self.work.0)
    }
}

/// No number yet.
const FRESH: usize = usize::MAX;

impl Script {
    pub(crate) fn new(linked: &Linked) -> Self {
        let mut script = Self::default();
        let stream_of = script.add_streams(linked);
        let work = Work::new(linked);
        let mut names = Names::new(linked);
        let mut thread_of = vec![FRESH; linked.trace.lanes.len()];
        let mut events = Events::new(linked, &stream_of, &script);
        for call in calls(linked, &work, &mut names) {
            let host = linked.trace.calls.span[call.index()].index();
            let lane = linked.trace.host.lane[host];
            let thread = &mut thread_of[lane.index()];
            if *thread == FRESH {
                *thread = script.threads.len();
                script.threads.push(lane);
            }
            let first = script.spans.len();
            script.add_spans(linked, &stream_of, work.of(call), &mut names);
            let named = names.call(linked.trace.host.name[host]);
            let event = Event {
                thread: *thread,
                time: Interval::new(linked.trace.host.start[host], linked.trace.host.end[host]),
                stack: linked.nested.call_stack[call.index()],
                kind: named.kind,
                work: (first, script.spans.len()),
                submit: 0,
                wait: None,
                woken: None,
            };
            events.follow(&mut script, &mut names, event, (call, named.role));
        }
        events.finish(&mut script);
        script
    }

    /// Numbers streams; one a lane.
    fn add_streams(&mut self, linked: &Linked) -> Vec<usize> {
        let mut stream_of = vec![FRESH; linked.trace.lanes.len()];
        for (device, time) in linked.devices.iter().enumerate() {
            let mut ends = Vec::new();
            for &span in &time.order {
                let stream = &mut stream_of[linked.trace.device.lane[span as usize].index()];
                if *stream == FRESH {
                    *stream = self.streams.len();
                    self.streams.push(device);
                    self.earlier.push(Ns::MIN);
                }
                if linked.origins[span as usize] == Origin::BeforeCapture {
                    let end = linked.trust.end[span as usize];
                    self.earlier[*stream] = self.earlier[*stream].max(end);
                    ends.push(end);
                }
            }
            ends.sort_unstable();
            self.earlier_ends.push(ends);
        }
        stream_of
    }

    fn add_spans(
        &mut self,
        linked: &Linked,
        stream_of: &[usize],
        rows: &[u32],
        names: &mut Names<'_>,
    ) {
        let device = &linked.trace.device;
        let begin = rows.first().map_or(0, |&row| device.start[row as usize]);
        for &row in rows {
            let row = row as usize;
            let is_copy = linked.families.class[row] == Class::Copy;
            let name = is_copy.then(|| names.copy(device.name[row]));
            self.spans.push(Span {
                stream: stream_of[device.lane[row].index()],
                time: Interval::new(device.start[row], linked.trust.end[row]),
                kind: device.kind[row],
                copies: name.map(|name| name.direction),
                to_pageable: name.is_some_and(|name| name.to_pageable),
                offset: device.start[row].saturating_sub(begin),
                after: None,
            });
        }
    }

    /// Launches that take long (a module is loaded, a graph is uploaded) hand their work over at
    /// their end; no later than the work was seen to start.
    pub(crate) fn submit_late(&mut self, constants: &Constants) {
        for event in self.events.iter_mut().filter(|event| event.wait.is_none()) {
            let Some(first) = (event.work.0 < event.work.1).then_some(event.work.0) else {
                continue;
            };
            let (usual, latency) = constants.of_launch(event, &self.spans[first]);
            let extra = event.time.len().saturating_sub(usual);
            if extra >= LONG_LAUNCH {
                let seen = self.spans[first].time.from.saturating_sub(event.time.from);
                event.submit = extra.min(seen.saturating_sub(latency)).max(0);
            }
        }
    }
}

/// A launch that takes this much longer than usual did something else first.
const LONG_LAUNCH: Ns = 10_000;

/// Spans by the call that launched them.
struct Work {
    /// One a call and one more: where its spans begin.
    begin: Vec<u32>,
    spans: Vec<u32>,
}

impl Work {
    fn new(linked: &Linked) -> Self {
        let rows = || linked.devices.iter().flat_map(|device| device.order.iter().copied());
        let call = |row: u32| linked.origins[row as usize].call().map(CallId::index);
        let mut begin = vec![0_u32; linked.trace.calls.len() + 1];
        for call in rows().filter_map(call) {
            begin[call + 1] += 1;
        }
        for call in 1..begin.len() {
            begin[call] += begin[call - 1];
        }
        let mut next = begin.clone();
        let mut spans = vec![0_u32; begin.last().map_or(0, |&n| n as usize)];
        for row in rows() {
            let Some(call) = call(row) else { continue };
            spans[next[call] as usize] = row;
            next[call] += 1;
        }
        Self { begin, spans }
    }

    fn of(&self, call: CallId) -> &[u32] {
        let (from, to) = (self.begin[call.index()], self.begin[call.index() + 1]);
        &self.spans[from as usize..to as usize]
    }
}

/// Calls that launch, wait, record an event or let a stream wait for one, by start.
fn calls(linked: &Linked, work: &Work, names: &mut Names<'_>) -> Vec<CallId> {
    let trace = &linked.trace;
    let mut waits = linked.waits.iter().map(|wait| wait.call.index()).peekable();
    let mut calls: Vec<(Ns, CallId)> = Vec::new();
    for call in 0..trace.calls.len() {
        let waits = waits.next_if_eq(&call).is_some();
        let host = trace.calls.span[call].index();
        let id = CallId::new(call);
        if waits || !work.of(id).is_empty() || names.call(trace.host.name[host]).role.is_some() {
            calls.push((trace.host.start[host], id));
        }
    }
    calls.sort();
    calls.into_iter().map(|(_, call)| call).collect()
}
