//! Graphs in a capture: replays whose kernels are missing, and captures that were never run.

use flamelane_link::{Linked, call_kind};
use flamelane_model::{Interval, LaneId, Ns, Trace, union};

use super::{Check, Status, percent, share, sum};
use crate::words::many;

/// What the calls say about graphs.
struct Calls {
    replays: usize,
    replays_with_spans: usize,
    captures: usize,
    launches: usize,
}

/// Checks on graph replays; none when the capture has no graphs.
pub(crate) fn checks(linked: &Linked) -> Vec<Check> {
    let calls = count(linked);
    let mut checks = Vec::new();
    if calls.replays > 0 {
        checks.push(replays(&calls));
        checks.extend(names(linked));
    }
    let n_kernels = linked.trace.device.len();
    if calls.captures > 0 && n_kernels * 20 < calls.launches && n_kernels < 64 {
        let message = format!(
            "a recording of a graph capture, not of a run: {}, {}",
            many_launches(calls.launches),
            many(n_kernels as u64, "device span"),
        );
        let check = Check::new("capture-only", Status::Fail, calls.launches as f64, message);
        checks.push(
            check.fix(
                "warm-up",
                "record after warm-up; this capture can name the kernels of replays",
            ),
        );
    }
    checks.extend(inside_capture(linked));
    checks
}

/// How many kernels of replays have the stacks of the code that recorded them.
fn names(linked: &Linked) -> Option<Check> {
    let joined = linked.joined.as_ref().filter(|joined| joined.joined > 0)?;
    let message = format!(
        "{} of {} kernels of graph replays have the stacks of {} (sequences agree to {:.3})",
        joined.joined, joined.kernels, joined.source, joined.ratio
    );
    let value = joined.joined as f64 / joined.kernels.max(1) as f64;
    Some(Check::new("graph-names", Status::Ok, value, message))
}

fn many_launches(count: usize) -> String {
    format!("{count} launch{}", if count == 1 { "" } else { "es" })
}

/// A window that lies mostly inside the capture of graphs, where launches only record.
fn inside_capture(linked: &Linked) -> Option<Check> {
    let captures = union(captures(&linked.trace));
    let wall = linked.window.wall();
    let inside = sum(captures.iter().flat_map(|&c| linked.window.clip(c)).map(Interval::len));
    if inside <= wall.saturating_sub(inside) {
        return None;
    }
    let value = share(inside, wall);
    let message = format!(
        "{} of the window lies inside the capture of graphs, where launches record and nothing runs",
        percent(value)
    );
    Some(Check::new("stream-capture", Status::Fail, value, message).fix(
        "warm-up",
        "record after warm-up, when graphs are replayed; this capture can name the kernels of replays",
    ))
}

/// From the begin of each capture to its end, by thread; one that the file cuts reaches to the edge.
fn captures(trace: &Trace) -> Vec<Interval> {
    let mut known = vec![None; trace.strings.len()];
    let mut edges: Vec<(LaneId, Ns, bool)> = Vec::new();
    for span in trace.calls.span.iter().map(|span| span.index()) {
        let name = trace.host.name[span];
        let edge = *known[name.index()].get_or_insert_with(|| {
            let text = trace.text(name);
            let begins = text.contains("StreamBeginCapture");
            (begins || text.contains("StreamEndCapture")).then_some(begins)
        });
        if let Some(begins) = edge {
            let at = if begins { trace.host.start[span] } else { trace.host.end[span] };
            edges.push((trace.host.lane[span], at, begins));
        }
    }
    edges.sort_unstable();
    let mut captures = Vec::new();
    let mut open: Option<(LaneId, Ns)> = None;
    let mut last_lane = None;
    for (lane, at, begins) in edges {
        if let Some((_, from)) = open.filter(|&(was, _)| was != lane) {
            captures.push(Interval::new(from, trace.extent.to.max(from)));
            open = None;
        }
        let is_first = last_lane.replace(lane) != Some(lane);
        match (begins, open) {
            (true, None) => open = Some((lane, at)),
            (false, Some((_, from))) => {
                captures.push(Interval::new(from, at));
                open = None;
            }
            (false, None) if is_first => captures.push(Interval::new(trace.extent.from, at)),
            (true, Some(_)) | (false, None) => {}
        }
    }
    captures.extend(open.map(|(_, from)| Interval::new(from, trace.extent.to.max(from))));
    captures
}

fn replays(calls: &Calls) -> Check {
    let missing = calls.replays - calls.replays_with_spans;
    let value = missing as f64 / calls.replays as f64;
    let (status, message) = if missing == 0 {
        let replays = many(calls.replays as u64, "graph replay");
        let their = if calls.replays == 1 { "its" } else { "their" };
        (Status::Ok, format!("{replays} with {their} kernels"))
    } else {
        let status = if missing * 2 > calls.replays { Status::Fail } else { Status::Warn };
        let message = format!(
            "{missing} of {} recorded without kernels: device time inside is unknown",
            many(calls.replays as u64, "graph replay")
        );
        (status, message)
    };
    Check::new("graph-replays", status, value, message).fix(
        "graph-nodes",
        "record graphs at node level (`nsys --cuda-graph-trace=node`; torch records nodes when CUPTI is active at replay)",
    )
}

fn count(linked: &Linked) -> Calls {
    let trace = &linked.trace;
    let mut has_spans = vec![false; trace.calls.len()];
    for origin in &linked.origins {
        if let Some(call) = origin.call() {
            has_spans[call.index()] = true;
        }
    }
    let mut calls = Calls { replays: 0, replays_with_spans: 0, captures: 0, launches: 0 };
    let mut known = vec![None; trace.strings.len()];
    for (call, span) in trace.calls.span.iter().enumerate() {
        let name = trace.host.name[span.index()];
        let (kind, captures) = *known[name.index()].get_or_insert_with(|| {
            let text = trace.text(name);
            (call_kind(text), text.contains("BeginCapture"))
        });
        calls.launches += usize::from(kind.launches);
        calls.captures += usize::from(captures);
        calls.replays += usize::from(kind.replays);
        calls.replays_with_spans += usize::from(kind.replays && has_spans[call]);
    }
    calls
}
