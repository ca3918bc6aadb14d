//! The recording itself: what else ran, what else it holds, what it cost.

use std::cmp::Reverse;

use flamelane_link::{Choice, Linked, is_compile, shared};
use flamelane_model::{FrameKind, Interval, Ns, ProcessId, union};
use rustc_hash::FxHashSet;

use super::{Check, Status, percent, share, sum};
use crate::words::many;

/// From this share of the window on, compiling is said.
const COMPILING: f64 = 0.05;

/// Steps of the warm-up, or compiling, inside the window.
pub(super) fn warm_up(linked: &Linked) -> Option<Check> {
    let warm_up = linked.steps.list.iter().filter(|step| {
        step.left_out.is_some_and(|why| why.starts_with("warm-up") || why.starts_with("one-off"))
    });
    let n_warm_up = if linked.rules.choice == Choice::Whole { warm_up.count() } else { 0 };
    let value = share(compiling(linked), linked.window.wall());
    let mut what = Vec::new();
    if n_warm_up > 0 {
        what.push(format!("{} of warm-up", many(n_warm_up as u64, "step")));
    }
    if value >= COMPILING {
        what.push(format!(
            "compiling, tuning or loading of modules for {} of the window",
            percent(value)
        ));
    }
    if what.is_empty() {
        return None;
    }
    let message = format!("inside the window: {}", what.join(", and "));
    Some(Check::new("warm-up", Status::Warn, value, message).fix(
        "warm-up",
        "record steps that ran before (`schedule(wait=…, warmup=…, active=…)`), unless every step compiles",
    ))
}

/// Time of the window during which a thread compiles.
fn compiling(linked: &Linked) -> Ns {
    let host = &linked.trace.host;
    let mut known: Vec<[Option<bool>; 2]> = vec![[None; 2]; linked.trace.strings.len()];
    let compiles = |span: &usize| {
        // The only kind whose names are read in another way.
        let is_call = usize::from(host.kind[*span] == FrameKind::Runtime);
        let name = host.name[*span];
        let judge = || is_compile(linked.trace.text(name), host.kind[*span]);
        *known[name.index()][is_call].get_or_insert_with(judge)
    };
    let spans = (0..host.len()).filter(compiles);
    let times = spans.map(|span| Interval::new(host.start[span], host.end[span]));
    let times = union(times.collect());
    sum(times.iter().flat_map(|&time| linked.window.clip(time)).map(Interval::len))
}

/// Work of several processes in one file, and on one device.
pub(super) fn processes(linked: &Linked) -> Option<Check> {
    let device = |row: usize| &linked.trace.devices[linked.devices[row].device.index()];
    let rows = 0..linked.devices.len();
    let launching: FxHashSet<ProcessId> = rows.filter_map(|row| device(row).process).collect();
    if launching.len() < 2 {
        return None;
    }
    let shared = shared(linked);
    // The device on which most is said by it.
    let most = shared.iter().max_by_key(|of| (of.elsewhere, Reverse(of.device)));
    let most = most.map_or_else(String::new, |of| {
        let id = device(of.device).id;
        let same = shared.iter().filter(|other| device(other.device).id == id);
        let (idle, elsewhere) = same.fold((0, 0), |sum: (Ns, Ns), of| {
            (of.idle.saturating_add(sum.0), of.elsewhere.saturating_add(sum.1))
        });
        let part = percent(share(elsewhere, idle));
        format!("; on device {id} each one's idle time may be the other's busy time, {part} of it")
    });
    let message = format!("{} processes launch device work in this file{most}", launching.len());
    Some(
        Check::new("processes", Status::Warn, launching.len() as f64, message)
            .fix("one-process-a-file", "record one file a process, and give all files together"),
    )
}

pub(super) fn options(linked: &Linked) -> Option<Check> {
    let on =
        |name: &&str| linked.trace.metadata.properties.get(*name).is_some_and(|value| value == "1");
    let costly: Vec<&str> = ["record_shapes", "profile_memory", "with_flops", "with_stack"]
        .into_iter()
        .filter(on)
        .collect();
    if costly.is_empty() {
        return None;
    }
    let message = format!(
        "recorded with {}: the host ran slower than unprofiled, idle time is an upper bound",
        costly.join(", ")
    );
    Some(Check::new("profiler-cost", Status::Ok, costly.len() as f64, message))
}
