//! Traits: what the frames of each host stack say of it, looked up once a name.

use flamelane_link::{Linked, Nearness, call_kind, is_compile, nearness};
use flamelane_model::{FrameKind, StackId};

/// Facts about a stack, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits(u16);

impl Traits {
    /// Allocates or frees device or pinned memory, or instantiates a graph.
    pub(crate) const CHURN: Self = Self(1);
    /// Compiles, tunes or loads code.
    pub(crate) const COMPILE: Self = Self(2);
    /// Collects garbage.
    pub(crate) const GC: Self = Self(4);
    /// Fetches the next batch from workers.
    pub(crate) const LOADER: Self = Self(8);
    /// Inside a call of the runtime or driver.
    pub(crate) const RUNTIME: Self = Self(16);
    /// Starts or stops the profiler.
    pub(crate) const PROFILER: Self = Self(32);
    /// The innermost frame gives way until something happens.
    const GIVES_WAY: Self = Self(64);
    /// Inside a blocking runtime call.
    pub(crate) const BLOCKS: Self = Self(128);
    /// Inside a call that gets from a queue, a socket or a poll.
    const QUEUE: Self = Self(256);
    /// The innermost frame is the loader itself.
    const AT_LOADER: Self = Self(512);
    /// Inside a loader's call for the next batch, wherever the batch is made.
    pub(crate) const LOADING: Self = Self(1_024);

    /// What a frame does not hand on to the frames inside it.
    const OWN: u16 = 64 | 512;

    /// Whether a thread waits for data or requests rather than working for them itself.
    pub(crate) fn awaits_input(self) -> bool {
        let waits = self.has(Self::GIVES_WAY) && (self.has(Self::QUEUE) || self.has(Self::LOADER));
        waits || self.has(Self::AT_LOADER)
    }

    /// Whether any of `other`'s facts hold.
    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    fn with(self, other: Self, holds: bool) -> Self {
        Self(if holds { self.0 | other.0 } else { self.0 })
    }

    /// What one frame says, its outer frames aside.
    fn of(name: &str, kind: FrameKind) -> Self {
        match kind {
            FrameKind::Runtime => Self::RUNTIME
                .with(Self::CHURN, allocates(name))
                .with(Self::COMPILE, is_compile(name, kind))
                .with(Self::BLOCKS, blocks(name)),
            FrameKind::Python
            | FrameKind::Op
            | FrameKind::Annotation
            | FrameKind::Native
            | FrameKind::Os => Self::default()
                .with(Self::COMPILE, is_compile(name, kind))
                .with(Self::GC, collects(name))
                .with(Self::LOADER, loads(name))
                .with(Self::AT_LOADER, loads(name))
                .with(Self::LOADING, fetches(name))
                .with(Self::QUEUE, queues(name))
                .with(Self::GIVES_WAY, gives_way(name))
                .with(Self::PROFILER, profiles(name)),
            _ => Self::default(),
        }
    }
}

/// Memory of the device, pinned memory, and graphs made anew.
fn allocates(name: &str) -> bool {
    let bare = ["cuda", "hip", "cu"].iter().find_map(|prefix| name.strip_prefix(prefix));
    let bare = bare.unwrap_or("");
    let bare = bare.split("_v").next().unwrap_or(bare);
    matches!(
        bare,
        "Malloc"
            | "MallocAsync"
            | "MallocHost"
            | "MallocManaged"
            | "MallocPitch"
            | "ExtMallocWithFlags"
            | "Free"
            | "FreeAsync"
            | "FreeHost"
            | "HostAlloc"
            | "HostFree"
            | "HostMalloc"
            | "HostRegister"
            | "HostUnregister"
            | "MemAlloc"
            | "MemFree"
            | "MemAllocHost"
            | "MemFreeHost"
            | "MemHostAlloc"
            | "MemCreate"
            | "MemRelease"
            | "MemMap"
            | "MemUnmap"
            | "MemSetAccess"
            | "MemAddressReserve"
            | "MemAddressFree"
    ) || bare.starts_with("GraphInstantiate")
}

