//! The tree to draw: nodes in the order of the picture, with totals, counts and what was cut.

use flamelane_model::{Column, FrameKind, Profile, StackId, Stacks, Unit, Weight};

use super::{Order, SvgOptions};
use crate::palette::shade;
use crate::walk::{Callees, upward};
use flamelane_model::labels::shorter;

/// A distinct frame.
pub(super) struct Name<'p> {
    pub(super) text: &'p str,
    /// Nothing for the root, which is no frame.
    pub(super) kind: Option<FrameKind>,
    /// Shorter forms, longest first.
    pub(super) shorter: Vec<String>,
    /// Which shade of the kind's colour.
    pub(super) shade: usize,
}

impl Name<'_> {
    /// The word for its kind in the picture.
    pub(super) fn class(&self) -> &'static str {
        self.kind.map_or("root", FrameKind::name)
    }
}

/// A node; its callees follow it, up to `end`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// Row of `Tree::names`; the root has none that is drawn.
    pub(super) name: usize,
    /// The caller's place; the root is its own.
    pub(super) parent: usize,
    /// The first place after everything below.
    pub(super) end: usize,
    /// Own value.
    pub(super) own: i64,
    /// Own value and all below, cut frames included.
    pub(super) total: i64,
    /// Own count, with that of frames below that have no value and are not in the tree.
    pub(super) own_count: i64,
    /// Count with all below.
    pub(super) count: i64,
    /// Frames in the subtree, itself and cut ones included.
    pub(super) n_frames: u64,
    /// What was cut below it.
    pub(super) cut: Cut,
}

/// Frames directly below a node, with all below them, that are not in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) n_frames: u64,
    pub(super) total: i64,
    pub(super) count: i64,
}

/// The tree, in preorder; entry 0 is the root.
pub(super) struct Tree<'p> {
    pub(super) names: Vec<Name<'p>>,
    pub(super) nodes: Vec<Node>,
    pub(super) unit: Unit,
    pub(super) decimals: u8,
    /// Whether any count column is there.
    pub(super) counted: bool,
    /// Nodes with a negative value, taken as 0.
    pub(super) n_negative: usize,
}

impl<'p> Tree<'p> {
    pub(super) fn new(profile: &'p Profile, options: &SvgOptions) -> Self {
        let stacks = &profile.stacks;
        let column = profile.column(&options.weight);
        let mut own = profile.selves(&options.weight);
        let n_negative = own.iter().filter(|value| **value < 0).count();
        for value in &mut own {
            *value = (*value).max(0);
        }
        let total = totals(stacks, &own);
        let count = totals(stacks, &counts(profile, &options.count));
        let sums = Sums { own, total, count };

        let ranks = name_ranks(profile);
        let floor = floor(&sums.total, options.max_frames);
        let callees = callees(stacks, &sums.total, &ranks, options.order);
        let nodes = preorder(stacks, &sums, &callees, floor);
        let (names, nodes) = name(profile, nodes);
        Self {
            names,
            nodes,
            unit: column.map_or_else(|| options.weight.unit(), |column| column.unit.clone()),
            decimals: column.map_or(0, |column| column.decimals),
            counted: options.count.iter().any(|weight| profile.column(weight).is_some()),
            n_negative,
        }
    }

    pub(super) fn total(&self) -> i64 {
        self.nodes[0].total
    }

    pub(super) fn name(&self, at: usize) -> &Name<'p> {
        &self.names[self.nodes[at].name]
    }

    /// The places of the nodes called from the one at `at`, in order.
    pub(super) fn callees(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[at].end;
        let first = Some(at + 1).filter(|child| *child < end);
        std::iter::successors(first, move |child| {
            Some(self.nodes[*child].end).filter(|next| *next < end)
        })
    }

    /// All frames that are not in the tree.
    pub(super) fn cut(&self) -> Cut {
        self.nodes.iter().fold(Cut::default(), |sum, node| Cut {
            n_frames: sum.n_frames + node.cut.n_frames,
            total: sum.total.saturating_add(node.cut.total),
            count: sum.count.saturating_add(node.cut.count),
        })
    }
}

/// Own values and sums of every node of the profile.
struct Sums {
    own: Vec<i64>,
    total: Vec<i64>,
    count: Vec<i64>,
}

/// Totals that never overflow: hostile files hold anything.
fn totals(stacks: &Stacks, own: &[i64]) -> Vec<i64> {
    let mut total = own.to_vec();
    for node in upward(stacks) {
        let parent = stacks.parent(node).index();
        total[parent] = total[parent].saturating_add(total[node.index()]);
    }
    total
}

