//! Which nodes of a profile the page shows, and in what order.

use flamelane_model::{Frame, Profile, StackId};

/// Nodes in the order of the page: parents before children, siblings by their largest share of any
/// weight, so that a frame keeps its place when the weight is switched.
#[derive(Debug)]
pub(super) struct Cut {
    /// One entry a row, the root first.
    pub(super) rows: Vec<Row>,
    /// Levels up from the row before to the parent of this one.
    pub(super) up: Vec<u32>,
    /// Nodes with weight that are not shown by name.
    pub(super) n_folded: usize,
    /// The largest share of any weight that one of them has.
    pub(super) below: f64,
}

/// One row of the page's tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// A node under its own name.
    Node(StackId),
    /// What is below this node and has no row of its own.
    Rest(StackId),
}

/// Chooses at most `max_nodes` nodes of `profile`, those with the largest share of any weight.
pub(super) fn cut(profile: &Profile, max_nodes: usize) -> Cut {
    let shares = largest_shares(profile);
    let kept = keep(profile, &shares, max_nodes.max(1));
    let folded = (1..kept.len()).filter(|&node| !kept[node] && shares[node] > 0.0);
    let (n_folded, below) =
        folded.fold((0, 0.0_f64), |(n, most), node| (n + 1, most.max(shares[node])));
    let mut cut = Cut { rows: Vec::new(), up: Vec::new(), n_folded, below };
    walk(profile, &Family::new(profile, &shares, &kept), &mut cut);
    cut
}

/// For each node the largest share that its total has of any weight's sum.
fn largest_shares(profile: &Profile) -> Vec<f64> {
    let mut shares = vec![0.0_f64; profile.stacks.len()];
    for column in &profile.columns {
        let totals = profile.totals(&column.weight);
        let Some(&sum) = totals.first().filter(|&&sum| sum > 0) else { continue };
        for (share, total) in shares.iter_mut().zip(totals) {
            *share = share.max(total as f64 / sum as f64);
        }
    }
    shares
}

fn keep(profile: &Profile, shares: &[f64], max_nodes: usize) -> Vec<bool> {
    let mut ranked: Vec<u32> =
        (0..shares.len() as u32).filter(|&node| node == 0 || shares[node as usize] > 0.0).collect();
    if ranked.len() > max_nodes {
        // Ties go to the smaller number: a parent is never less than its child and comes first.
        ranked.select_nth_unstable_by(max_nodes, |&a, &b| {
            shares[b as usize].total_cmp(&shares[a as usize]).then(a.cmp(&b))
        });
        ranked.truncate(max_nodes);
    }
    let mut kept = vec![false; shares.len()];
    kept[0] = true;
    for node in ranked {
        kept[node as usize] = true;
    }
    // A child with negative siblings may outweigh its parent: it goes where the parent goes.
    for node in profile.stacks.nodes() {
        kept[node.index()] &= kept[profile.stacks.parent(node).index()];
    }
    kept
}

/// The children of every kept node, in page order.
struct Family {
    /// Children of all nodes, one run a parent.
    children: Vec<u32>,
    /// Where each node's run starts; one more at the end.
    starts: Vec<u32>,
    /// Nodes that have children which are folded away.
    has_rest: Vec<bool>,
}

impl Family {
    fn new(profile: &Profile, shares: &[f64], kept: &[bool]) -> Self {
        let n = profile.stacks.len();
        let mut starts = vec![0_u32; n + 1];
        let mut has_rest = vec![false; n];
        let parent = |node: StackId| profile.stacks.parent(node).index();
        for node in profile.stacks.nodes() {
            if kept[node.index()] {
                starts[parent(node) + 1] += 1;
            } else if kept[parent(node)] && shares[node.index()] > 0.0 {
                has_rest[parent(node)] = true;
            }
        }
        for node in 0..n {
            starts[node + 1] += starts[node];
        }
        let mut children = vec![0; starts[n] as usize];
        let mut next = starts.clone();
        for node in profile.stacks.nodes().filter(|node| kept[node.index()]) {
            children[next[parent(node)] as usize] = node.0;
            next[parent(node)] += 1;
        }
        let mut family = Self { children, starts, has_rest };
        family.sort(profile, shares);
        family
    }

    fn sort(&mut self, profile: &Profile, shares: &[f64]) {
        let name = |node: u32| {
            let frame: Frame = profile.stacks.frame(StackId(node));
            (profile.strings.text(frame.name), frame.kind)
        };
        for bounds in self.starts.windows(2) {
            self.children[bounds[0] as usize..bounds[1] as usize].sort_unstable_by(|&a, &b| {
                let by_share = shares[b as usize].total_cmp(&shares[a as usize]);
                by_share.then_with(|| name(a).cmp(&name(b)))
            });
        }
    }

    fn of(&self, node: StackId) -> &[u32] {
        &self.children[self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize]
    }
}

/// Lists the rows depth first; an explicit stack, because real stacks outgrow the thread's.
fn walk(profile: &Profile, family: &Family, cut: &mut Cut) {
    let mut todo = vec![(Row::Node(profile.stacks.root()), 0_u32)];
    let mut previous = None;
    while let Some((row, depth)) = todo.pop() {
        cut.rows.push(row);
        cut.up.push(previous.map_or(0, |previous: u32| previous + 1 - depth));
        previous = Some(depth);
        let Row::Node(node) = row else { continue };
        if family.has_rest[node.index()] {
            todo.push((Row::Rest(node), depth + 1));
        }
        let children = family.of(node).iter().rev();
        todo.extend(children.map(|&child| (Row::Node(StackId(child)), depth + 1)));
    }
}

/// The row that each node's time is in: its own, that of the rest it is folded into, or of the nearest
/// caller that has one.
pub(super) fn rows_of_nodes(profile: &Profile, cut: &Cut) -> Vec<u32> {
    let mut own = vec![u32::MAX; profile.stacks.len()];
    let mut rest = own.clone();
    for (row, place) in cut.rows.iter().enumerate() {
        match place {
            Row::Node(node) => own[node.index()] = row as u32,
            Row::Rest(node) => rest[node.index()] = row as u32,
        }
    }
    let mut rows = own.clone();
    for node in profile.stacks.nodes().filter(|node| own[node.index()] == u32::MAX) {
        let parent = profile.stacks.parent(node).index();
        // Below a rest everything is in that rest.
        let is_shown = own[parent] != u32::MAX && rest[parent] != u32::MAX;
        rows[node.index()] = if is_shown { rest[parent] } else { rows[parent] };
    }
    rows
}

/// The self values of a column in row order; a rest carries the totals of what it stands for.
pub(super) fn selves(profile: &Profile, cut: &Cut, selves: &[i64], totals: &[i64]) -> Vec<i64> {
    let mut shown = vec![false; profile.stacks.len()];
    for row in &cut.rows {
        if let Row::Node(node) = row {
            shown[node.index()] = true;
        }
    }
    let mut rest = vec![0; profile.stacks.len()];
    for node in profile.stacks.nodes().filter(|node| !shown[node.index()]) {
        let parent = profile.stacks.parent(node).index();
        if shown[parent] {
            rest[parent] += totals[node.index()];
        }
    }
    let value = |row: &Row| match row {
        Row::Node(node) => selves[node.index()],
        Row::Rest(node) => rest[node.index()],
    };
    cut.rows.iter().map(value).collect()
}
