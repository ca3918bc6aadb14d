//! The verdict and the reading protocol in words.

use flamelane_find::{Bound, Check, Finding, Judgement, Tally};
use flamelane_link::IdleClass;
use flamelane_model::labels::shortest;
use flamelane_model::{FrameKind, Ns};

use crate::Found;
use crate::document::{self, Capture, IdleOwner, Protocol, Verdict};

pub(crate) fn share(part: Ns, whole: Ns) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

pub(crate) fn ms(ns: Ns) -> String {
    format!("{:.2} ms", ns as f64 / 1e6)
}

/// Untrustworthy where a check failed, else what the tally of the steps is bound by; `window` is the
/// window, summed over the devices in the verdict.
pub(crate) fn verdict(found: Found<'_>, failed: &[&Check], window: Ns) -> Verdict {
    if let Some(first) = failed.first() {
        return Verdict {
            kind: "untrustworthy".to_owned(),
            sentence: format!("this capture supports no verdict: {}", first.message),
            suppressed_by: failed.iter().map(|check| check.check.to_owned()).collect(),
        };
    }
    let tally = found.answer.tally();
    let judgement = tally.judge(found.limits);
    let sentence = bound(judgement, &tally, &stretch(&tally, window));
    let sentence = match headline(found) {
        Some(finding) => format!("{sentence}; most of it: {}", finding.subject),
        None => sentence,
    };
    Verdict { kind: judgement.name().to_owned(), sentence, suppressed_by: Vec::new() }
}

/// The finding that the verdict is of: the largest of its class, none where the device computes.
fn headline(found: Found<'_>) -> Option<&Finding> {
    let judgement = found.answer.tally().judge(found.limits);
    found.answer.headline(judgement).filter(|_| judgement != Judgement::Gpu)
}

/// Less than this of a stretch is not worth a word.
const WORTH_A_WORD: f64 = 1.0;

/// What the shares of a tally are of, in words.
fn stretch(tally: &Tally, window: Ns) -> String {
    let (whole, dark) = (tally.whole(), tally.not_recorded);
    let part = share(whole, window);
    if share(dark, window) >= WORTH_A_WORD {
        format!("the time that was recorded ({part:.1} % of the window)")
    } else if 100.0 - part >= WORTH_A_WORD {
        format!("the time of the steps ({part:.1} % of the window)")
    } else {
        "the window".to_owned()
    }
}

/// The same of some of the steps, told by their tally and their numbers.
pub(crate) fn of_steps(
    found: Found<'_>,
    failed: &[&Check],
    tally: &Tally,
    numbers: &[usize],
) -> Verdict {
    if !failed.is_empty() {
        return verdict(found, failed, tally.whole());
    }
    let judgement = tally.judge(found.limits);
    let sentence = bound(judgement, tally, "these steps");
    let sentence = match headline_of(found, judgement, numbers) {
        Some(finding) => format!("{sentence}; most of it: {}", finding.subject),
        None => sentence,
    };
    Verdict { kind: judgement.name().to_owned(), sentence, suppressed_by: Vec::new() }
}

/// The first finding of the judgement's class whose longest stretch lies in one of the steps.
fn headline_of<'a>(
    found: Found<'a>,
    judgement: Judgement,
    numbers: &[usize],
) -> Option<&'a Finding> {
    let Judgement::Bound(bound) = judgement else { return None };
    found.answer.findings.iter().find(|finding| {
        finding.headline
            && finding.kind.bound() == Some(bound)
            && numbers.binary_search(&(finding.place.step as usize)).is_ok()
    })
}

/// What to try for some of the steps.
pub(crate) fn experiment_of(
    found: Found<'_>,
    failed: &[&Check],
    verdict: &Verdict,
    numbers: &[usize],
    class: &str,
) -> String {
    if let Some(fix) = failed.iter().find_map(|check| check.fix) {
        return fix.to_owned();
    }
    let bound = Bound::ALL.into_iter().find(|bound| bound.name() == verdict.kind);
    let first = bound.and_then(|bound| headline_of(found, Judgement::Bound(bound), numbers));
    first.map_or_else(
        || by_verdict(&verdict.kind).unwrap_or_else(|| against(class)).to_owned(),
        |finding| finding.experiment.clone(),
    )
}

/// What a tally is bound by, with its share.
fn bound(judgement: Judgement, tally: &Tally, what: &str) -> String {
    let whole = tally.whole();
    let of = |bound: Bound| share(tally.of(bound), whole);
    match judgement {
        Judgement::Gpu => {
            let compute = share(tally.compute, whole);
            format!("the device computes for {compute:.1} % of {what}")
        }
        Judgement::Unknown => {
            let dark = share(tally.unexplained, whole);
            format!("the device waits for {dark:.1} % of {what}, and the capture does not say why")
        }
        Judgement::Bound(bound) => {
            let takes = match bound {
                Bound::Communication => "exposed communication takes",
                Bound::Copy => "exposed copies take",
                Bound::Sync => "what follows blocking calls costs",
                Bound::Launch => "waiting for launches costs",
                Bound::Host => "the host's own work on the launching thread costs",
                Bound::Input => "waiting for input costs",
                Bound::Dependency => "the device's own waits take",
            };
            format!("{takes} {:.1} % of {what}", of(bound))
        }
    }
}

