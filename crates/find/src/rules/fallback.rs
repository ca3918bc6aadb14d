//! `graph-fallback`: the steps form two populations for the same device work: one replays graphs, the
//! other launches one by one.

use std::collections::BTreeMap;

use flamelane_model::Ns;

use crate::draft::{Draft, Drafts};
use crate::finding::{Figure, Words};
use crate::kind::Kind;
use crate::lost::{DeviceLoss, Lost};
use crate::replayed::most;
use crate::scene::Scene;
use crate::words::{many, time};

/// The two populations, as numbers of steps.
pub(crate) struct Split {
    pub(crate) few: Vec<u32>,
    pub(crate) many: Vec<u32>,
}

/// What the steps of a population have in common.
#[derive(Clone, Copy)]
struct Typical {
    wall: Ns,
    idle: Ns,
    work: Ns,
    launches: u64,
}

/// Idle time of a slow step that is still to come.
struct Left {
    usual: Ns,
    excess: Ns,
}

/// Gives the idle time by which the slow population exceeds the fast one to one draft.
pub(crate) fn claim(scene: &Scene<'_>, lost: &mut [DeviceLoss], drafts: &mut Drafts) {
    let Some(split) = split(scene) else { return };
    let (fast, slow) = (typical(scene, &split.few), typical(scene, &split.many));
    let limits = scene.limits;
    let replayed = |steps: &[u32]| most(scene.replayed.share_in(steps)).is_some();
    let falls_back = replayed(&split.few) && !replayed(&split.many);
    let unlike = (slow.work - fast.work).abs() as f64;
    let is_slower = slow.wall as f64 >= fast.wall as f64 * limits.fallback_slower_times;
    if unlike > limits.fallback_work_share * fast.work as f64
        || !is_slower
        || !falls_back
        || slow.idle <= fast.idle
    {
        return;
    }
    let Some(site) = take(scene, &split.many, fast.idle, lost, drafts) else { return };
    let draft = drafts.get(site);
    draft.count = split.many.len() as u64;
    draft.evidence.extend([
        ("boundary", Figure::Text(boundary(scene, &split))),
        ("steps_fast", Figure::Count(split.few.len() as u64)),
        ("steps_slow", Figure::Count(split.many.len() as u64)),
        ("launches_fast", Figure::Count(fast.launches)),
        ("launches_slow", Figure::Count(slow.launches)),
        ("step_fast_ns", Figure::Ns(fast.wall)),
        ("step_slow_ns", Figure::Ns(slow.wall)),
        ("work_fast_ns", Figure::Ns(fast.work)),
        ("work_slow_ns", Figure::Ns(slow.work)),
        ("ratio", Figure::Number(slow.wall as f64 / fast.wall.max(1) as f64)),
    ]);
}

/// Splits the kept steps at the largest jump of their number of launches.
pub(crate) fn split(scene: &Scene<'_>) -> Option<Split> {
    let list = &scene.linked.steps.list;
    let working = scene.kept.iter().copied().filter(|&step| list[step as usize].gpu > 0);
    let mut steps: Vec<(u64, u32)> =
        working.map(|step| (list[step as usize].launch_calls.max(1), step)).collect();
    steps.sort_unstable();
    let jump = |i: &usize| steps[*i].0 as f64 / steps[i - 1].0 as f64;
    let at = (1..steps.len()).max_by(|a, b| jump(a).total_cmp(&jump(b)))?;
    if jump(&at) < scene.limits.fallback_launch_times {
        return None;
    }
    let numbers = |part: &[(u64, u32)]| {
        let mut numbers: Vec<u32> = part.iter().map(|&(_, step)| step).collect();
        numbers.sort_unstable();
        numbers
    };
    let split = Split { few: numbers(&steps[..at]), many: numbers(&steps[at..]) };
    // One odd step is a straggler, not a population.
    (split.few.len() >= 2 && split.many.len() >= 2).then_some(split)
}

