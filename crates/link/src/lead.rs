//! Lead: how far the host is ahead of the device, and when it was so far that the queue was full.
//!
//! The host's lead at a time is how long the device stays busy with what is launched and not
//! finished. A lead of nothing means that the device waits for the next launch.

use std::ops::Range;

use flamelane_model::{Interval, Ns};

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

/// The launching calls of each device, with what it does about them.
pub(crate) fn queues<'a>(linked: &'a Linked, all: &'a [Vec<Enqueued>]) -> Vec<Queue<'a>> {
    let devices = linked.devices.iter().zip(all);
    devices.map(|(device, launches)| Queue::new(device, launches)).collect()
}

pub(crate) fn lead(linked: &Linked, queues: &[Queue<'_>]) -> Lead {
    let mut leads: Vec<(u32, Ns)> = Vec::new();
    let mut deep: Vec<Ns> = Vec::new();
    for queue in queues {
        let mut until = Ns::MIN;
        let (mut here, mut there) = (Walk::new(queue.busy), Walk::new(queue.busy));
        for (row, launch) in queue.launches.iter().enumerate() {
            let at = launch.time.from;
            if in_window(linked, launch) {
                let left = there.busy_before(until.max(at)) - here.busy_before(at);
                leads.push((linked.steps.of_span[launch.span as usize], left));
                deep.push(queue.depth[row] as Ns);
            }
            until = until.max(launch.until);
        }
    }
    let n_low = leads.iter().filter(|(_, lead)| *lead < LOW_LEAD).count() as u64;
    let series = series(linked, &mut leads);
    Lead {
        spread: Quantiles::of(leads.into_iter().map(|(_, lead)| lead).collect()),
        n_low,
        depth: Quantiles::of(deep),
        series,
    }
}

/// Busy time before instants that come in order.
struct Walk<'a> {
    rest: &'a [Interval],
    before: Ns,
}

impl<'a> Walk<'a> {
    fn new(rest: &'a [Interval]) -> Self {
        Self { rest, before: 0 }
    }

    fn busy_before(&mut self, at: Ns) -> Ns {
        while let [first, rest @ ..] = self.rest
            && first.to <= at
        {
            self.before = self.before.saturating_add(first.len());
            self.rest = rest;
        }
        let part = self.rest.first().map_or(0, |run| run.clip(Interval::new(Ns::MIN, at)).len());
        self.before.saturating_add(part)
    }
}

