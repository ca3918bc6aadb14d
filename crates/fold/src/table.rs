//! Tables: one row a name, with self, total, calls and the callers that split it.

use std::collections::BTreeMap;

use flamelane_link::{Nearness, Rules, nearness};
use flamelane_model::{Frame, FrameKind, Ns, Profile, StackId, Weight};

use crate::families::family_of;

/// What a row of a table stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Any frame.
    Frame,
    /// Device spans.
    Kernel,
    /// Operators.
    Op,
    /// Python functions.
    Python,
    /// The user's own functions.
    User,
    /// Modules.
    Module,
    /// Annotations.
    Annotation,
    /// Kernel families.
    Family,
}

impl Group {
    /// The group that `name` says.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "frame" => Self::Frame,
            "kernel" => Self::Kernel,
            "op" => Self::Op,
            "python" => Self::Python,
            "user" => Self::User,
            "module" => Self::Module,
            "annotation" => Self::Annotation,
            "family" => Self::Family,
            _ => return None,
        })
    }

    /// The row a frame belongs to, if any.
    fn key(self, frame: Frame, profile: &Profile, rules: &Rules) -> Option<(String, FrameKind)> {
        let name = || profile.strings.text(frame.name).to_owned();
        let wanted = match self {
            Self::Frame => true,
            Self::Kernel => frame.kind.is_device(),
            Self::Op => frame.kind == FrameKind::Op,
            Self::Python => frame.kind == FrameKind::Python,
            Self::Module => frame.kind == FrameKind::Module,
            Self::Annotation => frame.kind == FrameKind::Annotation,
            Self::User => {
                frame.kind == FrameKind::Python && nearness(&name(), rules) > Nearness::Library
            }
            Self::Family => {
                return family_of(frame.kind, &name(), rules).map(|family| (family, frame.kind));
            }
        };
        wanted.then(|| (name(), frame.kind))
    }
}

/// One row.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The name that the row stands for.
    pub name: String,
    /// The kind of its frames.
    pub kind: String,
    /// Weight for which this is the innermost row.
    pub self_value: i64,
    /// Weight below it, each stack counted once.
    pub total: i64,
    /// How often: device spans below it, else entries.
    pub calls: i64,
    /// The nearest frame of the user's own code, of the largest caller.
    pub user_frame: Option<String>,
    /// The paths that lead to it, largest first.
    pub callers: Vec<Caller>,
}

/// A path to a row.
#[derive(Clone, Debug, Default)]
pub struct Caller {
    /// Innermost operator above, or empty.
    pub op: String,
    /// Innermost frame of the user's own code, or empty.
    pub user_frame: String,
    /// Total weight by this path.
    pub total: i64,
    /// How often.
    pub calls: i64,
}

/// Rows of a profile under one weight, by total, largest first; of equal ones by name.
///
/// A stack that meets a row more than once counts once in its total; its caller is the innermost.
pub fn rows(profile: &Profile, weight: &Weight, group: Group, rules: &Rules) -> Vec<Row> {
    let selves = profile.selves(weight);
    let (calls, by_span) = counts(profile, weight);
    let (mut table, row_of) = keyed(profile, group, rules);
    let nearest = nearest(profile, &row_of);
    for node in profile.stacks.nodes() {
        if let Some(row) = nearest[node.index()] {
            let sum = &mut table[row].self_value;
            *sum = sum.saturating_add(selves[node.index()]);
        }
    }
    let outer = outer(profile, &row_of);
    let values = own_part(profile, &outer, selves);
    // Entries count for the frame entered alone, device spans for all above them.
    let counts = if by_span { own_part(profile, &outer, calls) } else { calls };
    let mut callers: Vec<BTreeMap<usize, (i64, i64)>> = vec![BTreeMap::new(); table.len()];
    let mut context = Context::new(profile, rules, group);
    for node in profile.stacks.nodes() {
        let (value, count) = (values[node.index()], counts[node.index()]);
        let Some(row) = row_of[node.index()].filter(|_| value != 0 || count != 0) else { continue };
        add(&mut table[row].total, value);
        add(&mut table[row].calls, count);
        let caller = callers[row].entry(context.caller(node)).or_default();
        add(&mut caller.0, value);
        add(&mut caller.1, count);
    }
    for (row, callers) in table.iter_mut().zip(callers) {
        finish(row, callers, &context.paths);
    }
    table.retain(|row| row.total != 0 || row.calls != 0);
    table.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.name.cmp(&b.name)));
    table
}

fn add(sum: &mut i64, value: i64) {
    *sum = sum.saturating_add(value);
}

