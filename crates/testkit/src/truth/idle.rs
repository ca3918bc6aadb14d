//! Who owns each idle nanosecond of a device.

use std::collections::HashSet;

use super::innermost::Timeline;
use super::intervals::{Interval, complement, length, overlap, union};
use super::steps::first_by_start;
use super::{DeviceTruth, IdlePiece, OwnerKind, Span};
use crate::capture::{Capture, DeviceKind, DeviceSpan, HostIdx, HostKind, HostSpan};

const LAUNCH_LATENCY: &str = "launch latency";
const COPY_CALL: &str = "copy call";
const DISPATCH: &str = "dispatch";
const INSIDE_GRAPH: &str = "inside graph";
const STREAM_WAIT: &str = "stream-wait";
const DEVICE_OTHER: &str = "device other";
const UNRECORDED: &str = "[unrecorded host time]";
const NO_HOST_DATA: &str = "[no host data]";
const NOT_RECORDED: &str = "[device work not recorded]";

/// A device span that starts this long after its call ended, first on its stream, hides others.
const NOT_RECORDED_AFTER: i64 = 100_000;
/// Launch latency reaches at least this far beyond the call.
const LATENCY_AT_LEAST: i64 = 10_000;

/// Finds gaps and their owners, device by device.
pub(super) struct GapFinder<'a> {
    capture: &'a Capture,
    window: Interval,
    timelines: Vec<Timeline>,
}

/// A maximal idle interval and what ends it.
struct Gap<'a> {
    at: Interval,
    /// What starts at its end; none at the tail of the window.
    op: Option<&'a DeviceSpan>,
    class: Class,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Tail,
    LateHost,
    NotRecorded,
    DeviceSide,
}

impl<'a> GapFinder<'a> {
    pub(super) fn new(capture: &'a Capture, window: Span) -> Self {
        let window = (window.from_ns, window.to_ns);
        Self { capture, window, timelines: Timeline::of_threads(capture) }
    }

    /// Figures and idle pieces of one device.
    pub(super) fn device(&mut self, device: u16) -> (DeviceTruth, Vec<IdlePiece>) {
        let spans: Vec<&DeviceSpan> =
            self.capture.devices.iter().filter(|span| span.device == device).collect();
        let busy = union(spans.iter().map(|span| (span.start, span.end)).collect());
        let mut gaps = self.gaps(&spans, &complement(&busy, self.window));
        let lambda = self.lambda(&gaps);
        self.classify(&spans, &mut gaps, lambda);
        let floor = floor(&gaps);
        let owners = Owners::new(self, &spans, (lambda, floor));
        let pieces = gaps.iter().flat_map(|gap| owners.of_gap(gap)).collect();
        let window_busy_ns = length(&overlap(&busy, self.window));
        let truth = DeviceTruth {
            device,
            sum_ns: spans.iter().map(|span| span.end - span.start).sum(),
            busy_ns: length(&busy),
            window_busy_ns,
            window_idle_ns: self.window.1 - self.window.0 - window_busy_ns,
            lambda_ns: lambda,
            floor_ns: floor,
        };
        (truth, pieces)
    }

