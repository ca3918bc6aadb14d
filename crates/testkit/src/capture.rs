//! The simulated recording: what happened on host threads and device streams, with causes kept as indices.
//!
//! All times are ns since [`Capture::base_ns`].

use std::collections::BTreeMap;

/// Index of a name in [`Names`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(u32);

/// Index of a host span in [`Capture::hosts`].
pub type HostIdx = u32;

/// Names, each stored once.
#[derive(Debug, Clone, Default)]
pub struct Names {
    texts: Vec<String>,
    ids: BTreeMap<String, NameId>,
}

impl Names {
    /// The id of `text`, which is stored at first sight.
    pub fn intern(&mut self, text: &str) -> NameId {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = NameId(self.texts.len() as u32);
        self.texts.push(text.to_owned());
        self.ids.insert(text.to_owned(), id);
        id
    }

    /// The text of a name.
    pub fn text(&self, id: NameId) -> &str {
        &self.texts[id.0 as usize]
    }
}

/// What a host span is; the order is the order of nesting at equal start and length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostKind {
    /// A Python frame (`python_function`).
    Python,
    /// A `record_function` range (`user_annotation`).
    Annotation,
    /// A framework operator (`cpu_op`).
    Op,
    /// A call of the CUDA runtime (`cuda_runtime`).
    Runtime,
    /// A call of the CUDA driver (`cuda_driver`).
    Driver,
}

/// What Kineto writes about a host span beside its name and times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostArgs {
    /// Ids of a Python frame; `module` counts `nn.Module` instances.
    Python {
        /// `Python id`.
        id: u32,
        /// `Python parent id`.
        parent: Option<u32>,
        /// `Python module id`.
        module: Option<u32>,
    },
    /// Ids of an operator or annotation.
    Op {
        /// `External id`.
        ext: u32,
        /// `Sequence number` of autograd.
        sequence: Option<u32>,
        /// True for operators of the backward pass.
        backward: bool,
    },
    /// Ids of a runtime or driver call.
    Call {
        /// `External id` of the operator around it.
        ext: Option<u32>,
        /// `correlation`.
        correlation: u32,
        /// Whether the `ac2g` flow starts (`s`) or ends (`f`) here.
        flow: CallFlow,
    },
}

/// The flow event that Kineto writes for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallFlow {
    /// `s`: launches, copies, synchronisations, event waits.
    Starts,
    /// `f` on the host thread: calls that launch nothing.
    Ends,
    /// None at all.
    Absent,
}

/// A span of a host thread.
#[derive(Debug, Clone, Copy)]
pub struct HostSpan {
    /// What it is.
    pub kind: HostKind,
    /// Index of its thread.
    pub thread: u16,
    /// Its name.
    pub name: NameId,
    /// Start in ns.
    pub start: i64,
    /// End in ns, exclusive.
    pub end: i64,
    /// What else is written.
    pub args: HostArgs,
    /// True for the marker of a step.
    pub marker: bool,
    /// The thread whose work this span waits for, when that thread is recorded.
    pub waits_for: Option<u16>,
}

impl HostSpan {
    /// True for runtime and driver calls.
    pub fn is_call(&self) -> bool {
        matches!(self.kind, HostKind::Runtime | HostKind::Driver)
    }
}

/// What a device span is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceKind {
    /// A kernel.
    Kernel,
    /// A copy.
    Copy,
    /// A memset.
    Memset,
}

/// A span of a device stream.
#[derive(Debug, Clone, Copy)]
pub struct DeviceSpan {
    /// What it is.
    pub kind: DeviceKind,
    /// Ordinal of the device.
    pub device: u16,
    /// Stream number.
    pub stream: u32,
    /// Its name.
    pub name: NameId,
    /// Start in ns.
    pub start: i64,
    /// End in ns, exclusive.
    pub end: i64,
    /// The call that launched it; none when launched before the capture.
    pub launch: Option<HostIdx>,
    /// `correlation`.
    pub correlation: u32,
    /// `External id`.
    pub ext: Option<u32>,
    /// Bytes of a copy or memset.
    pub bytes: u64,
    /// Node of the graph it was replayed from.
    pub graph_node: Option<u32>,
    /// True when its stream was told to wait for an event just before.
    pub waited: bool,
    /// True for collectives.
    pub collective: bool,
}

/// A host thread.
#[derive(Debug, Clone)]
pub struct Thread {
    /// OS thread id.
    pub tid: i64,
    /// Name in the metadata.
    pub name: String,
}

/// A profiler overhead (`overhead`, pid −1).
#[derive(Debug, Clone, Copy)]
pub struct Overhead {
    /// Its name.
    pub name: NameId,
    /// Start in ns.
    pub start: i64,
    /// End in ns.
    pub end: i64,
}

/// A row of cat `cuda_sync` or `gpu_user_annotation`: on a device lane, but no device work.
#[derive(Debug, Clone, Copy)]
pub struct DeviceNote {
    /// Its name.
    pub name: NameId,
    /// Ordinal of the device.
    pub device: u16,
    /// Stream number.
    pub stream: u32,
    /// Start in ns.
    pub start: i64,
    /// End in ns.
    pub end: i64,
    /// `External id`.
    pub ext: Option<u32>,
    /// `correlation`; none for annotations.
    pub correlation: Option<u32>,
    /// Stream and `correlation` of the event that is waited for.
    pub waits_on: Option<(u32, u32)>,
}

/// A `[memory]` instant.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// Index of its thread.
    pub thread: u16,
    /// Time in ns.
    pub at: i64,
    /// Bytes allocated, negative when freed.
    pub bytes: i64,
    /// Address.
    pub address: u64,
    /// Total allocated after it.
    pub total: i64,
}

/// A recording of one process.
#[derive(Debug, Clone, Default)]
pub struct Capture {
    /// What made it.
    pub title: String,
    /// Wall time of time 0, in ns since the epoch.
    pub base_ns: i64,
    /// Start of the recording.
    pub from: i64,
    /// End of the recording.
    pub to: i64,
    /// Process id.
    pub pid: i64,
    /// Rank and world size of a distributed job.
    pub rank: Option<(u32, u32)>,
    /// Names of everything.
    pub names: Names,
    /// Host threads.
    pub threads: Vec<Thread>,
    /// Host spans in the order in which they were opened.
    pub hosts: Vec<HostSpan>,
    /// Device spans in the order of their launches.
    pub devices: Vec<DeviceSpan>,
    /// Profiler overheads.
    pub overheads: Vec<Overhead>,
    /// `cuda_sync` rows.
    pub syncs: Vec<DeviceNote>,
    /// `gpu_user_annotation` rows.
    pub ranges: Vec<DeviceNote>,
    /// Memory instants.
    pub memory: Vec<Memory>,
    /// Pairs of forward and backward operators (`fwdbwd` flows).
    pub autograd: Vec<(HostIdx, HostIdx)>,
}

impl Capture {
    /// The name of a host span.
    pub fn host_name(&self, idx: HostIdx) -> &str {
        self.names.text(self.hosts[idx as usize].name)
    }

    /// True when the launch of a device span replays a graph.
    pub fn is_graph_launch(&self, idx: HostIdx) -> bool {
        self.host_name(idx).contains("GraphLaunch")
    }

    /// Ordinals of the devices that hold spans, ascending.
    pub fn device_ordinals(&self) -> Vec<u16> {
        let mut ordinals: Vec<u16> = self.devices.iter().map(|s| s.device).collect();
        ordinals.sort_unstable();
        ordinals.dedup();
        ordinals
    }
}
