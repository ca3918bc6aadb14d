//! Graphs in a capture: replays whose kernels are missing, and captures that were never run.

use flamelane_link::{Linked, call_kind};

use super::{Check, Status};

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
    }
    let n_kernels = linked.trace.device.len();
    if calls.captures > 0 && n_kernels * 20 < calls.launches && n_kernels < 64 {
        let message = format!(
            "a recording of a graph capture, not of a run: {} launches, {n_kernels} device spans",
            calls.launches
        );
        let check = Check::new("capture-only", Status::Fail, calls.launches as f64, message);
        checks
            .push(check.fix("record after warm-up; this capture can name the kernels of replays"));
    }
    checks
}

fn replays(calls: &Calls) -> Check {
    let missing = calls.replays - calls.replays_with_spans;
    let value = missing as f64 / calls.replays as f64;
    let (status, message) = if missing == 0 {
        (Status::Ok, format!("{} graph replays with their kernels", calls.replays))
    } else {
        let status = if missing * 2 > calls.replays { Status::Fail } else { Status::Warn };
        let message = format!(
            "{missing} of {} graph replays recorded without their kernels: device time inside is unknown",
            calls.replays
        );
        (status, message)
    };
    Check::new("graph-replays", status, value, message).fix(
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
