//! The recording itself: what else ran, what else it holds, what it cost.

use flamelane_link::{Choice, Linked, is_compile};
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
    let trace = &linked.trace;
    let mut pairs: FxHashSet<(usize, ProcessId)> = FxHashSet::default();
    for (row, device) in linked.devices.iter().enumerate() {
        for call in device.order.iter().filter_map(|&span| linked.origins[span as usize].call()) {
            let lane = trace.host.lane[trace.calls.span[call.index()].index()];
            pairs.insert((row, trace.lane(lane).process));
        }
    }
    let mut pairs: Vec<(usize, ProcessId)> = pairs.into_iter().collect();
    pairs.sort_unstable();
    let mut processes: Vec<ProcessId> = pairs.iter().map(|pair| pair.1).collect();
    processes.sort_unstable();
    processes.dedup();
    if processes.len() < 2 {
        return None;
    }
    // One device is one row a process in some files, and one row for all in others.
    let id = |row: usize| trace.devices[linked.devices[row].device.index()].id;
    let mut on: Vec<(i64, ProcessId)> = pairs.iter().map(|&(row, p)| (id(row), p)).collect();
    on.sort_unstable();
    on.dedup();
    let shared = on.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].0);
    let shared = shared.map_or_else(String::new, |device| {
        format!("; on device {device} each one's idle time may be the other's busy time")
    });
    let message = format!("{} processes launch device work in this file{shared}", processes.len());
    Some(
        Check::new("processes", Status::Warn, processes.len() as f64, message)
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