/// The empty rows, and for each stack the row of its innermost frame.
fn keyed(profile: &Profile, group: Group, rules: &Rules) -> (Vec<Row>, Vec<Option<usize>>) {
    let mut keys: BTreeMap<(String, FrameKind), usize> = BTreeMap::new();
    let mut of_frame: BTreeMap<Frame, Option<usize>> = BTreeMap::new();
    let mut row_of = vec![None; profile.stacks.len()];
    for node in profile.stacks.nodes() {
        let frame = profile.stacks.frame(node);
        row_of[node.index()] = *of_frame.entry(frame).or_insert_with(|| {
            let next = keys.len();
            group.key(frame, profile, rules).map(|key| *keys.entry(key).or_insert(next))
        });
    }
    let mut table = vec![Row::default(); keys.len()];
    for ((name, kind), row) in keys {
        table[row].name = name;
        kind.name().clone_into(&mut table[row].kind);
    }
    (table, row_of)
}

/// For each stack, the row of the innermost frame that has one.
fn nearest(profile: &Profile, row_of: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut nearest = row_of.to_vec();
    for node in profile.stacks.nodes() {
        let above = nearest[profile.stacks.parent(node).index()];
        nearest[node.index()] = nearest[node.index()].or(above);
    }
    nearest
}

/// For each stack with a row, the nearest stack above it with the same row: recursion.
fn outer(profile: &Profile, row_of: &[Option<usize>]) -> Vec<Option<StackId>> {
    let stacks = &profile.stacks;
    let mut children: Vec<Vec<StackId>> = vec![Vec::new(); stacks.len()];
    for node in stacks.nodes() {
        children[stacks.parent(node).index()].push(node);
    }
    let mut outer = vec![None; stacks.len()];
    let n_rows = row_of.iter().flatten().max().map_or(0, |row| row + 1);
    // The innermost open stack of each row, while the tree is walked depth first.
    let mut open: Vec<Option<StackId>> = vec![None; n_rows];
    let mut walk = vec![(stacks.root(), false)];
    while let Some((node, leaves)) = walk.pop() {
        if let Some(row) = row_of[node.index()] {
            if leaves {
                open[row] = outer[node.index()];
                continue;
            }
            outer[node.index()] = open[row].replace(node);
            walk.push((node, true));
        }
        walk.extend(children[node.index()].iter().map(|&child| (child, false)));
    }
    outer
}

/// Totals without what a stack of the same row below already has.
fn own_part(profile: &Profile, outer: &[Option<StackId>], mut totals: Vec<i64>) -> Vec<i64> {
    profile.stacks.accumulate(&mut totals);
    let mut own = totals.clone();
    for (node, outer) in outer.iter().enumerate() {
        if let Some(outer) = outer {
            own[outer.index()] = own[outer.index()].saturating_sub(totals[node]);
        }
    }
    own
}

fn finish(row: &mut Row, callers: BTreeMap<usize, (i64, i64)>, paths: &[(String, String)]) {
    let callers = callers.into_iter().map(|(path, (total, calls))| Caller {
        op: paths[path].0.clone(),
        user_frame: paths[path].1.clone(),
        total,
        calls,
    });
    row.callers = callers.collect();
    row.callers.sort_by_key(|caller| std::cmp::Reverse(caller.total));
    let nearest = row.callers.iter().find(|caller| !caller.user_frame.is_empty());
    row.user_frame = nearest.map(|caller| caller.user_frame.clone());
}

/// How often each stack was met, under a weight, and whether by device spans: they are counted for
/// device weights, entries for the rest.
fn counts(profile: &Profile, weight: &Weight) -> (Vec<i64>, bool) {
    let mut launches = profile.selves(&Weight::Launches);
    match weight {
        Weight::Gpu | Weight::GpuBusy | Weight::Launches | Weight::Copies | Weight::CopyBytes => {
            for (slot, n) in launches.iter_mut().zip(profile.selves(&Weight::Copies)) {
                *slot += n;
            }
            (launches, true)
        }
        _ => (profile.selves(&Weight::Calls), false),
    }
}

/// What splits the rows: the operator and the user's frame above.
struct Context<'a> {
    profile: &'a Profile,
    rules: &'a Rules,
    group: Group,
    /// Distinct (operator, user's frame).
    paths: Vec<(String, String)>,
    row_of_path: BTreeMap<(String, String), usize>,
    /// One a string: how near it is as the name of a python frame.
    nearness: Vec<Option<Nearness>>,
}

impl<'a> Context<'a> {
    fn new(profile: &'a Profile, rules: &'a Rules, group: Group) -> Self {
        let nearness = vec![None; profile.strings.len()];
        let row_of_path = BTreeMap::new();
        Self { profile, rules, group, paths: Vec::new(), row_of_path, nearness }
    }

    fn caller(&mut self, node: StackId) -> usize {
        let path = self.path(node);
        let next = self.paths.len();
        let row = *self.row_of_path.entry(path.clone()).or_insert(next);
        if row == next {
            self.paths.push(path);
        }
        row
    }

