//! What each waiting call waits for: streams, events and other threads, told from the order of calls.

use flamelane_link::Linked;
use flamelane_model::{CallId, FrameKind, Interval, LaneId, NONE, Ns, SyncKind};
use rustc_hash::FxHashMap;

use crate::script::{Event, On, Script, Wait};

/// A thread that sleeps shorter than this was not woken by another.
const SLEPT: Ns = 2_000;
/// A call that returns later than this after the work it waited for waited for something else.
const LATE: Ns = 100_000;
/// A wait for an event, or an asynchronous copy, that is shorter than this may not have waited.
const WAITED: Ns = 30_000;
/// Pieces of a thread's timeline looked at to find when it last ran.
const MOST_PIECES: usize = 64;
/// A launch this many times the usual while the device is busy found the queue full.
const FULL_TIMES: Ns = 10;
const FULL_LEAST: Ns = 50_000;

/// An event recorded by a thread: the last span of the stream it recorded on.
struct Record {
    span: usize,
    /// A stream waits for it.
    used: bool,
}

/// A host wait for an event, to be matched with a record when all are known.
struct Pending {
    event: usize,
    thread: usize,
    /// Records of its thread before it.
    n_records: usize,
}

/// Follows the calls in order of time.
pub(crate) struct Events<'a> {
    linked: &'a Linked,
    /// Correlation of a synchronise call → stream, where a record says so.
    told: FxHashMap<i64, usize>,
    /// One a stream: its last span so far, and the device it is of.
    last_on: Vec<Option<usize>>,
    device_of: Vec<usize>,
    /// One a thread.
    last_stream: Vec<usize>,
    records: Vec<Vec<Record>>,
    stream_waits: Vec<Option<usize>>,
    last_end: Vec<Ns>,
    pending: Vec<Pending>,
    by_end: Vec<(Ns, usize)>,
}

impl<'a> Events<'a> {
    pub(crate) fn new(
        linked: &'a Linked,
        streams: &FxHashMap<LaneId, usize>,
        device_of: Vec<usize>,
    ) -> Self {
        let key = |lane: LaneId| {
            let lane = linked.trace.lane(lane);
            (lane.device.map_or(0, |id| linked.trace.devices[id.index()].id), lane.id)
        };
        let named: FxHashMap<(i64, i64), usize> =
            streams.iter().map(|(&lane, &stream)| (key(lane), stream)).collect();
        let waits = linked.trace.syncs.iter().filter(|sync| {
            sync.kind == SyncKind::HostWait && sync.stream >= 0 && sync.correlation > 0
        });
        let stream = |sync: &flamelane_model::SyncRow| {
            Some((sync.correlation, *named.get(&(sync.device, sync.stream))?))
        };
        let told = waits.filter_map(stream).collect();
        Self {
            linked,
            told,
            last_on: vec![None; device_of.len()],
            device_of,
            last_stream: Vec::new(),
            records: Vec::new(),
            stream_waits: Vec::new(),
            last_end: Vec::new(),
            pending: Vec::new(),
            by_end: Vec::new(),
        }
    }

