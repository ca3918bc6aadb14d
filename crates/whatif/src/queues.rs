//! Queues: launches that waited because the stream's queue was full.

use flamelane_link::Linked;
use flamelane_model::{Interval, Ns};

use crate::events::back;
use crate::script::{Event, On, Script, Wait};

/// A launch this many times the usual while the device is busy found the queue full.
const FULL_TIMES: Ns = 10;
const FULL_LEAST: Ns = 50_000;

/// Finds the launches that waited for a place in a queue: the span that ended last before their
/// return made it.
pub(crate) fn full(linked: &Linked, script: &mut Script) {
    let Some(usual) = usual(script) else { return };
    let least = usual.saturating_mul(FULL_TIMES).max(FULL_LEAST);
    // One a stream: its spans launched so far, in order.
    let mut launched: Vec<Vec<usize>> = vec![Vec::new(); script.streams.len()];
    for row in 0..script.events.len() {
        let event = &script.events[row];
        let Some(first) = event.first() else { continue };
        let stream = script.spans[first].stream;
        let is_long = event.wait.is_none() && event.time.len() >= least;
        if is_long && busy_during(linked, script.streams[stream], event.time, usual) {
            script.events[row].wait = place(script, &launched[stream], event);
        }
        let (from, to) = script.events[row].work;
        for span in from..to {
            launched[script.spans[span].stream].push(span);
        }
    }
}

/// What a launch that does not wait takes: the lower quartile, as in a full queue most wait.
fn usual(script: &Script) -> Option<Ns> {
    let launches = script.events.iter().filter(|event| event.wait.is_none());
    let launches = launches.filter(|event| event.first().is_some());
    let mut lengths: Vec<Ns> = launches.map(|event| event.time.len()).collect();
    let quarter = lengths.len() / 4;
    (!lengths.is_empty()).then(|| *lengths.select_nth_unstable(quarter).1)
}

/// Whether a device was busy all through a call.
fn busy_during(linked: &Linked, device: usize, call: Interval, slack: Ns) -> bool {
    let busy = &linked.devices[device].busy;
    let after = busy.partition_point(|run| run.from <= call.from);
    let run = after.checked_sub(1).map(|last| busy[last]);
    run.is_some_and(|run| call.to <= run.to.saturating_add(slack))
}

/// The wait for a place, if one became free during the call.
fn place(script: &Script, launched: &[usize], event: &Event) -> Option<Wait> {
    let end = |span: usize| script.spans[span].time.to;
    // Spans of one stream end in the order of their launches.
    let ended = launched.partition_point(|&span| end(span) <= event.time.to);
    let span = launched[ended.checked_sub(1)?];
    let back = back(event.time, end(span))?;
    Some(Wait { on: On::Span(span), back: Some(back) })
}
