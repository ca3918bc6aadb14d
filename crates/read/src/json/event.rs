//! What the scanner hands out: one event, its text, and the trait of those who take them.

use flamelane_model::{NONE, Notes, Ns, StrId, Strings};

use super::{CategoryId, Names, unescape};

/// A process, thread or flow id: files write numbers, numbers in quotes, and words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) enum Id {
    /// The event has none.
    #[default]
    Absent,
    /// A number, quoted or not, decimal or `0x…`.
    Number(i64),
    /// Any other text.
    Text(StrId),
}

/// One event, with the fields that some reader needs.
///
/// Integers that are absent, `null` or no number are [`NONE`]; names are interned in
/// [`EventSink::names`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    /// First byte of `ph`, 0 when absent.
    pub(crate) ph: u8,
    /// `cat`.
    pub(crate) cat: CategoryId,
    /// `name`.
    pub(crate) name: StrId,
    /// `pid`.
    pub(crate) pid: Id,
    /// `tid`.
    pub(crate) tid: Id,
    /// `id`, of flows and async events.
    pub(crate) id: Id,
    /// `ts`, in ns as the file counts.
    pub(crate) ts: Ns,
    /// `dur`, in ns.
    pub(crate) dur: Ns,
    /// `args.correlation`.
    pub(crate) correlation: i64,
    /// `args."External id"`, any case.
    pub(crate) external: i64,
    /// `args.stream`.
    pub(crate) stream: i64,
    /// `args.device`.
    pub(crate) device: i64,
    /// `args.bytes`.
    pub(crate) bytes: i64,
    /// `args."Sequence number"`.
    pub(crate) sequence: i64,
    /// `args."Fwd thread id"`.
    pub(crate) forward_thread: i64,
    /// `args."graph id"`.
    pub(crate) graph: i64,
    /// `args."graph node id"`.
    pub(crate) graph_node: i64,
    /// `args."Task Type"` or its kin is there: an Ascend device record.
    pub(crate) task: (u32, u32),
    /// Where `args.kernel` lies in the window, without quotes.
    pub(crate) kernel: (u32, u32),
    /// Where `args.name` lies in the window, without quotes.
    pub(crate) label: (u32, u32),
}

impl Event {
    /// An event that says nothing.
    pub(crate) const BLANK: Self = Self {
        ph: 0,
        cat: CategoryId(0),
        name: Strings::EMPTY,
        pid: Id::Absent,
        tid: Id::Absent,
        id: Id::Absent,
        ts: NONE,
        dur: NONE,
        correlation: NONE,
        external: NONE,
        stream: NONE,
        device: NONE,
        bytes: NONE,
        sequence: NONE,
        forward_thread: NONE,
        graph: NONE,
        graph_node: NONE,
        task: (0, 0),
        kernel: (0, 0),
        label: (0, 0),
    };

    /// Makes it say nothing again, field by field: as one copy of [`Self::BLANK`] it is a call.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.ph = 0;
        self.cat = CategoryId(0);
        self.name = Strings::EMPTY;
        (self.pid, self.tid, self.id) = (Id::Absent, Id::Absent, Id::Absent);
        (self.ts, self.dur) = (NONE, NONE);
        (self.correlation, self.external) = (NONE, NONE);
        (self.stream, self.device) = (NONE, NONE);
        (self.bytes, self.graph, self.graph_node) = (NONE, NONE, NONE);
        (self.sequence, self.forward_thread) = (NONE, NONE);
        (self.task, self.kernel, self.label) = ((0, 0), (0, 0), (0, 0));
    }
}

/// The text of an event, while it is in the window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventText<'w> {
    pub(super) window: &'w [u8],
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) base: u64,
}

impl<'w> EventText<'w> {
    /// The object as the file has it, braces included; valid JSON in a sound file.
    pub(crate) fn raw(self) -> &'w [u8] {
        let text = self.window.get(self.from..self.to).unwrap_or_default();
        let start = text.iter().position(|byte| *byte == b'{').unwrap_or(text.len());
        text.get(start..).unwrap_or_default()
    }

    /// The place of its first byte in the (unpacked) stream.
    pub(crate) fn at(self) -> u64 {
        self.base + (self.to - self.raw().len().min(self.to)) as u64
    }

    /// A piece that the event points at, unescaped.
    pub(crate) fn piece(self, range: (u32, u32)) -> std::borrow::Cow<'w, [u8]> {
        unescape(self.window.get(range.0 as usize..range.1 as usize).unwrap_or_default())
    }
}

/// Who takes the events of a file.
pub(crate) trait EventSink {
    /// Where names are interned.
    fn names(&mut self) -> &mut Names;

    /// Where repairs are counted.
    fn notes(&mut self) -> &mut Notes;

    /// Takes one event, in file order.
    fn event(&mut self, event: &Event, text: EventText<'_>);

    /// Whether [`EventSink::property`] should see the value of this top-level key.
    fn wants(&self, key: &[u8]) -> bool;

    /// Takes the value of a top-level key, as raw JSON, quotes included.
    fn property(&mut self, key: &[u8], value: &[u8]);
}
