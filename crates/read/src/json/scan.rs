//! The drive: window by window through the outermost object and the array of events.

use std::io;

use super::{
    Event, EventSink,
    bytes::{bare_end, byte, skip_space},
    careful::{self, Care},
    cursor::{Cursor, Inside, Stop},
    general,
    header::{Next, next_key},
    learned::Learned,
    numbers::{Fraction, fraction_style},
    recover::{REACH, event_start, n_lost, top_level_key},
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
        outcome: Outcome::default(),
    };
    scanner.window.fill(0);
    scanner.run();
    scanner.outcome.error = scanner.window.take_error();
    scanner.outcome
}

/// Where the scanner is in the file.
enum Place {
    Object,
    Events,
    Over,
}

struct Scanner<'r, 's, S> {
    window: Window<'r>,
    learned: Learned,
    predict: bool,
    sink: &'s mut S,
    /// Position in the window.
    at: usize,
    max_event: usize,
    /// Bytes after which an unfinished event is checked; bounded once damage was met, so that
    /// each damaged event costs a bounded search.
    patience: usize,
    /// How fractions are read; decided at the first events.
    fraction: Option<Fraction>,
    /// Whether the outermost value is the list of events.
    bare: bool,
    /// Windows for which guessing still rests.
    rest: u32,
    outcome: Outcome,
}

