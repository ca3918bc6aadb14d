//! The tally: where the time that counts went, by step, so that any set of steps can be judged.

use flamelane_link::{Class, IdleClass, NO_STEP};
use flamelane_model::Ns;

use crate::Thresholds;
use crate::draft::Drafts;
use crate::kind::Bound;
use crate::lost::DeviceLoss;
use crate::scene::{Scene, share};

/// Where time went, summed over the devices in the verdict. Work that was not recorded is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Compute ran.
    pub compute: Ns,
    /// What was lost, by [`Bound`], in the order of [`Bound::ALL`].
    pub lost: [Ns; Bound::ALL.len()],
    /// Lost for no reason that the capture shows.
    pub unexplained: Ns,
    /// Time in which work may have run that was not recorded; part of no other figure.
    pub not_recorded: Ns,
}

/// The answer to "what is it bound by".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The device computes most of the time.
    Gpu,
    /// The largest class of lost time.
    Bound(Bound),
    /// Lost time that the capture does not explain.
    Unknown,
}

impl Judgement {
    /// The verdict's word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gpu => "gpu-bound",
            Self::Bound(bound) => bound.name(),
            Self::Unknown => "unknown",
        }
    }
}

impl Tally {
    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        self.compute = self.compute.saturating_add(other.compute);
        for (sum, more) in self.lost.iter_mut().zip(other.lost) {
            *sum = sum.saturating_add(more);
        }
        self.unexplained = self.unexplained.saturating_add(other.unexplained);
        self.not_recorded = self.not_recorded.saturating_add(other.not_recorded);
    }

    /// All of it but what was not recorded.
    pub fn whole(&self) -> Ns {
        let lost = self.lost.iter().fold(0, |sum: Ns, &ns| sum.saturating_add(ns));
        self.compute.saturating_add(lost).saturating_add(self.unexplained)
    }

    /// Lost to one class.
    pub fn of(&self, bound: Bound) -> Ns {
        self.lost[bound as usize]
    }

    /// GPU-bound, else the largest class.
    pub fn judge(&self, limits: &Thresholds) -> Judgement {
        let whole = self.whole();
        let compute = share(self.compute, whole);
        let largest = Bound::ALL.into_iter().max_by_key(|&b| (self.of(b), std::cmp::Reverse(b)));
        let Some(largest) = largest else { return Judgement::Unknown };
        let most = self.of(largest).max(self.unexplained);
        let is_clear = share(most, whole) < limits.class_share;
        if whole > 0
            && (compute >= limits.gpu_bound_share
                || compute >= limits.gpu_bound_least_share && is_clear)
        {
            return Judgement::Gpu;
        }
        if self.of(largest) == 0 || self.unexplained > self.of(largest) {
            return Judgement::Unknown;
        }
        Judgement::Bound(largest)
    }
}

/// The tallies of all steps, and of what counts outside them last.
pub(crate) fn tallies(scene: &Scene<'_>, lost: &[DeviceLoss], drafts: &Drafts) -> Vec<Tally> {
    let linked = scene.linked;
    let n_steps = linked.steps.list.len();
    let mut tallies = vec![Tally::default(); n_steps + 1];
    let row = |step: u32| if step == NO_STEP { n_steps } else { step as usize };
    for loss in lost {
        for &(step, ns) in linked.busy_of_step[loss.device].iter().filter(|(s, _)| scene.counts(*s))
        {
            let tally = &mut tallies[row(step)];
            tally.compute = tally.compute.saturating_add(ns);
        }
        for bare in linked.exposed[loss.device].iter().filter(|bare| scene.counts(bare.step)) {
            let bound = if bare.class == Class::Comm { Bound::Communication } else { Bound::Copy };
            let tally = &mut tallies[row(bare.step)];
            tally.compute = tally.compute.saturating_sub(bare.time.len());
            let slot = &mut tally.lost[bound as usize];
            *slot = slot.saturating_add(bare.time.len());
        }
        for piece in &loss.pieces {
            let owner = piece.owner.and_then(|owner| drafts.list[owner as usize].kind.bound());
            let is_device = matches!(
                piece.class,
                IdleClass::Dispatch
                    | IdleClass::InsideGraph
                    | IdleClass::StreamWait
                    | IdleClass::DeviceOther
            );
            let bound = owner.or(is_device.then_some(Bound::Dependency));
            let tally = &mut tallies[row(piece.step)];
            let slot = match bound {
                Some(bound) => &mut tally.lost[bound as usize],
                None => &mut tally.unexplained,
            };
            *slot = slot.saturating_add(piece.ns());
        }
        let steps = &linked.idle.step_of_gap[loss.device];
        for piece in &linked.idle.pieces[loss.device] {
            let step = steps[piece.gap as usize];
            if piece.class == IdleClass::NotRecorded && scene.counts(step) {
                let slot = &mut tallies[row(step)].not_recorded;
                *slot = slot.saturating_add(piece.time.len());
            }
        }
    }
    tallies
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(compute: Ns, lost: &[(Bound, Ns)]) -> Tally {
        let mut tally = Tally { compute, ..Tally::default() };
        for &(bound, ns) in lost {
            tally.lost[bound as usize] = ns;
        }
        tally
    }

    fn word(compute: Ns, lost: &[(Bound, Ns)]) -> &'static str {
        tally(compute, lost).judge(&Thresholds::default()).name()
    }

    #[test]
    fn the_verdict_is_the_first_that_holds() {
        assert_eq!(word(85, &[(Bound::Sync, 15)]), "gpu-bound");
        assert_eq!(word(84, &[(Bound::Sync, 16)]), "sync-bound");
        assert_eq!(word(76, &[(Bound::Sync, 8), (Bound::Host, 8), (Bound::Copy, 8)]), "gpu-bound");
        assert_eq!(word(50, &[(Bound::Launch, 26), (Bound::Host, 24)]), "launch-bound");
        assert_eq!(word(50, &[(Bound::Host, 25), (Bound::Copy, 25)]), "copy-bound", "in order");
        assert_eq!(word(0, &[]), "unknown");
        let dark = Tally { unexplained: 60, ..tally(20, &[(Bound::Host, 20)]) };
        assert_eq!(dark.judge(&Thresholds::default()), Judgement::Unknown);
    }
}
