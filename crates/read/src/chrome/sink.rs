//! Events on their way into the trace.

use std::cell::Cell;

use flamelane_model::{
    Census, FrameKind, Interval, LaneId, NONE, Notes, Ns, StrId, Strings, Trace,
};
use rustc_hash::FxHashMap;

use super::{
    lanes::{Lanes, Row},
    marks::{Marks, Track},
    members::{member, text},
};
use crate::{
    Limits,
    json::{CategoryId, Event, EventSink, EventText, Id, Names, Outcome},
    kinds::guess,
    number::Decimal,
};

/// A trace in the making; times are those of the file until `finish`.
pub(super) struct Sink {
    names: Names,
    notes: Notes,
    lanes: Lanes,
    marks: Marks,
    trace: Trace,
    first: Ns,
    last: Ns,
    /// Events by category and phase.
    counts: Vec<[u64; 128]>,
    kinds: FxHashMap<StrId, FrameKind>,
    has_stack_frames: Cell<bool>,
}

impl Sink {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            names: Names::default(),
            notes: Notes::new(),
            lanes: Lanes::new(limits.max_lanes),
            marks: Marks::default(),
            trace: Trace::new(),
            first: Ns::MAX,
            last: Ns::MIN,
            counts: Vec::new(),
            kinds: FxHashMap::default(),
            has_stack_frames: Cell::new(false),
        }
    }

    /// Makes the trace.
    pub(super) fn finish(mut self, outcome: &Outcome) -> (Trace, Notes) {
        if let Some(error) = &outcome.error {
            let first = std::error::Error::source(error).map(ToString::to_string);
            let message = "times the input failed; all whole events were read";
            self.notes.add("input-error", message, || first.unwrap_or_default());
        }
        if let Some((first, last)) = self.marks.extent() {
            self.first = self.first.min(first);
            self.last = self.last.max(last);
        }
        self.pair_marks();
        self.lanes.apply_names();
        self.note_what_is_left_out();
        let mut trace = std::mem::take(&mut self.trace);
        trace.metadata.format = "chrome";
        trace.metadata.whole_micros = !outcome.any_fraction;
        trace.census = self.census();
        let zero = if self.first > self.last { 0 } else { self.first };
        trace.origin = zero;
        trace.extent = Interval::new(0, self.last.saturating_sub(zero).max(0));
        for time in trace.host.start.iter_mut().chain(&mut trace.host.end) {
            *time = time.saturating_sub(zero);
        }
        trace.lanes = self.lanes.table;
        trace.processes = self.lanes.processes;
        trace.strings = self.names.strings;
        (trace, self.notes)
    }

    fn pair_marks(&mut self) {
        let marks = std::mem::take(&mut self.marks);
        let (host, kinds, strings) = (&mut self.trace.host, &mut self.kinds, &self.names.strings);
        marks.pair(self.last, &mut self.notes, |pair| {
            let kind = kind_of(kinds, pair.name, strings);
            host.push(pair.lane, kind, pair.name, (pair.start, pair.end));
        });
    }

    fn note_what_is_left_out(&mut self) {
        let message = "spans came on more lanes than are kept and share one";
        self.notes.add_many("too-many-lanes", message, self.lanes.n_crowded, String::new);
        let message = "sample events have stacks, which are not kept";
        let n_samples = self.counts.iter().map(|phases| phases[usize::from(b'P')]).sum();
        self.notes.add_many("samples-not-kept", message, n_samples, String::new);
        let message = "tables of stack frames are not kept";
        let n_tables = u64::from(self.has_stack_frames.get());
        self.notes.add_many("stack-frames-not-kept", message, n_tables, String::new);
    }

    fn census(&self) -> Census {
        let mut census = Census::new();
        for (row, phases) in self.counts.iter().enumerate() {
            let category = self.names.category(CategoryId(row as u16));
            for (phase, count) in phases.iter().enumerate().filter(|(_, count)| **count > 0) {
                let phase = if phase == 0 { String::new() } else { char::from(phase as u8).into() };
                *census.entry((phase, category.to_owned())).or_default() += count;
            }
        }
        census
    }

    fn count(&mut self, event: &Event) {
        let row = event.cat.index();
        if row >= self.counts.len() {
            self.counts.resize(row + 1, [0; 128]);
        }
        self.counts[row][usize::from(event.ph & 127)] += 1;
    }

    /// A complete event.
    fn complete(&mut self, event: &Event, text: EventText<'_>) {
        let Some(start) = self.time(event, text) else { return };
        let duration = self.duration(event, text);
        let end = start.saturating_add(duration);
        self.first = self.first.min(start);
        self.last = self.last.max(end);
        let lane = self.thread(event);
        let name = self.shown_name(event, text);
        let kind = kind_of(&mut self.kinds, name, &self.names.strings);
        self.trace.host.push(lane, kind, name, (start, end));
    }

    /// `dur`, else the thread's own `tdur`, else nothing.
    fn duration(&mut self, event: &Event, text: EventText<'_>) -> Ns {
        let mut duration = event.dur;
        if duration == NONE {
            let own = member(text.raw(), b"tdur").and_then(Decimal::parse);
            let message = "complete events had no duration: that of their thread is taken, or 0";
            self.notes.add("no-duration", message, || format!("byte {}", text.at()));
            duration = own.map_or(0, ns_of);
        }
        if duration < 0 {
            let message = "events had a negative duration, taken as 0";
            self.notes.add("negative-duration", message, || format!("byte {}", text.at()));
            duration = 0;
        }
        duration
    }

    /// A begin or end of a thread, or of an asynchronous operation.
    fn mark(&mut self, event: &Event, text: EventText<'_>, is_async: bool, begins: bool) {
        let Some(at) = self.time(event, text) else { return };
        let track =
            if is_async { self.operation(event, text) } else { Track::Thread(self.thread(event)) };
        if begins {
            let shown = self.shown_name(event, text);
            self.marks.begin(track, at, event.name, shown);
        } else {
            self.marks.end(track, at, event.name);
        }
    }

    fn operation(&mut self, event: &Event, text: EventText<'_>) -> Track {
        let category = self.names.category(event.cat).to_owned();
        let row = Row::Async(event.cat);
        let lane = self.lanes.lane(event.pid, row, &category, &mut self.names.strings);
        let id = match event.id {
            // Newer writers say whether the id is good in the process or everywhere.
            Id::Absent => match member(text.raw(), b"id2") {
                Some(id) => Id::Text(self.names.intern(id)),
                None => Id::Absent,
            },
            id => id,
        };
        Track::Async(lane, event.cat, id)
    }

    fn thread(&mut self, event: &Event) -> LaneId {
        self.lanes.lane(event.pid, Row::Thread(event.tid), "", &mut self.names.strings)
    }

    fn time(&mut self, event: &Event, text: EventText<'_>) -> Option<Ns> {
        if event.ts == NONE {
            let message = "events had no time and were left out";
            self.notes.add("no-time", message, || format!("byte {}", text.at()));
            return None;
        }
        Some(event.ts)
    }

    /// The event's name; py-spy keeps the place apart, and we write it as its folded output does.
    fn shown_name(&mut self, event: &Event, event_text: EventText<'_>) -> StrId {
        if event.name == Strings::EMPTY {
            return self.names.intern(b"[unnamed]");
        }
        if self.names.category(event.cat) != "py-spy" {
            return event.name;
        }
        let Some(args) = member(event_text.raw(), b"args") else { return event.name };
        let (file, line) = (text(args, b"filename"), text(args, b"line"));
        if file.is_empty() {
            return event.name;
        }
        let name = self.names.strings.text(event.name);
        let shown = match line.parse::<u64>() {
            Ok(line @ 1..) => format!("{name} ({file}:{line})"),
            _ => format!("{name} ({file})"),
        };
        self.names.intern(shown.as_bytes())
    }

    fn metadata(&mut self, event: &Event, text: EventText<'_>) {
        let is_process = match self.names.strings.text(event.name) {
            "process_name" => true,
            "thread_name" => false,
            _ => return,
        };
        let label = self.names.intern(&text.piece(event.label));
        if label == Strings::EMPTY {
            return;
        }
        if is_process {
            self.lanes.name_process(event.pid, label);
        } else {
            self.lanes.name_thread(event.pid, event.tid, label);
        }
    }
}