/// The owner's name as a sentence wants it.
fn short(owner: &IdleOwner) -> String {
    let kind = FrameKind::parse(&owner.kind).unwrap_or(FrameKind::Synthetic);
    shortest(&owner.frame, kind)
}

/// Idle time in which work may have run unseen explains nothing.
const UNSEEN: &str = IdleClass::NotRecorded.name();

fn largest_owner(capture: &Capture) -> Option<&IdleOwner> {
    capture.idle.iter().find(|owner| owner.class != UNSEEN)
}

fn largest_class(capture: &Capture) -> Option<&document::IdleClass> {
    capture.idle_classes.iter().find(|class| class.class != UNSEEN)
}

/// The six lines to read first.
pub(crate) fn protocol(capture: &Capture, found: Found<'_>) -> Protocol {
    let busy = share(
        capture.window.busy_ns,
        capture.window.busy_ns.saturating_add(capture.window.idle_ns),
    );
    let dense = if busy >= 85.0 { "dense" } else { "waiting" };
    let owner = largest_owner(capture);
    let class = largest_class(capture);
    let headline = headline(found);
    Protocol {
        workload: workload(capture),
        phases: phases(capture),
        dense: format!(
            "{dense}: busy {busy:.1} % of the window ({} of work in {} of busy time)",
            ms(capture.window.sum_ns),
            ms(capture.window.busy_ns)
        ),
        blank: owner.map_or_else(
            || "no idle time".to_owned(),
            |owner| format!("{} under `{}`", ms(owner.ns), short(owner)),
        ),
        explanation: match (headline, class) {
            (Some(finding), _) => finding.sentence.clone(),
            (None, Some(class)) => {
                let idle = capture.window.idle_ns.saturating_sub(capture.window.not_recorded_ns);
                format!("{:.0} % of idle time is {}", share(class.ns, idle), class.class)
            }
            (None, None) => "the device never waits".to_owned(),
        },
        experiment: experiment(capture, headline),
        bound: None,
    }
}

fn workload(capture: &Capture) -> String {
    let job = &capture.job;
    let mut words: Vec<String> = Vec::new();
    words.extend(job.kind.clone());
    words.extend(job.models.first().cloned());
    if let Some((least, most)) = job.batch {
        words.push(if least == most {
            format!("batch {least}")
        } else {
            format!("batch {least}–{most}")
        });
    }
    words.extend(job.dtype.clone());
    if !job.frameworks.is_empty() {
        words.push(job.frameworks.join(" + "));
    }
    if !job.devices.is_empty() {
        words.push(format!("{} × {}", capture.devices.len(), job.devices.join(", ")));
    }
    words.join(" · ")
}

fn phases(capture: &Capture) -> String {
    let mut names: Vec<&str> =
        capture.ranges.iter().filter_map(|range| range.phase.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() { "none named in the capture".to_owned() } else { names.join(", ") }
}

fn experiment(capture: &Capture, headline: Option<&Finding>) -> String {
    let failed = capture.health.iter().find(|check| check.status == "fail");
    if let Some(fix) = failed.and_then(|check| check.fix.clone()) {
        return fix;
    }
    if let Some(finding) = headline {
        return finding.experiment.clone();
    }
    let class = largest_class(capture).map_or("", |class| class.class.as_str());
    by_verdict(&capture.verdict.kind).unwrap_or_else(|| against(class)).to_owned()
}

/// What to try where the verdict alone tells.
fn by_verdict(kind: &str) -> Option<&'static str> {
    match kind {
        "gpu-bound" => {
            Some("look at the widest device path: fewer or faster kernels are all that helps")
        }
        "communication-bound" => {
            Some("look at all ranks: one that comes late looks like slow communication on the rest")
        }
        "copy-bound" => Some("start the copies earlier, on a stream of their own, behind compute"),
        _ => None,
    }
}

/// What to try against a class of idle time.
fn against(class: &str) -> &'static str {
    match class {
        "late host" => "take the largest idle owner off the launching thread, or launch before it",
        "launch latency" | "dispatch" => "launch fewer, larger kernels: a graph or compiled region",
        "stream-wait" => "look at what the waiting stream waits for in the other stream",
        "unrecorded host time" => "record python stacks and all threads",
        _ => "look at the largest idle owner",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_experiment_follows_the_verdict() {
        let bound = |kind: &str| Capture {
            verdict: Verdict { kind: kind.to_owned(), ..Verdict::default() },
            ..Capture::default()
        };
        assert!(experiment(&bound("communication-bound"), None).contains("ranks"));
        assert!(experiment(&bound("copy-bound"), None).contains("copies"));
        assert_eq!(experiment(&bound("unknown"), None), "look at the largest idle owner");
    }

    #[test]
    fn a_share_says_what_it_is_of() {
        let tally = |compute, not_recorded| Tally { compute, not_recorded, ..Tally::default() };
        assert_eq!(stretch(&tally(995, 5), 1000), "the window");
        assert_eq!(stretch(&tally(500, 0), 1000), "the time of the steps (50.0 % of the window)");
        let recorded = "the time that was recorded (49.9 % of the window)";
        assert_eq!(stretch(&tally(499, 501), 1000), recorded);
    }
}
