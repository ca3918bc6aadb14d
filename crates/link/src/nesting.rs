//! Nesting: which stack is open on a host thread at each instant.
//!
//! Host spans of real files cross (a `record_function` range opens inside the python frame of
//! `__enter__` and closes inside that of `__exit__`), so the stack is an active set in start
//! order, not a pop-stack.

use flamelane_model::{
    Frame, FrameKind, HostSpanId, Interval, LaneId, Ns, StackId, Stacks, StrId, Trace,
};
use rustc_hash::FxHashMap;

use crate::Rules;
use crate::order;

/// The stack of one thread over time: `node[i]` is open from `at[i]` until `at[i + 1]`.
///
/// Before the first entry nothing is known; the last entry is always the bare thread.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// Ascending instants, in ns.
    pub at: Vec<Ns>,
    /// The stack that begins there.
    pub node: Vec<StackId>,
}

impl Timeline {
    /// Room for the start and the end of each span: pages never written cost nothing, copies do.
    fn with_room(n_spans: usize) -> Self {
        let n_marks = n_spans.saturating_mul(2);
        Self { at: Vec::with_capacity(n_marks), node: Vec::with_capacity(n_marks) }
    }

    fn mark(&mut self, at: Ns, node: StackId) {
        if self.at.last() == Some(&at) {
            self.at.pop();
            self.node.pop();
        }
        if self.node.last() != Some(&node) {
            self.at.push(at);
            self.node.push(node);
        }
    }

    /// Number of pieces that begin at or before `at`.
    pub fn rank(&self, at: Ns) -> usize {
        self.at.partition_point(|&start| start <= at)
    }

    /// The stack open at `at`, if the thread has shown up by then.
    pub fn stack_at(&self, at: Ns) -> Option<StackId> {
        self.rank(at).checked_sub(1).map(|i| self.node[i])
    }

    /// The pieces `(from, to, stack)` that cover `[from, to)`; `None` before the first entry.
    pub fn pieces(&self, from: Ns, to: Ns) -> impl Iterator<Item = (Ns, Ns, Option<StackId>)> + '_ {
        let mut at = from;
        let mut next = self.rank(from);
        std::iter::from_fn(move || {
            if at >= to {
                return None;
            }
            let end = self.at.get(next).copied().unwrap_or(Ns::MAX).min(to);
            let piece = (at, end, next.checked_sub(1).map(|i| self.node[i]));
            at = end;
            next += 1;
            Some(piece)
        })
    }
}

/// Everything the sweep over the host spans finds.
#[derive(Clone, Debug, Default)]
pub struct Nested {
    /// Host stacks; each begins with its thread.
    pub stacks: Stacks,
    /// One a lane; empty for streams.
    pub timelines: Vec<Timeline>,
    /// One a call: what is open on its thread without other runtime calls, then the call.
    pub call_stack: Vec<StackId>,
    /// One a stack: how often its innermost frame was entered there inside the window.
    pub entered: Vec<u32>,
    /// One a lane: the stack that holds the thread alone.
    pub thread_node: Vec<StackId>,
}

/// Sweeps every thread once.
pub(crate) fn nest(trace: &Trace, names: &[StrId], window: &[Interval], rules: &Rules) -> Nested {
    let mut nested = Nested {
        timelines: vec![Timeline::default(); trace.lanes.len()],
        call_stack: vec![StackId(0); trace.calls.len()],
        thread_node: vec![StackId(0); trace.lanes.len()],
        ..Nested::default()
    };
    let mut lanes = order::by_lane(trace);
    let autograd = Autograd::new(trace, rules);
    let mut forward = FxHashMap::default();
    let mut call_of = vec![u32::MAX; trace.host.len()];
    for (call, span) in trace.calls.span.iter().enumerate() {
        call_of[span.index()] = call as u32;
    }
    for lane in autograd.lanes_in_order(trace) {
        let name = trace.lane(lane).name;
        let root = nested.stacks.root();
        let thread = nested.stacks.child(root, Frame { name, kind: FrameKind::Thread });
        nested.thread_node[lane.index()] = thread;
        let opened = std::mem::take(&mut lanes[lane.index()]);
        let mut sweep = Sweep {
            trace,
            names,
            call_of: &call_of,
            out: &mut nested,
            autograd: &autograd,
            forward: &mut forward,
            window,
            active: Vec::with_capacity(64),
            thread,
            timeline: Timeline::with_room(opened.len()),
            patience: opened.len().saturating_mul(4).saturating_add(LEAST_PATIENCE),
            snap: if trace.metadata.whole_micros { 1_000 } else { 2 },
        };
        sweep.run(&opened);
        let timeline = sweep.timeline;
        nested.timelines[lane.index()] = timeline;
    }
    nested.entered.resize(nested.stacks.len(), 0);
    nested
}

