//! Spans: what ran when on which lane, as columns in file order.

use crate::{CallId, FrameKind, HostSpanId, LaneId, Ns, StrId};

/// "The file does not say", in integer columns of ids and byte counts.
pub const NONE: i64 = i64::MIN;

/// Makes room in a column that is full: first for a few rows, then for so many that the column has
/// pages of its own. Those are moved, not copied, when it grows again, and cost nothing until they
/// are written.
#[inline]
pub fn make_room<T>(column: &mut Vec<T>) {
    if column.len() == column.capacity() {
        grow(column);
    }
}

/// Rows of a column in a small file.
const FEW: usize = 1 << 10;
/// Rows of a column in any other.
const MANY: usize = 1 << 17;

#[cold]
fn grow<T>(column: &mut Vec<T>) {
    let n_rows = column.len();
    let more = if n_rows < FEW { FEW } else { n_rows.max(MANY) };
    // Where there is no memory for so many, one row at a time may still do.
    if column.try_reserve_exact(more).is_err() {
        column.reserve(1);
    }
}

/// Host spans: python frames, annotations, operators, runtime calls. One entry a span in every
/// column, in file order.
#[derive(Clone, Debug, Default)]
pub struct HostSpans {
    /// Start, in ns since the trace's origin.
    pub start: Vec<Ns>,
    /// End, `>= start`.
    pub end: Vec<Ns>,
    /// Name as the file gives it.
    pub name: Vec<StrId>,
    /// Thread.
    pub lane: Vec<LaneId>,
    /// Python, Module, Annotation, Op, Runtime, Native or Os.
    pub kind: Vec<FrameKind>,
}

impl HostSpans {
    /// Number of spans.
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// Appends a span.
    pub fn push(
        &mut self,
        lane: LaneId,
        kind: FrameKind,
        name: StrId,
        span: (Ns, Ns),
    ) -> HostSpanId {
        if self.start.len() == self.start.capacity() {
            self.grow();
        }
        self.start.push(span.0);
        self.end.push(span.1.max(span.0));
        self.name.push(name);
        self.lane.push(lane);
        self.kind.push(kind);
        HostSpanId::new(self.start.len() - 1)
    }

    #[cold]
    fn grow(&mut self) {
        grow(&mut self.start);
        make_room(&mut self.end);
        make_room(&mut self.name);
        make_room(&mut self.lane);
        make_room(&mut self.kind);
    }
}

/// Calls into the runtime or driver: a side table of the host spans with kind `Runtime`, in file
/// order.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// The host span of the call; ascending.
    pub span: Vec<HostSpanId>,
    /// Correlation id, or [`NONE`].
    pub correlation: Vec<i64>,
    /// External id, or [`NONE`].
    pub external: Vec<i64>,
    /// Bytes of a copy where the call carries them (ROCm), or [`NONE`].
    pub bytes: Vec<i64>,
}

impl Calls {
    /// Number of calls.
    pub fn len(&self) -> usize {
        self.span.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.span.is_empty()
    }

    /// Appends a call.
    pub fn push(&mut self, span: HostSpanId, correlation: i64, external: i64, bytes: i64) {
        if self.span.len() == self.span.capacity() {
            self.grow();
        }
        self.span.push(span);
        self.correlation.push(correlation);
        self.external.push(external);
        self.bytes.push(bytes);
    }

    #[cold]
    fn grow(&mut self) {
        grow(&mut self.span);
        make_room(&mut self.correlation);
        make_room(&mut self.external);
        make_room(&mut self.bytes);
    }

    /// The row of the call that is host span `span`.
    pub fn of(&self, span: HostSpanId) -> Option<CallId> {
        self.span.binary_search(&span).ok().map(CallId::new)
    }
}

/// What a device span does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum DeviceKind {
    /// Runs a kernel.
    Kernel,
    /// Copies memory.
    Copy,
    /// Fills memory.
    Memset,
    /// A graph replay recorded as one row, its kernels unseen.
    Graph,
}

/// One device span, as handed to [`DeviceSpans::push`].
#[derive(Clone, Copy, Debug)]
pub struct DeviceSpan {
    /// Stream.
    pub lane: LaneId,
    /// Kernel, copy, fill or graph.
    pub kind: DeviceKind,
    /// Name as the file gives it.
    pub name: StrId,
    /// Start, in ns since the trace's origin.
    pub start: Ns,
    /// End, `>= start`.
    pub end: Ns,
    /// Correlation id, or [`NONE`].
    pub correlation: i64,
    /// External id, or [`NONE`].
    pub external: i64,
    /// Bytes moved, or [`NONE`].
    pub bytes: i64,
    /// Graph node id as [`node_id`](crate::node_id) makes it, or [`NONE`].
    pub graph_node: i64,
}

