//! Idle owners and device paths as the document lists them.

use std::collections::BTreeMap;

use flamelane_link::{IdleClass, Linked, comparison};
use flamelane_model::{Frame, FrameKind, Ns, Profile, StackId, Stacks, StrId, Strings, Weight};

use crate::document::{GpuPath, IdleOwner};

/// Most device paths listed.
const MOST_PATHS: usize = 50;
/// Most owners of idle time listed with their stack.
const MOST_OWNERS: usize = 200;

/// The names of a stack, root first, the thread left out.
pub(crate) fn names(profile: &Profile, stack: StackId) -> Vec<String> {
    let frames = profile.stacks.path(stack).into_iter();
    let frames = frames.filter(|frame| frame.kind != FrameKind::Thread);
    frames.map(|frame| profile.strings.text(frame.name).to_owned()).collect()
}

/// Owners of idle time, largest first. Stacks that differ only by the numbers of their modules are
/// one row; below the largest, rows are merged by frame, so that the sum stays the idle time.
pub(crate) fn idle(linked: &Linked, profile: &Profile) -> Vec<IdleOwner> {
    let class_of: BTreeMap<StackId, (IdleClass, u64)> =
        linked.idle.owners.iter().map(|of| (of.stack, (of.class, of.count))).collect();
    let mut groups = alike(profile, &profile.selves(&Weight::Idle));
    groups.sort_by_key(|group| (std::cmp::Reverse(group.ns), group.nodes[0]));
    let (first, rest) = groups.split_at(groups.len().min(MOST_OWNERS));
    let row = |group: &Alike| idle_row(linked, profile, group, &class_of);
    let with_stack = |group: &Alike| {
        let stack = names(profile, group.nodes[0]);
        IdleOwner { stack, ..row(group) }
    };
    let mut rows: Vec<IdleOwner> = first.iter().map(with_stack).collect();
    if !rest.is_empty() {
        rows.extend(merge_rest(rest.iter().map(row)));
        rows.sort_by(|a, b| b.ns.cmp(&a.ns).then_with(|| a.stack.cmp(&b.stack)));
    }
    for row in &mut rows {
        row.per_step_ns = row.ns / linked.n_steps() as Ns;
    }
    rows
}

/// The row of a group, its stack left empty: a flood of deep stacks must not be spelled out.
fn idle_row(
    linked: &Linked,
    profile: &Profile,
    group: &Alike,
    class_of: &BTreeMap<StackId, (IdleClass, u64)>,
) -> IdleOwner {
    let node = group.nodes[0];
    let frame = profile.stacks.frame(node);
    let text = profile.strings.text(frame.name).to_owned();
    let (class, _) = class_of.get(&node).copied().unwrap_or((IdleClass::LateHost, 0));
    let is_host = matches!(class, IdleClass::LateHost | IdleClass::Overhead);
    let counts = group.nodes.iter().filter_map(|node| class_of.get(node));
    IdleOwner {
        owner: if is_host { frame.kind.name().to_owned() } else { text.clone() },
        frame: text,
        class: class.name().to_owned(),
        kind: frame.kind.name().to_owned(),
        stack: Vec::new(),
        stacks: group.nodes.len() as u64,
        user_frame: linked.user_frame(node).map(str::to_owned),
        ns: group.ns,
        per_step_ns: 0,
        count: counts.map(|of| of.1).sum(),
    }
}

/// One row a frame: the small owners, whose single stacks nobody reads.
fn merge_rest(rest: impl Iterator<Item = IdleOwner>) -> Vec<IdleOwner> {
    let mut merged: BTreeMap<(String, String, Option<String>), IdleOwner> = BTreeMap::new();
    for row in rest {
        let key = (row.class.clone(), row.frame.clone(), row.user_frame.clone());
        match merged.get_mut(&key) {
            Some(sum) => {
                sum.ns = sum.ns.saturating_add(row.ns);
                sum.count += row.count;
                sum.stacks += row.stacks;
            }
            None => {
                let stack = vec![row.frame.clone()];
                merged.insert(key, IdleOwner { stack, ..row });
            }
        }
    }
    merged.into_values().collect()
}

/// The paths that launched most device time; those that differ only by the numbers of their modules
/// are one: 32 layers that launch the same kernel are one row.
pub(crate) fn gpu_paths(linked: &Linked, profile: &Profile) -> Vec<GpuPath> {
    let selves = profile.selves(&Weight::Gpu);
    let launches = profile.selves(&Weight::Launches);
    let copies = profile.selves(&Weight::Copies);
    let mut groups: Vec<Alike> = alike(profile, &selves);
    groups.sort_by_key(|group| (std::cmp::Reverse(group.ns), group.nodes[0]));
    groups.truncate(MOST_PATHS);
    let path = |group: Alike| {
        let node = group.nodes[0];
        let frame = profile.stacks.frame(node);
        let is_op = |above: &StackId| profile.stacks.frame(*above).kind == FrameKind::Op;
        let op = profile.stacks.climb(node).find(is_op);
        let op = op.map(|above| profile.strings.text(profile.stacks.frame(above).name).to_owned());
        let host =
            profile.stacks.climb(node).find(|above| above.index() < linked.nested.stacks.len());
        let count = |node: &StackId| launches[node.index()] + copies[node.index()];
        GpuPath {
            name: profile.strings.text(frame.name).to_owned(),
            kind: frame.kind.name().to_owned(),
            op,
            user_frame: host.and_then(|host| linked.user_frame(host)).map(str::to_owned),
            stack: names(profile, node),
            stacks: group.nodes.len() as u64,
            ns: group.ns,
            per_step_ns: group.ns / linked.n_steps() as Ns,
            count: group.nodes.iter().map(count).sum::<i64>() as u64,
        }
    };
    groups.into_iter().map(path).collect()
}

/// Stacks with the same comparison names, the one with most device time first.
struct Alike {
    nodes: Vec<StackId>,
    ns: Ns,
}

fn alike(profile: &Profile, selves: &[i64]) -> Vec<Alike> {
    let mut shared = Strings::new();
    let bare = |(_, name)| shared.intern(&comparison(name));
    let bare: Vec<StrId> = profile.strings.iter().map(bare).collect();
    let mut merged = Stacks::new();
    let mut merged_as = vec![merged.root(); profile.stacks.len()];
    let mut groups: BTreeMap<StackId, Alike> = BTreeMap::new();
    for node in profile.stacks.nodes() {
        let frame = profile.stacks.frame(node);
        let above = merged_as[profile.stacks.parent(node).index()];
        let group = merged.child(above, Frame { name: bare[frame.name.index()], kind: frame.kind });
        merged_as[node.index()] = group;
        let ns = selves[node.index()];
        if ns > 0 {
            let group = groups.entry(group).or_insert(Alike { nodes: Vec::new(), ns: 0 });
            group.nodes.push(node);
            group.ns = ns.saturating_add(group.ns);
        }
    }
    let mut groups: Vec<Alike> = groups.into_values().collect();
    for group in &mut groups {
        group.nodes.sort_by_key(|node| (std::cmp::Reverse(selves[node.index()]), *node));
    }
    groups
}