/// Most spans open at once on a thread; what opens beyond counts as its parent. Interpreters stop
/// at a thousand frames.
const MOST_OPEN: usize = 8192;
/// A crossing renames the stacks above it, at most all that are open. Real files rename far fewer
/// than they hold spans; a hostile one has its crossings cut once it used this up.
const LEAST_PATIENCE: usize = 1 << 20;

/// One open span.
struct Active {
    end: Ns,
    /// Smallest end of this and all spans below: when it is `end`, this one closes first.
    first_end: Ns,
    node: StackId,
    frame: Frame,
    /// Innermost node at or below that is no runtime call.
    bare: StackId,
}

struct Sweep<'a> {
    trace: &'a Trace,
    names: &'a [StrId],
    /// One a host span: its row among the calls, or `u32::MAX`.
    call_of: &'a [u32],
    out: &'a mut Nested,
    autograd: &'a Autograd,
    forward: &'a mut FxHashMap<i64, StackId>,
    /// Pieces of the window that are not over yet.
    window: &'a [Interval],
    active: Vec<Active>,
    thread: StackId,
    timeline: Timeline,
    /// How many more stacks may be renamed because spans cross.
    patience: usize,
    /// A child that ends at most this long after its parent ends with it.
    snap: Ns,
}

impl Sweep<'_> {
    fn run(&mut self, opened: &[u32]) {
        for &span in opened {
            self.close_until(self.trace.host.start[span as usize]);
            self.open(HostSpanId(span));
        }
        self.close_until(Ns::MAX);
    }

    /// Closes what ends at or before `at`, in order of the ends.
    fn close_until(&mut self, at: Ns) {
        while let Some(top) = self.active.last() {
            if top.first_end > at {
                return;
            }
            let end = top.first_end;
            if top.end == end {
                self.active.pop();
            } else {
                let crossed = self.active.iter().rposition(|open| open.end == end);
                let crossed = crossed.unwrap_or(self.active.len() - 1);
                self.active.remove(crossed);
                self.rebuild(crossed);
            }
            let node = self.active.last().map_or(self.thread, |open| open.node);
            self.timeline.mark(end, node);
        }
    }

    /// Renames the stacks from position `from` after a span below them closed.
    fn rebuild(&mut self, from: usize) {
        for i in from..self.active.len() {
            let below = i.checked_sub(1).map(|i| &self.active[i]);
            let (parent, bare, first_end) = below
                .map_or((self.thread, self.thread, Ns::MAX), |b| (b.node, b.bare, b.first_end));
            let frame = self.active[i].frame;
            let node = self.out.stacks.child(parent, frame);
            let open = &mut self.active[i];
            open.node = node;
            open.bare = if frame.kind == FrameKind::Runtime { bare } else { node };
            open.first_end = open.end.min(first_end);
        }
    }

    fn open(&mut self, row: HostSpanId) {
        let host = &self.trace.host;
        let (start, end) = (host.start[row.index()], host.end[row.index()]);
        let name = self.names[host.name[row.index()].index()];
        let frame = Frame { name, kind: host.kind[row.index()] };
        let below = self.active.last();
        let (mut parent, mut bare, first_end, below_end) = below
            .map_or((self.thread, self.thread, Ns::MAX, Ns::MAX), |b| {
                (b.node, b.bare, b.first_end, b.end)
            });
        if let Some(forward) = self.autograd.forward_of(row, self.forward) {
            let name = self.autograd.backward;
            parent = self.out.stacks.child(forward, Frame { name, kind: FrameKind::Synthetic });
            bare = parent;
        }
        let node = self.out.stacks.child(parent, frame);
        self.count(node, start);
        if frame.kind == FrameKind::Runtime {
            let call = self.call_of[row.index()] as usize;
            if let Some(slot) = self.out.call_stack.get_mut(call) {
                *slot = if bare == parent { node } else { self.out.stacks.child(bare, frame) };
            }
        } else {
            bare = node;
            self.autograd.note_forward(row, node, self.forward);
        }
        let end = self.end(end, below_end, first_end);
        if end > start && self.active.len() < MOST_OPEN {
            self.active.push(Active { end, first_end: first_end.min(end), node, frame, bare });
            self.timeline.mark(start, node);
        }
    }

    /// When a span ends that opens inside one that ends at `below` and others of which the first
    /// ends at `first`.
    fn end(&mut self, end: Ns, below: Ns, first: Ns) -> Ns {
        // A child that ends a rounding error after its parent ends with it.
        let overhang = end.saturating_sub(below);
        let end = if overhang > 0 && overhang <= self.snap { below } else { end };
        if end <= first {
            return end;
        }
        match self.patience.checked_sub(self.active.len()) {
            Some(rest) => self.patience = rest,
            None => return first,
        }
        end
    }

    fn count(&mut self, node: StackId, at: Ns) {
        while self.window.first().is_some_and(|piece| piece.to <= at) {
            self.window = &self.window[1..];
        }
        if !self.window.first().is_some_and(|piece| piece.holds(at)) {
            return;
        }
        if self.out.entered.len() <= node.index() {
            self.out.entered.resize(node.index() + 1, 0);
        }
        self.out.entered[node.index()] += 1;
    }
}

