//! Weights: what the width of a frame can mean, and its unit.

/// What a column of a profile measures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// Raw device time, charged to the launching stack; concurrent spans both count in full.
    Gpu,
    /// Device time by time: concurrent spans share each nanosecond; sums to busy.
    GpuBusy,
    /// Host time by innermost frame, waits included.
    Wall,
    /// Host time without known blocking calls, or on-CPU samples.
    Cpu,
    /// Host time in blocking calls while the device was busy.
    SyncAbsorbed,
    /// Host time in blocking calls while the device was idle.
    SyncExposed,
    /// Device idle time by its owner.
    Idle,
    /// Number of kernel and graph launches.
    Launches,
    /// Number of copies and fills.
    Copies,
    /// Bytes moved by copies.
    CopyBytes,
    /// Number of times a frame was entered.
    Calls,
    /// Anything else a file brings, by its own name.
    Other(String),
}

impl Weight {
    /// The weights of a trace, in the order of the viewer's switch.
    pub const OF_A_TRACE: [Self; 11] = [
        Self::Gpu,
        Self::GpuBusy,
        Self::Idle,
        Self::Wall,
        Self::Cpu,
        Self::SyncAbsorbed,
        Self::SyncExposed,
        Self::Launches,
        Self::Copies,
        Self::CopyBytes,
        Self::Calls,
    ];

    /// The word used in output and on the command line.
    pub fn name(&self) -> &str {
        match self {
            Self::Gpu => "gpu",
            Self::GpuBusy => "gpu-busy",
            Self::Wall => "wall",
            Self::Cpu => "cpu",
            Self::SyncAbsorbed => "sync-absorbed",
            Self::SyncExposed => "sync-exposed",
            Self::Idle => "idle",
            Self::Launches => "launches",
            Self::Copies => "copies",
            Self::CopyBytes => "copy-bytes",
            Self::Calls => "calls",
            Self::Other(name) => name,
        }
    }

    /// The weight that `name` says; an unknown name is [`Weight::Other`].
    pub fn parse(name: &str) -> Self {
        let known = Self::OF_A_TRACE.into_iter().find(|weight| weight.name() == name);
        known.unwrap_or_else(|| Self::Other(name.to_owned()))
    }

    /// The unit a trace gives this weight.
    pub fn unit(&self) -> Unit {
        match self {
            Self::Launches | Self::Copies | Self::Calls => Unit::Count,
            Self::CopyBytes => Unit::Bytes,
            Self::Other(_) => Unit::Other(String::new()),
            _ => Unit::Ns,
        }
    }
}

/// The unit of a column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Nanoseconds.
    Ns,
    /// Bytes.
    Bytes,
    /// Things counted.
    Count,
    /// Samples of a sampling profiler.
    Samples,
    /// The word a file uses; empty when it says nothing.
    Other(String),
}

impl Unit {
    /// The word used in output: `ns`, `bytes`, `count`, `samples`, or the file's own.
    pub fn name(&self) -> &str {
        match self {
            Self::Ns => "ns",
            Self::Bytes => "bytes",
            Self::Count => "count",
            Self::Samples => "samples",
            Self::Other(name) => name,
        }
    }
}
