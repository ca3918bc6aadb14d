//! The verdict and the reading protocol, as far as the partition alone decides them.
//!
//! Which kind of waiting an idle device does is for the findings to say; without them the sentence
//! names the largest owner and the kind stays `unknown`.

use flamelane_find::Check;
use flamelane_model::labels::shortest;
use flamelane_model::{FrameKind, Ns};

use crate::document::{Capture, IdleOwner, Partition, Protocol, Verdict};

fn share(part: Ns, whole: Ns) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn ms(ns: Ns) -> String {
    format!("{:.2} ms", ns as f64 / 1e6)
}

/// First that holds: untrustworthy, GPU-bound, communication- or copy-bound, else unknown.
///
/// `not_recorded` is the part of each device's idle time during which it may have worked.
pub(crate) fn verdict(capture: &Capture, not_recorded: &[Ns], failed: &[&Check]) -> Verdict {
    if let Some(first) = failed.first() {
        return Verdict {
            kind: "untrustworthy".to_owned(),
            sentence: format!("this capture supports no verdict: {}", first.message),
            suppressed_by: failed.iter().map(|check| check.check.to_owned()).collect(),
        };
    }
    let part = &judged(capture, not_recorded);
    let idle = part.idle_ns;
    let parts = [part.compute_ns, part.comm_exposed_ns, part.copy_exposed_ns, idle];
    let whole = parts.into_iter().fold(0, Ns::saturating_add);
    let classes = [part.comm_exposed_ns, part.copy_exposed_ns, idle];
    let compute = share(part.compute_ns, whole);
    let largest = classes.into_iter().max().unwrap_or(0);
    let (kind, sentence) = if compute >= 85.0 || (compute >= 75.0 && share(largest, whole) < 10.0) {
        ("gpu-bound", format!("the device computes for {compute:.1} % of the window"))
    } else if largest == part.comm_exposed_ns {
        let exposed = share(largest, whole);
        ("communication-bound", format!("exposed communication takes {exposed:.1} % of the window"))
    } else if largest == part.copy_exposed_ns {
        let exposed = share(largest, whole);
        ("copy-bound", format!("exposed copies take {exposed:.1} % of the window"))
    } else {
        ("unknown", waiting(capture, idle, whole))
    };
    Verdict { kind: kind.to_owned(), sentence, suppressed_by: Vec::new() }
}

/// Where the window of the devices in the verdict went, time with work that was not recorded left
/// out: one that hardly works would drown the rest in its own idle time.
fn judged(capture: &Capture, not_recorded: &[Ns]) -> Partition {
    let mut sum = Partition::default();
    let devices = capture.devices.iter().zip(not_recorded);
    for (device, &unseen) in devices.filter(|(device, _)| device.in_verdict) {
        let part = device.partition;
        let idle = part.idle_ns.saturating_sub(unseen);
        sum.compute_ns = sum.compute_ns.saturating_add(part.compute_ns);
        sum.comm_exposed_ns = sum.comm_exposed_ns.saturating_add(part.comm_exposed_ns);
        sum.copy_exposed_ns = sum.copy_exposed_ns.saturating_add(part.copy_exposed_ns);
        sum.idle_ns = sum.idle_ns.saturating_add(idle);
    }
    sum
}

fn waiting(capture: &Capture, idle: Ns, whole: Ns) -> String {
    let sentence = format!("the device waits for {:.1} % of the window", share(idle, whole));
    if let Some(owner) = largest_owner(capture) {
        let part = share(owner.ns, capture.partition.idle_ns);
        return format!("{sentence}, {part:.0} % of that for `{}`", short(owner));
    }
    sentence
}

/// The owner's name as a sentence wants it.
fn short(owner: &IdleOwner) -> String {
    let kind = FrameKind::parse(&owner.kind).unwrap_or(FrameKind::Synthetic);
    shortest(&owner.frame, kind)
}

