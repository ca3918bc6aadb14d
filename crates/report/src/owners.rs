//! Idle owners and device paths as the document lists them.

use flamelane_link::{IdleClass, Linked};
use flamelane_model::{FrameKind, Ns, Profile, StackId, Weight};

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

/// The paths that launched most device time.
pub(crate) fn gpu_paths(linked: &Linked, profile: &Profile) -> Vec<GpuPath> {
    let selves = profile.selves(&Weight::Gpu);
    let launches = profile.selves(&Weight::Launches);
    let copies = profile.selves(&Weight::Copies);
    let mut nodes: Vec<StackId> =
        profile.stacks.nodes().filter(|node| selves[node.index()] > 0).collect();
    nodes.sort_by_key(|node| (std::cmp::Reverse(selves[node.index()]), *node));
    nodes.truncate(MOST_PATHS);
    let path = |node: StackId| {
        let frame = profile.stacks.frame(node);
        let is_op = |above: &StackId| profile.stacks.frame(*above).kind == FrameKind::Op;
        let op = profile.stacks.climb(node).find(is_op);
        let op = op.map(|above| profile.strings.text(profile.stacks.frame(above).name).to_owned());
        let host =
            profile.stacks.climb(node).find(|above| above.index() < linked.nested.stacks.len());
        let ns = selves[node.index()];
        GpuPath {
            name: profile.strings.text(frame.name).to_owned(),
            kind: frame.kind.name().to_owned(),
            op,
            user_frame: host.and_then(|host| linked.user_frame(host)).map(str::to_owned),
            stack: names(profile, node),
            ns,
            per_step_ns: ns / linked.n_steps() as Ns,
            count: (launches[node.index()] + copies[node.index()]) as u64,
        }
    };
    nodes.into_iter().map(path).collect()
}
