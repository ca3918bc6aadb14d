//! Assembling: one capture of the report from everything known of it.

use flamelane_find::{Answer, Check, Status, Thresholds};
use flamelane_fold::questions;
use flamelane_link::{IdleClass as Idle, Linked, ranges};
use flamelane_model::{Notes, Ns, Profile};
use flamelane_whatif::{Declined, Replay};

use crate::{
    document as doc, findings, job, launches, owners, phases, steps, totals, verdict, whatif,
};

/// Where a capture came from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file's name without its folder.
    pub file: &'a str,
    /// The word for its format.
    pub format: &'a str,
    /// What the reader skipped or repaired.
    pub notes: &'a Notes,
}

/// What was found in a capture.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// Checks of the capture itself.
    pub checks: &'a [Check],
    /// Findings, and where the time went.
    pub answer: &'a Answer,
    /// What the verdict compares with.
    pub limits: &'a Thresholds,
    /// The capture replayed, or why it is not; none where nobody asked.
    pub replay: Option<&'a Result<Replay<'a>, Declined>>,
}

/// Most ranges listed.
const MOST_RANGES: usize = 64;

/// Puts a capture together. `profile` is the fold of `linked`, `found` what was found in it.
pub fn assemble(
    source: Source<'_>,
    linked: &Linked,
    profile: &Profile,
    found: Found<'_>,
) -> doc::Capture {
    let Found { checks, answer, .. } = found;
    let metadata = &linked.trace.metadata;
    let mut capture = doc::Capture {
        file: source.file.to_owned(),
        format: source.format.to_owned(),
        rank: metadata.rank,
        world_size: metadata.world_size,
        job: job::job(linked),
        totals: totals::totals(linked),
        window: window(linked),
        partition: partition(linked),
        steps: steps::steps(linked, &answer.patterns),
        devices: devices(linked),
        ranges: ranges(linked).into_iter().take(MOST_RANGES).map(range).collect(),
        launches: launches::launches(linked),
        idle: owners::idle(linked, profile),
        idle_classes: idle_classes(linked),
        gpu_paths: owners::gpu_paths(linked, profile),
        families: families(linked),
        health: checks.iter().map(health).collect(),
        questions: questions(profile)
            .into_iter()
            .map(|answer| doc::Question {
                question: answer.question.to_owned(),
                answer: answer.answer,
                stack: owners::names(profile, answer.stack),
            })
            .collect(),
        notes: source.notes.iter().map(note).collect(),
        ..doc::Capture::default()
    };
    capture.findings = findings::findings(linked, answer, found.replay);
    capture.replay = found.replay.map(whatif::self_check);
    capture.unexplained_ns_per_step = answer.unexplained / answer.n_steps.max(1);
    let failed: Vec<&Check> = checks.iter().filter(|check| check.status == Status::Fail).collect();
    let judged = capture.devices.iter().filter(|device| device.in_verdict);
    let window = judged.fold(0, |sum: Ns, device| sum.saturating_add(device.wall_ns));
    capture.verdict = verdict::verdict(found, &failed, window);
    capture.protocol = verdict::protocol(&capture, found);
    capture.phases = phases::phases(linked, found, &failed);
    capture
}

fn window(linked: &Linked) -> doc::Window {
    let hull = linked.window.hull();
    let sum = |of: fn(&flamelane_link::DeviceTime) -> Ns| {
        linked.devices.iter().map(of).fold(0, Ns::saturating_add)
    };
    doc::Window {
        from_ns: hull.from,
        to_ns: hull.to,
        wall_ns: linked.window.wall(),
        pieces: linked.window.pieces.iter().map(|piece| (piece.from, piece.to)).collect(),
        rule: linked.window.rule.clone(),
        left_out: linked
            .window
            .left_out
            .iter()
            .map(|(what, why)| doc::LeftOut { what: what.clone(), why: why.clone() })
            .collect(),
        busy_ns: sum(flamelane_link::DeviceTime::busy_ns),
        idle_ns: sum(|device| device.partition.idle),
        sum_ns: sum(|device| device.sum),
        not_recorded_ns: linked.idle.by_class[Idle::NotRecorded as usize],
    }
}

fn part(partition: flamelane_link::Partition) -> doc::Partition {
    doc::Partition {
        compute_ns: partition.compute,
        comm_exposed_ns: partition.comm,
        copy_exposed_ns: partition.copy,
        idle_ns: partition.idle,
        comm_hidden_ns: partition.comm_hidden,
        copy_hidden_ns: partition.copy_hidden,
    }
}

