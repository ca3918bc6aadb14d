//! Kinds of findings, and the class of waiting that each is.

/// What a finding is; `docs/findings` has a page on each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Some steps replay no graph, at equal device work.
    GraphFallback,
    /// Device memory is allocated and freed in steady steps.
    AllocatorChurn,
    /// Code is compiled, tuned or loaded.
    Compile,
    /// A thread waits for data or requests.
    InputWait,
    /// Garbage collection, or a thread that ran nothing for long.
    Pause,
    /// A blocking call takes away the host's lead.
    SyncCliff,
    /// The same by a copy from or to pageable memory.
    PageableCopy,
    /// Many short gaps between short kernels.
    PicketFence,
    /// A long gap while the host does work of its own.
    HostIsland,
    /// The rest of the host's lateness: framework dispatch, glue, runtime calls.
    DispatchBound,
    /// Collectives that no compute hides.
    ExposedComm,
    /// Copies that no kernel hides.
    CopyOnCriticalPath,
    /// The same small work again and again below one parent.
    Loop,
}

impl Kind {
    /// All kinds, in the order in which lost time is given out.
    pub const ALL: [Self; 13] = [
        Self::GraphFallback,
        Self::AllocatorChurn,
        Self::Compile,
        Self::InputWait,
        Self::Pause,
        Self::SyncCliff,
        Self::PageableCopy,
        Self::PicketFence,
        Self::HostIsland,
        Self::DispatchBound,
        Self::ExposedComm,
        Self::CopyOnCriticalPath,
        Self::Loop,
    ];

    /// The word used in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::GraphFallback => "graph-fallback",
            Self::AllocatorChurn => "allocator-churn",
            Self::Compile => "compile",
            Self::InputWait => "input-wait",
            Self::Pause => "pause",
            Self::SyncCliff => "sync-cliff",
            Self::PageableCopy => "pageable-copy",
            Self::PicketFence => "picket-fence",
            Self::HostIsland => "host-island",
            Self::DispatchBound => "dispatch-bound",
            Self::ExposedComm => "exposed-comm",
            Self::CopyOnCriticalPath => "copy-on-critical-path",
            Self::Loop => "loop",
        }
    }

    /// The class that its time counts for in the verdict; none for kinds that own no time.
    pub fn bound(self) -> Option<Bound> {
        match self {
            Self::SyncCliff | Self::PageableCopy => Some(Bound::Sync),
            Self::PicketFence | Self::DispatchBound | Self::GraphFallback => Some(Bound::Launch),
            Self::HostIsland | Self::AllocatorChurn | Self::Compile | Self::Pause => {
                Some(Bound::Host)
            }
            Self::InputWait => Some(Bound::Input),
            Self::ExposedComm => Some(Bound::Communication),
            Self::CopyOnCriticalPath => Some(Bound::Copy),
            Self::Loop => None,
        }
    }
}

/// What a run is bound by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// Collectives without compute.
    Communication,
    /// Copies without compute.
    Copy,
    /// Blocking calls.
    Sync,
    /// Launches.
    Launch,
    /// The host's own work.
    Host,
    /// Data or requests.
    Input,
    /// The device's own waits: events, graphs, dispatch.
    Dependency,
}

impl Bound {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Communication,
        Self::Copy,
        Self::Sync,
        Self::Launch,
        Self::Host,
        Self::Input,
        Self::Dependency,
    ];

    /// The verdict's word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Communication => "communication-bound",
            Self::Copy => "copy-bound",
            Self::Sync => "sync-bound",
            Self::Launch => "launch-bound",
            Self::Host => "host-bound",
            Self::Input => "input-bound",
            Self::Dependency => "dependency-bound",
        }
    }
}
