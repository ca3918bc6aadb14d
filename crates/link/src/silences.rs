//! Silences: stretches in which the host waits for a device that shows no work.
//!
//! A synchronise call returns as soon as the work before it is done. One that goes on for long while
//! nothing runs waits for work that was not recorded.

use std::collections::BTreeMap;

use flamelane_model::{Interval, Ns, ProcessId, union};

use crate::busy::{DeviceTime, Ground};
use crate::waits::Wait;

/// Waking up takes microseconds; waits in real files are longer by a millisecond at most, the last
/// one of a run aside.
const LONG: Ns = 2_000_000;

/// The stretches, disjoint and in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Silences(Vec<Interval>);

impl Silences {
    /// Looks at the synchronise calls.
    pub(crate) fn find(ground: &Ground<'_>, waits: &[Wait], devices: &[DeviceTime]) -> Self {
        let is_long =
            |wait: &&Wait| !wait.is_copy && wait.time.len().saturating_sub(wait.absorbed) >= LONG;
        let mut waiting: BTreeMap<ProcessId, Vec<Interval>> = BTreeMap::new();
        for wait in waits.iter().filter(is_long) {
            let lane = ground.trace.host.lane[wait.span.index()];
            waiting.entry(ground.trace.lane(lane).process).or_default().push(wait.time);
        }
        let mut silences = Vec::new();
        for (process, times) in waiting {
            let busy = busy_of(ground, devices, process);
            for time in union(times) {
                silences.extend(holes(&busy, time).filter(|hole| hole.len() >= LONG));
            }
        }
        Self(union(silences))
    }

    /// The parts of a stretch of time that are silent.
    pub(crate) fn inside(&self, from: Ns, to: Ns) -> Vec<Interval> {
        let time = Interval::new(from, to.max(from));
        let first = self.0.partition_point(|silence| silence.to <= time.from);
        let inside = self.0[first..].iter().take_while(|silence| silence.from < time.to);
        inside.map(|silence| silence.clip(time)).collect()
    }
}

/// When a device of the process is busy; one of which the process is not known may be its own.
fn busy_of(ground: &Ground<'_>, devices: &[DeviceTime], process: ProcessId) -> Vec<Interval> {
    let is_own = |device: &&DeviceTime| {
        let of = ground.trace.devices[device.device.index()].process;
        of.is_none_or(|of| of == process)
    };
    union(devices.iter().filter(is_own).flat_map(|device| device.busy.iter().copied()).collect())
}

/// The stretches of `time` that `busy` leaves.
fn holes(busy: &[Interval], time: Interval) -> impl Iterator<Item = Interval> {
    let first = busy.partition_point(|run| run.to <= time.from);
    let runs = busy[first..].iter().take_while(move |run| run.from < time.to);
    let ends = runs.clone().map(|run| run.to);
    let starts = runs.map(|run| run.from).chain([time.to]);
    let from = std::iter::once(time.from).chain(ends);
    from.zip(starts).filter(|(from, to)| from < to).map(|(from, to)| Interval::new(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holes_are_what_busy_time_leaves() {
        let busy = [Interval::new(2, 4), Interval::new(6, 9)];
        let within = |from, to| holes(&busy, Interval::new(from, to)).collect::<Vec<_>>();
        assert_eq!(within(0, 10), [(0, 2), (4, 6), (9, 10)].map(|(a, b)| Interval::new(a, b)));
        assert_eq!(within(3, 7), [Interval::new(4, 6)]);
        assert_eq!(within(6, 9), []);
    }
}
