//! Lead: how far the host is ahead of the device, and when it was so far that the queue was full.
//!
//! The host's lead at a time is how long the device stays busy with what is launched and not
//! finished. A lead of nothing means that the device waits for the next launch.

use flamelane_model::{Interval, LaneId, Ns};

use crate::busy::DeviceTime;
use crate::enqueued::Enqueued;
use crate::latency::{Quantiles, in_window};
use crate::linked::Linked;
use crate::steps::NO_STEP;
use crate::waits::Busy;

/// The host's lead at the launches of the window.
#[derive(Clone, Debug, Default)]
pub struct Lead {
    /// Quantiles over launches.
    pub spread: Quantiles,
    /// Launches with a lead below [`LOW_LEAD`].
    pub n_low: u64,
    /// Launches, not finished, that each launch found before it; no times, numbers of calls.
    pub depth: Quantiles,
    /// Over the kept steps, in order.
    pub series: Vec<LeadOfSteps>,
}

/// A lead below this does not survive the next hiccup of the host, in ns.
pub const LOW_LEAD: Ns = 10_000;

/// The lead in a few consecutive kept steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeadOfSteps {
    /// The first of them, in [`Steps::list`](crate::Steps::list).
    pub step: u32,
    /// Median lead at their launches.
    pub p50: Ns,
    /// Their launches.
    pub count: u64,
    /// Those with a lead below [`LOW_LEAD`].
    pub n_low: u64,
}

/// Most rows of the series; where there are more steps, a row stands for several.
const MOST_ROWS: usize = 128;

pub(crate) fn lead(linked: &Linked, all: &[Vec<Enqueued>]) -> Lead {
    let mut leads: Vec<(u32, Ns)> = Vec::new();
    let mut depths: Vec<Ns> = Vec::new();
    for (device, launches) in linked.devices.iter().zip(all) {
        let busy = Busy::new(device.busy.clone());
        let mut ends: Vec<Ns> = launches.iter().map(|launch| launch.until).collect();
        ends.sort_unstable();
        let mut until = Ns::MIN;
        for (row, launch) in launches.iter().enumerate() {
            let at = launch.time.from;
            if in_window(linked, launch) {
                let left = Interval::new(at, until.max(at));
                leads.push((linked.steps.of_span[launch.span as usize], busy.within(left)));
                let finished = ends.partition_point(|&end| end <= at);
                depths.push(row.saturating_sub(finished) as Ns);
            }
            until = until.max(launch.until);
        }
    }
    let n_low = leads.iter().filter(|(_, lead)| *lead < LOW_LEAD).count() as u64;
    let series = series(linked, &mut leads);
    Lead {
        spread: Quantiles::of(leads.into_iter().map(|(_, lead)| lead).collect()),
        n_low,
        depth: Quantiles::of(depths),
        series,
    }
}

/// Sorts the leads by step and sums them up.
fn series(linked: &Linked, leads: &mut [(u32, Ns)]) -> Vec<LeadOfSteps> {
    leads.sort_unstable();
    let per_row = linked.steps.n_kept().div_ceil(MOST_ROWS).max(1);
    let mut rows = Vec::new();
    let mut rest = &leads[..];
    let kept = (0..linked.steps.list.len()).filter(|&step| linked.steps.list[step].is_kept());
    let kept: Vec<u32> = kept.map(|step| step as u32).collect();
    for steps in kept.chunks(per_row) {
        let (first, last) = (steps[0], steps[steps.len() - 1]);
        let from = rest.partition_point(|&(step, _)| step < first);
        let to = rest.partition_point(|&(step, _)| step <= last);
        let mut values: Vec<Ns> = rest[from..to].iter().map(|&(_, lead)| lead).collect();
        rest = &rest[to..];
        values.sort_unstable();
        let n_low = values.partition_point(|&lead| lead < LOW_LEAD) as u64;
        let of = Quantiles::of(values);
        if first != NO_STEP && of.count > 0 {
            rows.push(LeadOfSteps { step: first, p50: of.p50, count: of.count, n_low });
        }
    }
    rows
}

/// Times during which the launch queue was full: each launch call waits until the device takes a
/// piece of work off the queue, which looks like a slow call and is a busy device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackPressure {
    /// Calls that waited.
    pub count: u64,
    /// Sum of their lengths.
    pub call_ns: Ns,
    /// Time of the window from the first to the last of each run of them.
    pub ns: Ns,
    /// The longest run.
    pub longest: Interval,
    /// Smallest number of launches, not finished, that one of them found before it.
    pub depth: u64,
}

