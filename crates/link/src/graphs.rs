//! Graph attribution: kernels of a replay get the stacks of the code that recorded the graph, by the
//! order of their names.
//!
//! A replay is one launch of many kernels; the python that built them ran once, when the graph was
//! captured, or runs kernel by kernel in an eager run of the same model. Both launch the same kernels
//! in the same order.

use flamelane_model::{DeviceKind, Frame, FrameKind, StackId};
use rustc_hash::FxHashMap;

use crate::align::align;
use crate::launches::{Origin, call_kind};
use crate::{Linked, NO_STEP, comparison};

/// A replay is joined when at least this share of its kernels finds its name in the recording.
const LEAST_JOINED: f64 = 0.8;
/// Recordings that are aligned with a replay; of more, those with the nearest number of kernels.
const MOST_TRIED: usize = 16;
/// Kernels of a recording that are looked at.
const MOST_KERNELS: usize = 1 << 20;

/// Kernels in the order of their launches, with the frames that launched them.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// Where it came from, for messages: a file's name, or `this capture`.
    pub source: String,
    /// Runs of kernels: graph captures, steps, or everything.
    pub parts: Vec<Vec<Recorded>>,
}

/// A launched kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Its comparison name.
    pub name: String,
    /// Frames at its launch, root first, thread and call left out.
    pub path: Vec<(String, FrameKind)>,
}

/// How kernels of replays found their recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joined {
    /// Where the recording came from.
    pub source: String,
    /// Kernels of replays.
    pub kernels: u64,
    /// Those with a recorded stack.
    pub joined: u64,
    /// Of the replay with most kernels: matched kernels twice over the sum of both lengths.
    pub ratio: f64,
}

/// Whether graphs are captured inside a capture, so that it may name the kernels of its own replays.
pub fn captures_graphs(linked: &Linked) -> bool {
    linked.trace.strings.iter().any(|(_, name)| name.contains("StreamBeginCapture"))
}

/// Where a kernel was launched: number of the graph capture, else step.
type Place = (Option<u32>, u32);

/// The kernels that a capture launched one by one, by graph capture, else by step, else all.
pub fn recording(linked: &Linked, source: &str) -> Recording {
    let trace = &linked.trace;
    let mut name_of: FxHashMap<u32, (String, u32)> = FxHashMap::default();
    let carried: FxHashMap<i64, &str> =
        trace.launched_names.iter().map(|&(id, name)| (id, trace.text(name))).collect();
    for (span, origin) in linked.origins.iter().enumerate() {
        if let (Origin::Call(call), DeviceKind::Kernel) = (origin, trace.device.kind[span]) {
            let name = || comparison(trace.text(trace.device.name[span])).into_owned();
            let step = linked.steps.of_span[span];
            name_of.entry(call.0).or_insert_with(|| (name(), step));
        }
    }
    let mut order: Vec<usize> = (0..trace.calls.len()).collect();
    order.sort_by_key(|&call| (trace.host.start[trace.calls.span[call].index()], call));
    let mut parts: Vec<(Place, Vec<Recorded>)> = Vec::new();
    let (mut captures, mut capturing, mut n_kernels) = (0, false, 0);
    for call in order {
        let host = trace.calls.span[call].index();
        let text = trace.text(trace.host.name[host]);
        if text.contains("StreamBeginCapture") {
            (captures, capturing) = (captures + 1, true);
        } else if text.contains("StreamEndCapture") {
            capturing = false;
        }
        let kind = call_kind(text);
        if !kind.launches || kind.replays || n_kernels == MOST_KERNELS {
            continue;
        }
        let id = trace.calls.correlation[call];
        let carried = carried.get(&id).map(|name| (comparison(name).into_owned(), NO_STEP));
        let known = name_of.get(&(call as u32)).cloned();
        let Some((name, step)) = known.or(carried) else { continue };
        n_kernels += 1;
        let part = if capturing { (Some(captures), NO_STEP) } else { (None, step) };
        let recorded = Recorded { name, path: path(linked, linked.nested.call_stack[call]) };
        match parts.last_mut() {
            Some((last, kernels)) if *last == part => kernels.push(recorded),
            _ => parts.push((part, vec![recorded])),
        }
    }
    let any_capture = parts.iter().any(|(part, _)| part.0.is_some());
    let parts = parts.into_iter().filter(|(part, _)| part.0.is_some() == any_capture);
    Recording { source: source.to_owned(), parts: parts.map(|(_, kernels)| kernels).collect() }
}

fn path(linked: &Linked, call: StackId) -> Vec<(String, FrameKind)> {
    let stacks = &linked.nested.stacks;
    let frames = stacks.path(stacks.parent(call)).into_iter();
    let frames = frames.filter(|frame| frame.kind != FrameKind::Thread);
    frames.map(|frame| (linked.trace.text(frame.name).to_owned(), frame.kind)).collect()
}

/// A part of a recording as numbers.
struct Part<'r> {
    names: Vec<u32>,
    kernels: &'r [Recorded],
}