    fn path(&mut self, node: StackId) -> (String, String) {
        let (mut op, mut engine, mut user) = ("", "", "");
        for above in self.profile.stacks.climb(node).skip(1) {
            let frame = self.profile.stacks.frame(above);
            let name = self.profile.strings.text(frame.name);
            if op.is_empty() && frame.kind == FrameKind::Op && self.group != Group::Op {
                op = name;
            }
            if frame.kind == FrameKind::Python {
                let known = &mut self.nearness[frame.name.index()];
                match *known.get_or_insert_with(|| nearness(name, self.rules)) {
                    Nearness::User => {
                        user = name;
                        break;
                    }
                    Nearness::Engine if engine.is_empty() => engine = name,
                    _ => {}
                }
            }
        }
        (op.to_owned(), if user.is_empty() { engine } else { user }.to_owned())
    }
}

/// Median, 99th percentile and largest of some durations, in ns, each the lower one of two; 0 for
/// none.
pub fn spread(mut durations: Vec<Ns>) -> (Ns, Ns, Ns) {
    durations.sort_unstable();
    let at = |share: usize| {
        let last = durations.len().saturating_sub(1);
        durations.get(last * share / 100).copied().unwrap_or(0)
    };
    (at(50), at(99), at(100))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write;

    use super::*;

    /// A profile of folded lines `op;op value`; names that end in `.py(1): f` are python frames.
    fn profile(lines: &str) -> Profile {
        let mut profile = Profile::new();
        for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (stack, value) = line.rsplit_once(' ').unwrap();
            let mut node = profile.stacks.root();
            for name in stack.split(';') {
                let is_python = name.contains(".py(");
                let kind = if is_python { FrameKind::Python } else { FrameKind::Op };
                let frame = Frame { name: profile.strings.intern(name), kind };
                node = profile.stacks.child(node, frame);
            }
            profile.add(Weight::Gpu, node, value.parse().unwrap());
            profile.add(Weight::Launches, node, 1);
        }
        profile
    }

    fn table(profile: &Profile, group: Group) -> Vec<Row> {
        rows(profile, &Weight::Gpu, group, &Rules::default())
    }

    #[test]
    fn a_function_that_calls_itself_counts_each_stack_once() {
        let found = table(&profile("a 1\n a;b 2\n a;b;a 4\n a;b;a;b 8"), Group::Op);
        let found: Vec<_> = found.iter().map(|r| (&*r.name, r.self_value, r.total)).collect();
        assert_eq!(found, [("a", 5, 15), ("b", 10, 14)]);
    }

    #[test]
    fn rows_split_by_the_users_frame_above() {
        let lines = "
            my/serve.py(1): decode;mm 30
            my/serve.py(9): prefill;mm 50
            torch/nn/module.py(1): f;mm 5
            ";
        let found = table(&profile(lines), Group::Op);
        let callers: Vec<_> =
            found[0].callers.iter().map(|c| (&*c.user_frame, c.total, c.calls)).collect();
        assert_eq!(
            callers,
            [("my/serve.py(9): prefill", 50, 1), ("my/serve.py(1): decode", 30, 1), ("", 5, 1)]
        );
        assert_eq!(found[0].user_frame.as_deref(), Some("my/serve.py(9): prefill"));
    }

    #[test]
    fn entries_count_for_the_frame_entered_alone() {
        let mut profile = profile("a;b 1");
        let nodes: Vec<StackId> = profile.stacks.nodes().collect();
        profile.add(Weight::Wall, nodes[1], 7);
        profile.add(Weight::Calls, nodes[0], 1);
        profile.add(Weight::Calls, nodes[1], 5);
        let found = rows(&profile, &Weight::Wall, Group::Op, &Rules::default());
        let found: Vec<_> = found.iter().map(|r| (&*r.name, r.total, r.calls)).collect();
        assert_eq!(found, [("a", 7, 1), ("b", 7, 5)]);
    }

    /// Totals by name the slow way: each stack asked for its distinct names.
    fn slow(profile: &Profile) -> BTreeMap<&str, i64> {
        let selves = profile.selves(&Weight::Gpu);
        let mut totals = BTreeMap::new();
        for node in profile.stacks.nodes().filter(|node| selves[node.index()] != 0) {
            let names = profile.stacks.names(node, &profile.strings);
            for name in names.into_iter().collect::<BTreeSet<_>>() {
                *totals.entry(name).or_default() += selves[node.index()];
            }
        }
        totals
    }

    #[test]
    fn totals_agree_with_the_slow_way_on_stacks_full_of_recursion() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888);
            (state >> 33) % below
        };
        let mut lines = String::new();
        for _ in 0..500 {
            let depth = 1 + random(12);
            let names: Vec<String> = (0..depth).map(|_| format!("f{}", random(4))).collect();
            writeln!(lines, "{} {}", names.join(";"), 1 + random(100)).unwrap();
        }
        let profile = profile(&lines);
        let found = table(&profile, Group::Op);
        let found: BTreeMap<&str, i64> = found.iter().map(|r| (&*r.name, r.total)).collect();
        assert_eq!(found, slow(&profile));
    }

    #[test]
    fn spreads_take_the_lower_of_two() {
        assert_eq!(spread(vec![4, 1, 3, 2]), (2, 3, 4));
        assert_eq!(spread(Vec::new()), (0, 0, 0));
    }
}
