//! What a capture launched one by one: the code that its graphs, or those of another capture of the
//! same model, were recorded by.

use flamelane_model::{
    DeviceKind, Frame, FrameKind, LaneId, NONE, ProcessId, StackId, Stacks, StrId, Strings, Trace,
};
use rustc_hash::FxHashMap;

use crate::{Linked, comparison};

/// Launches of a recording that are looked at.
const MOST_LAUNCHES: usize = 1 << 20;

/// Launches in the order of the host, with the frames around them, and stacks of nodes of graphs.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Where it came from, for messages: a file's name, or `this capture`.
    pub source: String,
    /// Names of kernels and frames.
    pub strings: Strings,
    /// Frames, root first; threads and calls left out.
    pub stacks: Stacks,
    /// Runs of launches: captures of graphs, steps, and what is in neither.
    pub parts: Vec<Part>,
    /// (node id, its stack), by id: what the file itself says of the nodes of graphs.
    pub nodes: Vec<(i64, StackId)>,
}

/// Launches that belong together, in the order in which the host made them.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Whether they were recorded into a graph, so that nothing ran.
    pub is_captured: bool,
    /// The launches.
    pub launches: Vec<Recorded>,
}

/// A launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// What it launched.
    pub kind: DeviceKind,
    /// Comparison name of the kernel; empty where the file does not tell.
    pub name: StrId,
    /// What was open around the call.
    pub stack: StackId,
}

impl Recording {
    /// Whether it has nothing to join.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.nodes.is_empty()
    }
}

/// The launches of a capture by graph capture, else by step, and its stacks of nodes.
pub fn recording(linked: &Linked, source: &str) -> Recording {
    let recording = Recording { source: source.to_owned(), ..Recording::default() };
    let mut recorder = Recorder {
        linked,
        recording,
        stack_of: FxHashMap::default(),
        name_of: FxHashMap::default(),
        part_of: FxHashMap::default(),
        open: Vec::new(),
        n_captures: 0,
    };
    recorder.launches();
    recorder.nodes();
    recorder.recording
}

/// What the name of a call says about it here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    Begin,
    End,
    Launch(DeviceKind),
    Other,
}

fn call(name: &str) -> Call {
    if name.contains("StreamBeginCapture") {
        Call::Begin
    } else if name.contains("StreamEndCapture") {
        Call::End
    } else if name.contains("Launch") && !name.contains("Graph") && !name.contains("HostFunc") {
        Call::Launch(DeviceKind::Kernel)
    } else if name.contains("Memcpy") {
        Call::Launch(DeviceKind::Copy)
    } else if name.contains("Memset") {
        Call::Launch(DeviceKind::Memset)
    } else {
        Call::Other
    }
}

/// Where a launch belongs: a capture by number, else the step of a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Capture(u32),
    Step(ProcessId, u32),
}

struct Recorder<'l> {
    linked: &'l Linked,
    recording: Recording,
    /// Stacks of the capture → stacks of the recording.
    stack_of: FxHashMap<StackId, StackId>,
    /// Names of kernels → comparison names.
    name_of: FxHashMap<StrId, StrId>,
    part_of: FxHashMap<Place, usize>,
    /// Captures that go on: where they began, and their number.
    open: Vec<(LaneId, u32)>,
    n_captures: u32,
}

