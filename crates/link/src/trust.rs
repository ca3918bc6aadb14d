//! Trust: device spans whose recorded times cannot be right, and what is used instead.
//!
//! Totals and the `gpu` weight stay raw; the window's figures use the corrected times.

use flamelane_model::{Interval, LaneId, Ns, Trace};

use crate::launches::Origin;

/// Corrected times of device spans.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// One a device span: its end as far as it is believed. Equal to the recorded end for nearly
    /// all.
    pub end: Vec<Ns>,
    /// Spans cut to the start of the next on their stream, because they cover several successors
    /// or outlast the file without them.
    pub clipped: Vec<u32>,
    /// Spans left out: they start long before their launch or absurdly long after it.
    pub impossible: Vec<u32>,
    /// One a device span: whether it takes part in the window.
    pub counts: Vec<bool>,
}

/// A span that starts more than this before its launch has an impossible time.
const BEFORE_LAUNCH: Ns = 1_000_000;
/// A span that starts more than this after its launch has an impossible time.
const AFTER_LAUNCH: Ns = 60_000_000_000;
/// How many successors of a span are looked at: covered ones follow at once, and files in which
/// everything overlaps must not cost the square.
const LOOK_AHEAD: usize = 64;

/// Checks every device span.
pub(crate) fn judge(trace: &Trace, origins: &[Origin]) -> Trust {
    let n_spans = trace.device.len();
    let mut trust =
        Trust { end: trace.device.end.clone(), counts: vec![true; n_spans], ..Trust::default() };
    for (span, origin) in origins.iter().enumerate() {
        let Some(call) = origin.call() else { continue };
        let launch = trace.host.start[trace.calls.span[call.index()].index()];
        let start = trace.device.start[span];
        let early = launch.saturating_sub(start) > BEFORE_LAUNCH;
        let late = start.saturating_sub(launch) > AFTER_LAUNCH;
        if early || late {
            trust.impossible.push(span as u32);
            trust.counts[span] = false;
        }
    }
    let extents = Extents::new(trace, &trust);
    for stream in by_stream(trace, &trust) {
        clip(trace, origins, &stream, &mut trust);
        outlast(trace, &stream, &extents, &mut trust);
    }
    trust.clipped.sort_unstable();
    trust
}

/// Believed device spans of each stream by (start, file order).
fn by_stream(trace: &Trace, trust: &Trust) -> Vec<Vec<u32>> {
    let mut streams: Vec<Vec<u32>> = vec![Vec::new(); trace.lanes.len()];
    for span in (0..trace.device.len()).filter(|&span| trust.counts[span]) {
        let LaneId(lane) = trace.device.lane[span];
        streams[lane as usize].push(span as u32);
    }
    for stream in &mut streams {
        stream.sort_by_key(|&span| trace.device.start[span as usize]);
    }
    streams
}

/// Cuts spans that cover two or more successors of their own stream, branches of one graph replay
/// aside, at the next start.
fn clip(trace: &Trace, origins: &[Origin], stream: &[u32], trust: &mut Trust) {
    let device = &trace.device;
    for (i, &span) in stream.iter().enumerate() {
        let span = span as usize;
        let end = device.end[span];
        let later = stream[i + 1..].iter().take(LOOK_AHEAD).map(|&s| s as usize);
        let inside = later
            .take_while(|&s| device.start[s] < end)
            .filter(|&s| device.end[s] <= end && device.start[s] > device.start[span])
            .filter(|&s| origins[s].call().is_none() || origins[s] != origins[span]);
        if inside.take(2).count() < 2 {
            continue;
        }
        let mut next = stream[i + 1..].iter().map(|&s| device.start[s as usize]);
        let next = next.find(|&start| start > device.start[span]);
        trust.end[span] = next.unwrap_or(end).min(end);
        trust.clipped.push(span as u32);
    }
}

/// Fewer device spans than this are no rest to measure one against.
const FEW_SPANS: usize = 8;

/// The last spans of a stream have no two successors to cover: one that is longer than the whole
/// file without it is cut at the start of the next, else where the rest of the file ends.
fn outlast(trace: &Trace, stream: &[u32], extents: &Extents, trust: &mut Trust) {
    if trace.device.len() <= FEW_SPANS {
        return;
    }
    let mut next = None;
    for &span in stream.iter().rev().take(2) {
        let span = span as usize;
        let (start, end) = (trace.device.start[span], trust.end[span]);
        let rest = extents.without(start, trace.device.end[span]);
        if !rest.is_empty() && end.saturating_sub(start) > rest.len() {
            trust.end[span] = next.unwrap_or(rest.to).max(start).min(end);
            trust.clipped.push(span as u32);
        }
        next = Some(start);
    }
}

/// The first two starts and the last two ends of all spans, host and device.
struct Extents {
    from: [Ns; 2],
    to: [Ns; 2],
}

impl Extents {
    fn new(trace: &Trace, trust: &Trust) -> Self {
        let mut extents = Self { from: [Ns::MAX; 2], to: [Ns::MIN; 2] };
        let host = trace.host.start.iter().copied().zip(trace.host.end.iter().copied());
        let device = (0..trace.device.len()).filter(|&span| trust.counts[span]);
        let device = device.map(|span| (trace.device.start[span], trace.device.end[span]));
        for (start, end) in host.chain(device) {
            let [first, second] = extents.from;
            extents.from = [first.min(start), second.min(start.max(first))];
            let [last, before] = extents.to;
            extents.to = [last.max(end), before.max(end.min(last))];
        }
        extents
    }

    /// First start to last end of all spans but one, told by its own times.
    fn without(&self, start: Ns, end: Ns) -> Interval {
        let from = self.from[usize::from(self.from[0] == start)];
        let to = self.to[usize::from(self.to[0] == end)];
        Interval::new(from.min(to), to)
    }
}
