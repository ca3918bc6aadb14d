//! Frames: a name in a stack, and what kind of thing it names.

use crate::StrId;

/// What a frame names. The order is the order in which ties of equal intervals nest, outermost
/// first, for the host kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum FrameKind {
    /// A host thread, at the root of its stacks.
    Thread,
    /// An interpreted function.
    Python,
    /// An `nn.Module` call.
    Module,
    /// A named range: `record_function`, NVTX, a step, a phase.
    Annotation,
    /// A framework operator.
    Op,
    /// A call into the CUDA or HIP runtime or driver, or their kin.
    Runtime,
    /// A device kernel.
    Kernel,
    /// A device copy.
    Copy,
    /// A device memory fill.
    Memset,
    /// A graph replay recorded as one row.
    Graph,
    /// Communication between devices.
    Comm,
    /// A native function.
    Native,
    /// The operating system: a system call, a lock, the interpreter lock.
    Os,
    /// A bucket of ours, written in square brackets.
    Synthetic,
}

impl FrameKind {
    /// All kinds in declaration order.
    pub const ALL: [Self; 14] = [
        Self::Thread,
        Self::Python,
        Self::Module,
        Self::Annotation,
        Self::Op,
        Self::Runtime,
        Self::Kernel,
        Self::Copy,
        Self::Memset,
        Self::Graph,
        Self::Comm,
        Self::Native,
        Self::Os,
        Self::Synthetic,
    ];

    /// The word used in output and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Thread => "thread",
            Self::Python => "python",
            Self::Module => "module",
            Self::Annotation => "annotation",
            Self::Op => "op",
            Self::Runtime => "runtime",
            Self::Kernel => "kernel",
            Self::Copy => "copy",
            Self::Memset => "memset",
            Self::Graph => "graph",
            Self::Comm => "comm",
            Self::Native => "native",
            Self::Os => "os",
            Self::Synthetic => "synthetic",
        }
    }

    /// The kind that `name` says.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether this kind runs on the device.
    pub fn is_device(self) -> bool {
        matches!(self, Self::Kernel | Self::Copy | Self::Memset | Self::Graph | Self::Comm)
    }
}

/// A name with its kind; two frames are the same when both agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame {
    /// Row of the profile's strings.
    pub name: StrId,
    /// What it names.
    pub kind: FrameKind,
}
