//! The drive: window by window through the outermost object and the array of events.

use std::io;

use memchr::memmem;

use super::{
    Event, EventSink,
    bytes::byte,
    cursor::{Cursor, Inside, Stop},
    general,
    header::{Next, next_key},
    learned::Learned,
    numbers::{Fraction, fraction_style},
    recover::{REACH, event_start, top_level_key},
    skip::skip_value,
    window::{CAPACITY, Window},
};
use crate::{Limits, ReadError};

/// How to scan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Whether to guess tokens; the result is the same without, and slower.
    pub(crate) predict: bool,
    /// Bytes of text that are held; the result is the same for any, above 0.
    pub(crate) window: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { predict: true, window: CAPACITY }
    }
}

/// What became of a scan, beside what the sink was given.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Whether an array of events was reached.
    pub(crate) found_array: bool,
    /// Number of events handed out.
    pub(crate) n_events: u64,
    /// Number of elements of the array that were no objects.
    pub(crate) n_others: u64,
    /// Whether any `ts` or `dur` had a fraction of its µs other than 0.
    pub(crate) any_fraction: bool,
    /// The error that ended the stream early.
    pub(crate) error: Option<ReadError>,
}

/// Scans a whole stream.
pub(crate) fn scan<S: EventSink>(
    input: &mut dyn io::Read,
    limits: &Limits,
    options: Options,
    sink: &mut S,
) -> Outcome {
    let mut scanner = Scanner {
        window: Window::new(input, options.window),
        learned: Learned::new(options.predict),
        predict: options.predict,
        sink,
        at: 0,
        max_event: limits.max_event,
        patience: usize::MAX,
        fraction: None,
        bare: false,
        rest: 0,
        n_weighed: 0,
        phase: memmem::Finder::new(b"\"ph\""),
        outcome: Outcome::default(),
    };
    scanner.window.fill(0);
    scanner.run();
    scanner.outcome.error = scanner.window.take_error();
    scanner.outcome
}

/// Where the scanner is in the file.
pub(super) enum Place {
    Object,
    Events,
    Over,
}

pub(super) struct Scanner<'r, 's, S> {
    pub(super) window: Window<'r>,
    pub(super) learned: Learned,
    pub(super) predict: bool,
    pub(super) sink: &'s mut S,
    /// Position in the window.
    pub(super) at: usize,
    pub(super) max_event: usize,
    /// Bytes after which an unfinished event is checked; bounded once damage was met, so that
    /// each damaged event costs a bounded search.
    pub(super) patience: usize,
    /// How fractions are read; decided at the first events.
    pub(super) fraction: Option<Fraction>,
    /// Whether the outermost value is the list of events.
    pub(super) bare: bool,
    /// Windows for which guessing still rests.
    pub(super) rest: u32,
    /// Number of events after which guessing was last weighed.
    pub(super) n_weighed: u64,
    /// Looks for the key that every event has.
    pub(super) phase: memmem::Finder<'static>,
    pub(super) outcome: Outcome,
}

/// Windows that pass before guessing is tried again.
const REST: u32 = 16;

impl<S: EventSink> Scanner<'_, '_, S> {
    fn run(&mut self) {
        self.skip_mark();
        let text = self.window.text();
        let mut place = match byte(text, self.at) {
            b'{' => Place::Object,
            b'[' => self.enter(),
            _ => Place::Over,
        };
        self.bare = matches!(place, Place::Events);
        self.at += 1;
        loop {
            place = match place {
                Place::Object => self.object(),
                Place::Events if self.bare => {
                    self.events();
                    return;
                }
                Place::Events => self.events(),
                Place::Over => return,
            };
        }
    }

    /// Moves to the first byte that is neither a byte order mark nor white space.
    fn skip_mark(&mut self) {
        loop {
            let (text, end) = (self.window.text(), self.window.end());
            let is_noise = |byte: &u8| *byte <= b' ' || matches!(byte, 0xef | 0xbb | 0xbf);
            self.at = text.iter().take(end).take_while(|byte| is_noise(byte)).count();
            if self.at < end || self.window.is_last() {
                return;
            }
            self.window.fill(end);
        }
    }

    fn enter(&mut self) -> Place {
        self.outcome.found_array = true;
        Place::Events
    }

    fn object(&mut self) -> Place {
        match next_key(&mut self.window, self.at, self.max_event, self.sink) {
            Next::Events(at) => {
                self.at = at;
                self.enter()
            }
            Next::Object(at) => {
                self.at = at;
                Place::Object
            }
            Next::Over => Place::Over,
            Next::Bad(at) => self.lost_key(at),
        }
    }

