//! Shared: devices that several processes call by one number.

use flamelane_model::{Interval, Ns, union};

use crate::Linked;
use crate::waits::Busy;

/// A device of one process that may be the same accelerator as another process's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Row of [`Linked::devices`].
    pub device: usize,
    /// Its idle time inside the window, in ns.
    pub idle: Ns,
    /// The part of it during which other processes' devices of the same number were busy.
    pub elsewhere: Ns,
}

/// The devices whose number another process uses too, by row. Numbers count from 0 in each process
/// that sees only some of a machine's devices, so that equal numbers need not be equal devices.
pub fn shared(linked: &Linked) -> Vec<Shared> {
    let rows = || linked.devices.iter().enumerate();
    let of = |row: usize| &linked.trace.devices[linked.devices[row].device.index()];
    // By number: rows of one number are neighbours.
    let mut by_id: Vec<usize> = rows().map(|(row, _)| row).collect();
    by_id.sort_by_key(|&row| (of(row).id, row));
    let mut found = Vec::new();
    for group in by_id.chunk_by(|&a, &b| of(a).id == of(b).id) {
        for &row in group.iter().take(MOST_TENANTS) {
            let others = group
                .iter()
                .take(MOST_TENANTS)
                .filter(|&&other| other != row && of(other).process != of(row).process);
            let busy: Vec<Interval> =
                others.flat_map(|&other| linked.devices[other].busy.iter().copied()).collect();
            if busy.is_empty() {
                continue;
            }
            let busy = Busy::new(union(busy));
            let gaps = &linked.devices[row].gaps;
            let part = |sum: Ns, gap: &crate::Gap| sum.saturating_add(busy.within(gap.span));
            let elsewhere = gaps.iter().fold(0, part);
            let idle = linked.devices[row].partition.idle;
            found.push(Shared { device: row, idle, elsewhere });
        }
    }
    found.sort_unstable_by_key(|shared| shared.device);
    found
}

/// Most processes of one device compared with each other.
const MOST_TENANTS: usize = 64;
