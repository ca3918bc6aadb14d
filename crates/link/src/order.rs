//! Order: the host spans of each thread in the order in which they nest.

use flamelane_model::{FrameKind, LaneId, LaneKind, Trace};

/// For each lane, the rows of its host spans by (start, longer first, python > annotation > op >
/// runtime, file order). Empty for streams.
///
/// Rows alone, a sixth of what the sweep reads of a span: fresh memory costs more than looking
/// the rest up, since rows of one thread lie nearly in order.
pub fn by_lane(trace: &Trace) -> Vec<Vec<u32>> {
    let host = &trace.host;
    let mut counts = vec![0_usize; trace.lanes.len()];
    for lane in &host.lane {
        counts[lane.index()] += 1;
    }
    let mut lanes: Vec<Vec<u32>> = counts.iter().map(|&n| Vec::with_capacity(n)).collect();
    for (span, lane) in host.lane.iter().enumerate() {
        lanes[lane.index()].push(span as u32);
    }
    for lane in &mut lanes {
        // Stable, and files hold a few sorted runs per thread: this is nearly a merge.
        lane.sort_by(|&a, &b| {
            let (a, b) = (a as usize, b as usize);
            let by_start = host.start[a].cmp(&host.start[b]);
            let by_end = || host.end[b].cmp(&host.end[a]);
            by_start.then_with(by_end).then_with(|| rank(host.kind[a]).cmp(&rank(host.kind[b])))
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