    /// Goes on at the next key that is known to stand at the top, or at the array of events.
    fn lost_key(&mut self, at: usize) -> Place {
        let place = self.window.base() + at as u64;
        self.sink.notes().add("damaged-header", "top-level values could not be read", || {
            format!("byte {place}")
        });
        self.at = at;
        loop {
            let (text, end) = (self.window.text(), self.window.end());
            let array = memmem::find(&text[self.at..end], b"\"traceEvents\"");
            let array = array.map(|found| self.at + found);
            let key = top_level_key(text, self.at, end);
            if let Some(event) = event_start(text, self.at, end) {
                self.at = event;
                return self.enter();
            }
            if let Some(at) = array.into_iter().chain(key).min() {
                self.at = at;
                return Place::Object;
            }
            if self.window.is_last() {
                return Place::Over;
            }
            self.window.fill(end.saturating_sub(REACH).max(self.at));
            self.at = 0;
        }
    }

    fn events(&mut self) -> Place {
        loop {
            let fraction = *self
                .fraction
                .get_or_insert_with(|| fraction_style(self.window.text(), self.window.end()));
            let mut cursor = cursor(&self.window, &self.phase, self.at, fraction, self.patience);
            let stop = general::events(&mut cursor, &mut self.learned, self.sink);
            self.outcome.n_events += cursor.n_events;
            self.outcome.any_fraction |= cursor.any_fraction;
            self.at = cursor.start;
            match stop {
                Stop::Done(at) if self.is_end(at) => {
                    self.at = at;
                    return Place::Object;
                }
                Stop::Done(at) => self.note_stray(at),
                Stop::More => {
                    if let Some(place) = self.more() {
                        return place;
                    }
                }
                Stop::Bad | Stop::Long => {
                    if let Some(place) = self.repair(stop == Stop::Bad) {
                        return place;
                    }
                }
            }
        }
    }

    /// The window ended inside an event: reads on, or ends.
    fn more(&mut self) -> Option<Place> {
        let (text, end) = (self.window.text(), self.window.end());
        if self.window.is_last() {
            let brace = skip_separators(text, self.at, end);
            if event_start(text, brace + 1, end).is_some() {
                return self.repair(true);
            }
            if brace < end && self.with_care(brace, (end, end), true) {
                return None;
            }
            return Some(self.truncated(brace));
        }
        if self.window.is_full(self.at) {
            let brace = skip_separators(text, self.at, end);
            if end >= CAPACITY && event_start(text, brace + 1, end).is_some() {
                return self.repair(true);
            }
            if end >= self.max_event {
                return self.oversized(brace);
            }
        }
        self.weigh_guessing();
        self.window.fill(self.at);
        self.at = 0;
        None
    }

    pub(super) fn truncated(&mut self, at: usize) -> Place {
        let place = self.window.base() + at as u64;
        self.sink.notes().add(
            "truncated",
            "file ends before its end; all whole events were read",
            || format!("byte {place}"),
        );
        Place::Over
    }

    /// Skips an event that is larger than we hold.
    pub(super) fn oversized(&mut self, brace: usize) -> Option<Place> {
        let place = self.window.base() + brace as u64;
        self.sink
            .notes()
            .add("oversized-event", "events were too large to hold", || format!("byte {place}"));
        match skip_value(&mut self.window, brace) {
            Some(at) => {
                self.at = at;
                None
            }
            None => Some(self.truncated(self.window.end())),
        }
    }

    /// Lets guessing rest where it mostly fails.
    fn weigh_guessing(&mut self) {
        if !self.predict {
            return;
        }
        let n_events =
            self.outcome.n_events - std::mem::replace(&mut self.n_weighed, self.outcome.n_events);
        let n_misses = std::mem::take(&mut self.learned.n_misses);
        if self.learned.on {
            let is_bad = n_misses > 1000 && n_misses * 2 > n_events;
            if is_bad && !self.learned.simplify() {
                self.learned.on = false;
                self.rest = REST;
            }
        } else {
            self.rest = self.rest.saturating_sub(1);
            self.learned.on = self.rest == 0;
        }
    }
}

/// A cursor at a place between two events of the window.
pub(super) fn cursor<'w>(
    window: &'w Window<'_>,
    phase: &'w memmem::Finder<'static>,
    at: usize,
    fraction: Fraction,
    patience: usize,
) -> Cursor<'w> {
    Cursor {
        text: window.text(),
        end: window.end(),
        base: window.base(),
        at,
        start: at,
        inside: Inside::Array,
        state: Learned::BETWEEN,
        event: Event::BLANK,
        fraction,
        any_fraction: false,
        patience,
        deadline: at.saturating_add(patience),
        is_swallowed: false,
        phase,
        n_events: 0,
    }
}

pub(super) fn skip_separators(text: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && matches!(byte(text, at), b' ' | b'\n' | b'\r' | b'\t' | b',') {
        at += 1;
    }
    at
}
