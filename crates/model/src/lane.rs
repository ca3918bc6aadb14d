//! Processes, devices and lanes: where spans happen.

use crate::{DeviceId, ProcessId, StrId};

/// A process as the file names it.
#[derive(Clone, Debug)]
pub struct Process {
    /// The process id as text (`4242`, `Spans`).
    pub label: StrId,
    /// Its name from metadata, or empty.
    pub name: StrId,
}

/// An accelerator of one process.
#[derive(Clone, Debug)]
pub struct Device {
    /// The id the file uses on device spans (a ROCm node id differs from the ordinal).
    pub id: i64,
    /// The process that launches on it; none until that is known, and where nothing launches.
    pub process: Option<ProcessId>,
    /// Marketing name, or empty.
    pub name: StrId,
    /// Memory in bytes, 0 when unknown.
    pub memory_bytes: u64,
}

/// What kind of row a lane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LaneKind {
    /// A host thread.
    Thread,
    /// A device stream or queue.
    Stream,
}

/// One row of the timeline.
#[derive(Clone, Debug)]
pub struct Lane {
    /// Thread or stream.
    pub kind: LaneKind,
    /// The process of a thread; of a stream, the process row its records carry.
    pub process: ProcessId,
    /// The device of a stream.
    pub device: Option<DeviceId>,
    /// Thread or stream id as the file gives it; 0 where it gives only a name.
    pub id: i64,
    /// Its name from metadata, else the id as text.
    pub name: StrId,
}