fn blocks(name: &str) -> bool {
    let kind = call_kind(name);
    kind.syncs || kind.copies_blocking
}

fn collects(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.contains("gc.collect")
        || lower.contains("gc_collect")
        || lower.contains("python gc")
        || lower.contains("garbage")
        || lower.contains("built-in function collect")
        || lower.contains("built-in method collect of module")
}

/// Loaders that fetch from worker processes or threads; one that loads in the thread itself works.
fn loads(name: &str) -> bool {
    name.contains("_MultiProcessingDataLoaderIter") || name.contains("_PrefetchIterator")
}

/// The call for the next batch, as PyTorch's range and its python frames have it.
fn fetches(name: &str) -> bool {
    name.starts_with("enumerate(DataLoader)")
        || name.contains("DataLoader") && name.contains("__next__")
        || name.contains("utils/data/dataloader.py")
            && [": __next__", ": _next_data"].iter().any(|end| name.ends_with(end))
}

fn profiles(name: &str) -> bool {
    name.contains("torch/profiler/")
        || name.contains("autograd/profiler.py")
        || name.contains("_disable_profiler")
        || name.contains("profiler._")
}

/// Frames that wait for data, a message or a request.
fn queues(name: &str) -> bool {
    const PARTS: [&str; 20] = [
        "queue.get",
        "queue.py",
        "queues.py",
        "_queue.SimpleQueue",
        "'poll' of 'select",
        "poll of select",
        "select.poll",
        "select.epoll",
        "select.select",
        "selectors.py",
        "multiprocessing/connection.py",
        "method 'recv'",
        "method recv",
        "recv_bytes",
        "recv_pyobj",
        "recv_multipart",
        "zmq/sugar/socket.py",
        "recv_requests",
        "sched_yield",
        "acquire_read",
    ];
    PARTS.iter().any(|part| name.contains(part))
}

/// Frames in which a thread gives way until something happens: queues, and builtins such as
/// `<built-in method poll of _multiprocessing.Connection object>`.
fn gives_way(name: &str) -> bool {
    const WAITS: [&str; 8] =
        ["poll", "recv", "recv_into", "recv_bytes", "read", "select", "acquire", "get"];
    let builtin = ["<built-in method ", "<method ", "<built-in function "];
    let rest = builtin.iter().find_map(|prefix| name.strip_prefix(prefix));
    let word = rest.and_then(|rest| rest.trim_start_matches('\'').split([' ', '\'', '>']).next());
    queues(name) || word.is_some_and(|word| WAITS.contains(&word))
}

/// What every stack of a capture says.
pub(crate) struct StackFacts {
    traits: Vec<Traits>,
    /// One a stack: the innermost frame of the user's own code at or below, else the root.
    user: Vec<StackId>,
    /// The same for engines.
    engine: Vec<StackId>,
    /// One a stack: the innermost frame at or below that is no bucket.
    real: Vec<StackId>,
    /// One a stack: the outermost of the operators that it ends in, else the innermost frame above
    /// the runtime.
    work: Vec<StackId>,
}

impl StackFacts {
    pub(crate) fn new(linked: &Linked) -> Self {
        let stacks = &linked.nested.stacks;
        let n = stacks.len();
        let root = stacks.root();
        let mut facts = Self {
            traits: vec![Traits::default(); n],
            user: vec![root; n],
            engine: vec![root; n],
            real: vec![root; n],
            work: vec![root; n],
        };
        let mut known: Vec<Option<(FrameKind, Traits, Nearness)>> =
            vec![None; linked.trace.strings.len()];
        for node in stacks.nodes() {
            let (row, above) = (node.index(), stacks.parent(node).index());
            let frame = stacks.frame(node);
            let slot = &mut known[frame.name.index()];
            let fresh = |kind| {
                let name = linked.trace.text(frame.name);
                let is_python = kind == FrameKind::Python;
                let near =
                    if is_python { nearness(name, &linked.rules) } else { Nearness::Library };
                (kind, Traits::of(name, kind), near)
            };
            let (_, own, near) = match *slot {
                Some(seen) if seen.0 == frame.kind => seen,
                _ => *slot.insert(fresh(frame.kind)),
            };
            let inherited = Traits(facts.traits[above].0 & !Traits::OWN);
            facts.traits[row] = Traits(inherited.0 | own.0);
            facts.user[row] = if near == Nearness::User { node } else { facts.user[above] };
            facts.engine[row] = if near == Nearness::Engine { node } else { facts.engine[above] };
            let is_bucket = matches!(frame.kind, FrameKind::Synthetic | FrameKind::Thread);
            facts.real[row] = if is_bucket { facts.real[above] } else { node };
            facts.work[row] = match frame.kind {
                FrameKind::Synthetic | FrameKind::Thread | FrameKind::Runtime => facts.work[above],
                FrameKind::Op if stacks.frame(facts.work[above]).kind == FrameKind::Op => {
                    facts.work[above]
                }
                _ => node,
            };
        }
        facts
    }

