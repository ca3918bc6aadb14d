//! The scene: what all rules see of a capture.

use flamelane_link::{Busy, Choice, IdleClass, Linked, NO_STEP};
use flamelane_model::labels::{shorter, shortest};
use flamelane_model::{Ns, StackId, StrId};

use crate::Thresholds;
use crate::draft::{About, Draft};
use crate::replayed::Replayed;
use crate::traits::{StackFacts, Traits};
use crate::words::{often, percent};

/// A capture and what the rules look up in it.
pub(crate) struct Scene<'a> {
    pub(crate) linked: &'a Linked,
    pub(crate) limits: &'a Thresholds,
    pub(crate) facts: StackFacts,
    pub(crate) replayed: Replayed,
    /// Rows of the devices in the verdict.
    pub(crate) judged: Vec<usize>,
    /// One a row of `judged`: its busy time over the whole file.
    pub(crate) busy: Vec<Busy>,
    /// Numbers of the kept steps, in order.
    pub(crate) kept: Vec<u32>,
    /// One a step: its position in `kept`.
    rank: Vec<Option<u32>>,
    /// Whether everything in the window counts, in a kept step or not.
    counts_all: bool,
    /// Mean time of a step on one device.
    pub(crate) step_ns: Ns,
    /// Time that counts, summed over the devices in the verdict.
    pub(crate) counted_ns: Ns,
    /// The frame below which nothing was recorded of the host.
    unrecorded: Option<StrId>,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(linked: &'a Linked, limits: &'a Thresholds) -> Self {
        let list = &linked.steps.list;
        let kept: Vec<u32> =
            (0..list.len()).filter(|&row| list[row].is_kept()).map(|row| row as u32).collect();
        let mut rank = vec![None; list.len()];
        for (position, &step) in kept.iter().enumerate() {
            rank[step as usize] = Some(position as u32);
        }
        let chosen_by_steps =
            matches!(linked.rules.choice, Choice::KeptSteps | Choice::Steps(..) | Choice::Phase(_));
        let judged = judged(linked);
        let busy = judged.iter().map(|&row| Busy::new(linked.devices[row].busy.clone())).collect();
        let mut scene = Self {
            linked,
            limits,
            facts: StackFacts::new(linked),
            replayed: Replayed::new(linked),
            busy,
            counts_all: kept.is_empty() || !chosen_by_steps,
            judged,
            kept,
            rank,
            step_ns: 0,
            counted_ns: 0,
            unrecorded: unrecorded(linked),
        };
        scene.counted_ns = scene.counted();
        let shares = scene.n_steps().saturating_mul(scene.judged.len().max(1) as Ns);
        scene.step_ns = scene.counted_ns / shares;
        scene
    }

    /// Number of kept steps, 1 where there are none.
    pub(crate) fn n_steps(&self) -> Ns {
        self.kept.len().max(1) as Ns
    }

    /// Whether time of a step counts.
    pub(crate) fn counts(&self, step: u32) -> bool {
        self.counts_all || self.rank_of(step).is_some()
    }

    /// The position of a step among the kept ones.
    pub(crate) fn rank_of(&self, step: u32) -> Option<usize> {
        self.rank.get(step as usize).copied().flatten().map(|rank| rank as usize)
    }

    /// Time that counts: busy and idle of the kept steps, work that was not recorded included.
    fn counted(&self) -> Ns {
        let mut sum: Ns = 0;
        for &device in &self.judged {
            for &(step, ns) in &self.linked.busy_of_step[device] {
                sum = sum.saturating_add(if self.counts(step) { ns } else { 0 });
            }
            let steps = &self.linked.idle.step_of_gap[device];
            for (gap, &step) in self.linked.devices[device].gaps.iter().zip(steps) {
                sum = sum.saturating_add(if self.counts(step) { gap.span.len() } else { 0 });
            }
        }
        sum
    }

    /// The kept step whose marker was open at an instant.
    pub(crate) fn step_at(&self, at: Ns) -> u32 {
        let list = &self.linked.steps.list;
        let after = self.kept.partition_point(|&step| list[step as usize].host.from <= at);
        let found = after.checked_sub(1).map(|last| self.kept[last]);
        found.filter(|&step| list[step as usize].host.holds(at)).unwrap_or(NO_STEP)
    }

    /// A share of the mean step, summed over the devices in the verdict.
    pub(crate) fn share_of_step(&self, ns: Ns) -> f64 {
        share(ns, self.counted_ns)
    }

    /// ns over all kept steps, per step.
    pub(crate) fn per_step(&self, ns: Ns) -> Ns {
        ns / self.n_steps()
    }

    /// How often something is: `once a step`, `2 × in 38 steps`; without steps, how often in all.
    pub(crate) fn often(&self, count: u64) -> String {
        often(count, self.kept.len() as u64)
    }

    /// A piece whose finding points at `site`, while the host ran `stack`.
    pub(crate) fn about(&self, site: StackId, stack: StackId) -> About {
        let inner = if self.is_unrecorded(stack) { stack } else { self.facts.real(stack) };
        let spot = self.spot(stack);
        About { site, inner: (self.name(inner), inner), spot: (self.name(spot), spot) }
    }

    /// Whether a stack says only that nothing was recorded of the host.
    pub(crate) fn is_unrecorded(&self, stack: StackId) -> bool {
        self.unrecorded == Some(self.name(stack))
    }

    pub(crate) fn name(&self, stack: StackId) -> StrId {
        self.linked.nested.stacks.frame(stack).name
    }

    /// The frame's name, fit for a sentence.
    pub(crate) fn short(&self, stack: StackId) -> String {
        let frame = self.linked.nested.stacks.frame(stack);
        shortest(&flamelane_link::comparison(self.linked.trace.text(frame.name)), frame.kind)
    }

    /// The first frames with their names, longer ones where the short ones are the same.
    pub(crate) fn named(&self, frames: &[(StackId, Ns)], most: usize) -> Vec<(String, Ns)> {
        let first = &frames[..frames.len().min(most)];
        let short: Vec<String> = first.iter().map(|&(frame, _)| self.short(frame)).collect();
        let is_twice = |name: &String| short.iter().filter(|other| *other == name).count() > 1;
        let row = |(name, &(frame, ns)): (&String, &(StackId, Ns))| {
            let longer = is_twice(name).then(|| self.longer(frame)).flatten();
            (longer.unwrap_or_else(|| name.clone()), ns)
        };
        short.iter().zip(first).map(row).collect()
    }

    /// The name one step longer than the shortest.
    fn longer(&self, stack: StackId) -> Option<String> {
        let frame = self.linked.nested.stacks.frame(stack);
        let text = flamelane_link::comparison(self.linked.trace.text(frame.name));
        let mut names = shorter(&text, frame.kind);
        names.pop()?;
        names.pop()
    }

    /// `frame` 41 %, `frame` 20 %.
    pub(crate) fn shares(&self, draft: &Draft, most: usize) -> String {
        let mut frames = draft.top_frames();
        let first = frames.first().map_or(0, |&(_, ns)| ns);
        // What would be written as 0.0 % says nothing beside the first.
        frames.retain(|&(_, ns)| ns == first || ns.saturating_mul(2_000) >= draft.owned);
        let shown = self.named(&frames, most).into_iter();
        let shown = shown.map(|(name, ns)| format!("`{name}` {}", percent(share(ns, draft.owned))));
        shown.collect::<Vec<String>>().join(", ")
    }

    /// The frame that a person would look at: the innermost of the user's own code, else of an
    /// engine, else the loader whose batch is made, else the operator. Where nothing was recorded, what encloses it explains nothing.
    pub(crate) fn spot(&self, stack: StackId) -> StackId {
        if self.is_unrecorded(stack) {
            return stack;
        }
        let facts = &self.facts;
        let loader = || {
            let is_loading = facts.of(stack).has(Traits::LOADING);
            is_loading.then(|| facts.outermost(self.linked, stack, Traits::LOADING))
        };
        facts.user(stack).or_else(loader).unwrap_or_else(|| facts.work(stack))
    }
}

/// The name of the frame below which nothing was recorded of the host.
fn unrecorded(linked: &Linked) -> Option<StrId> {
    let mut pieces = linked.idle.pieces.iter().flatten();
    let piece = pieces.find(|piece| piece.class == IdleClass::UnrecordedHost)?;
    Some(linked.nested.stacks.frame(piece.stack).name)
}

/// Devices with at least 1 % of the busiest one's busy time.
fn judged(linked: &Linked) -> Vec<usize> {
    let busiest = linked.devices.iter().map(flamelane_link::DeviceTime::busy_ns).max().unwrap_or(0);
    let works = |&row: &usize| linked.devices[row].busy_ns().saturating_mul(100) >= busiest;
    (0..linked.devices.len()).filter(works).collect()
}

pub(crate) fn share(part: Ns, whole: Ns) -> f64 {
    if whole <= 0 { 0.0 } else { part as f64 / whole as f64 }
}
