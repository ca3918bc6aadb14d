//! Charts: a trace as the lane view shows it, every span in a row of its lane.

use crate::{FrameKind, Interval, Ns, StackId};

/// A trace in lanes, in the order of display: each device's streams, then the host threads.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// The names that spans and owners carry, each with its kind once; the most frequent first.
    pub frames: Vec<ChartFrame>,
    /// Streams and threads.
    pub lanes: Vec<ChartLane>,
    /// One a device: when it was idle, and why.
    pub idle: Vec<ChartIdle>,
    /// Everything that is shown, and the window, in ns since the trace's origin.
    pub extent: Interval,
    /// The stretches of time that the report speaks of, in order.
    pub window: Vec<Interval>,
}

/// A name and what it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartFrame {
    /// The name as flame graphs show it.
    pub name: String,
    /// What it names.
    pub kind: FrameKind,
}

/// One thread or stream.
#[derive(Clone, Debug, Default)]
pub struct ChartLane {
    /// Row of [`Chart::idle`] for a stream; none for a thread.
    pub device: Option<u32>,
    /// The process that it belongs to, as text.
    pub process: String,
    /// Its name.
    pub name: String,
    /// Its rows from the top: in a row no two spans overlap. A span of a thread lies below those around it,
    /// and above those that it began in and outlives; one of a stream lies in the first row that is free.
    pub rows: Vec<ChartRow>,
    /// Spans without a row: they lie deeper than [`ChartLane::MOST_ROWS`], or their times cannot be
    /// right.
    pub n_hidden: u64,
    /// Of a thread: the node of the profile that the window's time belongs to, by time; neighbours of
    /// one node are one. Empty for streams, and for threads without anything in the window.
    pub course: Vec<(Interval, StackId)>,
}

impl ChartLane {
    /// Rows of one lane.
    pub const MOST_ROWS: usize = 256;

    /// Number of spans in its rows.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.start.len()).sum()
    }

    /// Whether it shows nothing.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|row| row.start.is_empty())
    }
}

/// Spans of a row, one entry a span in every column, by time.
#[derive(Clone, Debug, Default)]
pub struct ChartRow {
    /// Start, in ns since the trace's origin; ascending, and never before the end of the last.
    pub start: Vec<Ns>,
    /// End, `>= start`.
    pub end: Vec<Ns>,
    /// Row of [`Chart::frames`].
    pub frame: Vec<u32>,
    /// Of a stream: number of the span that launched this one, plus one; 0 when that is not in the
    /// chart. Empty for threads. Spans are numbered through all lanes and rows, in their order.
    pub launch: Vec<u32>,
    /// Of a stream: the node of the profile that the span's time is in; the root when the window does
    /// not select it. Empty for threads.
    pub node: Vec<StackId>,
}

/// The idle time of one device.
#[derive(Clone, Debug, Default)]
pub struct ChartIdle {
    /// What to call the device.
    pub device: String,
    /// The pieces of its gaps that lie in the window, by time; neighbours of one owner are one.
    pub pieces: Vec<(Interval, u32)>,
    /// What pieces point to.
    pub owners: Vec<ChartOwner>,
}

/// An owner of idle time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartOwner {
    /// The class of idle time, in the words of the report.
    pub class: &'static str,
    /// Rows of [`Chart::frames`]: the stack from its thread down.
    pub stack: Vec<u32>,
    /// The node of the profile that its time is in.
    pub node: StackId,
}

/// Where folding put time: what a [`Chart`] needs beside the trace to say whose a stretch of time is.
#[derive(Clone, Debug, Default)]
pub struct Nodes {
    /// One a device span: its node of the profile; the root when the window does not select it.
    pub of_device: Vec<StackId>,
    /// One a lane: the node of its time without any record; the root when the lane is no thread that
    /// shows up in the window.
    pub unrecorded: Vec<StackId>,
}
