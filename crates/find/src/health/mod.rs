//! Health: what a capture lacks, what that makes unsound, and the recording that would fix it.

use flamelane_link::{IdleClass, Linked, Origin};
use flamelane_model::{FrameKind, Ns};

mod graphs;

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Nothing to say.
    Ok,
    /// Figures are right but part of the story is missing.
    Warn,
    /// A verdict on this capture would be unsound.
    Fail,
}

impl Status {
    /// The word used in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// One check of a capture.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Stable kebab-case word.
    pub check: &'static str,
    /// How it came out.
    pub status: Status,
    /// One sentence with its figure.
    pub message: String,
    /// The figure: a share 0…1, or a count.
    pub value: f64,
    /// The recording that would fix it.
    pub fix: Option<&'static str>,
}

impl Check {
    pub(crate) fn new(check: &'static str, status: Status, value: f64, message: String) -> Self {
        Self { check, status, message, value, fix: None }
    }

    pub(crate) fn fix(self, fix: &'static str) -> Self {
        let fix = (self.status != Status::Ok).then_some(fix);
        Self { fix, ..self }
    }
}

/// All checks, in the order in which they are read. A capture without device work has only those
/// that say why.
pub fn health(linked: &Linked) -> Vec<Check> {
    let mut checks = vec![device_work(linked)];
    if linked.trace.device.is_empty() {
        checks.extend(graphs::checks(linked));
        return checks;
    }
    checks.push(attributed(linked));
    checks.push(host_stacks(linked));
    checks.push(buckets(linked));
    checks.push(not_recorded(linked));
    checks.extend(graphs::checks(linked));
    checks.extend(times(linked));
    checks.push(device_gaps(linked));
    checks.push(steps(linked));
    checks.extend(phases(linked));
    checks.extend(options(linked));
    checks
}

fn sum(values: impl Iterator<Item = Ns>) -> Ns {
    values.fold(0, Ns::saturating_add)
}

fn share(part: Ns, whole: Ns) -> f64 {
    if whole <= 0 { 0.0 } else { part as f64 / whole as f64 }
}

pub(crate) fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.001 {
        "< 0.1 %".to_owned()
    } else {
        format!("{:.1} %", 100.0 * share)
    }
}

fn graded(value: f64, warn: f64, fail: f64) -> Status {
    if value >= fail {
        Status::Fail
    } else if value >= warn {
        Status::Warn
    } else {
        Status::Ok
    }
}

fn device_work(linked: &Linked) -> Check {
    let n_spans = linked.trace.device.len();
    let (status, message) = match n_spans {
        0 => (Status::Fail, "no device work in the capture: it shows the host alone".to_owned()),
        1..8 => (Status::Fail, format!("only {n_spans} device spans: too few for a verdict")),
        _ => (Status::Ok, format!("{n_spans} device spans on {} devices", linked.devices.len())),
    };
    Check::new("device-work", status, n_spans as f64, message)
        .fix("record with `activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]` while the model runs")
}

fn attributed(linked: &Linked) -> Check {
    let device = &linked.trace.device;
    let (mut all, mut lost, mut before) = (0_i64, 0_i64, 0_i64);
    for (span, origin) in linked.origins.iter().enumerate() {
        let ns = device.duration(span);
        all = all.saturating_add(ns);
        match origin {
            Origin::Call(_) => {}
            Origin::BeforeCapture => before = before.saturating_add(ns),
            Origin::Unattributed => lost = lost.saturating_add(ns),
        }
    }
    let unlinked = lost.saturating_add(before);
    let missing = share(unlinked, all);
    let message = if unlinked == 0 {
        "all device time has its launch in the file".to_owned()
    } else {
        format!(
            "{} of device time has no launch in the file ({} launched before the capture began)",
            percent(missing),
            percent(share(before, all)),
        )
    };
    Check::new("attributed", graded(missing, 0.02, 0.5), missing, message)
        .fix("begin recording a few steps earlier (`schedule(wait=1, warmup=2, active=3)`), with CPU activity on")
}

fn host_stacks(linked: &Linked) -> Check {
    let count = |kind| linked.trace.host.kind.iter().filter(|&&k| k == kind).count();
    let (python, ops) = (count(FrameKind::Python), count(FrameKind::Op));
    let (status, message) = if python > 0 {
        (Status::Ok, "stacks reach from python to the kernels".to_owned())
    } else if ops > 0 {
        (Status::Warn, "no python stacks: frames begin at the operators".to_owned())
    } else {
        (Status::Warn, "no host stacks at all: idle time cannot be explained".to_owned())
    };
    Check::new("host-stacks", status, python as f64, message)
        .fix("record with `with_stack=True` (about 1 µs a python call)")
}