impl EventSink for Sink {
    fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    fn notes(&mut self) -> &mut Notes {
        &mut self.notes
    }

    fn event(&mut self, event: &Event, text: EventText<'_>) {
        self.count(event);
        match event.ph {
            b'X' => self.complete(event, text),
            b'B' | b'E' => self.mark(event, text, false, event.ph == b'B'),
            b'b' | b'e' => self.mark(event, text, true, event.ph == b'b'),
            b'S' | b'F' => self.mark(event, text, true, event.ph == b'S'),
            b'M' => self.metadata(event, text),
            // Instants, counters, flows, samples, objects and dumps are counted in the census.
            b'i' | b'I' | b'R' | b'C' | b's' | b't' | b'f' | b'n' | b'T' | b'p' | b'P' | b'N'
            | b'O' | b'D' | b'V' | b'v' | b'c' | b'(' | b')' | b'=' => {}
            phase => self.notes.add("unknown-phase", "events had an unknown phase", || {
                format!("byte {}: `{}`", text.at(), char::from(phase).escape_default())
            }),
        }
    }

    fn wants(&self, key: &[u8]) -> bool {
        if key == b"stackFrames" {
            self.has_stack_frames.set(true);
        }
        false
    }

    fn property(&mut self, _key: &[u8], _value: &[u8]) {}
}

/// Python where the name says so, else native: a general trace does not tell kinds.
fn kind_of(kinds: &mut FxHashMap<StrId, FrameKind>, name: StrId, strings: &Strings) -> FrameKind {
    *kinds.entry(name).or_insert_with(|| match guess(strings.text(name)) {
        FrameKind::Python => FrameKind::Python,
        _ => FrameKind::Native,
    })
}

/// Microseconds as ns, rounded half up.
fn ns_of(micros: Decimal) -> Ns {
    let ns = micros.shift(3);
    let scale = 10_i128.pow(u32::from(ns.decimals));
    let ns = ns.digits.saturating_add(scale / 2).div_euclid(scale);
    ns.clamp(0, Ns::MAX.into()) as Ns
}