/// Sorts the leads by step and sums them up.
fn series(linked: &Linked, leads: &mut [(u32, Ns)]) -> Vec<LeadOfSteps> {
    leads.sort_by_key(|&(step, _)| step);
    let per_row = linked.steps.n_kept().div_ceil(MOST_ROWS).max(1);
    let mut rows = Vec::new();
    let mut rest = &leads[..];
    let kept = (0..linked.steps.list.len()).filter(|&step| linked.steps.list[step].is_kept());
    let kept: Vec<u32> = kept.map(|step| step as u32).collect();
    for steps in kept.chunks(per_row) {
        let (first, last) = (steps[0], steps[steps.len() - 1]);
        let from = rest.partition_point(|&(step, _)| step < first);
        let to = rest.partition_point(|&(step, _)| step <= last);
        let values: Vec<Ns> = rest[from..to].iter().map(|&(_, lead)| lead).collect();
        rest = &rest[to..];
        let n_low = values.iter().filter(|&&lead| lead < LOW_LEAD).count() as u64;
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
    /// Long calls in them.
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
pub(crate) const LONG_CALL: Ns = 10_000;
/// A queue is as deep as this many launches found it at least.
pub(crate) const FEW_CALLS: usize = 16;
/// The device works for at least this part of a run, in percent.
const BUSY: i128 = 98;
/// The cadences of calls and of work differ by at most this factor, in percent.
const CADENCE: i128 = 125;
/// Long calls take at least this part of a run, in percent.
const CALLING: i128 = 20;

pub(crate) fn back_pressure(linked: &Linked, queues: &[Queue<'_>]) -> Option<BackPressure> {
    let mut found: Option<BackPressure> = None;
    for queue in queues {
        let long = queue.launches.iter().filter(|launch| launch.time.len() >= LONG_CALL).count();
        if long < FEW_CALLS {
            continue;
        }
        let runs = queue.runs();
        if runs.is_empty() {
            continue;
        }
        let (busy, starts) = (Busy::new(queue.busy.to_vec()), queue.starts(linked));
        let full = |run| queue.full(linked, (&busy, &starts), run);
        for full in runs.into_iter().filter_map(full) {
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
pub(crate) struct Queue<'a> {
    /// By the start of the call.
    launches: &'a [Enqueued],
    /// When the device works, in order.
    busy: &'a [Interval],
    /// One a launch: launches before it that are not finished.
    depth: Vec<usize>,
}

impl<'a> Queue<'a> {
    fn new(device: &'a DeviceTime, launches: &'a [Enqueued]) -> Self {
        Self { launches, busy: &device.busy, depth: depths(launches) }
    }

    /// Starts of the launched work, in order.
    fn starts(&self, linked: &Linked) -> Vec<Ns> {
        let start = |launch: &Enqueued| linked.trace.device.start[launch.span as usize];
        let mut starts: Vec<Ns> = self.launches.iter().map(start).collect();
        starts.sort_unstable();
        starts
    }

    /// Runs of consecutive launches that find the queue about as deep as it ever is: each takes the
    /// place of one that is finished.
    fn runs(&self) -> Vec<Range<usize>> {
        let mut sorted = self.depth.clone();
        sorted.sort_unstable();
        let Some(most) = sorted.len().checked_sub(FEW_CALLS).map(|row| sorted[row]) else {
            return Vec::new();
        };
        let least = most.saturating_sub((most / 16).max(1)).max(1);
        let mut runs: Vec<Range<usize>> = Vec::new();
        for row in (0..self.depth.len()).filter(|&row| self.depth[row] >= least) {
            match runs.last_mut().filter(|run| run.end == row) {
                Some(run) => run.end = row + 1,
                None => runs.push(row..row + 1),
            }
        }
        runs.retain(|run| run.len() >= FEW_CALLS);
        runs
    }

    /// A run with long calls, where the device works all along and takes one piece of work a call.
    fn full(
        &self,
        linked: &Linked,
        (busy, starts): (&Busy, &[Ns]),
        run: Range<usize>,
    ) -> Option<BackPressure> {
        let launches = self.launches;
        let time = Interval::new(launches[run.start].time.from, launches[run.end - 1].time.to);
        let is_busy = i128::from(busy.within(time)) * 100 >= i128::from(time.len()) * BUSY;
        let before = |at: Ns| starts.partition_point(|&start| start < at) as i128;
        let (n_calls, n_starts) = (run.len() as i128, before(time.to) - before(time.from));
        let in_step = n_calls * 100 <= n_starts * CADENCE && n_starts * 100 <= n_calls * CADENCE;
        let calls = launches[run.clone()].iter().map(|launch| launch.time.len());
        let long: Vec<Ns> = calls.filter(|&ns| ns >= LONG_CALL).collect();
        let call_ns = long.iter().fold(0, |sum: Ns, &ns| sum.saturating_add(ns));
        let calls_most = i128::from(call_ns) * 100 >= i128::from(time.len()) * CALLING;
        let inside =
            linked.window.clip(time).fold(0, |sum: Ns, part| sum.saturating_add(part.len()));
        (is_busy && in_step && calls_most && inside > 0).then(|| BackPressure {
            count: long.len() as u64,
            call_ns,
            ns: inside,
            longest: time,
            depth: self.depth[run].iter().copied().min().unwrap_or(0) as u64,
        })
    }
}

/// One a launch: launches before it that are not finished when its call begins.
fn depths(launches: &[Enqueued]) -> Vec<usize> {
    let mut ends: Vec<Ns> = launches.iter().map(|launch| launch.until).collect();
    ends.sort_unstable();
    let mut finished = 0;
    let depth = |(row, launch): (usize, &Enqueued)| {
        while ends.get(finished).is_some_and(|&end| end <= launch.time.from) {
            finished += 1;
        }
        row.saturating_sub(finished)
    };
    launches.iter().enumerate().map(depth).collect()
}
