//! Host stacks: can idle time be explained at all.

use flamelane_link::{IdleClass, Linked};
use flamelane_model::{FrameKind, Ns};

use super::{Check, Status, graded, percent, share, sum};
use crate::words::many;

pub(super) fn host_stacks(linked: &Linked) -> Check {
    let count = |kind| linked.trace.host.kind.iter().filter(|&&k| k == kind).count();
    let (python, ops) = (count(FrameKind::Python), count(FrameKind::Op));
    let (status, message) = if python > 0 {
        (Status::Ok, "stacks reach from python to the kernels".to_owned())
    } else if ops > 0 {
        (Status::Warn, "no python stacks: frames begin at the operators".to_owned())
    } else {
        (Status::Warn, "no host stacks at all: idle time cannot be explained".to_owned())
    };
    Check::new("host-stacks", status, python as f64, message)
        .fix("host-stacks", "record with `with_stack=True` (about 1 µs a python call)")
}

/// Devices so many that not all can be charged.
pub(super) fn uncharged(linked: &Linked) -> Option<Check> {
    let n_uncharged = linked.idle.n_uncharged;
    if n_uncharged == 0 {
        return None;
    }
    let n_charged = linked.devices.len() - n_uncharged.min(linked.devices.len());
    let message = format!(
        "only the first {n_charged} devices have owners of their idle time, {} have none",
        many(n_uncharged as u64, "device")
    );
    Some(
        Check::new("devices", Status::Warn, n_uncharged as f64, message)
            .fix("one-process-a-file", "record one file a process, with its own devices"),
    )
}

pub(super) fn idle_explained(linked: &Linked) -> Check {
    let idle: Ns = sum(linked.idle.by_class.iter().copied());
    let of = |class: IdleClass| linked.idle.by_class[class as usize];
    let blank = of(IdleClass::NoHostData).saturating_add(of(IdleClass::UnrecordedHost));
    let value = share(blank, idle);
    let message = format!("{} of idle time has no host span that explains it", percent(value));
    Check::new("idle-explained", graded(value, 0.05, 2.0), value, message).fix(
        "host-stacks",
        "record python stacks (`with_stack=True`), and all threads; time outside python is only seen by a sampler",
    )
}