/// Device spans: kernels, copies, fills, opaque graph rows. One entry a span in every column, in
/// file order.
#[derive(Clone, Debug, Default)]
pub struct DeviceSpans {
    /// Start, in ns since the trace's origin.
    pub start: Vec<Ns>,
    /// End, `>= start`.
    pub end: Vec<Ns>,
    /// Name as the file gives it.
    pub name: Vec<StrId>,
    /// Stream.
    pub lane: Vec<LaneId>,
    /// What it does.
    pub kind: Vec<DeviceKind>,
    /// Correlation id, or [`NONE`].
    pub correlation: Vec<i64>,
    /// External id, or [`NONE`].
    pub external: Vec<i64>,
    /// Bytes moved, or [`NONE`].
    pub bytes: Vec<i64>,
    /// Graph node id as [`node_id`](crate::node_id) makes it, or [`NONE`].
    pub graph_node: Vec<i64>,
}

impl DeviceSpans {
    /// Number of spans.
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// Appends a span.
    pub fn push(&mut self, span: DeviceSpan) {
        if self.start.len() == self.start.capacity() {
            self.grow();
        }
        self.start.push(span.start);
        self.end.push(span.end.max(span.start));
        self.name.push(span.name);
        self.lane.push(span.lane);
        self.kind.push(span.kind);
        self.correlation.push(span.correlation);
        self.external.push(span.external);
        self.bytes.push(span.bytes);
        self.graph_node.push(span.graph_node);
    }

    #[cold]
    fn grow(&mut self) {
        grow(&mut self.start);
        make_room(&mut self.end);
        make_room(&mut self.name);
        make_room(&mut self.lane);
        make_room(&mut self.kind);
        make_room(&mut self.correlation);
        make_room(&mut self.external);
        make_room(&mut self.bytes);
        make_room(&mut self.graph_node);
    }

    /// Duration of span `index`, in ns.
    pub fn duration(&self, index: usize) -> Ns {
        self.end[index].saturating_sub(self.start[index])
    }
}

/// Links that operators carry, sparse: only operators that have one are listed, in file order.
#[derive(Clone, Debug, Default)]
pub struct OpLinks {
    /// (operator, external id).
    pub external: Vec<(HostSpanId, i64)>,
    /// (operator, autograd sequence number, forward thread number or 0).
    pub sequence: Vec<(HostSpanId, i64, i64)>,
}

/// Stalls that the profiler or driver reports beside the threads: buffer flushes, module loads, a
/// full command buffer. In file order.
#[derive(Clone, Debug, Default)]
pub struct Overheads {
    /// Start and end, in ns since the trace's origin.
    pub span: Vec<(Ns, Ns)>,
    /// Name as the file gives it.
    pub name: Vec<StrId>,
}

/// Which end of a flow arrow an event is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowEnd {
    /// The launching side.
    Start,
    /// The launched side.
    Finish,
}

/// One end of a launch arrow, kept for files whose spans carry no correlation id.
#[derive(Clone, Copy, Debug)]
pub struct Flow {
    /// Shared by both ends.
    pub id: i64,
    /// Which end.
    pub end: FlowEnd,
    /// When, in ns since the trace's origin.
    pub at: Ns,
    /// Where.
    pub lane: LaneId,
}

/// What a synchronisation record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SyncKind {
    /// A stream waits for an event; the host goes on.
    StreamWait,
    /// The host waits for an event, a stream or the device.
    HostWait,
}

/// A synchronisation record of the device tracer (opt-in in Kineto).
#[derive(Clone, Copy, Debug)]
pub struct SyncRow {
    /// What waited.
    pub kind: SyncKind,
    /// Stream id that waited or was waited for, or [`NONE`] (all streams).
    pub stream: i64,
    /// Device id.
    pub device: i64,
    /// Start and end, in ns since the trace's origin.
    pub span: (Ns, Ns),
    /// Correlation id of the runtime call, or [`NONE`].
    pub correlation: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_little_room_in_a_small_file_and_grow_rarely_in_a_large_one() {
        let mut host = HostSpans::default();
        let mut rooms = vec![0];
        for row in 0..300_000 {
            host.push(LaneId(0), FrameKind::Op, StrId(0), (row, row));
            rooms.push(host.start.capacity());
        }
        rooms.dedup();
        assert!(rooms[1] < 2 * FEW && rooms[2] > MANY && rooms.len() == 5, "{rooms:?}");
        let rows = [host.end.len(), host.name.len(), host.lane.len(), host.kind.len()];
        assert_eq!(rows, [host.len(); 4]);
    }
}
