//! What each call waits for: streams, spans, events and other threads, told from the order of calls.

use flamelane_link::Linked;
use flamelane_model::{CallId, Interval, Ns, SyncKind};
use rustc_hash::FxHashMap;

use crate::names::{Names, Role};
use crate::queues;
use crate::records::Records;
use crate::script::{Event, On, Script, Span, Wait};
use crate::sleepers::Sleepers;

/// A call that returns later than this after the work it waited for waited for something else.
pub(crate) const LATE: Ns = 100_000;
/// A wait for an event, or an asynchronous copy, that is shorter than this may not have waited.
pub(crate) const WAITED: Ns = 30_000;
/// Spans looked at for the one that ended last: work is launched in about the order in which it
/// ends.
const MOST_RECENT: usize = 512;
/// Work that starts this much before another ends did not wait for it.
const CLOCKS_DIFFER: Ns = 1_000;

/// What a thread did last.
#[derive(Clone, Copy, Default)]
struct Thread {
    /// The stream of its last launch.
    stream: usize,
    /// What its next launch waits for.
    waits_for: Option<Awaited>,
}

/// What a stream is told to wait for.
#[derive(Clone, Copy)]
enum Awaited {
    /// The work before a recorded event.
    Recorded(usize),
    /// The capture does not say where events are recorded: the last work of another stream.
    Latest(Latest),
}

/// The last work of a device, and the last of any other of its streams.
#[derive(Clone, Copy, Default)]
struct Latest {
    span: Option<usize>,
    other: Option<usize>,
}

impl Latest {
    fn launch(&mut self, spans: &[Span], row: usize) {
        let moves_on = self.span.filter(|&last| spans[last].stream != spans[row].stream);
        self.other = moves_on.or(self.other);
        self.span = Some(row);
    }

    /// The last work that is not of a stream.
    fn beside(self, spans: &[Span], stream: usize) -> Option<usize> {
        [self.span, self.other].into_iter().flatten().find(|&row| spans[row].stream != stream)
    }
}

/// What a stream was given last.
#[derive(Clone, Copy)]
struct Given {
    span: Option<usize>,
    /// When the last of it ended.
    end: Ns,
    /// The event that gave it.
    event: usize,
}

/// Follows the calls in order of time.
pub(crate) struct Events<'a> {
    linked: &'a Linked,
    /// Correlation of a synchronise call → stream, where a record says so.
    told: FxHashMap<i64, usize>,
    streams: Vec<Given>,
    /// One a device: when the last of its work so far ended.
    ends: Vec<Ns>,
    /// One a device.
    latest: Vec<Latest>,
    threads: Vec<Thread>,
    records: Records,
    sleepers: Sleepers,
}

impl<'a> Events<'a> {
    pub(crate) fn new(linked: &'a Linked, stream_of: &[usize], script: &Script) -> Self {
        let mut ends = vec![Ns::MIN; linked.devices.len()];
        for (&device, &end) in script.streams.iter().zip(&script.earlier) {
            ends[device] = ends[device].max(end);
        }
        let given = |&end: &Ns| Given { span: None, end, event: usize::MAX };
        Self {
            linked,
            told: told(linked, stream_of, script.streams.len()),
            streams: script.earlier.iter().map(given).collect(),
            ends,
            latest: vec![Latest::default(); linked.devices.len()],
            threads: Vec::new(),
            records: Records::default(),
            sleepers: Sleepers::default(),
        }
    }

    /// Takes the next call.
    pub(crate) fn follow(
        &mut self,
        script: &mut Script,
        names: &mut Names<'_>,
        mut event: Event,
        (call, role): (CallId, Option<Role>),
    ) {
        let thread = event.thread;
        if thread >= self.threads.len() {
            // A new thread begins where the first one is.
            let stream = self.threads.first().map_or(0, |first| first.stream);
            self.threads.push(Thread { stream, ..Thread::default() });
        }
        event.woken = self.sleepers.woken(self.linked, names, script, &event);
        if event.work.0 < event.work.1 {
            self.launch(script, &event);
        }
        match role {
            Some(Role::Records) => {
                let span = self.streams.get(self.threads[thread].stream).and_then(|on| on.span);
                self.records.record(thread, span);
            }
            Some(Role::StreamWaits) => self.stream_wait(script, thread),
            Some(Role::WaitsForEvent) => {
                self.records.wait(thread, script.events.len());
                event.wait = Some(Wait { on: On::Nothing, back: None });
            }
            Some(Role::WaitsForStream) => {
                let stream = self.told_stream(call).unwrap_or(self.threads[thread].stream);
                event.wait = Some(self.timed(script, &event, On::Stream(stream)));
            }
            Some(Role::WaitsForDevice) => {
                let device = script.streams.get(self.threads[thread].stream);
                let on = device.map_or(On::Nothing, |&device| On::Device(device));
                event.wait = Some(self.timed(script, &event, on));
            }
            None if self.blocks(script, &event, call) => {
                let last = (event.work.0..event.work.1).last();
                event.wait = Some(self.timed(script, &event, last.map_or(On::Nothing, On::Span)));
            }
            None => {}
        }
        script.events.push(event);
    }

    /// A copy that blocks: by its contract, from pageable memory, or because it took long and returned
    /// after it had ended. A short one on an idle stream may end within its call without blocking.
    fn blocks(&self, script: &Script, event: &Event, call: CallId) -> bool {
        if event.kind.copies_blocking {
            return true;
        }
        let waits = &self.linked.waits;
        if !event.kind.copies || waits.binary_search_by_key(&call, |wait| wait.call).is_err() {
            return false;
        }
        let reads = script.spans[event.work.0..event.work.1].iter().any(|span| span.to_pageable);
        reads || event.time.len() >= WAITED
    }

