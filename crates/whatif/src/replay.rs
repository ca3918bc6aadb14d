//! The replay: host threads in their order, streams in theirs, and the edges between them.

use flamelane_model::{Interval, Ns};

use crate::constants::Constants;
use crate::script::{Event, On, Script, Span, Wait};

/// What a change makes of an event.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edit {
    /// It and the host time before it are gone; its work is launched by another event.
    pub(crate) gone: bool,
    /// It takes this long.
    pub(crate) takes: Option<Ns>,
    /// It no longer waits.
    pub(crate) no_wait: bool,
    /// Its work is one graph, ready after this time.
    pub(crate) graph: Option<Ns>,
    /// It launches this work too, back to back.
    pub(crate) also: Vec<(usize, usize)>,
    /// Its host time ends here, not at its own end.
    pub(crate) until: Option<Ns>,
    /// Its host time begins here, not at its own start.
    pub(crate) begins: Option<Ns>,
}

/// What a change makes of a span.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moved {
    pub(crate) aside: Aside,
    /// It starts as soon as this span has begun, whenever it is launched.
    pub(crate) with: Option<usize>,
    /// It waits for that span too.
    pub(crate) after: Option<usize>,
}

/// Where a span runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Aside {
    /// On its own stream.
    #[default]
    No,
    /// On a stream for what comes early: waits of the host for its stream are not for it.
    Ahead,
    /// On a stream for what is carried away: the host still waits for it.
    Behind,
}

/// A change to a script.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    /// One an event, or none at all.
    pub(crate) events: Vec<Edit>,
    /// One a span, or none at all.
    pub(crate) spans: Vec<Moved>,
}

/// Where a thread was, in measured and in replayed time.
#[derive(Clone, Copy)]
struct Clock {
    measured: Ns,
    replayed: Ns,
}

/// When a stream or device is done with what it was given.
#[derive(Clone, Copy)]
struct Free {
    /// By work launched before the piece, as it was measured.
    before: Ns,
    /// By work of a piece: which, and when.
    piece: usize,
    at: Ns,
}

impl Free {
    const fn new(before: Ns) -> Self {
        Self { before, piece: usize::MAX, at: Ns::MIN }
    }

    fn at(&self, piece: usize) -> Ns {
        if self.piece == piece { self.before.max(self.at) } else { self.before }
    }

    fn until(&mut self, piece: usize, end: Ns) {
        let at = if self.piece == piece { self.at.max(end) } else { end };
        (self.piece, self.at) = (piece, at);
    }
}

