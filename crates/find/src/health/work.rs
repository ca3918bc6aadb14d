//! Device work: is it there, has it launches, was all of it recorded.

use flamelane_link::{IdleClass, Linked, Origin};
use flamelane_model::{Interval, Ns};

use super::{Check, Status, graded, percent, share, sum};
use crate::words::many;

/// Fewer device spans than this support no verdict.
const FEW_SPANS: usize = 8;

pub(super) fn device_work(linked: &Linked) -> Check {
    let n_spans = linked.trace.device.len();
    let spans = many(n_spans as u64, "device span");
    let inside = inside_window(linked);
    let (status, message) = match n_spans {
        0 => (Status::Fail, "no device work in the capture: it shows the host alone".to_owned()),
        n if n < FEW_SPANS => (Status::Fail, format!("only {spans}: too few for a verdict")),
        _ if linked.window.wall() == 0 => {
            (Status::Fail, "the window has no length: nothing can be said of it".to_owned())
        }
        _ if inside == 0 => {
            (Status::Fail, format!("none of {spans} in the window: nothing to base a verdict on"))
        }
        _ if inside < FEW_SPANS => {
            (Status::Fail, format!("only {inside} of {spans} in the window: too few for a verdict"))
        }
        _ => {
            let devices = many(linked.devices.len() as u64, "device");
            (Status::Ok, format!("{spans} on {devices}"))
        }
    };
    Check::new("device-work", status, n_spans as f64, message).fix(
        "device-work",
        "record with `activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]` while the model runs",
    )
}

/// Device spans that run in the window, as far as it matters how many.
fn inside_window(linked: &Linked) -> usize {
    let device = &linked.trace.device;
    let runs = |&span: &usize| {
        let (from, to) = (device.start[span], linked.trust.end[span]);
        let part = linked.window.clip(Interval::new(from, to)).next();
        part.is_some() || linked.window.holds(from)
    };
    (0..device.len()).filter(runs).take(FEW_SPANS).count()
}

pub(super) fn attributed(linked: &Linked) -> Check {
    let device = &linked.trace.device;
    let (mut all, mut lost, mut before) = (0_i64, 0_i64, 0_i64);
    for (span, origin) in linked.origins.iter().enumerate() {
        let ns = device.duration(span);
        all = all.saturating_add(ns);
        match origin {
            Origin::Call(_) => {}
            Origin::BeforeCapture => before = before.saturating_add(ns),
            Origin::Unattributed => lost = lost.saturating_add(ns),
        }
    }
    let unlinked = lost.saturating_add(before);
    let missing = share(unlinked, all);
    let message = if unlinked == 0 {
        "all device time has its launch in the file".to_owned()
    } else {
        format!(
            "{} of device time has no launch in the file ({} launched before the capture began)",
            percent(missing),
            percent(share(before, all)),
        )
    };
    Check::new("attributed", graded(missing, 0.02, 0.5), missing, message).fix(
        "launches",
        "begin recording a few steps earlier (`schedule(wait=1, warmup=2, active=3)`), with CPU activity on",
    )
}

/// Fails above half of the window; at half the recorded part still says most.
pub(super) fn not_recorded(linked: &Linked) -> Check {
    let wall: Ns = sum(linked.devices.iter().map(|device| device.wall));
    let hidden = linked.idle.by_class[IdleClass::NotRecorded as usize];
    let value = share(hidden, wall);
    let message = if value > 0.0 {
        format!(
            "for {} of the window the device may have run work that was not recorded",
            percent(value)
        )
    } else {
        "no sign of device work that was not recorded".to_owned()
    };
    let status = match graded(value, 0.02, 2.0) {
        _ if hidden > wall.saturating_sub(hidden) => Status::Fail,
        status => status,
    };
    Check::new("not-recorded", status, value, message).fix(
        "begin-and-end",
        "begin recording before the first launch, and end with `torch.cuda.synchronize()` inside the profiled region",
    )
}

/// A full launch queue makes calls long that cost nothing: said so that nobody takes them for
/// overhead.
pub(super) fn launch_queue(linked: &Linked) -> Option<Check> {
    let full = flamelane_link::full_queue(linked)?;
    let wall: Ns = sum(linked.devices.iter().map(|device| device.wall));
    let value = share(full.ns, wall);
    let calls = many(full.count, "launch call");
    let message = format!(
        "the launch queue was full for {} of the window: {calls} waited for a busy device, which is no overhead",
        percent(value)
    );
    Some(Check::new("launch-queue", Status::Ok, value, message))
}