fn buckets(linked: &Linked) -> Check {
    let idle: Ns = sum(linked.idle.by_class.iter().copied());
    let of = |class: IdleClass| linked.idle.by_class[class as usize];
    let blank = of(IdleClass::NoHostData).saturating_add(of(IdleClass::UnrecordedHost));
    let value = share(blank, idle);
    let message = format!("{} of idle time has no host span that explains it", percent(value));
    Check::new("idle-explained", graded(value, 0.05, 2.0), value, message)
        .fix("record python stacks (`with_stack=True`), and all threads; time outside python is only seen by a sampler")
}

fn not_recorded(linked: &Linked) -> Check {
    let wall: Ns = sum(linked.devices.iter().map(|device| device.wall));
    let value = share(linked.idle.by_class[IdleClass::NotRecorded as usize], wall);
    let message = if value > 0.0 {
        format!(
            "for {} of the window the device may have run work that was not recorded",
            percent(value)
        )
    } else {
        "no sign of device work that was not recorded".to_owned()
    };
    Check::new("not-recorded", graded(value, 0.02, 0.5), value, message)
        .fix("begin recording before the first launch, and end with `torch.cuda.synchronize()` inside the profiled region")
}

fn times(linked: &Linked) -> Vec<Check> {
    let mut checks = Vec::new();
    let trace = &linked.trace;
    let name = |span: u32| trace.text(trace.device.name[span as usize]);
    if let Some(&first) = linked.trust.impossible.first() {
        let n_spans = linked.trust.impossible.len();
        let message = format!(
            "{n_spans} device spans with impossible timestamps left out (first `{}`)",
            name(first)
        );
        checks.push(Check::new("timestamps", Status::Warn, n_spans as f64, message));
    }
    if let Some(&first) = linked.trust.clipped.first() {
        let cut = |&span: &u32| {
            trace.device.end[span as usize].saturating_sub(linked.trust.end[span as usize])
        };
        let lost = sum(linked.trust.clipped.iter().map(cut));
        let n_spans = linked.trust.clipped.len();
        let message = format!(
            "{n_spans} device spans cover several successors on their own stream: durations of `{}` \
             are untrustworthy, clipped by {:.1} ms",
            name(first),
            lost as f64 / 1e6,
        );
        let status = graded(share(lost, linked.window.wall()), 0.0, 1.0);
        checks.push(Check::new("durations", status, n_spans as f64, message));
    }
    checks
}

/// The device's own pauses are microseconds; long ones on a large part of the window mean that
/// records are missing.
fn device_gaps(linked: &Linked) -> Check {
    const LONG: Ns = 1_000_000;
    let long = linked.device_gaps_longer_than(LONG);
    let wall: Ns = sum(linked.devices.iter().map(|device| device.wall));
    let value = share(long, wall);
    let message = if value < 0.2 {
        "no long pauses of the device with work queued".to_owned()
    } else {
        format!(
            "for {} of the window queued work did not start: records are missing",
            percent(value)
        )
    };
    Check::new("device-gaps", graded(value, 2.0, 0.2), value, message)
        .fix("record a shorter region: the tracer's buffer overflowed")
}

fn steps(linked: &Linked) -> Check {
    let (n_kept, n_all) = (linked.steps.n_kept(), linked.steps.list.len());
    let (status, message) = match (n_all, n_kept) {
        (0, _) => (Status::Warn, "no steps found: figures are for the whole run".to_owned()),
        (_, 1) => (Status::Ok, "one step: no spread can be given".to_owned()),
        _ => (Status::Ok, format!("{n_kept} of {n_all} steps kept")),
    };
    Check::new("steps", status, n_kept as f64, message)
        .fix("mark steps with `prof.step()` or `record_function(\"step\")`, or name them in `flamelane.toml`")
}

fn phases(linked: &Linked) -> Option<Check> {
    let kept = linked.steps.list.iter().filter(|step| step.is_kept());
    let mut phases: Vec<&str> = kept.filter_map(|step| step.phase.as_deref()).collect();
    phases.sort_unstable();
    phases.dedup();
    if phases.len() < 2 {
        return None;
    }
    let message = format!("steps of several phases in one window: {}", phases.join(", "));
    Some(
        Check::new("phases", Status::Warn, phases.len() as f64, message)
            .fix("look at one phase with `--phase`"),
    )
}

fn options(linked: &Linked) -> Option<Check> {
    let on =
        |name: &&str| linked.trace.metadata.properties.get(*name).is_some_and(|value| value == "1");
    let costly: Vec<&str> = ["record_shapes", "profile_memory", "with_flops", "with_stack"]
        .into_iter()
        .filter(on)
        .collect();
    if costly.is_empty() {
        return None;
    }
    let message = format!(
        "recorded with {}: the host ran slower than unprofiled, idle time is an upper bound",
        costly.join(", ")
    );
    Some(Check::new("profiler-cost", Status::Ok, costly.len() as f64, message))
}