fn counts(profile: &Profile, weights: &[Weight]) -> Vec<i64> {
    let mut counts = vec![0i64; profile.stacks.len()];
    let columns = weights.iter().filter_map(|weight| profile.column(weight));
    for value in columns.flat_map(|column: &Column| column.self_values.iter().zip(0..)) {
        let slot: &mut i64 = &mut counts[value.1];
        *slot = slot.saturating_add(*value.0);
    }
    counts
}

/// Place of each string in byte order.
fn name_ranks(profile: &Profile) -> Vec<u32> {
    let mut order: Vec<u32> = (0..profile.strings.len() as u32).collect();
    order.sort_unstable_by_key(|id| profile.strings.text(flamelane_model::StrId(*id)));
    let mut ranks = vec![0; order.len()];
    for (rank, id) in order.into_iter().enumerate() {
        ranks[id as usize] = rank as u32;
    }
    ranks
}

/// The total above which a frame is kept, so that at most `max` are.
fn floor(total: &[i64], max: usize) -> i64 {
    let mut held: Vec<i64> = total[1..].iter().copied().filter(|total| *total > 0).collect();
    if held.len() <= max {
        return 0;
    }
    let (_, floor, _) = held.select_nth_unstable_by(max, |a, b| b.cmp(a));
    *floor
}

/// The callees of every node that have a total, in drawing order.
fn callees(stacks: &Stacks, total: &[i64], ranks: &[u32], order: Order) -> Callees {
    let mut nodes: Vec<StackId> = stacks.nodes().filter(|node| total[node.index()] > 0).collect();
    nodes.sort_unstable_by_key(|node| {
        let frame = stacks.frame(*node);
        let heavy = match order {
            Order::LeftHeavy => -total[node.index()],
            Order::Alphabetical => 0,
        };
        (heavy, ranks[frame.name.index()], frame.kind, *node)
    });
    Callees::new(stacks, &nodes)
}

/// Kept nodes in preorder with their frames; the subtrees of the others become cuts.
fn preorder(stacks: &Stacks, sums: &Sums, callees: &Callees, floor: i64) -> Vec<(StackId, Node)> {
    let n_frames = frames_below(stacks, &sums.total);
    let mut nodes: Vec<(StackId, Node)> = Vec::new();
    let mut todo = vec![(StackId(0), 0usize)];
    while let Some((id, parent)) = todo.pop() {
        let at = nodes.len();
        let i = id.index();
        let mut cut = Cut::default();
        let mut own_count = sums.count[i];
        let from = todo.len();
        for child in callees.of(id) {
            let c = child.index();
            own_count = own_count.saturating_sub(sums.count[c]);
            if sums.total[c] > floor {
                todo.push((*child, at));
            } else {
                cut.n_frames += n_frames[c];
                cut.total = cut.total.saturating_add(sums.total[c]);
                cut.count = cut.count.saturating_add(sums.count[c]);
            }
        }
        todo[from..].reverse();
        let node = Node {
            name: 0,
            parent,
            end: at + 1,
            own: sums.own[i],
            total: sums.total[i],
            own_count,
            count: sums.count[i],
            n_frames: n_frames[i],
            cut,
        };
        nodes.push((id, node));
    }
    for at in (1..nodes.len()).rev() {
        let (end, parent) = (nodes[at].1.end, nodes[at].1.parent);
        nodes[parent].1.end = nodes[parent].1.end.max(end);
    }
    nodes
}

/// Frames with a total in each subtree; the root of the profile is none.
fn frames_below(stacks: &Stacks, total: &[i64]) -> Vec<u64> {
    let mut n_frames: Vec<u64> = total.iter().map(|total| u64::from(*total > 0)).collect();
    n_frames[0] = 0;
    for node in upward(stacks) {
        n_frames[stacks.parent(node).index()] += n_frames[node.index()];
    }
    n_frames
}

/// Gives every node its row of the name table, filled in order of first use.
fn name(profile: &Profile, nodes: Vec<(StackId, Node)>) -> (Vec<Name<'_>>, Vec<Node>) {
    let mut rows = rustc_hash::FxHashMap::default();
    let mut names = vec![Name { text: "all", kind: None, shorter: Vec::new(), shade: 0 }];
    let mut named = Vec::with_capacity(nodes.len());
    for (id, node) in nodes {
        if id.0 == 0 {
            named.push(node);
            continue;
        }
        let frame = profile.stacks.frame(id);
        let name = *rows.entry(frame).or_insert_with(|| {
            let text = profile.strings.text(frame.name);
            let shorter = shorter(text, frame.kind);
            names.push(Name { text, kind: Some(frame.kind), shorter, shade: shade(text) });
            names.len() - 1
        });
        named.push(Node { name, ..node });
    }
    (names, named)
}
