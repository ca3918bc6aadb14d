//! Where the scanner stands in the window.

use flamelane_model::{StrId, Strings};
use memchr::memmem;

use super::{CategoryId, Event, EventSink, EventText, Id, fields::Field, numbers::Fraction};

/// What the cursor is inside of. Deeper nesting is skipped as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Inside {
    /// The array of events, between two of them.
    Array,
    /// An event.
    Event,
    /// The `args` of an event.
    Args,
}

/// Why the scanner stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The text ended in the middle of an event.
    More,
    /// The array of events ended before this position.
    Done(usize),
    /// The text fits nowhere.
    Bad,
    /// The event is longer than patience lasts.
    Long,
}

/// The state of a scan over one window.
pub(super) struct Cursor<'w> {
    /// The window with its padding.
    pub(super) text: &'w [u8],
    /// Where the text ends.
    pub(super) end: usize,
    /// Place of the window in the stream.
    pub(super) base: u64,
    /// Position.
    pub(super) at: usize,
    /// Just behind the last complete event.
    pub(super) start: usize,
    /// What the position is inside of.
    pub(super) inside: Inside,
    /// The token last matched: what follows is predicted from it.
    pub(super) state: u16,
    /// The event so far.
    pub(super) event: Event,
    /// How fractions are read.
    pub(super) fraction: Fraction,
    /// Whether any time had one.
    pub(super) any_fraction: bool,
    /// An event that runs on past this many bytes is checked before it is believed.
    pub(super) patience: usize,
    /// Where that many are over.
    pub(super) deadline: usize,
    /// Whether a container was found to hold another event.
    pub(super) is_swallowed: bool,
    /// Looks for the key that every event has and no argument.
    pub(super) phase: &'w memmem::Finder<'static>,
    /// Number of events handed out.
    pub(super) n_events: u64,
}

impl Cursor<'_> {
    /// Hands the event out, which ends before `end`, and starts a new one.
    #[inline(always)]
    pub(super) fn emit<S: EventSink>(&mut self, end: usize, sink: &mut S) {
        let text = EventText { window: self.text, from: self.start, to: end, base: self.base };
        sink.event(&self.event, text);
        self.n_events += 1;
        self.event.clear();
        self.start = end;
        self.deadline = end.saturating_add(self.patience);
    }

    /// Sets what a short literal value says.
    #[inline(always)]
    pub(super) fn apply(&mut self, literals: &Literals) {
        if literals.has & Literals::PH != 0 {
            self.event.ph = literals.ph;
        }
        if literals.has & Literals::CAT != 0 {
            self.event.cat = literals.cat;
        }
        if literals.has & Literals::PID != 0 {
            self.event.pid = literals.pid;
        }
        if literals.has & Literals::TID != 0 {
            self.event.tid = literals.tid;
        }
        if literals.has & Literals::NAME != 0 {
            self.event.name = literals.name;
        }
        if literals.has & Literals::DEVICE != 0 {
            self.event.device = literals.device;
        }
        if literals.has & Literals::STREAM != 0 {
            self.event.stream = literals.stream;
        }
    }
}

/// Values that rarely change from event to event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Literals {
    /// Which are set.
    pub(super) has: u8,
    pub(super) ph: u8,
    pub(super) cat: CategoryId,
    pub(super) name: StrId,
    pub(super) pid: Id,
    pub(super) tid: Id,
    pub(super) device: i64,
    pub(super) stream: i64,
}

impl Literals {
    pub(super) const PH: u8 = 1;
    pub(super) const CAT: u8 = 2;
    pub(super) const PID: u8 = 4;
    pub(super) const TID: u8 = 8;
    pub(super) const DEVICE: u8 = 16;
    pub(super) const STREAM: u8 = 32;
    pub(super) const NAME: u8 = 64;

    /// None is set.
    pub(super) const NONE: Self = Self {
        has: 0,
        ph: 0,
        cat: CategoryId(0),
        name: Strings::EMPTY,
        pid: Id::Absent,
        tid: Id::Absent,
        device: 0,
        stream: 0,
    };

    /// Sets a number of the device's.
    pub(super) fn set_number(&mut self, field: Field, number: i64) {
        if field == Field::Device {
            self.has |= Self::DEVICE;
            self.device = number;
        } else {
            self.has |= Self::STREAM;
            self.stream = number;
        }
    }
}

/// The id that a string stands for.
pub(super) fn text_id<S: EventSink>(text: &[u8], sink: &mut S) -> Id {
    let trimmed = text.trim_ascii();
    let number = std::str::from_utf8(trimmed).ok().and_then(|text| match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok().map(|bits| bits as i64),
        None if text.starts_with('+') => None,
        None => text.parse().ok(),
    });
    number.map_or_else(|| Id::Text(intern(text, sink)), Id::Number)
}

/// The handle of a string that may have escapes.
#[cold]
pub(super) fn intern<S: EventSink>(text: &[u8], sink: &mut S) -> StrId {
    sink.names().strings.intern_bytes(&super::unescape(text))
}
