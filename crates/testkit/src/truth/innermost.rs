//! What each host thread ran innermost, at every moment.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::intervals::Interval;
use crate::capture::{Capture, HostIdx, HostKind};

/// Children that end at most this much after their parent end with it.
const SNAP_NS: i64 = 2;

/// Place of a span among those open at one moment; the last one is the innermost.
pub(super) type Rank = (i64, Reverse<i64>, HostKind, HostIdx);

/// Innermost spans of one thread over time; step markers explain nothing and do not appear.
#[derive(Debug)]
pub(super) struct Timeline {
    /// Intervals with something open, in order.
    pieces: Vec<(Interval, HostIdx)>,
}

impl Timeline {
    /// The timeline of each thread.
    pub(super) fn of_threads(capture: &Capture) -> Vec<Self> {
        let snapped = snapped_ends(capture);
        (0..capture.threads.len() as u16)
            .map(|thread| Self::of_spans(capture, &snapped, thread))
            .collect()
    }

    fn of_spans(capture: &Capture, ends: &[i64], thread: u16) -> Self {
        let mut changes: Vec<(i64, HostIdx, bool)> = Vec::new();
        for (idx, span) in capture.hosts.iter().enumerate() {
            let end = ends[idx];
            if span.thread == thread && !span.marker && end > span.start {
                changes.push((span.start, idx as HostIdx, true));
                changes.push((end, idx as HostIdx, false));
            }
        }
        changes.sort_unstable();
        let mut open: BTreeMap<Rank, HostIdx> = BTreeMap::new();
        let mut pieces: Vec<(Interval, HostIdx)> = Vec::new();
        let mut since = 0;
        for (at, idx, opens) in changes {
            if let Some((_, &innermost)) = open.last_key_value()
                && at > since
            {
                match pieces.last_mut() {
                    Some((last, owner)) if *owner == innermost && last.1 == since => last.1 = at,
                    _ => pieces.push(((since, at), innermost)),
                }
            }
            since = at;
            if opens {
                open.insert(rank(capture, ends, idx), idx);
            } else {
                open.remove(&rank(capture, ends, idx));
            }
        }
        Self { pieces }
    }

    /// Cuts an interval into pieces: with their innermost span, or none.
    pub(super) fn pieces(&self, (from, to): Interval) -> Vec<(Interval, Option<HostIdx>)> {
        let first = self.pieces.partition_point(|&((_, end), _)| end <= from);
        let mut cut = Vec::new();
        let mut at = from;
        for &((start, end), owner) in &self.pieces[first..] {
            if start >= to {
                break;
            }
            if start > at {
                cut.push(((at, start), None));
            }
            let piece = (start.max(at), end.min(to));
            cut.push((piece, Some(owner)));
            at = piece.1;
        }
        if at < to {
            cut.push(((at, to), None));
        }
        cut
    }
}

/// Where a span stands among those open with it: by start, longer first, kind, file order.
pub(super) fn rank(capture: &Capture, ends: &[i64], idx: HostIdx) -> Rank {
    let span = &capture.hosts[idx as usize];
    (span.start, Reverse(ends[idx as usize]), span.kind, idx)
}

/// Ends of all host spans, after children that end a little late were put right.
pub(super) fn snapped_ends(capture: &Capture) -> Vec<i64> {
    let mut ends: Vec<i64> = capture.hosts.iter().map(|span| span.end).collect();
    let mut order: Vec<HostIdx> = (0..capture.hosts.len() as HostIdx).collect();
    let raw = ends.clone();
    order.sort_by_key(|&idx| (capture.hosts[idx as usize].thread, rank(capture, &raw, idx)));
    let mut open: Vec<HostIdx> = Vec::new();
    let mut thread = None;
    for idx in order {
        let span = &capture.hosts[idx as usize];
        if thread != Some(span.thread) {
            open.clear();
            thread = Some(span.thread);
        }
        open.retain(|&outer| ends[outer as usize] > span.start);
        if let Some(&parent) = open.last() {
            let late = span.end - ends[parent as usize];
            if late > 0 && late <= SNAP_NS {
                ends[idx as usize] = ends[parent as usize];
            }
        }
        open.push(idx);
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;

    #[test]
    fn the_sweep_finds_what_looking_at_every_span_finds() {
        for seed in 0..40 {
            let capture = random::capture(seed);
            let ends = snapped_ends(&capture);
            for (thread, timeline) in Timeline::of_threads(&capture).iter().enumerate() {
                for ((from, to), owner) in timeline.pieces((capture.from, capture.to)) {
                    for at in [from, i64::midpoint(from, to), to - 1] {
                        assert_eq!(owner, innermost_at(&capture, &ends, (thread as u16, at)));
                    }
                }
            }
        }
    }

    fn innermost_at(capture: &Capture, ends: &[i64], (thread, at): (u16, i64)) -> Option<HostIdx> {
        (0..capture.hosts.len() as HostIdx)
            .filter(|&idx| {
                let span = &capture.hosts[idx as usize];
                let open = span.start <= at && at < ends[idx as usize];
                span.thread == thread && open && !span.marker
            })
            .max_by_key(|&idx| rank(capture, ends, idx))
    }
}
