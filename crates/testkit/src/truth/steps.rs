//! Steps, which of them are kept, the window over them, and whose nanoseconds are whose.

use std::collections::{BTreeSet, HashMap};

use super::intervals::{Interval, complement, overlap, union};
use super::{Span, StepTruth};
use crate::capture::{Capture, DeviceKind, DeviceSpan};

/// The steps of a capture in order of time.
pub(super) fn steps(capture: &Capture) -> Vec<StepTruth> {
    let mut steps: Vec<StepTruth> = capture
        .hosts
        .iter()
        .filter(|span| span.marker)
        .map(|span| StepTruth {
            name: capture.names.text(span.name).to_owned(),
            marker: Span { from_ns: span.start, to_ns: span.end },
            device: Span::default(),
            kept: span.end <= capture.to,
            launch_calls: 0,
            kernels: 0,
            gpu_ns: 0,
            busy_ns: 0,
            idle_ns: 0,
        })
        .collect();
    steps.sort_by_key(|step| step.marker.from_ns);
    leave_out_warm_up(&mut steps);
    for span in capture.hosts.iter().filter(|span| span.is_call()) {
        if capture.names.text(span.name).contains("Launch")
            && let Some(step) = step_at(&steps, span.start)
        {
            steps[step].launch_calls += 1;
        }
    }
    for span in &capture.devices {
        if let Some(step) = step_of(capture, &steps, span) {
            count_device_span(&mut steps[step], span);
        }
    }
    steps
}

/// Leading steps longer than twice the median and 1.5 times the longest later step.
fn leave_out_warm_up(steps: &mut [StepTruth]) {
    let lengths: Vec<i64> = steps.iter().map(|s| s.marker.to_ns - s.marker.from_ns).collect();
    let mut sorted = lengths.clone();
    sorted.sort_unstable();
    for nr in 0..steps.len() {
        let Some(&longest_later) = lengths[nr + 1..].iter().max() else { break };
        let median = sorted[sorted.len() / 2];
        if lengths[nr] <= 2 * median || 2 * lengths[nr] <= 3 * longest_later {
            break;
        }
        steps[nr].kept = false;
    }
}

fn count_device_span(step: &mut StepTruth, span: &DeviceSpan) {
    let range = &mut step.device;
    if range.to_ns == 0 {
        *range = Span { from_ns: span.start, to_ns: span.end };
    }
    range.from_ns = range.from_ns.min(span.start);
    range.to_ns = range.to_ns.max(span.end);
    step.kernels += u64::from(span.kind == DeviceKind::Kernel);
    step.gpu_ns += span.end - span.start;
}

/// The hull of markers and device ranges of the kept steps; without steps, of launches and device.
pub(super) fn window(capture: &Capture, steps: &[StepTruth]) -> Span {
    let mut ends: Vec<Interval> = Vec::new();
    for step in steps.iter().filter(|step| step.kept) {
        ends.push((step.marker.from_ns, step.marker.to_ns));
        if step.device.to_ns > 0 {
            ends.push((step.device.from_ns, step.device.to_ns));
        }
    }
    if ends.is_empty() {
        for span in &capture.devices {
            let launched = span.launch.map(|call| capture.hosts[call as usize].start);
            ends.push((launched.unwrap_or(span.start).min(span.start), span.end));
        }
    }
    Span {
        from_ns: ends.iter().map(|end| end.0).min().unwrap_or(capture.from),
        to_ns: ends.iter().map(|end| end.1).max().unwrap_or(capture.from),
    }
}

/// Gives every busy and idle nanosecond of a device to a step.
pub(super) fn share_out(capture: &Capture, (device, window): (u16, Span), steps: &mut [StepTruth]) {
    if steps.is_empty() {
        return;
    }
    let window = (window.from_ns, window.to_ns);
    let spans: Vec<&DeviceSpan> =
        capture.devices.iter().filter(|span| span.device == device).collect();
    share_busy(capture, (&spans, window), steps);
    let busy = union(spans.iter().map(|span| (span.start, span.end)).collect());
    let first = first_by_start(capture, &spans);
    for (from, to) in complement(&busy, window) {
        let step = if from == window.0 {
            Some(0)
        } else if let Some(span) = first.get(&to).filter(|_| to < window.1) {
            step_of(capture, steps, span)
        } else {
            Some(steps.len() - 1)
        };
        if let Some(step) = step {
            steps[step].idle_ns += to - from;
        }
    }
}

/// A busy nanosecond belongs to the step of the running span, the earliest launched of several.
fn share_busy(
    capture: &Capture,
    (spans, window): (&[&DeviceSpan], Interval),
    steps: &mut [StepTruth],
) {
    let mut changes: Vec<(i64, bool, usize)> = Vec::new();
    for (idx, span) in spans.iter().enumerate() {
        for (from, to) in overlap(&[(span.start, span.end)], window) {
            if from < to {
                changes.push((from, true, idx));
                changes.push((to, false, idx));
            }
        }
    }
    changes.sort_unstable();
    let mut running: BTreeSet<(i64, usize)> = BTreeSet::new();
    let mut since = 0;
    for (at, starts, idx) in changes {
        if let Some(&(_, first)) = running.first()
            && let Some(step) = step_of(capture, steps, spans[first])
        {
            steps[step].busy_ns += at - since;
        }
        since = at;
        let entry = (launched_at(capture, spans[idx]), idx);
        if starts {
            running.insert(entry);
        } else {
            running.remove(&entry);
        }
    }
}

/// The device span that starts at each moment; of several, the earliest launched.
pub(super) fn first_by_start<'a>(
    capture: &Capture,
    spans: &[&'a DeviceSpan],
) -> HashMap<i64, &'a DeviceSpan> {
    let mut by_start: HashMap<i64, &'a DeviceSpan> = HashMap::new();
    for &span in spans.iter().filter(|span| span.end > span.start) {
        let first = by_start.entry(span.start).or_insert(span);
        if launched_at(capture, span) < launched_at(capture, first) {
            *first = span;
        }
    }
    by_start
}

/// Start of the launch; what was launched before the capture comes first.
pub(super) fn launched_at(capture: &Capture, span: &DeviceSpan) -> i64 {
    span.launch.map_or(i64::MIN, |call| capture.hosts[call as usize].start)
}

fn step_of(capture: &Capture, steps: &[StepTruth], span: &DeviceSpan) -> Option<usize> {
    span.launch.and_then(|call| step_at(steps, capture.hosts[call as usize].start))
}

fn step_at(steps: &[StepTruth], at: i64) -> Option<usize> {
    let after = steps.partition_point(|step| step.marker.from_ns <= at);
    after.checked_sub(1).filter(|&step| at < steps[step].marker.to_ns)
}
