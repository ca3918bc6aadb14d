//! The steps as the document lists them.

use std::collections::BTreeMap;

use flamelane_find::Pattern;
use flamelane_link::{Linked, NO_STEP, StepTime, step_times};
use flamelane_model::{Interval, LaneId, Ns};

use crate::document::{Spread, Step, StepPattern, Steps};

/// Most steps that a report lists one by one.
const MOST_STEPS: usize = 10_000;

pub(crate) fn steps(linked: &Linked, patterns: &[Pattern]) -> Steps {
    let mut steps = every_step(linked, patterns);
    let beyond = steps.list.len().saturating_sub(MOST_STEPS);
    steps.list.truncate(MOST_STEPS);
    Steps { not_listed: beyond as u64, ..steps }
}

/// All steps, however many there are.
pub fn every_step(linked: &Linked, patterns: &[Pattern]) -> Steps {
    let per_step = &linked.per_step;
    let stretches = stretches(linked);
    let on_a_device = |column: &[Ns], number: usize| linked.per_device(column[number]);
    let step = |(number, step): (usize, &flamelane_link::Step)| Step {
        name: step.name.clone(),
        phase: step.phase.clone(),
        batch: step.batch,
        kept: step.is_kept(),
        left_out: step.left_out.map(str::to_owned),
        from_ns: step.host.from,
        marker_ns: step.host.len(),
        wall_ns: on_a_device(&per_step.busy, number)
            .saturating_add(on_a_device(&per_step.idle, number)),
        busy_ns: on_a_device(&per_step.busy, number),
        idle_ns: on_a_device(&per_step.idle, number),
        launch_calls: step.launch_calls,
        kernels: step.kernels,
        gpu_ns: step.gpu,
        stretch_ns: stretches[number],
    };
    let list: Vec<Step> = linked.steps.list.iter().enumerate().map(step).collect();
    debug_assert!(list.len() < NO_STEP as usize, "steps are numbered below the mark for none");
    Steps {
        marker: linked.steps.marker.clone(),
        kind: linked.steps.kind.to_owned(),
        count: linked.steps.n_kept() as u64,
        wall_ns: spread_of_steps(&step_times(linked)),
        patterns: patterns.iter().map(pattern).collect(),
        list,
        not_listed: 0,
    }
}

/// Where to look at each step. An idle gap belongs to the step that ends it, so that a step begins where
/// the device work of the one before it on its thread ends.
fn stretches(linked: &Linked) -> Vec<(Ns, Ns)> {
    let mut ends: BTreeMap<LaneId, Ns> = BTreeMap::new();
    let stretch = |step: &flamelane_link::Step| {
        if step.device.is_empty() {
            return (step.host.from, step.host.to);
        }
        let (first, to) = (step.device.from.min(step.host.from), step.device.to);
        let before = ends.get(&step.lane).copied();
        let from = before.filter(|&end| end < to).unwrap_or(first);
        ends.insert(step.lane, before.map_or(to, |end| end.max(to)));
        // Not across a hole of the window.
        let piece = linked.window.clip(Interval::new(from, to)).last();
        (if step.is_kept() { piece.map_or(from, |piece| piece.from) } else { from }, to)
    };
    linked.steps.list.iter().map(stretch).collect()
}

fn pattern(pattern: &Pattern) -> StepPattern {
    StepPattern {
        pattern: pattern.pattern.to_owned(),
        sentence: pattern.sentence.clone(),
        steps: pattern.steps.clone(),
    }
}

/// Smallest and largest leave out what the window cuts off the first and the last step.
fn spread_of_steps(times: &[StepTime]) -> Spread {
    let all = spread(times.iter().map(|time| time.wall).collect());
    let min = times.iter().filter(|time| !time.at_edge).map(|time| time.wall).min();
    let max = times.iter().map(|time| time.sure).max();
    match (min, max) {
        (Some(min), Some(max)) => Spread { min, max, ..all },
        _ => all,
    }
}

pub(crate) fn spread(mut values: Vec<Ns>) -> Spread {
    values.sort_unstable();
    let (Some(&min), Some(&max)) = (values.first(), values.last()) else {
        return Spread::default();
    };
    Spread {
        p50: values[(values.len() - 1) / 2],
        mean: (values.iter().map(|&ns| i128::from(ns)).sum::<i128>() / values.len() as i128) as Ns,
        min,
        max,
    }
}
