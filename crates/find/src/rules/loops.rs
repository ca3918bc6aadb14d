//! `loop`: the same small work again and again below one python frame.
//!
//! A loop owns no time: fences, islands and dispatch own the gaps in it. It says where one batched
//! call would do.

use flamelane_link::{IdleClass, Linked};
use flamelane_model::{DeviceKind, FrameKind, Ns, StackId};

use crate::draft::{Draft, Drafts};
use crate::finding::{Figure, Words};
use crate::kind::Kind;
use crate::lost::DeviceLoss;
use crate::scene::Scene;
use crate::words::{percent, time};

/// Most loops told.
const MOST: usize = 3;
/// Rounds with more device work than this are no small work.
const SMALL: Ns = 200_000;
/// Functions that stand between a caller and what it calls.
const WRAPPERS: [&str; 12] = [
    "_call_impl",
    "_wrapped_call_impl",
    "__call__",
    "forward",
    "wrapper",
    "wrapped",
    "inner",
    "_fn",
    "decorate_context",
    "__next__",
    "__iter__",
    "<listcomp>",
];

/// A child that its parent calls again and again.
struct Loop {
    child: StackId,
    rounds: u64,
    parents: u64,
    launches: i64,
    device: Ns,
    idle: Ns,
}

impl Loop {
    /// Idle time below it, and the device time of work that is small enough to batch.
    fn gain(&self) -> Ns {
        let small = self.device / self.rounds.max(1) as Ns <= SMALL;
        let device = if small && self.launches > 0 { self.device } else { 0 };
        self.idle.max(device)
    }
}

/// One draft a loop, of those with most to win.
pub(crate) fn claim(scene: &Scene<'_>, lost: &[DeviceLoss], drafts: &mut Drafts) {
    let candidates = candidates(scene);
    if candidates.is_empty() {
        return;
    }
    let (launches, device, idle) = sums(scene, lost);
    let of = |&(child, rounds, parents): &(StackId, u64, u64)| Loop {
        child,
        rounds,
        parents,
        launches: launches[child.index()],
        device: device[child.index()],
        idle: idle[child.index()],
    };
    let large = |found: &Loop| scene.share_of_step(found.gain()) >= scene.limits.headline_share;
    let mut loops: Vec<Loop> = candidates.iter().map(of).filter(large).collect();
    loops.sort_by_key(|found| (std::cmp::Reverse(found.gain()), found.child));
    let mut told: Vec<StackId> = Vec::new();
    for found in loops {
        let stacks = &scene.linked.nested.stacks;
        let inside = |outer: &StackId, inner: StackId| stacks.climb(inner).any(|n| n == *outer);
        let is_same = |other: &StackId| inside(other, found.child) || inside(&found.child, *other);
        if told.len() == MOST || told.iter().any(is_same) {
            continue;
        }
        told.push(found.child);
        tell_of(&found, drafts);
    }
}

/// (child, rounds, instances of its parent) of what is called often below a python frame.
fn candidates(scene: &Scene<'_>) -> Vec<(StackId, u64, u64)> {
    let linked = scene.linked;
    let stacks = &linked.nested.stacks;
    let entered =
        |node: StackId| linked.nested.entered.get(node.index()).copied().map_or(0, u64::from);
    let found = stacks.nodes().filter_map(|child| {
        let parent = stacks.parent(child);
        let (rounds, parents) = (entered(child), entered(parent));
        let often = parents > 0 && rounds >= scene.limits.loop_times.saturating_mul(parents);
        (often && is_loop(linked, parent, child)).then_some((child, rounds, parents))
    });
    found.collect()
}

/// Whether a python function calls something that is more than a wrapper or a layer.
fn is_loop(linked: &Linked, parent: StackId, child: StackId) -> bool {
    let stacks = &linked.nested.stacks;
    let (parent, child) = (stacks.frame(parent), stacks.frame(child));
    if parent.kind != FrameKind::Python || !matches!(child.kind, FrameKind::Python | FrameKind::Op)
    {
        return false;
    }
    let name = linked.trace.text(child.name);
    let function = name.rsplit(": ").next().unwrap_or(name);
    let is_marker = linked.steps.list.first().is_some_and(|step| step.name.starts_with(name));
    !WRAPPERS.contains(&function) && !is_marker
}