    fn gaps(&self, spans: &[&'a DeviceSpan], idle: &[Interval]) -> Vec<Gap<'a>> {
        let by_start = first_by_start(self.capture, spans);
        idle.iter()
            .map(|&at| Gap {
                at,
                op: by_start.get(&at.1).copied().filter(|_| at.1 < self.window.1),
                class: Class::Tail,
            })
            .collect()
    }

    fn call(&self, op: &DeviceSpan) -> Option<&'a HostSpan> {
        op.launch.map(|call| &self.capture.hosts[call as usize])
    }

    /// Median of start − launch over what was launched after its gap began.
    fn lambda(&self, gaps: &[Gap<'_>]) -> i64 {
        let latencies = gaps.iter().filter_map(|gap| {
            let launch = self.call(gap.op?)?.start;
            (launch > gap.at.0).then(|| gap.at.1 - launch)
        });
        median(latencies.collect()).unwrap_or(0)
    }

    fn classify(&self, spans: &[&DeviceSpan], gaps: &mut [Gap<'_>], lambda: i64) {
        for gap in gaps {
            let Some(op) = gap.op else { continue };
            let Some(call) = self.call(op) else {
                gap.class = Class::DeviceSide;
                continue;
            };
            let earlier = |other: &&DeviceSpan| other.stream == op.stream && other.start < op.start;
            let late_start = op.start - call.end > NOT_RECORDED_AFTER;
            let (from, to) = gap.at;
            let graph = self.capture.names.text(call.name).contains("GraphLaunch");
            gap.class = if late_start && !spans.iter().any(earlier) {
                Class::NotRecorded
            } else if call.start > from
                || (!graph && 2 * (to - call.start) <= 3 * lambda)
                || self.stalls(call, gap.at)
            {
                Class::LateHost
            } else {
                Class::DeviceSide
            };
        }
    }
}

impl GapFinder<'_> {
    /// Whether an overhead held a launch call up during a gap.
    fn stalls(&self, call: &HostSpan, (from, to): Interval) -> bool {
        self.capture.overheads.iter().any(|overhead| {
            let inside = overhead.start >= call.start && overhead.end <= call.end;
            inside && overhead.start < to && overhead.end > from
        })
    }
}

/// Median of device-side gaps, clamped; a usual figure when they are few.
fn floor(gaps: &[Gap<'_>]) -> i64 {
    let device_side: Vec<i64> = gaps
        .iter()
        .filter(|gap| gap.class == Class::DeviceSide)
        .map(|gap| gap.at.1 - gap.at.0)
        .collect();
    if device_side.len() < 32 {
        return 1500;
    }
    median(device_side).unwrap_or(1500).clamp(500, 5000)
}

/// The upper median.
fn median(mut values: Vec<i64>) -> Option<i64> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

/// The owners of the gaps of one device.
struct Owners<'f, 'a> {
    finder: &'f GapFinder<'a>,
    device: u16,
    lambda: i64,
    floor: i64,
    /// Start and thread of every launch on the device, in order.
    launches: Vec<(i64, u16)>,
    /// Ends of device spans with their launches.
    ends: HashSet<(i64, HostIdx)>,
}

impl<'f, 'a> Owners<'f, 'a> {
    fn new(
        finder: &'f GapFinder<'a>,
        spans: &[&'a DeviceSpan],
        (lambda, floor): (i64, i64),
    ) -> Self {
        let calls = spans.iter().filter_map(|span| finder.call(span));
        let mut launches: Vec<(i64, u16)> = calls.map(|call| (call.start, call.thread)).collect();
        launches.sort_unstable();
        let ends = spans.iter().filter_map(|span| Some((span.end, span.launch?))).collect();
        Self { finder, device: spans[0].device, lambda, floor, launches, ends }
    }

    fn of_gap(&self, gap: &Gap<'_>) -> Vec<IdlePiece> {
        let mut pieces = Pieces { device: self.device, list: Vec::new() };
        let (from, to) = gap.at;
        match (gap.op, gap.op.and_then(|op| self.finder.call(op))) {
            (Some(op), Some(call)) => {
                let host_until = call.start.clamp(from, to);
                self.host((from, host_until), (call.thread, call.start), &mut pieces);
                match gap.class {
                    Class::NotRecorded => {
                        let recorded_until =
                            if call.start > from { call.end.clamp(from, to) } else { from };
                        self.in_call((host_until, recorded_until), (op, call), &mut pieces);
                        let hidden_from = host_until.max(recorded_until);
                        pieces.bucket((hidden_from, to), NOT_RECORDED);
                    }
                    Class::LateHost => self.late((host_until, to), (op, call), &mut pieces),
                    Class::DeviceSide | Class::Tail => {
                        pieces.bucket(gap.at, self.device_side(gap.at, op));
                    }
                }
            }
            (Some(op), None) => pieces.bucket(gap.at, self.device_side(gap.at, op)),
            (None, _) => self.tail(gap.at, &mut pieces),
        }
        pieces.list
    }

    /// From the launch to the start: the call, then launch latency or a wait of the stream.
    fn late(&self, (from, to): Interval, op: (&DeviceSpan, &HostSpan), pieces: &mut Pieces) {
        let call_until = op.1.end.clamp(from, to);
        self.in_call((from, call_until), op, pieces);
        if op.0.waited {
            pieces.bucket((call_until, to), STREAM_WAIT);
            return;
        }
        let reach = LATENCY_AT_LEAST.max(3 * self.lambda / 2);
        let latency_until = (call_until + reach).min(to);
        pieces.bucket((call_until, latency_until), LAUNCH_LATENCY);
        pieces.bucket((latency_until, to), DEVICE_OTHER);
    }

    /// Inside the launching call: overheads of the profiler, else the call's own cost.
    fn in_call(
        &self,
        (from, to): Interval,
        (op, call): (&DeviceSpan, &HostSpan),
        pieces: &mut Pieces,
    ) {
        let rest = if op.kind == DeviceKind::Copy { COPY_CALL } else { LAUNCH_LATENCY };
        let mut at = from;
        for overhead in &self.finder.capture.overheads {
            let inside = overhead.start >= call.start && overhead.end <= call.end;
            let (start, end) = (overhead.start.max(at), overhead.end.min(to));
            if inside && start < end {
                pieces.bucket((at, start), rest);
                let name = self.finder.capture.names.text(overhead.name);
                pieces.push((start, end), (name, OwnerKind::Overhead), false);
                at = end;
            }
        }
        pieces.bucket((at, to), rest);
    }

    fn device_side(&self, (from, to): Interval, op: &DeviceSpan) -> &'static str {
        let same_replay = op.launch.is_some_and(|call| self.ends.contains(&(from, call)));
        if to - from <= 3 * self.floor {
            DISPATCH
        } else if same_replay {
            INSIDE_GRAPH
        } else if op.waited {
            STREAM_WAIT
        } else {
            DEVICE_OTHER
        }
    }

    /// What follows the last device span: the thread that launched last is charged.
    fn tail(&self, at: Interval, pieces: &mut Pieces) {
        let capture = self.finder.capture;
        match self.launches.last() {
            Some(&(_, thread)) => self.host(at, (thread, i64::MAX), pieces),
            None if capture.hosts.is_empty() => pieces.bucket(at, NO_HOST_DATA),
            None => pieces.bucket(at, UNRECORDED),
        }
    }

    /// Charges what the launching thread ran innermost.
    fn host(&self, at: Interval, (thread, launch): (u16, i64), pieces: &mut Pieces) {
        if at.0 >= at.1 {
            return;
        }
        let capture = self.finder.capture;
        if capture.hosts.is_empty() {
            pieces.bucket(at, NO_HOST_DATA);
            return;
        }
        let timelines = &self.finder.timelines;
        for (piece, owner) in timelines[usize::from(thread)].pieces(at) {
            let Some(owner) = owner else {
                self.nothing_open(piece, (thread, launch), pieces);
                continue;
            };
            let Some(other) = capture.hosts[owner as usize].waits_for else {
                pieces.host(capture, piece, (owner, false));
                continue;
            };
            for (part, followed) in timelines[usize::from(other)].pieces(piece) {
                let asleep_too = followed
                    .is_some_and(|idx| capture.hosts[idx as usize].waits_for == Some(thread));
                match followed {
                    Some(idx) if !asleep_too => pieces.host(capture, part, (idx, true)),
                    _ => pieces.host(capture, part, (owner, false)),
                }
            }
        }
    }

    /// Charges the thread that launched before on this device, where this one has nothing open.
    fn nothing_open(&self, at: Interval, (thread, launch): (u16, i64), pieces: &mut Pieces) {
        let capture = self.finder.capture;
        let before = self.launches.partition_point(|&(start, _)| start < launch);
        let previous = self.launches[..before].iter().rev().find(|&&(_, other)| other != thread);
        let Some(&(_, other)) = previous else {
            pieces.bucket(at, UNRECORDED);
            return;
        };
        let timeline = &self.finder.timelines[usize::from(other)];
        for (part, owner) in timeline.pieces(at) {
            match owner {
                Some(owner) => pieces.host(capture, part, (owner, true)),
                None => pieces.bucket(part, UNRECORDED),
            }
        }
    }
}

/// Pieces of one gap; neighbours with one owner join, empty ones vanish.
struct Pieces {
    device: u16,
    list: Vec<IdlePiece>,
}

impl Pieces {
    fn bucket(&mut self, at: Interval, name: &str) {
        self.push(at, (name, OwnerKind::Bucket), false);
    }

    fn host(&mut self, capture: &Capture, at: Interval, (owner, other_thread): (HostIdx, bool)) {
        let kind = match capture.hosts[owner as usize].kind {
            HostKind::Python => OwnerKind::Python,
            HostKind::Annotation => OwnerKind::Annotation,
            HostKind::Op => OwnerKind::Op,
            HostKind::Runtime | HostKind::Driver => OwnerKind::Runtime,
        };
        self.push(at, (capture.host_name(owner), kind), other_thread);
    }

    fn push(
        &mut self,
        (from_ns, to_ns): Interval,
        (owner, kind): (&str, OwnerKind),
        other_thread: bool,
    ) {
        if from_ns >= to_ns {
            return;
        }
        if let Some(last) = self.list.last_mut()
            && (last.owner.as_str(), last.kind, last.other_thread) == (owner, kind, other_thread)
        {
            last.to_ns = to_ns;
            return;
        }
        let owner = owner.to_owned();
        self.list.push(IdlePiece {
            device: self.device,
            from_ns,
            to_ns,
            owner,
            kind,
            other_thread,
        });
    }
}