    /// Takes the next call.
    pub(crate) fn follow(
        &mut self,
        script: &mut Script,
        mut event: Event,
        call: CallId,
        name: &str,
    ) {
        let thread = event.thread;
        if thread >= self.last_stream.len() {
            self.last_stream.push(self.last_stream.first().copied().unwrap_or(0));
            self.records.push(Vec::new());
            self.stream_waits.push(None);
            self.last_end.push(Ns::MIN);
        }
        event.woken = self.woken(script, &event);
        self.last_end[thread] = event.time.to;
        if event.work.0 < event.work.1 {
            self.launch(script, &mut event);
        }
        if event.kind.waits_event {
            self.stream_wait(script, thread);
        } else if name.contains("EventRecord") {
            if let Some(span) = self.last_on.get(self.last_stream[thread]).copied().flatten() {
                self.records[thread].push(Record { span, used: false });
            }
        } else if event.kind.syncs && name.contains("Event") {
            let n_records = self.records[thread].iter().filter(|record| !record.used).count();
            self.pending.push(Pending { event: script.events.len(), thread, n_records });
            event.wait = Some(Wait { on: On::Nothing, back: None });
        } else if event.kind.syncs {
            event.wait = Some(self.sync(script, &event, call, name));
        } else if self.blocks(script, &event, call) {
            let last = event.work.1.checked_sub(1).filter(|_| event.work.0 < event.work.1);
            let on = last.map_or(On::Nothing, On::Span);
            event.wait = Some(self.timed(script, &event, on));
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

    fn launch(&mut self, script: &mut Script, event: &mut Event) {
        let waits_for = self.stream_waits[event.thread].take();
        let mut firsts: Vec<usize> = Vec::new();
        for row in event.work.0..event.work.1 {
            let stream = script.spans[row].stream;
            if !firsts.contains(&stream) {
                firsts.push(stream);
                let other = waits_for.filter(|&span| script.spans[span].stream != stream);
                script.spans[row].after = other;
            }
            self.last_on[stream] = Some(row);
            self.by_end.push((script.spans[row].time.to, row));
        }
        if let Some(&stream) = firsts.first() {
            self.last_stream[event.thread] = stream;
        }
    }

    fn stream_wait(&mut self, script: &Script, thread: usize) {
        let Some(record) = self.records[thread].last_mut() else { return };
        record.used = true;
        let end = |span: usize| script.spans[span].time.to;
        let later = self.stream_waits[thread].filter(|&span| end(span) > end(record.span));
        self.stream_waits[thread] = Some(later.unwrap_or(record.span));
    }

    /// A wait for a stream or for all streams of a device.
    fn sync(&self, script: &Script, event: &Event, call: CallId, name: &str) -> Wait {
        let own = self.last_stream[event.thread];
        let correlation = self.linked.trace.calls.correlation[call.index()];
        let told = (correlation != NONE).then(|| self.told.get(&correlation)).flatten();
        let streams = if name.contains("Stream") {
            vec![told.copied().unwrap_or(own)]
        } else {
            let device = self.device_of.get(own);
            (0..self.device_of.len()).filter(|&s| self.device_of.get(s) == device).collect()
        };
        self.timed(script, event, On::Streams(streams))
    }

    /// How late it returned. Where what it should have waited for ended only after it had returned,
    /// it waited for the last work that ended before.
    fn timed(&self, script: &Script, event: &Event, on: On) -> Wait {
        let end_of = |on: &On| match on {
            On::Streams(streams) => {
                let last = streams.iter().filter_map(|&stream| self.last_on.get(stream).copied());
                last.flatten().map(|span| script.spans[span].time.to).max()
            }
            On::Span(span) => Some(script.spans[*span].time.to),
            On::Nothing => None,
        };
        let Some(end) = end_of(&on) else { return Wait { on: On::Nothing, back: None } };
        if end > event.time.to {
            return self.last_ended(event);
        }
        Wait { on, back: back(event.time, end) }
    }

    /// A wait for the last span that ended before a call returned.
    fn last_ended(&self, event: &Event) -> Wait {
        // Work is launched in about the order in which it ends: the last few hundred are enough.
        let recent = self.by_end.iter().rev().take(512).filter(|(end, _)| *end <= event.time.to);
        match recent.max_by_key(|(end, _)| *end) {
            Some(&(end, span)) if end > event.time.from => {
                Wait { on: On::Span(span), back: back(event.time, end) }
            }
            _ => Wait { on: On::Nothing, back: None },
        }
    }

    /// Which other thread woke one that slept before a call, and until when that one ran before.
    fn woken(&self, script: &Script, event: &Event) -> Option<(usize, Ns)> {
        let (from, to) = (self.last_end[event.thread], event.time.from);
        if from == Ns::MIN || script.threads.len() < 2 || to - from < SLEPT {
            return None;
        }
        let lane = script.threads[event.thread];
        let pieces = self.linked.nested.timelines[lane.index()].pieces(from, to);
        let asleep = pieces.filter(|&(from, to, _)| to - from >= SLEPT);
        let asleep = asleep.filter(|&(_, _, stack)| self.sleeps(stack));
        let at = asleep.last()?.1;
        let others = (0..script.threads.len().min(self.last_end.len()))
            .filter(|&other| other != event.thread && self.last_end[other] != Ns::MIN);
        let awake = others.filter_map(|other| Some((self.awake_until(script, other, at)?, other)));
        let (until, other) =
            awake.max_by_key(|&(until, other)| (until, std::cmp::Reverse(other)))?;
        (at - until <= LATE).then_some((other, until))
    }

    /// Until when a thread ran something before `at`.
    fn awake_until(&self, script: &Script, thread: usize, at: Ns) -> Option<Ns> {
        let timeline = &self.linked.nested.timelines[script.threads[thread].index()];
        let here = timeline.rank(at - 1).checked_sub(1)?;
        let piece = (0..=here).rev().take(MOST_PIECES);
        let piece = piece.into_iter().find(|&piece| !self.sleeps(Some(timeline.node[piece])))?;
        Some(timeline.at.get(piece + 1).copied().unwrap_or(at).min(at))
    }

    /// Whether a thread with that stack open runs nothing.
    fn sleeps(&self, stack: Option<flamelane_model::StackId>) -> bool {
        let Some(stack) = stack else { return true };
        let frame = self.linked.nested.stacks.frame(stack);
        if frame.kind == FrameKind::Thread {
            return true;
        }
        let name = self.linked.trace.text(frame.name);
        frame.kind == FrameKind::Python
            && ["acquire of _thread", "run_backward", "of _queue."].iter().any(|w| name.contains(w))
    }

    /// Matches waits for events with the records before them, and finds launches that met a full
    /// queue.
    pub(crate) fn finish(self, script: &mut Script) {
        let offsets = self.offsets(script);
        for pending in &self.pending {
            let event = &script.events[pending.event];
            let records: Vec<usize> = self.records[pending.thread]
                .iter()
                .filter(|record| !record.used)
                .take(pending.n_records)
                .map(|record| record.span)
                .collect();
            let offset = offsets.get(pending.thread).copied().unwrap_or(0);
            let span = records.len().checked_sub(offset + 1).map(|row| records[row]);
            let wait = match span {
                Some(span) if script.spans[span].time.to <= event.time.to => {
                    let end = script.spans[span].time.to;
                    Wait { on: On::Span(span), back: back(event.time, end) }
                }
                _ => Wait { on: On::Nothing, back: None },
            };
            script.events[pending.event].wait = Some(wait);
        }
        self.full_queues(script);
    }

    /// One a thread: how many records lie between a wait and the one it waits for. Waits that really
    /// waited show it; else the first wait is for the first record.
    fn offsets(&self, script: &Script) -> Vec<usize> {
        let mut offsets = vec![0; self.records.len()];
        for (thread, offset) in offsets.iter_mut().enumerate() {
            let records: Vec<&Record> =
                self.records[thread].iter().filter(|record| !record.used).collect();
            let waits: Vec<&Pending> =
                self.pending.iter().filter(|pending| pending.thread == thread).collect();
            let mut votes: FxHashMap<usize, usize> = FxHashMap::default();
            for wait in &waits {
                let time = script.events[wait.event].time;
                if time.len() < WAITED {
                    continue;
                }
                let until = wait.n_records.min(records.len());
                // Farther back nothing is waited for.
                for back_by in 0..until.min(8) {
                    let end = script.spans[records[until - 1 - back_by].span].time.to;
                    if end > time.from && end <= time.to && time.to - end <= LATE {
                        *votes.entry(back_by).or_insert(0) += 1;
                        break;
                    }
                }
            }
            let first = waits.first().map_or(0, |wait| wait.n_records.saturating_sub(1));
            let voted = votes.into_iter().max_by_key(|&(by, n)| (n, std::cmp::Reverse(by)));
            *offset = voted.map_or(first, |(by, _)| by);
        }
        offsets
    }

    /// A launch that takes long while the device is busy waits for room in the queue.
    fn full_queues(&self, script: &mut Script) {
        let mut lengths: Vec<Ns> = script
            .events
            .iter()
            .filter(|event| event.wait.is_none() && event.work.0 < event.work.1)
            .map(|event| event.time.len())
            .collect();
        if lengths.is_empty() {
            return;
        }
        let middle = lengths.len() / 2;
        // The lower quartile: in a full queue most launches wait.
        let usual = *lengths.select_nth_unstable(middle / 2).1;
        let least = usual.saturating_mul(FULL_TIMES).max(FULL_LEAST);
        for row in 0..script.events.len() {
            let event = &script.events[row];
            if event.wait.is_some() || event.work.0 == event.work.1 || event.time.len() < least {
                continue;
            }
            let stream = script.spans[event.work.0].stream;
            let Some(busy) = self.linked.devices.get(self.device_of[stream]) else { continue };
            let after = busy.busy.partition_point(|run| run.from <= event.time.from);
            let run = after.checked_sub(1).map(|last| busy.busy[last]);
            let covers = run.is_some_and(|run| event.time.to <= run.to.saturating_add(usual));
            if covers {
                let wait = Self::ended_before(script, event);
                script.events[row].wait = Some(wait);
            }
        }
    }

    fn ended_before(script: &Script, event: &Event) -> Wait {
        let before = script.spans[..event.work.0].iter().enumerate().rev().take(4096);
        let ended = before.filter(|(_, span)| span.time.to <= event.time.to);
        match ended.max_by_key(|(_, span)| span.time.to) {
            Some((row, span)) if span.time.to > event.time.from => {
                Wait { on: On::Span(row), back: back(event.time, span.time.to) }
            }
            _ => Wait { on: On::Nothing, back: None },
        }
    }
}

/// From the end of the work to the return, where the work ended during the call.
fn back(call: Interval, end: Ns) -> Option<Ns> {
    (end > call.from).then(|| (call.to - end).clamp(0, LATE))
}
