//! Graph attribution: kernels of a replay get the stacks of the code that recorded the graph.
//!
//! A replay is one launch of many kernels. The python that launched them ran once, when the graph
//! was captured, or runs kernel by kernel in an eager run of the same model. It is found, in this
//! order, by the ids of the nodes, by the names of the kernels, and by the order of the nodes.

mod align;
mod captured;
mod hang;
mod named;
mod place;
mod recording;
mod replays;
mod tokens;

use std::rc::Rc;

use flamelane_model::{DeviceKind, NONE, StackId, StrId};
use rustc_hash::{FxHashMap, FxHashSet};

use self::hang::Hanger;
use self::named::{Candidate, LEAST_KERNELS, LEAST_SHARE, Tried};
pub use self::recording::{Part, Recorded, Recording, recording};
use self::replays::Replay;
use self::tokens::Tokens;
use crate::Linked;

/// Steps of alignment in one capture, over all replays: about a second.
const PATIENCE: usize = 300_000_000;

/// How kernels of replays found the code that recorded them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joined {
    /// Where recordings came from; those that joined something, else all that were tried.
    pub source: String,
    /// Kernels of replays.
    pub kernels: u64,
    /// Those with a recorded stack.
    pub joined: u64,
    /// Of these, by the id of the node.
    pub by_node: u64,
    /// By the name of the kernel, in order.
    pub by_name: u64,
    /// By their place between two that agree by name.
    pub by_place: u64,
    /// By the order of the nodes.
    pub by_order: u64,
    /// By a region that was named while the graph was recorded; it is no stack.
    pub by_region: u64,
    /// Of the replay with most kernels that was joined by name: launches that agree, twice, over the
    /// launches of both. 1 where none was.
    pub ratio: f64,
    /// Among the replays that were refused, the largest share of launches that a recording names.
    pub nearest: f64,
    /// Whether one was refused whose names are in a recording, in an order too different to compare.
    pub too_different: bool,
    /// Kernels of replays that were refused because they are too short for names to tell.
    pub short: u64,
    /// Whether work ran out before all replays were looked at.
    pub gave_up: bool,
}

/// How launches of a replay found theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Name,
    Order,
}

/// A recording, and a part of it.
type PartId = (usize, usize);

/// The part of a recording for a replay, and for each launch its row there.
struct Match {
    part: PartId,
    partner: Vec<Option<usize>>,
    ratio: f64,
    way: Way,
    /// How many partners have another name.
    renamed: u64,
}

impl Match {
    /// Launch for launch the same.
    fn whole(part: PartId, n: usize, way: Way) -> Self {
        Self { part, partner: (0..n).map(Some).collect(), ratio: 1.0, way, renamed: 0 }
    }
}

/// Whether kernels of graph replays are in the capture: else there is nothing to join.
pub fn has_replays(linked: &Linked) -> bool {
    !replays::replays(linked).is_empty()
}

/// Joins the replays of a capture with recordings, those first that come first.
///
/// Wrong stacks are worse than none: a replay of which fewer than four fifths of the launches match
/// stays as it is.
pub fn join(linked: &mut Linked, recordings: &[&Recording]) -> Joined {
    let replays = replays::replays(linked);
    let mut joiner = Joiner::new(linked, recordings);
    let mut recorded = vec![None; linked.trace.device.len()];
    for replay in &replays {
        joiner.replay(linked, replay, &mut recorded);
    }
    let joined = joiner.finish();
    linked.recorded = recorded;
    linked.joined = (joined.kernels > 0).then(|| joined.clone());
    joined
}

struct Joiner<'r> {
    recordings: &'r [&'r Recording],
    candidates: Vec<Candidate>,
    tokens: Tokens,
    hanger: Hanger,
    /// What is known of replays that ran the same.
    known: FxHashMap<(Vec<u32>, bool), Rc<Tried>>,
    regions: FxHashMap<u32, StrId>,
    patience: usize,
    used: Vec<bool>,
    longest: u64,
    joined: Joined,
}