/// Joins the replays of a capture with a recording. Wrong stacks are worse than none: a replay of
/// which fewer than four fifths of the kernels match stays as it is.
pub fn join(linked: &mut Linked, recording: &Recording) -> Joined {
    let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
    let mut number = |name: &str| match numbers.get(name) {
        Some(&known) => known,
        None => {
            let fresh = numbers.len() as u32;
            numbers.insert(name.to_owned(), fresh);
            fresh
        }
    };
    let part = |kernels: &'_ Vec<Recorded>, number: &mut dyn FnMut(&str) -> u32| {
        kernels.iter().map(|kernel| number(&kernel.name)).collect::<Vec<u32>>()
    };
    let parts: Vec<Part<'_>> = recording
        .parts
        .iter()
        .map(|kernels| Part { names: part(kernels, &mut number), kernels })
        .collect();
    let replays = replays(linked);
    let mut joined = Joined { source: recording.source.clone(), ..Joined::default() };
    let mut known: FxHashMap<Vec<u32>, Option<Match>> = FxHashMap::default();
    let mut stacks_of: Vec<Option<StackId>> = vec![None; linked.trace.device.len()];
    let mut longest = 0;
    for replay in replays {
        let device = &linked.trace.device;
        let names: Vec<u32> = replay
            .iter()
            .map(|&span| number(&comparison(linked.trace.text(device.name[span as usize]))))
            .collect();
        joined.kernels += names.len() as u64;
        let found = known.entry(names).or_insert_with_key(|names| best(names, &parts));
        let Some(found) = found else { continue };
        if replay.len() > longest {
            (longest, joined.ratio) = (replay.len(), found.ratio);
        }
        for (&span, partner) in replay.iter().zip(&found.partner) {
            let Some(kernel) = partner.map(|row| &parts[found.part].kernels[row]) else { continue };
            stacks_of[span as usize] = hang(linked, span as usize, kernel);
            joined.joined += 1;
        }
    }
    linked.recorded = stacks_of;
    linked.joined = (joined.kernels > 0).then(|| joined.clone());
    joined
}

/// The kernels of each replay: by graph node where all have one, else by start.
fn replays(linked: &Linked) -> Vec<Vec<u32>> {
    let trace = &linked.trace;
    let mut by_call: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (span, origin) in linked.origins.iter().enumerate() {
        let Some(call) = origin.call() else { continue };
        let host = trace.calls.span[call.index()].index();
        let is_kernel = trace.device.kind[span] == DeviceKind::Kernel;
        if is_kernel && call_kind(trace.text(trace.host.name[host])).replays {
            by_call.entry(call.0).or_default().push(span as u32);
        }
    }
    let mut replays: Vec<(u32, Vec<u32>)> = by_call.into_iter().collect();
    replays.sort_unstable_by_key(|(call, _)| *call);
    for (_, spans) in &mut replays {
        let node = |span: u32| trace.device.graph_node[span as usize];
        let has_nodes = spans.iter().all(|&span| node(span) != flamelane_model::NONE);
        spans.sort_by_key(|&span| {
            (if has_nodes { node(span) } else { 0 }, trace.device.start[span as usize], span)
        });
    }
    replays.into_iter().map(|(_, spans)| spans).collect()
}

/// The best part for a replay, and for each kernel its row there.
struct Match {
    part: usize,
    partner: Vec<Option<usize>>,
    ratio: f64,
}

fn best(names: &[u32], parts: &[Part<'_>]) -> Option<Match> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&part| (parts[part].names.len().abs_diff(names.len()), part));
    let mut best: Option<Match> = None;
    for part in order.into_iter().take(MOST_TRIED) {
        let Some(partner) = align(names, &parts[part].names) else { continue };
        let matched = partner.iter().flatten().count();
        let ratio = 2.0 * matched as f64 / (names.len() + parts[part].names.len()) as f64;
        let enough = matched as f64 >= LEAST_JOINED * names.len() as f64;
        if enough && best.as_ref().is_none_or(|best| ratio > best.ratio) {
            best = Some(Match { part, partner, ratio });
        }
    }
    best
}

/// The recording's frames below the replay: from the outermost module on, else from where they
/// leave the replay's own.
fn hang(linked: &mut Linked, span: usize, kernel: &Recorded) -> Option<StackId> {
    let call = linked.origins[span].call()?;
    let graph = linked.trace.strings.intern("[graph]");
    let own = linked.nested.call_stack[call.index()];
    let stacks = &mut linked.nested.stacks;
    let module = kernel.path.iter().position(|(_, kind)| *kind == FrameKind::Module);
    let shared = stacks.path(own).into_iter().filter(|frame| frame.kind != FrameKind::Thread);
    let shared = shared.zip(&kernel.path);
    let shared = shared
        .take_while(|(frame, (name, kind))| {
            frame.kind == *kind && linked.trace.strings.text(frame.name) == name
        })
        .count();
    let from = module.unwrap_or(shared);
    let mut node = stacks.child(own, Frame { name: graph, kind: FrameKind::Synthetic });
    for (name, kind) in &kernel.path[from..] {
        let name = linked.trace.strings.intern(name);
        node = stacks.child(node, Frame { name, kind: *kind });
    }
    Some(node)
}