    fn launch(&mut self, script: &mut Script, event: &Event) {
        let number = script.events.len();
        let waits_for = self.threads[event.thread].waits_for.take();
        for row in event.work.0..event.work.1 {
            let stream = script.spans[row].stream;
            let end = script.spans[row].time.to;
            let given = &mut self.streams[stream];
            let is_first = given.event != number;
            *given = Given { span: Some(row), end: given.end.max(end), event: number };
            if is_first {
                let other = waits_for.and_then(|awaited| match awaited {
                    Awaited::Recorded(span) => Some(span),
                    Awaited::Latest(latest) => latest.beside(&script.spans, stream),
                });
                let after = other.filter(|&span| may_wait(&script.spans, row, span));
                script.spans[row].after = after;
            }
            let device = script.streams[stream];
            self.latest[device].launch(&script.spans, row);
            self.ends[device] = self.ends[device].max(end);
        }
        let thread = &mut self.threads[event.thread];
        if let Some(first) = event.first() {
            thread.stream = script.spans[first].stream;
        }
    }

    /// The next launch waits for the thread's last recorded event; in a capture that does not say
    /// where events are recorded, for the last work of another stream.
    fn stream_wait(&mut self, script: &Script, thread: usize) {
        let state = &mut self.threads[thread];
        let end = |span: usize| script.spans[span].time.to;
        state.waits_for = match (self.records.last(thread), state.waits_for) {
            (Some(span), Some(Awaited::Recorded(known))) if end(known) > end(span) => {
                Some(Awaited::Recorded(known))
            }
            (Some(span), _) => Some(Awaited::Recorded(span)),
            (None, _) => {
                script.streams.get(state.stream).map(|&device| Awaited::Latest(self.latest[device]))
            }
        };
    }

    fn told_stream(&self, call: CallId) -> Option<usize> {
        self.told.get(&self.linked.trace.calls.correlation[call.index()]).copied()
    }

    /// How late it returned. Where what it should have waited for ended only after it had returned,
    /// it waited for the last work that ended before.
    fn timed(&self, script: &Script, event: &Event, on: On) -> Wait {
        let end = match on {
            On::Device(device) => self.ends[device],
            On::Stream(stream) => self.streams.get(stream).map_or(Ns::MIN, |given| given.end),
            On::Span(span) => script.spans[span].time.to,
            On::Earlier(_) | On::Nothing => Ns::MIN,
        };
        if end > event.time.to {
            let device = script.streams.get(self.threads[event.thread].stream);
            return last_ended(script, event, device.copied());
        }
        let on = if end == Ns::MIN { On::Nothing } else { on };
        Wait { on, back: back(event.time, end) }
    }

    /// Matches waits for events with the records before them, and finds launches that met a full
    /// queue.
    pub(crate) fn finish(self, script: &mut Script) {
        self.records.match_waits(script);
        queues::full(self.linked, script);
    }
}

/// Correlation of a synchronise call → stream, where a record says so.
fn told(linked: &Linked, stream_of: &[usize], n_streams: usize) -> FxHashMap<i64, usize> {
    let mut named: FxHashMap<(i64, i64), usize> = FxHashMap::default();
    for (row, &stream) in stream_of.iter().enumerate().filter(|(_, stream)| **stream < n_streams) {
        let lane = &linked.trace.lanes[row];
        let device = lane.device.map_or(0, |id| linked.trace.devices[id.index()].id);
        named.entry((device, lane.id)).or_insert(stream);
    }
    let waits =
        linked.trace.syncs.iter().filter(|sync| {
            sync.kind == SyncKind::HostWait && sync.stream >= 0 && sync.correlation > 0
        });
    let stream = |sync: &flamelane_model::SyncRow| {
        Some((sync.correlation, *named.get(&(sync.device, sync.stream))?))
    };
    waits.filter_map(stream).collect()
}

/// Whether the recorded times allow a span to wait for another one, of another stream.
fn may_wait(spans: &[Span], row: usize, other: usize) -> bool {
    let (span, other) = (&spans[row], &spans[other]);
    let starts = span.time.from.saturating_add(CLOCKS_DIFFER);
    span.stream != other.stream && starts >= other.time.to
}

/// A wait for the last work that ended before a call returned.
fn last_ended(script: &Script, event: &Event, device: Option<usize>) -> Wait {
    let launched = script.spans.iter().enumerate().rev().take(MOST_RECENT);
    let ended = launched.filter(|(_, span)| span.time.to <= event.time.to);
    let span = ended.max_by_key(|(row, span)| (span.time.to, *row));
    let span = span.map(|(row, span)| (span.time.to, On::Span(row)));
    let earlier = device.and_then(|device| {
        let ends = &script.earlier_ends[device];
        let n_ended = ends.partition_point(|&end| end <= event.time.to);
        n_ended.checked_sub(1).map(|last| (ends[last], On::Earlier(ends[last])))
    });
    match span.into_iter().chain(earlier).max_by_key(|(end, _)| *end) {
        Some((end, on)) if end > event.time.from => Wait { on, back: back(event.time, end) },
        _ => Wait { on: On::Nothing, back: None },
    }
}

/// From the end of the work to the return, where the work ended during the call.
pub(crate) fn back(call: Interval, end: Ns) -> Option<Ns> {
    (end > call.from).then(|| call.to.saturating_sub(end).clamp(0, LATE))
}