/// What the careful reader may look through once a file is known to be damaged.
const PATIENCE: usize = 8 << 10;
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
            let array = memchr::memmem::find(&text[self.at..end], b"\"traceEvents\"");
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
            let mut cursor = cursor(&self.window, self.at, fraction, self.patience);
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

    fn truncated(&mut self, at: usize) -> Place {
        let place = self.window.base() + at as u64;
        self.sink.notes().add(
            "truncated",
            "file ends before its end; all whole events were read",
            || format!("byte {place}"),
        );
        Place::Over
    }

    /// Skips an event that is larger than we hold.
    fn oversized(&mut self, brace: usize) -> Option<Place> {
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
        let (hits, misses) = (self.learned.n_hits, self.learned.n_misses);
        (self.learned.n_hits, self.learned.n_misses) = (0, 0);
        if self.learned.on {
            if misses > 1000 && misses * 2 > hits {
                self.learned.on = false;
                self.rest = REST;
            }
        } else {
            self.rest = self.rest.saturating_sub(1);
            self.learned.on = self.rest == 0;
        }
    }

    /// The event at `self.at` could not be read, or looks too long: tries with care, else goes on
    /// at the next one.
    fn repair(&mut self, is_damaged: bool) -> Option<Place> {
        let (text, end) = (self.window.text(), self.window.end());
        let brace = skip_separators(text, self.at, end);
        if brace < end && byte(text, brace) != b'{' {
            return self.stray(brace);
        }
        if is_damaged {
            self.patience = PATIENCE;
        }
        let next_start = event_start(text, brace + 1, end);
        let near = next_start.unwrap_or(end);
        // What looks like the next event may be a piece of this one.
        let far = if is_damaged { end.min(brace + PATIENCE) } else { end };
        let limits = [near, far.max(near)];
        let n_tries = if near < far { 2 } else { 1 };
        for limit in limits.into_iter().take(n_tries) {
            if self.with_care(brace, limit, is_damaged) {
                return None;
            }
        }
        if next_start.is_none() && !self.window.is_last() && self.is_open(brace) {
            return self.grow(brace);
        }
        self.resync(brace)
    }

    /// Reads the event at `brace` with care, if it ends before `limit`.
    fn with_care(&mut self, brace: usize, limit: usize, is_damaged: bool) -> bool {
        let fraction = self.fraction.unwrap_or_default();
        let mut cursor = cursor(&self.window, brace, fraction, usize::MAX);
        cursor.end = limit;
        let Care::Event(next) = careful::event(&mut cursor, self.sink) else { return false };
        cursor.emit(next, self.sink);
        self.outcome.n_events += 1;
        self.outcome.any_fraction |= cursor.any_fraction;
        self.at = next;
        if is_damaged {
            let place = self.window.base() + brace as u64;
            self.sink.notes().add("repaired-event", REPAIRED, || format!("byte {place}"));
        }
        true
    }

    /// Whether the event at `brace` may go on behind the window.
    fn is_open(&mut self, brace: usize) -> bool {
        let mut cursor = cursor(&self.window, brace, Fraction::Decimal, usize::MAX);
        careful::event(&mut cursor, self.sink) == Care::More
    }

    /// Reads on, so that the event at `brace` may become whole.
    fn grow(&mut self, brace: usize) -> Option<Place> {
        if self.window.is_full(brace) && self.window.end() >= self.max_event {
            return self.oversized(brace);
        }
        self.window.fill(brace);
        self.at = 0;
        None
    }

    /// Whether the list of events really ends before `at`: no event goes on behind it.
    fn is_end(&self, at: usize) -> bool {
        let (text, end) = (self.window.text(), self.window.end());
        let next = skip_space(text, at);
        match byte(text, next) {
            _ if next >= end => true,
            b'"' | b'{' => false,
            b',' if self.bare => false,
            b',' => byte(text, skip_space(text, next + 1)) != b'{',
            _ => true,
        }
    }

    fn note_stray(&mut self, at: usize) {
        let place = self.window.base() + at as u64;
        self.at = at;
        self.outcome.n_others += 1;
        self.sink.notes().add("not-an-event", STRAY, || format!("byte {place}"));
    }

    /// Steps over what is no event.
    fn stray(&mut self, at: usize) -> Option<Place> {
        self.note_stray(at);
        let text = self.window.text();
        let is_value = matches!(byte(text, at), b'"' | b'[') || bare_end(text, at) > at;
        if !is_value {
            self.skip_noise(at + 1);
            return None;
        }
        match skip_value(&mut self.window, at) {
            Some(at) => {
                self.at = at;
                None
            }
            None => Some(self.truncated(self.window.end())),
        }
    }

    /// Moves to the next byte that may start something.
    fn skip_noise(&mut self, mut at: usize) {
        loop {
            let (text, end) = (self.window.text(), self.window.end());
            let rest = text.get(at..end).unwrap_or_default();
            let next = rest.iter().position(|byte| matches!(byte, b'{' | b'[' | b']' | b'"'));
            self.at = next.map_or(end, |next| at + next);
            if next.is_some() || self.window.is_last() {
                return;
            }
            self.window.fill(end);
            at = 0;
        }
    }

    /// Gives the event at `brace` up and looks for the next.
    fn resync(&mut self, brace: usize) -> Option<Place> {
        let place = self.window.base() + brace as u64;
        let (mut from, mut lost) = (brace + 1, 0);
        let found = loop {
            let (text, end) = (self.window.text(), self.window.end());
            let event = event_start(text, from, end);
            let found = event.or_else(|| top_level_key(text, from, end));
            let is_last = self.window.is_last();
            let keep = if is_last { end } else { end.saturating_sub(REACH).max(from) };
            let until = found.unwrap_or(keep);
            lost += n_lost(text.get(from..until).unwrap_or_default());
            if found.is_some() || is_last {
                self.at = until;
                break found.map(|_| event.is_some());
            }
            self.window.fill(keep);
            from = 0;
        };
        let lost = lost.max(1);
        self.sink.notes().add_many("damaged-event", DAMAGED, lost, || format!("byte {place}"));
        match found {
            Some(true) => None,
            Some(false) => Some(Place::Object),
            None => Some(self.truncated(self.at)),
        }
    }
}

const REPAIRED: &str = "events with raw quotes or the like were repaired";
const STRAY: &str = "elements of the list of events were no events";
const DAMAGED: &str = "events were damaged and left out";

fn cursor<'w>(
    window: &'w Window<'_>,
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
        n_events: 0,
    }
}

fn skip_separators(text: &[u8], mut at: usize, end: usize) -> usize {
    while at < end && matches!(byte(text, at), b' ' | b'\n' | b'\r' | b'\t' | b',') {
        at += 1;
    }
    at
}
