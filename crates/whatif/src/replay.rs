//! The replay: host threads in their order, streams in theirs, and the edges between them.

use flamelane_model::{Interval, Ns};

use crate::constants::Constants;
use crate::script::{Event, On, Script, Wait};

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
    /// It runs on a stream of its own, as soon as this span has begun.
    pub(crate) with: Option<usize>,
    /// It waits for that span too.
    pub(crate) after: Option<usize>,
    pub(crate) aside: bool,
}

/// A change to a script.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    /// One an event, or none at all.
    pub(crate) events: Vec<Edit>,
    /// One a span, or none at all.
    pub(crate) spans: Vec<Moved>,
}

/// One thread's clock: where it was last, in measured and in replayed time.
#[derive(Clone, Copy)]
struct Clock {
    measured: Ns,
    replayed: Ns,
}

/// A replay of one piece of the window.
pub(crate) struct Run<'a> {
    script: &'a Script,
    constants: &'a Constants,
    edits: &'a Edits,
    clocks: Vec<Clock>,
    /// One a stream, and one more for what was moved aside.
    free: Vec<Ns>,
    /// One a span: when it ran.
    pub(crate) spans: &'a mut [Interval],
}

impl<'a> Run<'a> {
    pub(crate) fn new(
        script: &'a Script,
        constants: &'a Constants,
        edits: &'a Edits,
        spans: &'a mut [Interval],
        from: Ns,
    ) -> Self {
        let mut free = vec![Ns::MIN; script.streams.len() + 1];
        for &(stream, end) in &script.earlier {
            free[stream] = free[stream].max(end);
        }
        let clocks = vec![Clock { measured: from, replayed: from }; script.threads.len()];
        Self { script, constants, edits, clocks, free, spans }
    }

    /// Work that was launched before the piece began runs as it was measured.
    pub(crate) fn before(&mut self, event: &Event) {
        for row in event.work.0..event.work.1 {
            let span = &self.script.spans[row];
            self.spans[row] = span.time;
            self.free[span.stream] = self.free[span.stream].max(span.time.to);
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
        self.launch(event, event.work, start, edit.graph);
        for &work in &edit.also {
            self.launch(event, work, start, edit.graph);
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
        self.clocks[event.thread] = Clock { measured, replayed: end };
    }

    /// When its thread gets there: the host time since its last event, or since it was woken.
    fn start(&self, event: &Event, edit: &Edit) -> Ns {
        let begins = edit.begins.unwrap_or(event.time.from);
        let clock = self.clocks[event.thread];
        let own = clock.replayed.saturating_add((begins - clock.measured).max(0));
        match event.woken {
            Some((other, at)) if at <= begins => {
                let woken = self.place(other, at).saturating_add(begins - at);
                woken.max(clock.replayed)
            }
            _ => own,
        }
    }

    /// A measured instant of a thread in replayed time.
    pub(crate) fn place(&self, thread: usize, at: Ns) -> Ns {
        let clock = self.clocks[thread];
        clock.replayed.saturating_add(at - clock.measured)
    }

    fn waited(&self, wait: &Wait) -> Ns {
        let back = wait.back.unwrap_or(self.constants.wake_up);
        let end = match &wait.on {
            On::Streams(streams) => streams.iter().map(|&stream| self.free[stream]).max(),
            On::Span(span) => Some(self.spans[*span].to),
            On::Nothing => None,
        };
        end.map_or(Ns::MIN, |end| end.saturating_add(back))
    }

    fn launch(&mut self, event: &Event, work: (usize, usize), start: Ns, graph: Option<Ns>) {
        let mut begin = None;
        for row in work.0..work.1 {
            let span = &self.script.spans[row];
            let moved = self.edits.spans.get(row).copied().unwrap_or_default();
            let stream = if moved.aside { self.script.streams.len() } else { span.stream };
            let replayed = event.kind.replays.then_some(self.constants.graph_latency).flatten();
            let latency = graph.or(replayed).unwrap_or(match span.kind {
                flamelane_model::DeviceKind::Kernel => self.constants.kernel_latency,
                _ => self.constants.copy_latency,
            });
            let ready = match moved.with {
                Some(with) => self.spans[with].from,
                None => start.saturating_add(latency),
            };
            let spacing = self.constants.spacing;
            let mut from = ready.max(self.free[stream].saturating_add(spacing));
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
            self.free[stream] = self.free[stream].max(to);
        }
    }
}
