//! Ranges: what the device did for each annotation.

use std::collections::BTreeMap;

use flamelane_model::{FrameKind, Interval, Ns, total, union};

use crate::{Choice, Linked, names, phases};

/// All occurrences of one annotation in the window, summed.
#[derive(Clone, Debug, Default)]
pub struct Range {
    /// Shown name.
    pub name: String,
    /// Phase, where the name tells one.
    pub phase: Option<String>,
    /// Occurrences.
    pub count: u64,
    /// Host durations.
    pub host: Ns,
    /// First device start to last device end of what was launched inside.
    pub envelope: Ns,
    /// Union of the device spans launched inside.
    pub union: Ns,
    /// Sum of their durations.
    pub sum: Ns,
    /// First device start minus range start, summed over occurrences with device work.
    pub onset: Ns,
    /// Occurrences with device work.
    pub n_with_work: u64,
}

impl Range {
    /// Share of the envelope in which the device worked.
    pub fn density(&self) -> f64 {
        if self.envelope == 0 { 0.0 } else { self.union as f64 / self.envelope as f64 }
    }
}

/// Most occurrences looked at; beyond, the rest of a flood of annotations is left out.
const MOST_OCCURRENCES: usize = 20_000;
/// Most launches looked at, summed over occurrences: in a flood of nested annotations each holds
/// all of them.
const MOST_LOOKED_AT: usize = 1 << 26;

/// Whether an occurrence is spoken of: it begins in the window. A window without steps begins with
/// the first launch, which the ranges around it come before: there it is enough to reach into it.
fn counts(linked: &Linked, has_steps: bool, host: Interval) -> bool {
    linked.window.holds(host.from) || !has_steps && linked.window.clip(host).next().is_some()
}

/// All ranges whose occurrences begin in the window, by host time, longest first.
pub fn ranges(linked: &Linked) -> Vec<Range> {
    let trace = &linked.trace;
    let launches = launches_by_time(linked);
    // Counted once: a look at all steps for every annotation would cost the square.
    let has_steps = linked.steps.n_kept() > 0 || linked.rules.choice != Choice::KeptSteps;
    let time = |span: usize| Interval::new(trace.host.start[span], trace.host.end[span]);
    let annotations = (0..trace.host.len())
        .filter(|&span| trace.host.kind[span] == FrameKind::Annotation)
        .filter(|&span| counts(linked, has_steps, time(span)))
        .take(MOST_OCCURRENCES);
    let mut by_name: BTreeMap<String, Range> = BTreeMap::new();
    let mut looked_at = 0_usize;
    for span in annotations {
        let text = trace.text(trace.host.name[span]);
        if text.is_empty() {
            continue;
        }
        let host = time(span);
        let inside = launched_in(&launches, host);
        looked_at += inside.len();
        if looked_at > MOST_LOOKED_AT {
            break;
        }
        let name = names::display(text).into_owned();
        let range = by_name.entry(name.clone()).or_insert_with(|| Range {
            phase: phases::phase(text, &linked.rules),
            name,
            ..Range::default()
        });
        add(linked, inside, host, range);
    }
    let mut ranges: Vec<Range> = by_name.into_values().collect();
    ranges.sort_by(|a, b| b.host.cmp(&a.host).then_with(|| a.name.cmp(&b.name)));
    ranges
}

/// (launch time, device span) of every linked device span, by time.
fn launches_by_time(linked: &Linked) -> Vec<(Ns, u32)> {
    let spans = (0..linked.trace.device.len() as u32).filter(|&s| linked.trust.counts[s as usize]);
    let mut launches: Vec<(Ns, u32)> = spans
        .map(|span| (linked.launched[span as usize], span))
        .filter(|(at, _)| *at != Ns::MIN)
        .collect();
    launches.sort_unstable();
    launches
}

/// The launches that begin in a stretch of time.
fn launched_in(launches: &[(Ns, u32)], time: Interval) -> &[(Ns, u32)] {
    let from = launches.partition_point(|(at, _)| *at < time.from);
    let to = launches.partition_point(|(at, _)| *at < time.to);
    launches.get(from..to).unwrap_or_default()
}

/// Adds an occurrence that launched `inside`.
fn add(linked: &Linked, inside: &[(Ns, u32)], host: Interval, range: &mut Range) {
    range.count += 1;
    range.host = range.host.saturating_add(host.len());
    let spans = inside.iter().map(|&(_, span)| {
        let start = linked.trace.device.start[span as usize];
        Interval::new(start, linked.trust.end[span as usize])
    });
    let spans: Vec<Interval> = spans.collect();
    let Some(first) = spans.iter().map(|span| span.from).min() else { return };
    let last = spans.iter().map(|span| span.to).max().unwrap_or(first);
    range.envelope = range.envelope.saturating_add(last.saturating_sub(first));
    range.sum = range.sum.saturating_add(total(&spans));
    range.union = range.union.saturating_add(total(&union(spans)));
    range.onset = range.onset.saturating_add(first.saturating_sub(host.from));
    range.n_with_work += 1;
}
