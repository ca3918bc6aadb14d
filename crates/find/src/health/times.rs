//! Times: can what the device recorded be right.

use flamelane_link::Linked;
use flamelane_model::Ns;

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
