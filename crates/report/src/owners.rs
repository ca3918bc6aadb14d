//! Idle owners and device paths as the document lists them.

use std::collections::BTreeMap;

use flamelane_link::{IdleClass, Linked, comparison};
use flamelane_model::{Frame, FrameKind, Ns, Profile, StackId, Stacks, StrId, Strings, Weight};

use crate::document::{GpuPath, IdleOwner};

/// Most device paths listed.
const MOST_PATHS: usize = 50;

/// The names of a stack, root first, the thread left out.
pub(crate) fn names(profile: &Profile, stack: StackId) -> Vec<String> {
    let frames = profile.stacks.path(stack).into_iter();
    let frames = frames.filter(|frame| frame.kind != FrameKind::Thread);
    frames.map(|frame| profile.strings.text(frame.name).to_owned()).collect()
}

/// Every owner of idle time, largest first.
pub(crate) fn idle(linked: &Linked) -> Vec<IdleOwner> {
    let mut rows = linked.idle.owners.clone();
    rows.sort_by_key(|row| (std::cmp::Reverse(row.ns), row.stack));
    let n_steps = linked.n_steps() as Ns;
    let owner = |row: flamelane_link::IdleOf| {
        let stacks = &linked.nested.stacks;
        let frame = stacks.frame(row.stack);
        let is_host = matches!(row.class, IdleClass::LateHost | IdleClass::Overhead);
        let kind = frame.kind.name();
        let bucket = || linked.trace.text(frame.name).to_owned();
        let path = stacks.path(row.stack).into_iter();
        let path = path.filter(|frame| frame.kind != FrameKind::Thread);
        IdleOwner {
            owner: if is_host { kind.to_owned() } else { bucket() },
            frame: linked.trace.text(frame.name).to_owned(),
            class: row.class.name().to_owned(),
            kind: kind.to_owned(),
            stack: path.map(|frame| linked.trace.text(frame.name).to_owned()).collect(),
            user_frame: linked.user_frame(row.stack).map(str::to_owned),
            ns: row.ns,
            per_step_ns: row.ns / n_steps,
            count: row.count,
        }
    };
    rows.into_iter().map(owner).collect()
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
            group.ns += ns;
        }
    }
    let mut groups: Vec<Alike> = groups.into_values().collect();
    for group in &mut groups {
        group.nodes.sort_by_key(|node| (std::cmp::Reverse(selves[node.index()]), *node));
    }
    groups
}
