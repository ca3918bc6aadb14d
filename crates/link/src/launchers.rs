//! Launchers: which threads launched on a device, and when.

use flamelane_model::{LaneId, Ns};

use crate::busy::DeviceTime;
use crate::owners::Facts;

/// The launches of one device in order of time, and their threads.
pub(crate) struct Launchers {
    at: Vec<Ns>,
    lane: Vec<LaneId>,
    /// The last thread before this launch that is not this launch's.
    other: Vec<Option<LaneId>>,
    /// The row of the last launch before this one by another thread.
    turn: Vec<Option<usize>>,
}

impl Launchers {
    pub(crate) fn new(facts: &Facts<'_>, device: &DeviceTime) -> Self {
        let calls = device.order.iter().filter_map(|&span| facts.call(span));
        let mut launches: Vec<(Ns, LaneId)> = Vec::with_capacity(device.order.len());
        launches.extend(calls.map(|(_, time, lane)| (time.from, lane)));
        launches.sort_unstable();
        launches.dedup();
        let n = launches.len();
        let (mut at, mut lanes) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let (mut others, mut turns) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for (time, lane) in launches {
            let other = match (lanes.last(), others.last()) {
                (Some(&last), _) if last != lane => Some(last),
                (_, Some(&other)) => other,
                _ => None,
            };
            let before = at.len().checked_sub(1);
            let turn: Option<usize> = match before {
                Some(row) if lanes[row] != lane => Some(row),
                Some(row) => turns[row],
                None => None,
            };
            at.push(time);
            turns.push(turn);
            lanes.push(lane);
            others.push(other);
        }
        Self { at, lane: lanes, other: others, turn: turns }
    }

    /// The thread of the last launch before `at`, else of the first after, and the one before it.
    pub(crate) fn last_before(&self, at: Ns) -> Option<(LaneId, Option<LaneId>)> {
        let row = self.at.partition_point(|&time| time < at).saturating_sub(1);
        Some((*self.lane.get(row)?, self.other[row]))
    }

    /// The last thread other than `lane` that launched before `at`.
    pub(crate) fn other_before(&self, at: Ns, lane: LaneId) -> Option<LaneId> {
        let row = self.at.partition_point(|&time| time <= at).checked_sub(1)?;
        if self.lane[row] == lane { self.other[row] } else { Some(self.lane[row]) }
    }

    /// The threads that launch on the device, those that did last before `at` first.
    pub(crate) fn recent(&self, at: Ns) -> Vec<LaneId> {
        let mut recent: Vec<LaneId> = Vec::new();
        let mut row = self.at.partition_point(|&time| time <= at).checked_sub(1);
        while let Some(here) = row {
            let lane = self.lane[here];
            if recent.contains(&lane) || recent.len() >= MOST_THREADS {
                break;
            }
            recent.push(lane);
            row = self.turn[here];
        }
        let later = self.lane[self.at.partition_point(|&time| time <= at)..].first();
        recent.extend(later.filter(|lane| !recent.contains(lane)));
        recent
    }
}

/// Most threads looked at to explain one wait.
const MOST_THREADS: usize = 8;
