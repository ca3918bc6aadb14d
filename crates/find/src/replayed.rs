//! Replayed: how much of the work comes from launches of graphs already. Where that is most of it,
//! "use graphs" is no advice.

use flamelane_link::{Linked, NO_STEP, call_kind};
use flamelane_model::{FrameKind, Ns, StackId, StrId};
use rustc_hash::FxHashMap;

use crate::draft::Draft;
use crate::scene::{Scene, share};

/// From this share on the work is replayed.
const MOST: f64 = 0.5;

/// Device time by the step that launched it, and the part of it that graphs launched.
pub(crate) struct Replayed {
    /// One a step, and what is launched outside of them last: all of it, and what is replayed.
    of_step: Vec<(Ns, Ns)>,
    /// One a device span: whether a launch of a graph brought it.
    by_graph: Vec<bool>,
}

impl Replayed {
    pub(crate) fn new(linked: &Linked) -> Self {
        let device = &linked.trace.device;
        let mut of_step = vec![(0, 0); linked.steps.list.len() + 1];
        let mut known: FxHashMap<StrId, bool> = FxHashMap::default();
        let mut by_graph = vec![false; linked.origins.len()];
        for (span, origin) in linked.origins.iter().enumerate() {
            let Some(call) = origin.call() else { continue };
            let name = linked.trace.host.name[linked.trace.calls.span[call.index()].index()];
            let replays = || call_kind(linked.trace.text(name)).replays;
            by_graph[span] = *known.entry(name).or_insert_with(replays);
            let ns = linked.trust.end[span].saturating_sub(device.start[span]).max(0);
            let row = row(&of_step, linked.steps.of_span[span]);
            let (all, replayed): &mut (Ns, Ns) = &mut of_step[row];
            *all = all.saturating_add(ns);
            *replayed = replayed.saturating_add(if by_graph[span] { ns } else { 0 });
        }
        Self { of_step, by_graph }
    }

    /// Whether a launch of a graph brought a device span.
    pub(crate) fn is_replayed(&self, span: u32) -> bool {
        self.by_graph.get(span as usize) == Some(&true)
    }

    /// The share of the device work of some steps that is replayed.
    pub(crate) fn share_in(&self, steps: &[u32]) -> f64 {
        let of = steps.iter().map(|&step| self.of_step[row(&self.of_step, step)]);
        let (all, replayed) = of.fold((0, 0), |sum: (Ns, Ns), step| {
            (sum.0.saturating_add(step.0), sum.1.saturating_add(step.1))
        });
        share(replayed, all)
    }

    /// The share of the device work that is replayed in the steps of a draft, by what it owns there,
    /// where it is most.
    pub(crate) fn share_of(&self, draft: &Draft) -> Option<f64> {
        let weighed = draft.by_step.iter().map(|(step, owned)| {
            let (all, replayed) = self.of_step[row(&self.of_step, step)];
            share(owned, draft.owned) * share(replayed, all)
        });
        most(weighed.sum())
    }
}

/// A share that is most of it.
pub(crate) fn most(share: f64) -> Option<f64> {
    (share >= MOST).then_some(share)
}

fn row(of_step: &[(Ns, Ns)], step: u32) -> usize {
    let last = of_step.len() - 1;
    if step == NO_STEP { last } else { (step as usize).min(last) }
}

/// The share of a draft that passes inside launches of graphs, and one of these calls.
pub(crate) fn launching(scene: &Scene<'_>, draft: &Draft) -> (f64, Option<StackId>) {
    let frames = draft.top_frames().into_iter();
    let is_launch = |&(stack, _): &(StackId, Ns)| {
        let frame = scene.linked.nested.stacks.frame(stack);
        let name = scene.linked.trace.text(frame.name);
        frame.kind == FrameKind::Runtime && call_kind(name).replays
    };
    let launches: Vec<(StackId, Ns)> = frames.filter(is_launch).collect();
    let sum = launches.iter().fold(0, |sum: Ns, (_, ns)| sum.saturating_add(*ns));
    (share(sum, draft.owned), launches.first().map(|&(stack, _)| stack))
}
