//! Findings as the document lists them.

use std::collections::BTreeMap;

use flamelane_find::{Answer, Figure, Finding};
use flamelane_link::{Linked, NO_STEP};
use flamelane_model::{FrameKind, Ns, StackId};
use flamelane_whatif::{Declined, Replay};
use serde_json::Value;

use crate::document as doc;
use crate::whatif::Gains;

/// The findings of a capture, largest first.
pub(crate) fn findings(
    linked: &Linked,
    answer: &Answer,
    replay: Option<&Result<Replay<'_>, Declined>>,
) -> Vec<doc::Finding> {
    let replay = replay.and_then(|replay| replay.as_ref().ok());
    let mut gains = Gains::new(replay, answer.n_steps);
    let row = |found| doc::Finding {
        simulated_gain_ns_per_step: gains.of(found),
        ..finding(linked, answer, found)
    };
    answer.findings.iter().map(row).collect()
}

fn finding(linked: &Linked, answer: &Answer, found: &Finding) -> doc::Finding {
    let per_step = |ns: Ns| ns / answer.n_steps.max(1);
    doc::Finding {
        kind: found.kind.name().to_owned(),
        r#where: place(linked, found),
        stack: names(linked, found.stack),
        user_frame: linked.user_frame(found.stack).map(str::to_owned),
        count: found.count,
        per_step: found.count as f64 / answer.n_steps.max(1) as f64,
        evidence: found.evidence.iter().map(|(name, f)| ((*name).to_owned(), value(f))).collect(),
        owned_ns_per_step: per_step(found.owned),
        owned_share: found.owned as f64 / answer.counted.max(1) as f64,
        max_gain_ns_per_step: per_step(found.max_gain),
        simulated_gain_ns_per_step: None,
        shares_with: found.shares_with.iter().map(|kind| kind.name().to_owned()).collect(),
        confidence: found.confidence.clone(),
        subject: found.subject.clone(),
        sentence: found.sentence.clone(),
        experiment: found.experiment.clone(),
        headline: found.headline,
    }
}

/// The thread that the stack is of, else the stream of the device.
fn place(linked: &Linked, found: &Finding) -> doc::Place {
    let stacks = &linked.nested.stacks;
    let thread = stacks.climb(found.stack).map(|node| stacks.frame(node));
    let thread = thread.filter(|frame| frame.kind == FrameKind::Thread).last();
    let lane = thread.map(|frame| linked.trace.text(frame.name).to_owned());
    let device = || {
        let row = linked.devices.get(found.place.device)?;
        Some(format!("device {}", linked.trace.devices[row.device.index()].id))
    };
    let step = (found.place.host_step != NO_STEP)
        .then(|| linked.steps.list.get(found.place.host_step as usize))
        .flatten();
    doc::Place {
        lane: lane.or_else(device).unwrap_or_default(),
        step: step.map(|step| step.name.clone()),
        from_ns: found.place.time.from,
        to_ns: found.place.time.to,
    }
}

fn names(linked: &Linked, stack: StackId) -> Vec<String> {
    let frames = linked.nested.stacks.path(stack).into_iter();
    let frames = frames.filter(|frame| frame.kind != FrameKind::Thread);
    frames.map(|frame| linked.trace.text(frame.name).to_owned()).collect()
}

fn value(figure: &Figure) -> Value {
    match figure {
        Figure::Ns(ns) => Value::from(*ns),
        Figure::Count(n) | Figure::Bytes(n) => Value::from(*n),
        Figure::Number(number) => Value::from((number * 1e6).round() / 1e6),
        Figure::Text(text) => Value::from(text.as_str()),
        Figure::Frames(rows) => rows
            .iter()
            .map(|(name, ns)| {
                let row: BTreeMap<&str, Value> =
                    [("name", Value::from(name.as_str())), ("ns", Value::from(*ns))].into();
                serde_json::to_value(row).unwrap_or_default()
            })
            .collect(),
    }
}
