//! Times: can what the device recorded be right.

use flamelane_link::{Linked, call_kind};
use flamelane_model::{DeviceKind, Ns};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Check, Status, graded, percent, share, sum, verb};
use crate::words::{many, time};

/// Work that starts long before its launch, or absurdly long after it.
pub(super) fn timestamps(linked: &Linked) -> Option<Check> {
    let n_spans = linked.trust.impossible.len();
    let first = linked.trust.impossible.first()?;
    let spans = many(n_spans as u64, "device span");
    let message =
        format!("{spans} with impossible timestamps left out (first `{}`)", name(linked, *first));
    // Where most of the work is left out, the rest is no picture of the run.
    let most = n_spans > linked.trace.device.len().saturating_sub(n_spans);
    let status = if most { Status::Fail } else { Status::Warn };
    Some(Check::new("timestamps", status, n_spans as f64, message).fix(
        "clocks",
        "record again, with a current driver and profiler and a few steps of warm-up: the tracer mixed up its clocks",
    ))
}

/// A kernel that starts this much before its launch call began shows that clocks are apart.
const EARLY: Ns = 5_000;
/// From this share of the kernels on, it is said; no real file known has one.
const MOST_EARLY: f64 = 0.02;

/// Kernels that start before their launches: the clocks of host and device are apart.
pub(super) fn clocks(linked: &Linked) -> Option<Check> {
    let is_kernel = |&span: &usize| linked.trace.device.kind[span] == DeviceKind::Kernel;
    let launched = |&span: &usize| linked.trust.counts[span] && linked.launched[span] != Ns::MIN;
    let kernels = (0..linked.trace.device.len()).filter(is_kernel).filter(launched);
    let before = kernels.map(|span| linked.launched[span] - linked.trace.device.start[span]);
    let (mut early, mut n_kernels) = (Vec::new(), 0_usize);
    for before in before {
        n_kernels += 1;
        early.extend((before > EARLY).then_some(before));
    }
    let value = early.len() as f64 / n_kernels.max(1) as f64;
    if early.is_empty() || value < MOST_EARLY {
        return None;
    }
    let half = early.len() / 2;
    let message = format!(
        "{} of kernels start before their launch call began, by {} in the median: the clocks of host and \
         device are apart, and launch latency, host lead and owners of idle time are unsound",
        percent(value),
        time(*early.select_nth_unstable(half).1),
    );
    Some(Check::new("clocks", Status::Warn, value, message).fix(
        "clocks",
        "record again, with a current driver and profiler: the tracer mixed up its clocks",
    ))
}

/// From this share of the launched work on, it is said that ids are not unique.
const SHARED_IDS: f64 = 0.01;

/// Work whose launch is told by an id that several calls carry: it may be any of theirs.
pub(super) fn ids(linked: &Linked) -> Option<Check> {
    let trace = &linked.trace;
    let mut n_spans = vec![0_u32; trace.calls.len()];
    for call in linked.origins.iter().filter_map(|origin| origin.call()) {
        n_spans[call.index()] += 1;
    }
    let several = |&call: &usize| n_spans[call] > 1 && !is_replay(linked, call);
    let several: Vec<usize> = (0..n_spans.len()).filter(several).collect();
    // One id, several calls of a process, none inside the other: a driver's call lies inside the
    // runtime's, which lends it its id.
    let key = |call: usize| {
        let lane = trace.lane(trace.host.lane[trace.calls.span[call].index()]);
        (lane.process, trace.calls.correlation[call])
    };
    let wanted: FxHashMap<_, usize> = several.iter().map(|&call| (key(call), call)).collect();
    if wanted.is_empty() {
        return None;
    }
    let span = |call: usize| trace.calls.span[call].index();
    let mut shared: FxHashSet<usize> = FxHashSet::default();
    let mut n_calls = 0_u64;
    for call in 0..trace.calls.len() {
        let Some(&first) = wanted.get(&key(call)).filter(|&&first| first != call) else { continue };
        if trace.host.start[span(call)] >= trace.host.end[span(first)] {
            n_calls += 1;
            shared.insert(first);
        }
    }
    let lost: u32 = shared.iter().map(|&call| n_spans[call]).sum();
    let value = f64::from(lost) / n_spans.iter().map(|&n| f64::from(n)).sum::<f64>();
    if value < SHARED_IDS {
        return None;
    }
    let message = format!(
        "{} {} a correlation id that an earlier call has: {} of device spans may be launched by any of \
         them, which stack launched what is unsound",
        many(n_calls, "call"),
        verb(n_calls as usize, "carries", "carry"),
        percent(value),
    );
    Some(Check::new("ids", graded(value, SHARED_IDS, 0.5), value, message).fix(
        "clocks",
        "record again, with a current driver and profiler: every call has an id of its own",
    ))
}