fn partition(linked: &Linked) -> doc::Partition {
    let mut all = flamelane_link::Partition::default();
    for device in &linked.devices {
        all.add(device.partition);
    }
    part(all)
}

fn devices(linked: &Linked) -> Vec<doc::Device> {
    let busiest = linked.devices.iter().map(flamelane_link::DeviceTime::busy_ns).max().unwrap_or(0);
    let pid = job::main_process(linked);
    let label = |process: flamelane_model::ProcessId| {
        linked.trace.text(linked.trace.process(process).label).to_owned()
    };
    let device = |time: &flamelane_link::DeviceTime| {
        let row = &linked.trace.devices[time.device.index()];
        let mut streams: Vec<u32> =
            time.order.iter().map(|&span| linked.trace.device.lane[span as usize].0).collect();
        streams.sort_unstable();
        streams.dedup();
        doc::Device {
            pid: row.process.map_or_else(|| pid.clone(), label),
            device: row.id,
            name: linked.trace.text(row.name).to_owned(),
            wall_ns: time.wall,
            busy_ns: time.busy_ns(),
            sum_ns: time.sum,
            idle_ns: time.partition.idle,
            partition: part(time.partition),
            streams: streams.len() as u64,
            in_verdict: time.busy_ns().saturating_mul(100) >= busiest,
        }
    };
    linked.devices.iter().map(device).collect()
}

fn range(range: flamelane_link::Range) -> doc::Range {
    doc::Range {
        density: range.density(),
        onset_ns: range.onset / i64::try_from(range.n_with_work.max(1)).unwrap_or(1),
        name: range.name,
        count: range.count,
        phase: range.phase,
        host_ns: range.host,
        envelope_ns: range.envelope,
        union_ns: range.union,
        sum_ns: range.sum,
    }
}

fn idle_classes(linked: &Linked) -> Vec<doc::IdleClass> {
    let rows = Idle::ALL.into_iter().map(|class| doc::IdleClass {
        class: class.name().to_owned(),
        ns: linked.idle.by_class[class as usize],
    });
    let mut rows: Vec<doc::IdleClass> = rows.filter(|row| row.ns > 0).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.ns));
    rows
}

fn families(linked: &Linked) -> Vec<doc::Family> {
    let mut sums = vec![(0, 0_u64); linked.families.names.len()];
    for (span, &family) in linked.families.of_span.iter().enumerate() {
        if linked.window.selected[span]
            && let Some(sum) = sums.get_mut(usize::from(family))
        {
            let believed = linked.trust.end[span].saturating_sub(linked.trace.device.start[span]);
            *sum = (believed.saturating_add(sum.0), sum.1 + 1);
        }
    }
    let rows = linked.families.names.iter().zip(sums).map(|(name, (ns, kernels))| doc::Family {
        name: name.clone(),
        ns,
        kernels,
    });
    let mut rows: Vec<doc::Family> = rows.filter(|row| row.kernels > 0).collect();
    rows.sort_by(|a, b| b.ns.cmp(&a.ns).then_with(|| a.name.cmp(&b.name)));
    rows
}

fn health(check: &Check) -> doc::Health {
    doc::Health {
        check: check.check.to_owned(),
        status: check.status.name().to_owned(),
        message: check.message.clone(),
        value: check.value,
        fix: check.fix.map(str::to_owned),
        recipe: check.recipe.map(|anchor| format!("docs/recording.md#{anchor}")),
    }
}

fn note(note: &flamelane_model::Note) -> doc::Note {
    doc::Note {
        code: note.code.to_owned(),
        message: note.message.to_owned(),
        count: note.count,
        first: note.first.clone(),
    }
}

#[cfg(test)]
mod tests {
    use flamelane_link::{Rules, link};
    use flamelane_model::Trace;

    use super::*;

    #[test]
    fn an_empty_trace_still_makes_a_report() {
        let linked = link(Trace::new(), Rules::default());
        let profile = flamelane_fold::fold(&linked);
        let checks = flamelane_find::health(&linked);
        let notes = Notes::new();
        let source = Source { file: "empty.json", format: "kineto", notes: &notes };
        let limits = Thresholds::default();
        let answer = flamelane_find::find(&linked, &checks, &limits);
        let found = Found { checks: &checks, answer: &answer, limits: &limits, replay: None };
        let capture = assemble(source, &linked, &profile, found);
        assert_eq!(capture.verdict.kind, "untrustworthy");
    }
}