/// Autograd's links from backward operators to the forward stack of the same sequence number.
struct Autograd {
    wanted: bool,
    /// Name of the bucket frame between both.
    backward: StrId,
    /// Sequence number of forward operators and of `evaluate_function` operators.
    sequence: FxHashMap<u32, (i64, bool)>,
    /// Lanes that hold an `evaluate_function` operator.
    backward_lanes: Vec<bool>,
}

impl Autograd {
    fn new(trace: &Trace, rules: &Rules) -> Self {
        let mut autograd = Self {
            wanted: rules.backward_below_forward,
            backward: trace.strings.lookup(BACKWARD).unwrap_or(flamelane_model::Strings::EMPTY),
            sequence: FxHashMap::default(),
            backward_lanes: vec![false; trace.lanes.len()],
        };
        if !autograd.wanted {
            return autograd;
        }
        for &(span, sequence, _) in &trace.op_links.sequence {
            let name = trace.text(trace.host.name[span.index()]);
            let evaluates = name.starts_with("autograd::engine::evaluate_function");
            let lane = trace.host.lane[span.index()].index();
            autograd.backward_lanes[lane] |= evaluates;
            autograd.sequence.insert(span.0, (sequence, evaluates));
        }
        autograd
    }

    /// Threads that only go forward come first: their stacks are the prefixes of the rest.
    fn lanes_in_order(&self, trace: &Trace) -> Vec<LaneId> {
        let mut lanes: Vec<LaneId> = order::threads(trace).collect();
        lanes.sort_by_key(|lane| self.backward_lanes[lane.index()]);
        lanes
    }

    fn forward_of(&self, span: HostSpanId, forward: &FxHashMap<i64, StackId>) -> Option<StackId> {
        if !self.wanted {
            return None;
        }
        let (sequence, evaluates) = self.sequence.get(&span.0)?;
        forward.get(sequence).copied().filter(|_| *evaluates)
    }

    fn note_forward(&self, span: HostSpanId, node: StackId, forward: &mut FxHashMap<i64, StackId>) {
        if !self.wanted {
            return;
        }
        if let Some((sequence, false)) = self.sequence.get(&span.0) {
            forward.entry(*sequence).or_insert(node);
        }
    }
}

/// The bucket between a forward stack and the backward operators that belong to it.
pub(crate) const BACKWARD: &str = "[backward]";
