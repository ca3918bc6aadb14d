//! What the scan does where the text fits nowhere: repairs an event, steps over what is none, or
//! looks for the next.

use super::{
    EventSink,
    bytes::{bare_end, byte, skip_space},
    careful::{self, Care},
    numbers::Fraction,
    recover::{REACH, event_start, n_lost, top_level_key},
    scan::{Place, Scanner, cursor, skip_separators},
    skip::skip_value,
};

/// What the careful reader may look through once a file is known to be damaged.
const PATIENCE: usize = 8 << 10;

const REPAIRED: &str = "events with raw quotes or the like were repaired";
const STRAY: &str = "elements of the list of events were no events";
const DAMAGED: &str = "events were damaged and left out";

impl<S: EventSink> Scanner<'_, '_, S> {
    /// The event at `self.at` could not be read, or looks too long: tries with care, else goes on
    /// at the next one.
    pub(super) fn repair(&mut self, is_damaged: bool) -> Option<Place> {
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
            if self.with_care(brace, (near, limit), is_damaged) {
                return None;
            }
        }
        if next_start.is_none() && !self.window.is_last() && self.is_open(brace) {
            return self.grow(brace);
        }
        self.resync(brace)
    }

    /// Reads the event at `brace` with care, if it ends before `limit`; `next` is where another
    /// seems to start.
    pub(super) fn with_care(
        &mut self,
        brace: usize,
        (next, limit): (usize, usize),
        is_damaged: bool,
    ) -> bool {
        let fraction = self.fraction.unwrap_or_default();
        let mut cursor = cursor(&self.window, &self.phase, brace, fraction, usize::MAX);
        cursor.end = limit;
        let Care::Event(end) = careful::event(&mut cursor, next, self.sink) else { return false };
        cursor.emit(end, self.sink);
        self.outcome.n_events += 1;
        self.outcome.any_fraction |= cursor.any_fraction;
        self.at = end;
        if is_damaged {
            let place = self.window.base() + brace as u64;
            self.sink.notes().add("repaired-event", REPAIRED, || format!("byte {place}"));
        }
        true
    }

    /// Whether the event at `brace` may go on behind the window.
    fn is_open(&mut self, brace: usize) -> bool {
        let mut cursor = cursor(&self.window, &self.phase, brace, Fraction::Decimal, usize::MAX);
        careful::event(&mut cursor, usize::MAX, self.sink) == Care::More
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
    pub(super) fn is_end(&self, at: usize) -> bool {
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

    pub(super) fn note_stray(&mut self, at: usize) {
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