/// Shorter calls are ordinary ones.
const LONG_CALL: Ns = 10_000;
/// A run has at least this many calls.
const FEW_CALLS: usize = 16;
/// The device works for at least this part of a run, in percent.
const BUSY: i128 = 98;
/// The cadences of calls and of work differ by at most this factor, in percent.
const CADENCE: i128 = 125;

pub(crate) fn back_pressure(linked: &Linked, all: &[Vec<Enqueued>]) -> Option<BackPressure> {
    let mut found: Option<BackPressure> = None;
    for (device, launches) in linked.devices.iter().zip(all) {
        let runs = runs(linked, launches);
        if runs.is_empty() {
            continue;
        }
        let queue = Queue::new(linked, device, launches);
        for full in runs.iter().filter_map(|run| queue.full(linked, launches, run)) {
            match &mut found {
                Some(sum) => sum.add(full),
                None => found = Some(full),
            }
        }
    }
    found
}

impl BackPressure {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.call_ns = self.call_ns.saturating_add(other.call_ns);
        self.ns = self.ns.saturating_add(other.ns);
        self.depth = self.depth.min(other.depth);
        if other.longest.len() > self.longest.len() {
            self.longest = other.longest;
        }
    }
}

/// What a device does with its launches.
struct Queue {
    busy: Busy,
    /// Starts of the launched work, in order.
    starts: Vec<Ns>,
    /// Its ends, in order.
    ends: Vec<Ns>,
}

impl Queue {
    fn new(linked: &Linked, device: &DeviceTime, launches: &[Enqueued]) -> Self {
        let start = |launch: &Enqueued| linked.trace.device.start[launch.span as usize];
        let mut starts: Vec<Ns> = launches.iter().map(start).collect();
        let mut ends: Vec<Ns> = launches.iter().map(|launch| launch.until).collect();
        starts.sort_unstable();
        ends.sort_unstable();
        Self { busy: Busy::new(device.busy.clone()), starts, ends }
    }

    /// A run of long calls, where the device works all along and takes one piece of work a call.
    fn full(&self, linked: &Linked, launches: &[Enqueued], run: &[usize]) -> Option<BackPressure> {
        let calls = || run.iter().map(|&row| launches[row].time);
        let time = Interval::new(launches[*run.first()?].time.from, launches[*run.last()?].time.to);
        let is_busy = i128::from(self.busy.within(time)) * 100 >= i128::from(time.len()) * BUSY;
        let before = |at: Ns| self.starts.partition_point(|&start| start < at) as i128;
        let (n_calls, n_starts) = (run.len() as i128, before(time.to) - before(time.from));
        let in_step = n_calls * 100 <= n_starts * CADENCE && n_starts * 100 <= n_calls * CADENCE;
        let inside =
            linked.window.clip(time).fold(0, |sum: Ns, part| sum.saturating_add(part.len()));
        if !(is_busy && in_step && inside > 0) {
            return None;
        }
        let finished = |at: Ns| self.ends.partition_point(|&end| end <= at);
        let depth =
            run.iter().map(|&row| row.saturating_sub(finished(launches[row].time.from)) as u64);
        Some(BackPressure {
            count: run.len() as u64,
            call_ns: calls().fold(0, |sum: Ns, call| sum.saturating_add(call.len())),
            ns: inside,
            longest: time,
            depth: depth.min().unwrap_or(0),
        })
    }
}

/// Runs of long calls of one thread, in which it does little but call.
fn runs(linked: &Linked, launches: &[Enqueued]) -> Vec<Vec<usize>> {
    let lane = |launch: &Enqueued| -> LaneId {
        linked.trace.host.lane[linked.trace.calls.span[launch.call.index()].index()]
    };
    let mut open: Vec<(LaneId, Vec<usize>)> = Vec::new();
    let mut done = Vec::new();
    for (row, launch) in launches.iter().enumerate() {
        let thread = lane(launch);
        let at = open.iter().position(|(known, _)| *known == thread);
        let run = match at {
            Some(at) => &mut open[at].1,
            None if open.len() < MOST_THREADS => {
                open.push((thread, Vec::new()));
                let last = open.len() - 1;
                &mut open[last].1
            }
            None => continue,
        };
        let is_long = launch.time.len() >= LONG_CALL;
        let follows = run.last().is_none_or(|&last| {
            let before = launches[last].time;
            let cadence = launch.time.from.saturating_sub(before.from);
            before.len().saturating_mul(2) >= cadence
        });
        if !(is_long && follows) {
            done.push(std::mem::take(run));
        }
        if is_long {
            run.push(row);
        }
    }
    done.extend(open.into_iter().map(|(_, run)| run));
    done.retain(|run| run.len() >= FEW_CALLS);
    done
}

/// Most launching threads looked at.
const MOST_THREADS: usize = 64;
