//! Steps: are there any, do their times hold, are they alike.

use flamelane_link::{Busy, Choice, Linked, NO_STEP};
use flamelane_model::{Interval, LaneId, Ns, ProcessId};
use rustc_hash::FxHashMap;

use super::{Check, Status, graded, percent, share, sum};
use crate::Thresholds;
use crate::words::time;

pub(super) fn steps(linked: &Linked) -> Check {
    let (n_kept, n_all) = (linked.steps.n_kept(), linked.steps.list.len());
    let (status, message) = match (n_all, n_kept) {
        (0, _) => (Status::Warn, "no steps found: figures are for the whole run".to_owned()),
        (1, 1) => (Status::Ok, "one step: no spread can be given".to_owned()),
        (_, 1) => (Status::Ok, format!("1 of {n_all} steps kept: no spread can be given")),
        _ => (Status::Ok, format!("{n_kept} of {n_all} steps kept")),
    };
    Check::new("steps", status, n_kept as f64, message).fix(
        "steps",
        "mark steps with `prof.step()` or `record_function(\"step\")`, or name them in `flamelane.toml`",
    )
}

/// From this share of the steps' device work on, their times are not believed.
const APART: f64 = 0.05;

/// Work that ran when all markers were over, long after its launch, while the device was not busy:
/// the time between is in no step that caused it.
pub(super) fn apart(linked: &Linked) -> Option<Check> {
    let kept = linked.steps.list.iter().filter(|step| step.is_kept());
    let markers: Vec<Ns> = kept.map(|step| step.host.len()).collect();
    let last = linked.steps.list.iter().map(|step| step.host.to).max()?;
    if markers.len() < 2 {
        return None;
    }
    let usual = middle(markers);
    let (mut all, mut late, mut longest) = (0_i64, 0_i64, 0_i64);
    for device in &linked.devices {
        let mut busy = None;
        for span in device.order.iter().map(|&span| span as usize) {
            if !linked.steps.keeps(span) {
                continue;
            }
            let ns = linked.trust.end[span].saturating_sub(linked.trace.device.start[span]);
            all = all.saturating_add(ns);
            let Some(delay) = delay(linked, span).filter(|delay| delay.to > last) else { continue };
            let busy = busy.get_or_insert_with(|| Busy::new(device.busy.clone()));
            if delay.len().saturating_sub(busy.within(delay)) > usual {
                late = late.saturating_add(ns);
                longest = longest.max(delay.len());
            }
        }
    }
    let value = share(late, all);
    if value < APART {
        return None;
    }
    let message = format!(
        "{} of the steps' device work ran up to {} after its launch, when all markers were over: \
         the wall time of single steps is unreliable",
        percent(value),
        time(longest),
    );
    Some(Check::new("step-times", graded(value, APART, 0.5), value, message).fix(
        "begin-and-end",
        "synchronise inside each recorded step (`torch.cuda.synchronize()`), and begin recording after warm-up",
    ))
}

/// From the end of its launch call to its start.
fn delay(linked: &Linked, span: usize) -> Option<Interval> {
    let call = linked.origins[span].call()?;
    let host = linked.trace.calls.span[call.index()].index();
    let (from, to) = (linked.trace.host.end[host], linked.trace.device.start[span]);
    Some(Interval::new(from, to.max(from)))
}

fn middle(mut values: Vec<Ns>) -> Ns {
    let middle = values.len() / 2;
    if values.is_empty() { 0 } else { *values.select_nth_unstable(middle).1 }
}

/// From this share of the device work on, it is said that it may be in the wrong step.
const AMBIGUOUS: f64 = 0.2;

/// Steps that run at the same time: work that a thread without a marker launches meanwhile goes to
/// the latest begun, for want of anything better.
pub(super) fn overlap(linked: &Linked) -> Option<Check> {
    let open = Open::new(linked);
    let (mut all, mut unsure) = (0_i64, 0_i64);
    for (span, &step) in linked.steps.of_span.iter().enumerate() {
        let Some(call) = linked.origins[span].call().filter(|_| step != NO_STEP) else { continue };
        let host = linked.trace.calls.span[call.index()].index();
        let ns = linked.trace.device.duration(span);
        all = all.saturating_add(ns);
        if open.is_unsure(linked, linked.trace.host.lane[host], linked.launched[span]) {
            unsure = unsure.saturating_add(ns);
        }
    }
    let value = share(unsure, all);
    if value < AMBIGUOUS {
        return None;
    }
    let message = format!(
        "{} of device work was launched while several steps were open, by threads without a marker: \
         it counts for the latest begun, figures of single steps are unreliable",
        percent(value),
    );
    Some(
        Check::new("step-overlap", Status::Warn, value, message).fix(
            "steps",
            "record one request at a time, or mark the steps on the threads that launch",
        ),
    )
}

/// Starts and ends of markers, each in order.
#[derive(Default)]
struct Edges {
    from: Vec<Ns>,
    to: Vec<Ns>,
}

impl Edges {
    fn open_at(&self, at: Ns) -> usize {
        let begun = self.from.partition_point(|&from| from <= at);
        begun - self.to.partition_point(|&to| to <= at).min(begun)
    }
}