/// A replay, one piece of the window after the other.
pub(crate) struct Run<'a> {
    script: &'a Script,
    constants: &'a Constants,
    edits: &'a Edits,
    /// Number of the piece, and where it begins.
    piece: (usize, Ns),
    /// One a thread: the ends of its calls in the piece of that number.
    clocks: Vec<(usize, Vec<Clock>)>,
    /// One a stream, then one for what comes early and one for what is carried away.
    streams: Vec<Free>,
    /// One a stream: what was carried away from it.
    carried: Vec<Free>,
    devices: Vec<Free>,
    /// One a span: when it ran.
    pub(crate) spans: Vec<Interval>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(script: &'a Script, constants: &'a Constants, edits: &'a Edits) -> Self {
        let mut streams: Vec<Free> = script.earlier.iter().map(|&end| Free::new(end)).collect();
        let n_devices = script.streams.iter().max().map_or(0, |&most| most + 1);
        let mut devices = vec![Free::new(Ns::MIN); n_devices];
        for (&device, stream) in script.streams.iter().zip(&streams) {
            devices[device].before = devices[device].before.max(stream.before);
        }
        let carried = vec![Free::new(Ns::MIN); streams.len()];
        streams.extend([Free::new(Ns::MIN); 2]);
        let clocks = vec![(usize::MAX, Vec::new()); script.threads.len()];
        let spans = script.spans.iter().map(|span| span.time).collect();
        let piece = (usize::MAX, 0);
        Self { script, constants, edits, piece, clocks, streams, carried, devices, spans }
    }

    /// Begins a piece; its events follow.
    pub(crate) fn begin(&mut self, number: usize, from: Ns) {
        self.piece = (number, from);
    }

    /// For later pieces these events ran as they were measured.
    pub(crate) fn measured(&mut self, events: &[Event]) {
        for event in events {
            for row in event.work.0..event.work.1 {
                let span = &self.script.spans[row];
                self.spans[row] = span.time;
                let device = self.script.streams[span.stream];
                for free in [&mut self.streams[span.stream], &mut self.devices[device]] {
                    free.before = free.before.max(span.time.to);
                }
            }
        }
    }

    /// Replays the next event.
    pub(crate) fn event(&mut self, row: usize) {
        let event = &self.script.events[row];
        let plain = Edit::default();
        let edit = self.edits.events.get(row).unwrap_or(&plain);
        if edit.gone {
            return;
        }
        let start = self.start(event, edit);
        self.launch(event, edit, event.work, start);
        for &work in &edit.also {
            self.launch(event, edit, work, start);
        }
        let least = edit.takes.unwrap_or_else(|| match &event.wait {
            None => event.time.len(),
            // A launch or copy that waited takes what others of its kind take.
            Some(_) if event.work.0 < event.work.1 => self.constants.copy_latency,
            Some(wait) if wait.back.is_some() => self.constants.idle_wait,
            Some(_) => event.time.len().min(self.constants.idle_wait.saturating_mul(4)),
        });
        let mut end = start.saturating_add(least);
        if let Some(wait) = event.wait.as_ref().filter(|_| !edit.no_wait) {
            end = end.max(self.waited(wait));
        }
        let measured = edit.until.unwrap_or(event.time.to);
        let (piece, clocks) = &mut self.clocks[event.thread];
        if *piece != self.piece.0 {
            *piece = self.piece.0;
            clocks.clear();
        }
        clocks.push(Clock { measured, replayed: end });
    }

    /// When its thread gets there: the host time since its last event, or since it was woken.
    fn start(&self, event: &Event, edit: &Edit) -> Ns {
        let begins = edit.begins.unwrap_or(event.time.from);
        let begin = Clock { measured: self.piece.1, replayed: self.piece.1 };
        let clock = self.clocks(event.thread).last().copied().unwrap_or(begin);
        let since = |at: Ns| begins.saturating_sub(at).max(0);
        match event.woken {
            Some((other, at)) if at <= begins => {
                let woken = self.place(other, at).saturating_add(since(at));
                woken.max(clock.replayed)
            }
            _ => clock.replayed.saturating_add(since(clock.measured)),
        }
    }

    fn clocks(&self, thread: usize) -> &[Clock] {
        let (piece, clocks) = &self.clocks[thread];
        if *piece == self.piece.0 { clocks } else { &[] }
    }

    /// A measured instant of a thread in replayed time: what it did after its last call before
    /// keeps its length, but ends where the next call, which may have taken that in, is over.
    pub(crate) fn place(&self, thread: usize, at: Ns) -> Ns {
        let clocks = self.clocks(thread);
        let after = clocks.partition_point(|clock| clock.measured <= at);
        let begin = Clock { measured: self.piece.1, replayed: self.piece.1 };
        let last = after.checked_sub(1).map_or(begin, |last| clocks[last]);
        let placed = last.replayed.saturating_add(at.saturating_sub(last.measured));
        clocks.get(after).map_or(placed, |next| placed.min(next.replayed))
    }

    fn waited(&self, wait: &Wait) -> Ns {
        let back = wait.back.unwrap_or(self.constants.wake_up);
        let piece = self.piece.0;
        let end = match wait.on {
            On::Device(device) => self.devices[device].at(piece),
            On::Stream(stream) => {
                self.streams[stream].at(piece).max(self.carried[stream].at(piece))
            }
            // What went ahead is waited for on the device.
            On::Span(span) if self.moved(span).aside == Aside::Ahead => Ns::MIN,
            On::Span(span) => self.spans[span].to,
            On::Earlier(end) => end,
            On::Nothing => Ns::MIN,
        };
        if end == Ns::MIN { end } else { end.saturating_add(back) }
    }

    fn launch(&mut self, event: &Event, edit: &Edit, work: (usize, usize), start: Ns) {
        let piece = self.piece.0;
        let mut begin = None;
        for row in work.0..work.1 {
            let span = &self.script.spans[row];
            let moved = self.moved(row);
            let stream = match moved.aside {
                Aside::No => span.stream,
                Aside::Ahead => self.script.streams.len(),
                Aside::Behind => self.script.streams.len() + 1,
            };
            let ready = match moved.with {
                Some(with) => self.spans[with].from,
                None => start.saturating_add(self.on_the_way(event, edit, span)),
            };
            let free = self.streams[stream].at(piece);
            let mut from = ready.max(free.saturating_add(self.constants.spacing));
            for other in [span.after, moved.after].into_iter().flatten() {
                let delay = self.constants.event_delay;
                from = from.max(self.spans[other].to.saturating_add(delay));
            }
            // Inside one graph the recorded distances hold.
            match begin {
                None => begin = Some(from),
                Some(begin) if event.kind.replays => from = span.offset.saturating_add(begin),
                Some(_) => {}
            }
            let to = from.saturating_add(span.time.len());
            self.spans[row] = Interval::new(from, to);
            self.streams[stream].until(piece, to);
            if moved.aside == Aside::Behind {
                self.carried[span.stream].until(piece, to);
            }
            if moved.aside != Aside::Ahead {
                self.devices[self.script.streams[span.stream]].until(piece, to);
            }
        }
    }

    fn moved(&self, span: usize) -> Moved {
        self.edits.spans.get(span).copied().unwrap_or_default()
    }

    /// From the start of a launch until its work can start.
    fn on_the_way(&self, event: &Event, edit: &Edit, span: &Span) -> Ns {
        if let Some(graph) = edit.graph {
            return graph;
        }
        let (_, latency) = self.constants.of_launch(event, span);
        let submit = if edit.takes.is_some() { 0 } else { event.submit };
        latency.saturating_add(submit)
    }
}