fn largest_owner(capture: &Capture) -> Option<&IdleOwner> {
    capture.idle.iter().find(|owner| owner.class != "device work not recorded")
}

/// The six lines to read first.
pub(crate) fn protocol(capture: &Capture) -> Protocol {
    let busy = share(capture.window.busy_ns, capture.window.busy_ns + capture.window.idle_ns);
    let dense = if busy >= 85.0 { "dense" } else { "waiting" };
    let owner = largest_owner(capture);
    let class = capture.idle_classes.first();
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
        explanation: class.map_or_else(
            || "the device never waits".to_owned(),
            |class| {
                let part = share(class.ns, capture.window.idle_ns);
                format!("{part:.0} % of idle time is {}", class.class)
            },
        ),
        experiment: experiment(capture),
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

fn experiment(capture: &Capture) -> String {
    let failed = capture.health.iter().find(|check| check.status == "fail");
    if let Some(fix) = failed.and_then(|check| check.fix.clone()) {
        return fix;
    }
    let by_verdict = match capture.verdict.kind.as_str() {
        "gpu-bound" => {
            Some("look at the widest device path: fewer or faster kernels are all that helps")
        }
        "communication-bound" => {
            Some("look at all ranks: one that comes late looks like slow communication on the rest")
        }
        "copy-bound" => Some("start the copies earlier, on a stream of their own, behind compute"),
        _ => None,
    };
    let class = capture.idle_classes.first().map_or("", |class| class.class.as_str());
    by_verdict.unwrap_or_else(|| against(class)).to_owned()
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
    use crate::document::Device;

    fn device(partition: Partition, unseen: Ns, in_verdict: bool) -> (Device, Ns) {
        (Device { partition, in_verdict, ..Device::default() }, unseen)
    }

    fn kind(devices: Vec<(Device, Ns)>) -> String {
        let (devices, unseen): (Vec<Device>, Vec<Ns>) = devices.into_iter().unzip();
        verdict(&Capture { devices, ..Capture::default() }, &unseen, &[]).kind
    }

    const DENSE: Partition = Partition {
        compute_ns: 90,
        comm_exposed_ns: 0,
        copy_exposed_ns: 0,
        idle_ns: 10,
        comm_hidden_ns: 0,
        copy_hidden_ns: 0,
    };

    #[test]
    fn a_device_that_hardly_works_has_no_say() {
        let lazy = Partition { compute_ns: 0, idle_ns: 100, ..DENSE };
        assert_eq!(kind(vec![device(DENSE, 0, true), device(lazy, 0, false)]), "gpu-bound");
        assert_eq!(kind(vec![device(DENSE, 0, true), device(lazy, 0, true)]), "unknown");
    }

    #[test]
    fn the_experiment_follows_the_verdict() {
        let bound = |kind: &str| Capture {
            verdict: Verdict { kind: kind.to_owned(), ..Verdict::default() },
            ..Capture::default()
        };
        assert!(experiment(&bound("communication-bound")).contains("ranks"));
        assert!(experiment(&bound("copy-bound")).contains("copies"));
        assert_eq!(experiment(&bound("unknown")), "look at the largest idle owner");
    }

    #[test]
    fn time_with_work_that_was_not_recorded_has_no_say() {
        let half = Partition { compute_ns: 50, idle_ns: 50, ..DENSE };
        assert_eq!(kind(vec![device(half, 0, true)]), "unknown");
        assert_eq!(kind(vec![device(half, 45, true)]), "gpu-bound");
    }

    #[test]
    fn the_largest_loss_names_the_verdict() {
        let copies = Partition { compute_ns: 60, copy_exposed_ns: 30, ..DENSE };
        assert_eq!(kind(vec![device(copies, 0, true)]), "copy-bound");
        let collectives = Partition { compute_ns: 60, comm_exposed_ns: 30, ..DENSE };
        assert_eq!(kind(vec![device(collectives, 0, true)]), "communication-bound");
    }
}