fn typical(scene: &Scene<'_>, steps: &[u32]) -> Typical {
    let linked = scene.linked;
    let (busy, idle) = (&linked.per_step.busy, &linked.per_step.idle);
    let of = |value: &dyn Fn(usize) -> Ns| {
        let mut values: Vec<Ns> = steps.iter().map(|&step| value(step as usize)).collect();
        let middle = (values.len() - 1) / 2;
        *values.select_nth_unstable(middle).1
    };
    Typical {
        wall: of(&|step| linked.per_device(busy[step].saturating_add(idle[step]))),
        idle: of(&|step| idle[step]),
        work: of(&|step| linked.steps.list[step].gpu),
        launches: of(&|step| linked.steps.list[step].launch_calls as Ns) as u64,
    }
}

/// Takes what each slow step idles beyond `usual`. The first part of its idle time is the usual one:
/// it follows the step before.
fn take(
    scene: &Scene<'_>,
    slow: &[u32],
    usual: Ns,
    lost: &mut [DeviceLoss],
    drafts: &mut Drafts,
) -> Option<u32> {
    let mut left: BTreeMap<u32, Left> = slow
        .iter()
        .map(|&step| {
            let excess = scene.linked.per_step.idle[step as usize].saturating_sub(usual);
            (step, Left { usual, excess })
        })
        .collect();
    let mut number = None;
    for loss in lost {
        let mut pieces = Vec::with_capacity(loss.pieces.len());
        for &piece in &loss.pieces {
            let Some(left) = left.get_mut(&piece.step).filter(|left| left.excess > 0) else {
                pieces.push(piece);
                continue;
            };
            let (first, rest) = piece.split(left.usual);
            left.usual -= first.ns();
            pieces.extend((first.ns() > 0).then_some(first));
            let Some(piece) = rest.filter(Lost::is_free) else {
                pieces.extend(rest);
                continue;
            };
            let (mut taken, rest) = piece.split(left.excess);
            left.excess -= taken.ns();
            let row = *number.get_or_insert_with(|| drafts.of(Kind::GraphFallback, 0, piece.stack));
            drafts.give(row, &mut taken, loss.device, scene.about(piece.stack, piece.stack));
            pieces.push(taken);
            pieces.extend(rest);
        }
        loss.pieces = pieces;
    }
    number
}

/// What tells the populations apart: the batch, else the place in the run.
pub(crate) fn boundary(scene: &Scene<'_>, split: &Split) -> String {
    let list = &scene.linked.steps.list;
    let batches = |steps: &[u32]| -> Option<(u64, u64)> {
        let all: Option<Vec<u64>> = steps.iter().map(|&step| list[step as usize].batch).collect();
        let all = all?;
        Some((*all.iter().min()?, *all.iter().max()?))
    };
    if let (Some(fast), Some(slow)) = (batches(&split.few), batches(&split.many)) {
        if fast.1 < slow.0 {
            return format!("above batch {}", fast.1);
        }
        if slow.1 < fast.0 {
            return format!("below batch {}", fast.0);
        }
    }
    let (fast, slow) = (&split.few, &split.many);
    let name = |step: u32| format!("`{}`", list[step as usize].name);
    if fast[fast.len() - 1] < slow[0] {
        return format!("from step {} on ({})", slow[0], name(slow[0]));
    }
    if slow[slow.len() - 1] < fast[0] {
        return format!("until step {} ({})", slow[slow.len() - 1], name(slow[slow.len() - 1]));
    }
    format!("in {} that no batch size or place tells apart", many(slow.len() as u64, "step"))
}

/// The sentence of a draft.
pub(crate) fn tell(_scene: &Scene<'_>, draft: &Draft) -> Words {
    let (ns, count) = (|name| draft.ns(name), |name| draft.count_of(name));
    let (boundary, ratio) = (draft.text("boundary"), draft.number("ratio"));
    let (fast, slow) = (count("launches_fast"), count("launches_slow"));
    let sentence = format!(
        "two kinds of steps with the same device work ({} and {}): {boundary} a step takes {} instead of \
         {} ({ratio:.2} ×), launched {slow} × instead of {fast} ×: no graph is replayed there",
        time(ns("work_slow_ns")),
        time(ns("work_fast_ns")),
        time(ns("step_slow_ns")),
        time(ns("step_fast_ns")),
    );
    let experiment = "capture graphs for those batch sizes too (vLLM: cudagraph_capture_sizes; SGLang: \
                      --cuda-graph-max-bs), or pad to a captured size";
    Words { subject: format!("steps {boundary}"), sentence, experiment: experiment.to_owned() }
}