impl Recorder<'_> {
    fn launches(&mut self) {
        let trace = &self.linked.trace;
        let span_of = first_spans(self.linked);
        let host = |call: usize| trace.calls.span[call].index();
        let mut order: Vec<usize> = (0..trace.calls.len()).collect();
        order.sort_by_key(|&call| (trace.host.start[host(call)], call));
        let mut known: Vec<Option<Call>> = vec![None; trace.strings.len()];
        let mut n_launches = 0;
        for row in order {
            let (lane, name) = (trace.host.lane[host(row)], trace.host.name[host(row)]);
            let kind = *known[name.index()].get_or_insert_with(|| call(trace.text(name)));
            match kind {
                Call::Begin => {
                    self.open.retain(|&(of, _)| of != lane);
                    self.open.push((lane, self.n_captures));
                    self.n_captures += 1;
                }
                Call::End => self.open.retain(|&(of, _)| of != lane),
                Call::Launch(kind) if n_launches < MOST_LAUNCHES => {
                    n_launches += usize::from(self.launch(row, kind, span_of[row]));
                }
                Call::Launch(_) | Call::Other => {}
            }
        }
        self.recording.parts.retain(|part| !part.launches.is_empty());
    }

    /// Takes a launch; says whether it knew where to.
    fn launch(&mut self, row: usize, kind: DeviceKind, span: u32) -> bool {
        let trace = &self.linked.trace;
        let lane = trace.host.lane[trace.calls.span[row].index()];
        let process = trace.lane(lane).process;
        let (place, kind, name) = match trace.device.kind.get(span as usize) {
            Some(DeviceKind::Graph) => return false,
            Some(&kind) => {
                let step = self.linked.steps.of_span[span as usize];
                (Place::Step(process, step), kind, Some(trace.device.name[span as usize]))
            }
            // What ran was not recorded into a graph; what did not may have been.
            None => {
                let name = carried(trace, trace.calls.correlation[row]);
                match self.capture(lane, process) {
                    Some(number) => (Place::Capture(number), kind, name),
                    None if name.is_none() => return false,
                    None => (Place::Step(process, crate::NO_STEP), kind, name),
                }
            }
        };
        let name = name.filter(|_| kind == DeviceKind::Kernel);
        let name = name.map_or(Strings::EMPTY, |name| self.name(name));
        let stacks = &self.linked.nested.stacks;
        let stack = self.stack(stacks.parent(self.linked.nested.call_stack[row]));
        let parts = &mut self.recording.parts;
        let part = *self.part_of.entry(place).or_insert_with(|| {
            let is_captured = matches!(place, Place::Capture(_));
            parts.push(Part { is_captured, launches: Vec::new() });
            parts.len() - 1
        });
        parts[part].launches.push(Recorded { kind, name, stack });
        true
    }

    /// The capture that a launch of this thread is recorded by: its own, else the only one of its
    /// process, because autograd launches from threads of its own.
    fn capture(&self, lane: LaneId, process: ProcessId) -> Option<u32> {
        let own = self.open.iter().find(|(of, _)| *of == lane);
        let trace = &self.linked.trace;
        let mut same = self.open.iter().filter(|(of, _)| trace.lane(*of).process == process);
        let only = || same.next().filter(|_| same.next().is_none());
        own.or_else(only).map(|&(_, number)| number)
    }

    fn name(&mut self, name: StrId) -> StrId {
        let (trace, strings) = (&self.linked.trace, &mut self.recording.strings);
        let own = |_: &StrId| strings.intern(&comparison(trace.text(name)));
        *self.name_of.entry(name).or_insert_with_key(own)
    }

    /// The recording's copy of a stack, threads left out.
    fn stack(&mut self, stack: StackId) -> StackId {
        let theirs = &self.linked.nested.stacks;
        let mut missing = Vec::new();
        let mut node = self.recording.stacks.root();
        for above in theirs.climb(stack) {
            if let Some(&known) = self.stack_of.get(&above) {
                node = known;
                break;
            }
            missing.push(above);
        }
        for &above in missing.iter().rev() {
            let Frame { name, kind } = theirs.frame(above);
            if kind != FrameKind::Thread {
                let name = self.recording.strings.intern(self.linked.trace.text(name));
                node = self.recording.stacks.child(node, Frame { name, kind });
            }
            self.stack_of.insert(above, node);
        }
        node
    }

    fn nodes(&mut self) {
        let trace = &self.linked.trace;
        let Recording { strings, stacks, nodes, .. } = &mut self.recording;
        let mut kept = Vec::with_capacity(trace.graph_nodes.stacks.len());
        for frames in &trace.graph_nodes.stacks {
            kept.push(frames.iter().fold(stacks.root(), |node, &name| {
                let name = strings.intern(trace.text(name));
                stacks.child(node, Frame { name, kind: FrameKind::Python })
            }));
        }
        let known = trace.graph_nodes.recorded.iter();
        nodes.extend(known.filter_map(|&(id, row)| Some((id, *kept.get(row as usize)?))));
    }
}

/// For each call its first device span, or `u32::MAX`.
fn first_spans(linked: &Linked) -> Vec<u32> {
    let mut span_of = vec![u32::MAX; linked.trace.calls.len()];
    for (span, origin) in linked.origins.iter().enumerate() {
        if let Some(call) = origin.call() {
            let slot = &mut span_of[call.index()];
            *slot = (*slot).min(span as u32);
        }
    }
    span_of
}

/// The name of the kernel that a launch carries (ROCm).
fn carried(trace: &Trace, correlation: i64) -> Option<StrId> {
    if correlation == NONE {
        return None;
    }
    let names = &trace.launched_names;
    let row = names.binary_search_by_key(&correlation, |&(id, _)| id).ok()?;
    Some(names[row].1)
}
