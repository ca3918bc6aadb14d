//! The script: what each host thread did in order, and the device work that it launched.

use flamelane_link::{CallKind, Linked, Origin, call_kind};
use flamelane_model::{CallId, DeviceKind, Interval, LaneId, Ns, StackId};
use rustc_hash::FxHashMap;

use crate::events::Events;

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
    pub(crate) wait: Option<Wait>,
    /// The thread slept, and the other one, which ran until that instant, woke it.
    pub(crate) woken: Option<(usize, Ns)>,
}

/// What a blocking call waits for.
#[derive(Clone, Debug)]
pub(crate) struct Wait {
    pub(crate) on: On,
    /// From the end of the work to the return of the call, where the call really waited.
    pub(crate) back: Option<Ns>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum On {
    /// Everything launched before on these streams.
    Streams(Vec<usize>),
    /// One span.
    Span(usize),
    Nothing,
}

/// A device span.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) stream: usize,
    pub(crate) time: Interval,
    pub(crate) kind: DeviceKind,
    /// Copies to pageable memory of the host.
    pub(crate) to_pageable: bool,
    /// Crosses between host and device.
    pub(crate) is_copy: bool,
    /// Start after the first span of the same call.
    pub(crate) offset: Ns,
    /// Waits for this span of another stream.
    pub(crate) after: Option<usize>,
}

/// A capture as causes.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// By time of their start.
    pub(crate) events: Vec<Event>,
    /// By event, then by start.
    pub(crate) spans: Vec<Span>,
    pub(crate) threads: Vec<LaneId>,
    /// The device of each stream.
    pub(crate) streams: Vec<usize>,
    /// Work launched before the capture: (stream, end).
    pub(crate) earlier: Vec<(usize, Ns)>,
}

impl Event {
    /// The first span of its work.
    pub(crate) fn first(&self) -> Option<usize> {
        (self.work.0 < self.work.1).then_some(self.work.0)
    }
}

impl Script {
    pub(crate) fn new(linked: &Linked) -> Self {
        let mut script = Self::default();
        let mut stream_of: FxHashMap<LaneId, usize> = FxHashMap::default();
        let mut work: FxHashMap<CallId, Vec<u32>> = FxHashMap::default();
        for (device, time) in linked.devices.iter().enumerate() {
            for &span in &time.order {
                let lane = linked.trace.device.lane[span as usize];
                let fresh = script.streams.len();
                let stream = *stream_of.entry(lane).or_insert(fresh);
                if stream == fresh {
                    script.streams.push(device);
                }
                match linked.origins[span as usize] {
                    Origin::Call(call) => work.entry(call).or_default().push(span),
                    _ => script.earlier.push((stream, linked.trust.end[span as usize])),
                }
            }
        }
        let calls = calls(linked, &work);
        let mut thread_of: FxHashMap<LaneId, usize> = FxHashMap::default();
        let mut events = Events::new(linked, &stream_of, script.streams.clone());
        for call in calls {
            let host = linked.trace.calls.span[call.index()].index();
            let lane = linked.trace.host.lane[host];
            let fresh = script.threads.len();
            let thread = *thread_of.entry(lane).or_insert(fresh);
            if thread == fresh {
                script.threads.push(lane);
            }
            let spans = work.get(&call).map_or(&[][..], Vec::as_slice);
            let first = script.spans.len();
            script.add_spans(linked, &stream_of, spans);
            let name = linked.trace.text(linked.trace.host.name[host]);
            let event = Event {
                thread,
                time: Interval::new(linked.trace.host.start[host], linked.trace.host.end[host]),
                stack: linked.nested.call_stack[call.index()],
                kind: call_kind(name),
                work: (first, script.spans.len()),
                wait: None,
                woken: None,
            };
            events.follow(&mut script, event, call, name);
        }
        events.finish(&mut script);
        script
    }

    fn add_spans(&mut self, linked: &Linked, streams: &FxHashMap<LaneId, usize>, spans: &[u32]) {
        let device = &linked.trace.device;
        let begin = spans.first().map_or(0, |&span| device.start[span as usize]);
        for &span in spans {
            let row = span as usize;
            self.spans.push(Span {
                stream: streams.get(&device.lane[row]).copied().unwrap_or(0),
                time: Interval::new(device.start[row], linked.trust.end[row]),
                kind: device.kind[row],
                to_pageable: linked.trace.text(device.name[row]).contains("-> Pageable"),
                is_copy: linked.families.class[row] == flamelane_link::Class::Copy,
                offset: device.start[row] - begin,
                after: None,
            });
        }
    }
}

/// Calls that launch, wait, record an event or let a stream wait for one, by start.
fn calls(linked: &Linked, work: &FxHashMap<CallId, Vec<u32>>) -> Vec<CallId> {
    let trace = &linked.trace;
    let mut known: Vec<Option<bool>> = vec![None; trace.strings.len()];
    let mut waits = vec![false; trace.calls.len()];
    for wait in &linked.waits {
        waits[wait.call.index()] = true;
    }
    let mut matters = |call: usize| {
        let name = trace.host.name[trace.calls.span[call].index()];
        let by_name = *known[name.index()].get_or_insert_with(|| {
            let text = trace.text(name);
            let kind = call_kind(text);
            kind.waits_event || kind.syncs || text.contains("EventRecord")
        });
        by_name || waits[call] || work.contains_key(&CallId::new(call))
    };
    let calls = (0..trace.calls.len()).filter(|&call| matters(call));
    let mut calls: Vec<CallId> = calls.map(CallId::new).collect();
    calls.sort_by_key(|call| {
        let host = trace.calls.span[call.index()].index();
        (trace.host.start[host], call.index())
    });
    calls
}