/// How many markers are open, by process and by thread.
struct Open {
    processes: FxHashMap<ProcessId, Edges>,
    lanes: FxHashMap<LaneId, Edges>,
}

impl Open {
    fn new(linked: &Linked) -> Self {
        let mut open = Self { processes: FxHashMap::default(), lanes: FxHashMap::default() };
        for step in &linked.steps.list {
            let process = linked.trace.lane(step.lane).process;
            let of = [
                open.processes.entry(process).or_default(),
                open.lanes.entry(step.lane).or_default(),
            ];
            for edges in of {
                edges.from.push(step.host.from);
                edges.to.push(step.host.to);
            }
        }
        // Sums over all of them: nothing is ordered by hash.
        open.processes.values_mut().chain(open.lanes.values_mut()).for_each(|edges| {
            edges.from.sort_unstable();
            edges.to.sort_unstable();
        });
        open
    }

    fn is_unsure(&self, linked: &Linked, lane: LaneId, at: Ns) -> bool {
        let own = self.lanes.get(&lane).map_or(0, |edges| edges.open_at(at));
        let process = linked.trace.lane(lane).process;
        own == 0 && self.processes.get(&process).is_some_and(|edges| edges.open_at(at) > 1)
    }
}

pub(super) fn phases(linked: &Linked) -> Option<Check> {
    let kept = linked.steps.list.iter().filter(|step| step.is_kept());
    let mut phases: Vec<&str> = kept.filter_map(|step| step.phase.as_deref()).collect();
    phases.sort_unstable();
    phases.dedup();
    if phases.len() < 2 || matches!(linked.rules.choice, Choice::Phase(_)) {
        return None;
    }
    let message = format!("steps of several phases in one window: {}", phases.join(", "));
    Some(
        Check::new("phases", Status::Warn, phases.len() as f64, message)
            .fix("steps", "look at one phase with `--phase`"),
    )
}

/// Compares the steps with the length that one has without a profiler. Where profiling made them
/// longer, its own cost is idle time of the device, and no verdict on idle time is sound.
pub fn unprofiled(linked: &Linked, step: Ns, limits: &Thresholds) -> Check {
    let kept: Vec<usize> =
        (0..linked.steps.list.len()).filter(|&i| linked.steps.list[i].is_kept()).collect();
    if kept.is_empty() || step <= 0 {
        let message = "no steps to compare with those of the unprofiled run".to_owned();
        return Check::new("unprofiled", Status::Warn, 0.0, message)
            .fix("steps", "mark steps with `prof.step()`, or name them in `flamelane.toml`");
    }
    let (busy, wall) = on_busiest(linked);
    let profiled = middle(kept.iter().map(|&i| wall[i]).collect());
    let busy = sum(kept.iter().map(|&i| busy[i])) / kept.len() as Ns;
    let ratio = profiled as f64 / step as f64;
    let slower = limits.profiled_slower_times;
    let figures = format!("{} profiled, {} unprofiled", time(profiled), time(step));
    let (status, message) = if ratio > slower {
        let idle = time(step.saturating_sub(busy).max(0));
        let said = format!(
            "profiling made the step {ratio:.2} × as long ({figures}): idle time is the profiler's too, \
             without it at most {idle} a step"
        );
        (Status::Fail, said)
    } else if ratio < 1.0 / slower {
        let said = format!(
            "the profiled step is shorter than the unprofiled one ({figures}): not the same work"
        );
        (Status::Warn, said)
    } else {
        (Status::Ok, format!("a step is as long as without the profiler ({figures})"))
    };
    Check::new("unprofiled", status, ratio, message).fix(
        "what-profiling-costs",
        "record without shapes, memory and stacks, and less often: `schedule` with few active steps",
    )
}

/// One a step: its busy time and its wall time on the device that works most.
pub(crate) fn on_busiest(linked: &Linked) -> (Vec<Ns>, Vec<Ns>) {
    let n_steps = linked.steps.list.len();
    let (mut busy, mut wall) = (vec![0; n_steps], vec![0; n_steps]);
    let rows = 0..linked.devices.len();
    let Some(row) = rows.rev().max_by_key(|&row| linked.devices[row].busy_ns()) else {
        return (busy, wall);
    };
    let add = |column: &mut Vec<Ns>, step: u32, ns: Ns| {
        if let Some(sum) = column.get_mut(step as usize) {
            *sum = ns.saturating_add(*sum);
        }
    };
    for &(step, ns) in &linked.busy_of_step[row] {
        add(&mut busy, step, ns);
        add(&mut wall, step, ns);
    }
    for (gap, &step) in linked.devices[row].gaps.iter().zip(&linked.idle.step_of_gap[row]) {
        add(&mut wall, step, gap.span.len());
    }
    (busy, wall)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_open_at_an_instant_are_counted() {
        let edges = Edges { from: vec![0, 5, 5], to: vec![5, 8, 9] };
        let counts: Vec<usize> = [-1, 0, 4, 5, 8, 9].map(|at| edges.open_at(at)).to_vec();
        assert_eq!(counts, [0, 1, 1, 2, 1, 0]);
    }
}