impl<'r> Joiner<'r> {
    fn new(linked: &mut Linked, recordings: &'r [&'r Recording]) -> Self {
        let mut tokens = Tokens::default();
        let mut candidates = Vec::new();
        let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
        for (number, recording) in recordings.iter().enumerate() {
            for (part, tokens) in tokens.parts(recording).into_iter().enumerate() {
                let is_captured = recording.parts[part].is_captured;
                // Steps repeat; of captures that are alike the code must be, too.
                if is_captured || seen.insert(tokens.clone()) {
                    let counts = named::counts(&tokens);
                    candidates.push(Candidate {
                        part: (number, part),
                        is_captured,
                        tokens,
                        counts,
                    });
                }
            }
        }
        Self {
            recordings,
            candidates,
            tokens,
            hanger: Hanger::new(linked),
            known: FxHashMap::default(),
            regions: linked.trace.graph_nodes.regions.iter().copied().collect(),
            patience: PATIENCE,
            used: vec![false; recordings.len()],
            longest: 0,
            joined: Joined { ratio: 1.0, ..Joined::default() },
        }
    }

    fn replay(&mut self, linked: &mut Linked, replay: &Replay, recorded: &mut [Option<StackId>]) {
        let kind = |linked: &Linked, span: u32| linked.trace.device.kind[span as usize];
        let is_kernel = |linked: &Linked, span: u32| kind(linked, span) == DeviceKind::Kernel;
        let kernels = replay.spans.iter().filter(|&&span| is_kernel(linked, span)).count();
        self.joined.kernels += kernels as u64;
        let own = linked.nested.call_stack[replay.call as usize];
        if let Some((number, stacks)) = self.by_node(linked, replay) {
            for (&span, stack) in replay.spans.iter().zip(stacks) {
                let Some(stack) = stack else { continue };
                let of = (number, self.recordings[number]);
                recorded[span as usize] = Some(self.hanger.recorded(linked, own, of, stack));
                self.joined.by_node += u64::from(is_kernel(linked, span));
            }
            self.used[number] = true;
            return;
        }
        let tried = self.by_launches(linked, replay);
        if let Some(found) = &tried.found {
            let (number, part) = found.part;
            let of = (number, self.recordings[number]);
            for (&span, row) in replay.spans.iter().zip(&found.partner) {
                let Some(row) = row else { continue };
                let stack = of.1.parts[part].launches[*row].stack;
                recorded[span as usize] = Some(self.hanger.recorded(linked, own, of, stack));
            }
            self.count(linked, replay, found);
            return;
        }
        if kernels < LEAST_KERNELS {
            self.joined.short += kernels as u64;
        } else {
            self.joined.nearest = self.joined.nearest.max(tried.nearest);
            self.joined.too_different |= tried.too_different;
        }
        for &span in &replay.spans {
            let Some(&region) = self.regions.get(&span) else { continue };
            recorded[span as usize] = Some(self.hanger.region(linked, own, region));
            self.joined.by_region += u64::from(is_kernel(linked, span));
        }
    }

    /// The first recording that knows the nodes of a replay, and for each launch its stack. Ids are
    /// small numbers that another process has as well, so both sides must know most of the other's.
    fn by_node(&self, linked: &Linked, replay: &Replay) -> Option<(usize, Vec<Option<StackId>>)> {
        let node = |span: &u32| linked.trace.device.graph_node[*span as usize];
        let graph = node(replay.spans.first()?) >> 32;
        self.recordings.iter().enumerate().find_map(|(number, recording)| {
            let nodes = &recording.nodes;
            let stack = |span: &u32| {
                let id = Some(node(span)).filter(|&id| id != NONE)?;
                Some(nodes[nodes.binary_search_by_key(&id, |&(id, _)| id).ok()?].1)
            };
            let stacks: Vec<Option<StackId>> = replay.spans.iter().map(stack).collect();
            let n_known = stacks.iter().flatten().count();
            let of_graph = nodes.partition_point(|&(id, _)| id >> 32 <= graph)
                - nodes.partition_point(|&(id, _)| id >> 32 < graph);
            let is_most = n_known as f64 >= LEAST_SHARE * stacks.len() as f64;
            (is_most && n_known > 0 && 2 * n_known >= of_graph).then_some((number, stacks))
        })
    }

    /// The launches of a recording that a replay repeats, by name, else by order.
    fn by_launches(&mut self, linked: &Linked, replay: &Replay) -> Rc<Tried> {
        let key = (self.tokens.replay(linked, replay), replay.is_in_order);
        if let Some(tried) = self.known.get(&key) {
            return Rc::clone(tried);
        }
        let (tokens, candidates, recordings) = (&key.0, &self.candidates, self.recordings);
        let are_alike = |one: u32, other: u32| self.tokens.are_alike(one, other, &linked.rules);
        let mut tried = Tried::of(captured::by_name(tokens, candidates, recordings));
        if tried.found.is_none() {
            tried = named::best(tokens, candidates, &are_alike, &mut self.patience);
        }
        if tried.found.is_none() && replay.is_in_order {
            tried.found = captured::by_order(tokens, candidates, recordings);
        }
        let tried = Rc::new(tried);
        self.known.insert(key, Rc::clone(&tried));
        tried
    }

    fn count(&mut self, linked: &Linked, replay: &Replay, found: &Match) {
        let kinds = replay.spans.iter().map(|&span| linked.trace.device.kind[span as usize]);
        let kernels = kinds.zip(&found.partner).filter(|(kind, _)| *kind == DeviceKind::Kernel);
        let (mut all, mut matched) = (0, 0);
        for (_, row) in kernels {
            (all, matched) = (all + 1, matched + u64::from(row.is_some()));
        }
        self.used[found.part.0] = true;
        match found.way {
            Way::Order => self.joined.by_order += matched,
            Way::Name => {
                // Only kernels have names to differ in.
                self.joined.by_place += found.renamed;
                self.joined.by_name += matched - found.renamed;
                if all > self.longest {
                    (self.longest, self.joined.ratio) = (all, found.ratio);
                }
            }
        }
    }

    fn finish(self) -> Joined {
        let mut joined = self.joined;
        joined.joined =
            joined.by_node + joined.by_name + joined.by_place + joined.by_order + joined.by_region;
        joined.gave_up = self.known.values().any(|tried| tried.gave_up);
        let any = self.used.contains(&true);
        let named = self.recordings.iter().zip(&self.used).filter(|(_, used)| **used || !any);
        let names: Vec<&str> = named.map(|(recording, _)| recording.source.as_str()).collect();
        joined.source = names.join(" and ");
        joined
    }
}
