//! Graphs in a capture: replays whose kernels are missing, and captures that were never run.

use flamelane_link::{Joined, Linked, call_kind};
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

/// How many kernels of replays have the stacks of the code that recorded them, and how they found
/// it.
fn names(linked: &Linked) -> Option<Check> {
    let joined = linked.joined.as_ref()?;
    let kernels = many(joined.kernels, "kernel");
    let value = joined.joined as f64 / joined.kernels.max(1) as f64;
    let mut message = if joined.joined == 0 {
        format!("{kernels} of graph replays, none with the stack of the code that recorded it")
    } else {
        let (own, ways) = (joined.joined, ways(joined));
        format!("{own} of {kernels} of graph replays have stacks of {}: {ways}", joined.source)
    };
    let others = [
        (
            joined.nearest > 0.0,
            format!(
                "the nearest recording names {} of a replay, and 80 % are needed",
                percent(joined.nearest)
            ),
        ),
        (
            joined.too_different,
            "a recording has the names in an order too different to compare".to_owned(),
        ),
        (
            joined.short > 0,
            format!("{} in replays too short for names to tell", many(joined.short, "kernel")),
        ),
        (joined.gave_up, "there were too many to look at all of them".to_owned()),
    ];
    for (_, other) in others.into_iter().filter(|(is_so, _)| *is_so) {
        message.push_str("; ");
        message.push_str(&other);
    }
    Some(Check::new("graph-names", Status::Ok, value, message))
}

fn ways(joined: &Joined) -> String {
    let by_name = joined.by_name + joined.by_place;
    let ways = [
        (joined.by_node, "by node id".to_owned()),
        (by_name, format!("by name in order (sequences agree to {:.3})", joined.ratio)),
        (joined.by_order, "by the order of the nodes".to_owned()),
        (joined.by_region, "by named region".to_owned()),
    ];
    let used: Vec<(u64, String)> = ways.into_iter().filter(|(count, _)| *count > 0).collect();
    let is_one = used.len() == 1;
    let said = |(count, way): (u64, String)| if is_one { way } else { format!("{count} {way}") };
    used.into_iter().map(said).collect::<Vec<_>>().join(", ")
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
