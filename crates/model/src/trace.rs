//! Traces: everything a timeline file holds, as tables.

use std::collections::BTreeMap;

use crate::{
    Calls, Device, DeviceId, DeviceSpans, Flow, GraphNodes, HostSpans, Interval, Lane, LaneId, Ns,
    OpLinks, Overheads, Process, ProcessId, StrId, Strings, SyncRow,
};

/// What the file says of the run, beside its spans.
#[derive(Clone, Debug, Default)]
pub struct Metadata {
    /// Word for the kind of file: `kineto`, `chrome`.
    pub format: &'static str,
    /// Rank in a distributed job.
    pub rank: Option<u64>,
    /// Number of ranks.
    pub world_size: Option<u64>,
    /// Communication backend: `nccl`.
    pub backend: Option<String>,
    /// Versions and profiler switches as the file gives them (`cupti_version`, `with_stack`), in
    /// key order; never host names, user names or paths.
    pub properties: BTreeMap<String, String>,
    /// When the profiler says it recorded.
    pub recorded: Option<Interval>,
    /// Whether every time in the file is a whole number of µs.
    pub whole_micros: bool,
}

/// How many events of each phase and category a file holds: `("X", "kernel") → 812`.
pub type Census = BTreeMap<(String, String), u64>;

/// A timeline as read, before any analysis. All spans are complete: `start <= end`.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// What the file says of the run.
    pub metadata: Metadata,
    /// All names.
    pub strings: Strings,
    /// Processes, in order of first sight.
    pub processes: Vec<Process>,
    /// Devices, by ascending id, then process.
    pub devices: Vec<Device>,
    /// Threads and streams, in order of first sight.
    pub lanes: Vec<Lane>,
    /// Absolute time of instant 0, in ns since the epoch where the file knows it.
    pub origin: Ns,
    /// Host spans.
    pub host: HostSpans,
    /// Runtime and driver calls among them.
    pub calls: Calls,
    /// Links that operators carry.
    pub op_links: OpLinks,
    /// Device spans.
    pub device: DeviceSpans,
    /// Kernels that launch calls name (ROCm): (correlation id, name), by id.
    pub launched_names: Vec<(i64, StrId)>,
    /// Nodes of graphs.
    pub graph_nodes: GraphNodes,
    /// Stalls reported beside the threads.
    pub overheads: Overheads,
    /// Ends of launch arrows.
    pub flows: Vec<Flow>,
    /// Synchronisation records.
    pub syncs: Vec<SyncRow>,
    /// First start and last end over all complete spans of the file, whatever they are.
    pub extent: Interval,
    /// What the file holds, counted.
    pub census: Census,
}

impl Trace {
    /// An empty trace.
    pub fn new() -> Self {
        Self::default()
    }

    /// The text behind a handle.
    pub fn text(&self, id: StrId) -> &str {
        self.strings.text(id)
    }

    /// The lane behind a handle.
    pub fn lane(&self, id: LaneId) -> &Lane {
        &self.lanes[id.index()]
    }

    /// The process behind a handle.
    pub fn process(&self, id: ProcessId) -> &Process {
        &self.processes[id.index()]
    }

    /// The device that a device span ran on.
    ///
    /// Every stream lane has one: readers make the device with the lane.
    pub fn device_of(&self, span: usize) -> DeviceId {
        self.lane(self.device.lane[span]).device.unwrap_or(DeviceId(0))
    }
}