    pub(crate) fn of(&self, stack: StackId) -> Traits {
        self.traits[stack.index()]
    }

    /// The innermost frame of the user's own code, else of an engine.
    pub(crate) fn user(&self, stack: StackId) -> Option<StackId> {
        let found = [self.user[stack.index()], self.engine[stack.index()]];
        found.into_iter().find(|node| node.index() != 0)
    }

    /// The innermost frame that is no bucket, else the stack itself.
    pub(crate) fn real(&self, stack: StackId) -> StackId {
        match self.real[stack.index()] {
            node if node.index() == 0 => stack,
            node => node,
        }
    }

    /// The operator that a person would name: the outermost of those that a stack ends in.
    pub(crate) fn work(&self, stack: StackId) -> StackId {
        match self.work[stack.index()] {
            node if node.index() == 0 => self.real(stack),
            node => node,
        }
    }

    /// The outermost frame at or below `stack` from which on a fact holds.
    pub(crate) fn outermost(&self, linked: &Linked, stack: StackId, fact: Traits) -> StackId {
        let holding = linked.nested.stacks.climb(stack).take_while(|&node| self.of(node).has(fact));
        holding.last().unwrap_or(stack)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn python(name: &str) -> Traits {
        Traits::of(name, FrameKind::Python)
    }

    #[test]
    fn calls_that_allocate_are_told_from_calls_that_move() {
        for name in ["cudaMalloc", "cudaFree", "hipHostMalloc", "cuMemCreate", "cudaMalloc_v3020"] {
            assert!(Traits::of(name, FrameKind::Runtime).has(Traits::CHURN), "{name}");
        }
        assert!(Traits::of("cudaGraphInstantiateWithFlags", FrameKind::Runtime).has(Traits::CHURN));
        for name in ["cudaMemcpyAsync", "cudaMemsetAsync", "cudaLaunchKernel", "Malloc"] {
            assert!(!Traits::of(name, FrameKind::Runtime).has(Traits::CHURN), "{name}");
        }
    }

    #[test]
    fn a_loader_that_works_in_the_thread_does_not_wait() {
        assert!(
            python("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__")
                .has(Traits::LOADER)
        );
        assert!(
            !python("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__")
                .has(Traits::LOADER)
        );
        assert!(python("gc.collect").has(Traits::GC));
        for name in [
            "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
            "torch/utils/data/dataloader.py(701): __next__",
            "torch/utils/data/dataloader.py(757): _next_data",
            "DataLoader.__next__",
        ] {
            assert!(python(name).has(Traits::LOADING), "{name}");
        }
        assert!(!python("data.py(3): __next__").has(Traits::LOADING), "any iterator");
        let lock = python("<built-in method acquire of _thread.lock object>");
        assert!(!lock.awaits_input(), "a lock may guard anything");
        assert!(python("queue.py(171): get").awaits_input());
        for name in [
            "<built-in method poll of _multiprocessing.Connection object>",
            "<method 'poll' of 'select.poll' objects>",
        ] {
            assert!(gives_way(name), "{name}");
        }
        assert!(!gives_way("<built-in method pollute of X object>"));
    }
}
