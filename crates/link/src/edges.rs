//! Edges: the first and the last step of a run of kept ones.
//!
//! A gap belongs to the step of the work that ends it. The first step of a run has none from the
//! step before, whose tail is outside the window, and the last has the tail as well: both have all
//! of their time only together.

use flamelane_model::Ns;

use crate::Linked;

/// The length of a kept step: its time on each device, on average.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepTime {
    /// Its number in [`Steps::list`](crate::Steps::list).
    pub step: u32,
    /// Busy and idle time that belongs to it.
    pub wall: Ns,
    /// What of it is its own for sure: all but the tail, or what its marker spans.
    pub sure: Ns,
    /// Whether the window begins or ends with it, and others are between.
    pub at_edge: bool,
}

/// The times of the kept steps, in order.
pub fn step_times(linked: &Linked) -> Vec<StepTime> {
    let list = &linked.steps.list;
    let tails = tails(linked);
    let is_kept = |step: usize| list.get(step).is_some_and(crate::Step::is_kept);
    let time = |step: usize| {
        let (busy, idle) = (linked.per_step.busy[step], linked.per_step.idle[step]);
        let wall = linked.per_device(busy.saturating_add(idle));
        let is_first = step == 0 || !is_kept(step - 1);
        let is_last = !is_kept(step + 1);
        let marker = list[step].host.len();
        let sure = wall.saturating_sub(linked.per_device(tails[step])).max(wall.min(marker));
        StepTime {
            step: step as u32,
            wall,
            sure: if is_last && !is_first { sure } else { wall },
            at_edge: is_first != is_last,
        }
    };
    (0..list.len()).filter(|&step| is_kept(step)).map(time).collect()
}

/// One a step: idle time that no work ends, summed over devices.
fn tails(linked: &Linked) -> Vec<Ns> {
    let mut tails = vec![0; linked.steps.list.len()];
    for (device, steps) in linked.devices.iter().zip(&linked.idle.step_of_gap) {
        for (gap, &step) in device.gaps.iter().zip(steps).filter(|(gap, _)| gap.next.is_none()) {
            if let Some(tail) = tails.get_mut(step as usize) {
                *tail = gap.span.len().saturating_add(*tail);
            }
        }
    }
    tails
}
