//! Totals: the whole file, raw, so that it can be checked against an independent count.

use flamelane_link::{CallKind, Linked, Origin, call_kind};
use flamelane_model::{DeviceKind, Interval, Ns, total, union};

use crate::document::Totals;

/// Counts everything the file holds, nothing left out.
pub(crate) fn totals(linked: &Linked) -> Totals {
    let trace = &linked.trace;
    let mut totals = Totals {
        device_spans: trace.device.len() as u64,
        span_ns: trace.extent.len(),
        host_spans: trace.host.len() as u64,
        busy_ns: busy(linked),
        ..Totals::default()
    };
    device(linked, &mut totals);
    calls(linked, &mut totals);
    let mut threads = vec![false; trace.lanes.len()];
    for lane in &trace.host.lane {
        threads[lane.index()] = true;
    }
    totals.threads = threads.iter().filter(|&&seen| seen).count() as u64;
    totals
}

fn busy(linked: &Linked) -> Ns {
    let trace = &linked.trace;
    let mut devices: Vec<Vec<Interval>> = vec![Vec::new(); trace.devices.len()];
    for span in 0..trace.device.len() {
        let time = Interval::new(trace.device.start[span], trace.device.end[span]);
        if let Some(device) = devices.get_mut(trace.device_of(span).index()) {
            device.push(time);
        }
    }
    devices.into_iter().map(|spans| total(&union(spans))).fold(0, Ns::saturating_add)
}

fn add(sum: &mut Ns, ns: Ns) {
    *sum = sum.saturating_add(ns);
}

fn device(linked: &Linked, totals: &mut Totals) {
    let device = &linked.trace.device;
    for span in 0..device.len() {
        let ns = device.duration(span);
        let (count, sum) = match device.kind[span] {
            DeviceKind::Kernel => (&mut totals.kernels, &mut totals.kernels_ns),
            DeviceKind::Copy => (&mut totals.copies, &mut totals.copies_ns),
            DeviceKind::Memset => (&mut totals.memsets, &mut totals.memsets_ns),
            DeviceKind::Graph => (&mut totals.graph_rows, &mut totals.graph_rows_ns),
        };
        *count += 1;
        add(sum, ns);
        match linked.origins[span] {
            Origin::Call(_) => {
                add(&mut totals.attributed_ns, ns);
                if device.kind[span] == DeviceKind::Kernel {
                    add(&mut totals.kernels_attributed_ns, ns);
                }
            }
            Origin::BeforeCapture => add(&mut totals.launched_before_capture_ns, ns),
            Origin::Unattributed => add(&mut totals.unattributed_ns, ns),
        }
    }
}

fn calls(linked: &Linked, totals: &mut Totals) {
    let trace = &linked.trace;
    let mut enqueues = vec![false; trace.calls.len()];
    let mut known: Vec<Option<CallKind>> = vec![None; trace.strings.len()];
    let mut kind_of = |call: usize| {
        let name = trace.host.name[trace.calls.span[call].index()];
        *known[name.index()].get_or_insert_with(|| call_kind(trace.text(name)))
    };
    for (span, origin) in linked.origins.iter().enumerate() {
        if let Some(call) = origin.call() {
            enqueues[call.index()] = true;
            let is_kernel = trace.device.kind[span] == DeviceKind::Kernel;
            totals.graph_kernels += u64::from(is_kernel && kind_of(call.index()).replays);
        }
    }
    totals.graph_joined_kernels = linked.joined.as_ref().map_or(0, |joined| joined.joined);
    totals.enqueue_calls = enqueues.iter().filter(|&&enqueues| enqueues).count() as u64;
    for call in 0..trace.calls.len() {
        let kind = kind_of(call);
        totals.launch_calls += u64::from(kind.launches);
        totals.graph_launches += u64::from(kind.replays);
    }
    for wait in &linked.waits {
        if wait.is_copy {
            totals.blocking_copies += 1;
            add(&mut totals.blocking_copies_ns, wait.time.len());
        } else {
            totals.sync_calls += 1;
            add(&mut totals.sync_ns, wait.time.len());
            add(&mut totals.sync_absorbed_ns, wait.absorbed);
            add(&mut totals.sync_exposed_ns, wait.time.len() - wait.absorbed);
        }
    }
}
