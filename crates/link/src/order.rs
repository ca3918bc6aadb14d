//! Order: the host spans of each thread in the order in which they nest.

use flamelane_model::{FrameKind, LaneId, LaneKind, Ns, Trace};

/// A host span as the sweep sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opened {
    pub(crate) start: Ns,
    pub(crate) end: Ns,
    /// Row of the host spans.
    pub(crate) span: u32,
    pub(crate) kind: FrameKind,
}

/// For each lane, its host spans by (start, longer first, python > annotation > op > runtime,
/// file order). Empty for streams.
pub(crate) fn by_lane(trace: &Trace) -> Vec<Vec<Opened>> {
    let host = &trace.host;
    let mut counts = vec![0_usize; trace.lanes.len()];
    for lane in &host.lane {
        counts[lane.index()] += 1;
    }
    let mut lanes: Vec<Vec<Opened>> = counts.iter().map(|&n| Vec::with_capacity(n)).collect();
    for span in 0..host.len() {
        lanes[host.lane[span].index()].push(Opened {
            start: host.start[span],
            end: host.end[span],
            span: span as u32,
            kind: host.kind[span],
        });
    }
    for lane in &mut lanes {
        // Stable, and files hold a few sorted runs per thread: this is nearly a merge.
        lane.sort_by(|a, b| {
            a.start.cmp(&b.start).then(b.end.cmp(&a.end)).then(rank(a.kind).cmp(&rank(b.kind)))
        });
    }
    lanes
}

/// Nesting rank of equal intervals, outermost first.
fn rank(kind: FrameKind) -> u8 {
    match kind {
        FrameKind::Thread | FrameKind::Python | FrameKind::Module => 0,
        FrameKind::Annotation => 1,
        FrameKind::Runtime => 3,
        FrameKind::Native | FrameKind::Os => 4,
        _ => 2,
    }
}

/// The host threads of a trace.
pub(crate) fn threads(trace: &Trace) -> impl Iterator<Item = LaneId> + '_ {
    let is_thread = |lane: &LaneId| trace.lane(*lane).kind == LaneKind::Thread;
    (0..trace.lanes.len()).map(LaneId::new).filter(is_thread)
}