/// Launches, device time and idle time by stack, what is below included.
fn sums(scene: &Scene<'_>, lost: &[DeviceLoss]) -> (Vec<i64>, Vec<Ns>, Vec<Ns>) {
    let linked = scene.linked;
    let n = linked.nested.stacks.len();
    let (mut launches, mut device, mut idle) = (vec![0; n], vec![0; n], vec![0; n]);
    for (span, origin) in linked.origins.iter().enumerate() {
        let counts = linked.window.selected[span] && scene.counts(linked.steps.of_span[span]);
        let Some(call) = origin.call().filter(|_| counts) else { continue };
        let row = linked.nested.call_stack[call.index()].index();
        launches[row] += 1;
        if linked.trace.device.kind[span] == DeviceKind::Kernel {
            let ns = linked.trust.end[span].saturating_sub(linked.trace.device.start[span]);
            device[row] = ns.saturating_add(device[row]);
        }
    }
    for piece in lost.iter().flat_map(|loss| &loss.pieces) {
        let host = matches!(piece.class, IdleClass::LateHost | IdleClass::LaunchLatency);
        if host || piece.class == IdleClass::CopyCall {
            let row = &mut idle[piece.stack.index()];
            *row = piece.ns().saturating_add(*row);
        }
    }
    for column in [&mut launches, &mut device, &mut idle] {
        linked.nested.stacks.accumulate(column);
    }
    (launches, device, idle)
}

fn tell_of(found: &Loop, drafts: &mut Drafts) {
    let number = drafts.of(Kind::Loop, found.child.0, found.child);
    let draft = drafts.get(number);
    draft.always = true;
    draft.count = found.rounds;
    draft.max_gain = Some(found.gain());
    let each = |ns: Ns| ns / found.rounds.max(1) as Ns;
    draft.evidence = vec![
        ("rounds", Figure::Count(found.rounds)),
        ("rounds_per_parent", Figure::Number(found.rounds as f64 / found.parents.max(1) as f64)),
        ("launches_per_round", Figure::Number(found.launches as f64 / found.rounds.max(1) as f64)),
        ("device_ns_per_round", Figure::Ns(each(found.device))),
        ("idle_ns_per_round", Figure::Ns(each(found.idle))),
        ("idle_below_ns", Figure::Ns(found.idle)),
        ("device_below_ns", Figure::Ns(found.device)),
    ];
}

/// The sentence of a draft.
pub(crate) fn tell(scene: &Scene<'_>, draft: &Draft) -> Words {
    let stacks = &scene.linked.nested.stacks;
    let (child, parent) = (draft.site, stacks.parent(draft.site));
    let idle = draft.ns("idle_below_ns");
    let of_round = draft.ns("device_ns_per_round");
    let work = match of_round {
        0 => "without kernels".to_owned(),
        _ => format!("with {} of kernels a round", time(of_round)),
    };
    let sentence = format!(
        "`{}` runs {:.0} × in each `{}`, {}, {work}; {} a step ({}) the device waits below it",
        scene.short(child),
        draft.number("rounds_per_parent"),
        scene.short(parent),
        scene.often(draft.count),
        time(scene.per_step(idle)),
        percent(scene.share_of_step(idle)),
    );
    let experiment = if of_round == 0 {
        "one call for all rounds: vectorised code, or tensors on the device; else worker processes"
    } else {
        "one batched call for all rounds: bmm, grouped GEMM, vmap, `torch._foreach_*`, or a kernel that \
         takes the list"
    };
    Words {
        subject: format!("`{}` in `{}`", scene.short(child), scene.short(parent)),
        sentence,
        experiment: experiment.to_owned(),
    }
}
