//! Findings: what went wrong, what it costs at most, and one thing to try.

use flamelane_model::{Interval, Ns, StackId};

use crate::kind::Kind;

/// A figure of a finding's evidence.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// A time in ns; its name ends in `_ns`.
    Ns(Ns),
    /// A number of things.
    Count(u64),
    /// Bytes; its name ends in `_bytes`.
    Bytes(u64),
    /// A share 0…1 or a ratio.
    Number(f64),
    /// Words.
    Text(String),
    /// (name, ns) rows, largest first.
    Frames(Vec<(String, Ns)>),
}

/// Where a finding shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Where {
    /// Its longest stretch.
    pub time: Interval,
    /// Row of [`Linked::devices`](flamelane_link::Linked::devices).
    pub device: usize,
    /// The step that its time counts for, as a row of the steps' list, or `NO_STEP`.
    pub step: u32,
    /// The step whose marker is in the stack; `step` where none is. Idle time behind the end of one
    /// step counts for the next.
    pub host_step: u32,
}

/// One finding. Times are sums over the kept steps and the devices in the verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is.
    pub kind: Kind,
    /// The stack that it points at, in the host stacks of the linked trace.
    pub stack: StackId,
    /// For blocking calls: the stacks of all call sites in it, this one first.
    pub sites: Vec<StackId>,
    /// Its longest stretch.
    pub place: Where,
    /// Gaps, calls or runs that it sums up.
    pub count: u64,
    /// Lost time that it owns; no nanosecond has two owners.
    pub owned: Ns,
    /// What curing it can win at most; bounds of several findings do not add up.
    pub max_gain: Ns,
    /// Whether most of the launches that it is about are of graphs: then one more graph is no cure.
    pub is_replayed: bool,
    /// Whether it may be the first thing said.
    pub headline: bool,
    /// Figures by name.
    pub evidence: Vec<(&'static str, Figure)>,
    /// Kinds that own other parts of the same gaps.
    pub shares_with: Vec<Kind>,
    /// How sure, and why.
    pub confidence: String,
    /// What it is about, in a few words: a frame, a call, a copy.
    pub subject: String,
    /// What it is, in one sentence with its figures.
    pub sentence: String,
    /// One thing to try.
    pub experiment: String,
}

/// What a rule says of a draft.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) subject: String,
    pub(crate) sentence: String,
    pub(crate) experiment: String,
}