fn is_replay(linked: &Linked, call: usize) -> bool {
    let span = linked.trace.calls.span[call].index();
    call_kind(linked.trace.text(linked.trace.host.name[span])).replays
}

/// Sums of time that do not fit.
pub(super) fn sums(linked: &Linked) -> Option<Check> {
    let of_device = linked.devices.iter().flat_map(|device| {
        let part = device.partition;
        [device.wall, device.sum, part.compute, part.comm, part.copy, part.idle]
    });
    let own = of_device.filter(|&ns| ns == Ns::MAX).count();
    let cut = |values: &mut dyn Iterator<Item = Ns>| {
        usize::from(values.map(i128::from).sum::<i128>() > i128::from(Ns::MAX))
    };
    let devices = || linked.devices.iter();
    let all = cut(&mut devices().map(|device| device.wall))
        + cut(&mut devices().map(|device| device.sum))
        + cut(&mut devices().map(|device| device.partition.compute))
        + cut(&mut devices().map(|device| device.partition.comm))
        + cut(&mut devices().map(|device| device.partition.copy))
        + cut(&mut devices().map(|device| device.partition.idle));
    let n_cut = own + all;
    if n_cut == 0 {
        return None;
    }
    let message = format!(
        "{} of time {} not fit in 64 bits of nanoseconds and {} cut: shares of them are too small",
        many(n_cut as u64, "sum"),
        verb(n_cut, "does", "do"),
        verb(n_cut, "was", "were"),
    );
    Some(
        Check::new("sums", Status::Warn, n_cut as f64, message).fix(
            "clocks",
            "record again: no run lasts for centuries, the times of the file are wrong",
        ),
    )
}

/// Work that covers several successors on its own stream.
pub(super) fn durations(linked: &Linked) -> Option<Check> {
    let first = linked.trust.clipped.first()?;
    let recorded = &linked.trace.device.end;
    let cut = |&span: &u32| recorded[span as usize].saturating_sub(linked.trust.end[span as usize]);
    let lost = sum(linked.trust.clipped.iter().map(cut));
    let n_spans = linked.trust.clipped.len();
    let message = format!(
        "{} {} several successors on {} own stream: durations of `{}` are untrustworthy, clipped by {}",
        many(n_spans as u64, "device span"),
        verb(n_spans, "covers", "cover"),
        verb(n_spans, "its", "their"),
        name(linked, *first),
        time(lost),
    );
    let status = graded(share(lost, linked.window.wall()), 0.0, 1.0);
    Some(Check::new("durations", status, n_spans as f64, message).fix(
        "clocks",
        "record again, with a current driver and profiler: a span that covers its successors was written with a wrong end",
    ))
}

fn name(linked: &Linked, span: u32) -> &str {
    linked.trace.text(linked.trace.device.name[span as usize])
}

/// The device's own pauses are microseconds; long ones on a large part of the window mean that
/// records are missing.
pub(super) fn device_gaps(linked: &Linked) -> Check {
    const LONG: Ns = 1_000_000;
    let long = linked.device_gaps_longer_than(LONG);
    let wall: Ns = sum(linked.devices.iter().map(|device| device.wall));
    let value = share(long, wall);
    let message = if value < 0.2 {
        "no long pauses of the device with work queued".to_owned()
    } else {
        format!(
            "for {} of the window queued work did not start: records are missing",
            percent(value)
        )
    };
    Check::new("device-gaps", graded(value, 2.0, 0.2), value, message)
        .fix("shorter-recordings", "record a shorter region: the tracer's buffer overflowed")
}
