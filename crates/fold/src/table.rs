//! Tables: one row a name, with self, total, calls and the callers that split it.

use std::collections::BTreeMap;

use flamelane_link::{Nearness, Rules, family, nearness};
use flamelane_model::{Frame, FrameKind, Ns, Profile, StackId, Weight};

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
                let named = matches!(frame.kind, FrameKind::Kernel | FrameKind::Comm);
                let family =
                    if named { family(&name(), rules) } else { frame.kind.name().to_owned() };
                return frame.kind.is_device().then_some((family, frame.kind));
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

/// Rows of a profile under one weight, by total, largest first.
pub fn rows(profile: &Profile, weight: &Weight, group: Group, rules: &Rules) -> Vec<Row> {
    let selves = profile.selves(weight);
    let (calls, by_span) = counts(profile, weight);
    let mut keys: BTreeMap<(String, FrameKind), usize> = BTreeMap::new();
    let key_of = |node| group.key(profile.stacks.frame(node), profile, rules);
    let mut row_of: Vec<Option<usize>> = vec![None; profile.stacks.len()];
    for node in profile.stacks.nodes() {
        row_of[node.index()] = key_of(node).map(|key| {
            let next = keys.len();
            *keys.entry(key).or_insert(next)
        });
    }
    let mut table = vec![Row::default(); keys.len()];
    for ((name, kind), row) in keys {
        table[row].name = name;
        kind.name().clone_into(&mut table[row].kind);
    }
    let mut callers: Vec<BTreeMap<usize, (i64, i64)>> = vec![BTreeMap::new(); table.len()];
    let mut context = Context::new(profile, rules, group);
    for node in profile.stacks.nodes() {
        let (value, count) = (selves[node.index()], calls[node.index()]);
        if value == 0 && count == 0 {
            continue;
        }
        let mut seen: Vec<usize> = Vec::new();
        for above in profile.stacks.climb(node) {
            let Some(row) = row_of[above.index()] else { continue };
            if seen.is_empty() {
                table[row].self_value += value;
            }
            if seen.contains(&row) {
                continue;
            }
            seen.push(row);
            table[row].total += value;
            // Entries count for the frame entered alone, device spans for all above them.
            let count = if by_span || above == node { count } else { 0 };
            table[row].calls += count;
            let caller = callers[row].entry(context.caller(above)).or_default();
            *caller = (caller.0 + value, caller.1 + count);
        }
    }
    for (row, callers) in table.iter_mut().zip(callers) {
        finish(row, callers, &context.paths);
    }
    table.retain(|row| row.total != 0 || row.calls != 0);
    table.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.name.cmp(&b.name)));
    table
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

/// What splits the rows: the operator and the user's frame above, worked out once a stack.
struct Context<'a> {
    profile: &'a Profile,
    rules: &'a Rules,
    group: Group,
    /// Distinct (operator, user's frame).
    paths: Vec<(String, String)>,
    row_of_path: BTreeMap<(String, String), usize>,
    of_node: Vec<Option<usize>>,
}

impl<'a> Context<'a> {
    fn new(profile: &'a Profile, rules: &'a Rules, group: Group) -> Self {
        let of_node = vec![None; profile.stacks.len()];
        let row_of_path = BTreeMap::new();
        Self { profile, rules, group, paths: Vec::new(), row_of_path, of_node }
    }

    fn caller(&mut self, node: StackId) -> usize {
        if let Some(path) = self.of_node[node.index()] {
            return path;
        }
        let path = self.path(node);
        let next = self.paths.len();
        let row = *self.row_of_path.entry(path.clone()).or_insert(next);
        if row == next {
            self.paths.push(path);
        }
        self.of_node[node.index()] = Some(row);
        row
    }

    fn path(&self, node: StackId) -> (String, String) {
        let (mut op, mut engine, mut user) = ("", "", "");
        for above in self.profile.stacks.climb(node).skip(1) {
            let frame = self.profile.stacks.frame(above);
            let name = self.profile.strings.text(frame.name);
            if op.is_empty() && frame.kind == FrameKind::Op && self.group != Group::Op {
                op = name;
            }
            if frame.kind == FrameKind::Python {
                match nearness(name, self.rules) {
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

/// Median, 99th percentile and largest of some durations.
pub fn spread(mut durations: Vec<Ns>) -> (Ns, Ns, Ns) {
    durations.sort_unstable();
    let at = |share: usize| {
        let last = durations.len().saturating_sub(1);
        durations.get(last * share / 100).copied().unwrap_or(0)
    };
    (at(50), at(99), at(100))
}
