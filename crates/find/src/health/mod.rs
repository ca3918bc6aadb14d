//! Health: what a capture lacks, what that makes unsound, and the recording that would fix it.

mod graphs;
mod recording;
mod stacks;
mod steps;
mod times;
mod work;

use flamelane_link::Linked;
use flamelane_model::Ns;

pub(crate) use self::steps::on_busiest;
pub use self::steps::unprofiled;

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
    /// The heading of `docs/recording.md` that has the recipe, as its anchor.
    pub recipe: Option<&'static str>,
}

impl Check {
    pub(crate) fn new(check: &'static str, status: Status, value: f64, message: String) -> Self {
        Self { check, status, message, value, fix: None, recipe: None }
    }

    /// The recording that would fix it, and the heading that has the recipe. Where nothing is wrong
    /// there is nothing to fix.
    pub(crate) fn fix(self, recipe: &'static str, fix: &'static str) -> Self {
        let is_bad = self.status != Status::Ok;
        Self { fix: is_bad.then_some(fix), recipe: is_bad.then_some(recipe), ..self }
    }
}

/// All checks, in the order in which they are read. A capture without device work has only those
/// that say why.
pub fn health(linked: &Linked) -> Vec<Check> {
    let mut checks = vec![work::device_work(linked)];
    if linked.trace.device.is_empty() {
        checks.extend(graphs::checks(linked));
        return checks;
    }
    checks.push(work::attributed(linked));
    checks.push(stacks::host_stacks(linked));
    checks.push(stacks::idle_explained(linked));
    checks.extend(stacks::uncharged(linked));
    checks.push(work::not_recorded(linked));
    checks.extend(graphs::checks(linked));
    checks.extend(times::timestamps(linked));
    checks.extend(times::durations(linked));
    checks.extend(times::clocks(linked));
    checks.extend(times::ids(linked));
    checks.extend(times::sums(linked));
    checks.push(times::device_gaps(linked));
    checks.push(steps::steps(linked));
    checks.extend(steps::apart(linked));
    checks.extend(steps::overlap(linked));
    checks.extend(steps::phases(linked));
    checks.extend(work::launch_queue(linked));
    checks.extend(recording::warm_up(linked));
    checks.extend(recording::processes(linked));
    checks.extend(recording::options(linked));
    checks
}

fn sum(values: impl Iterator<Item = Ns>) -> Ns {
    values.fold(0, Ns::saturating_add)
}

fn share(part: Ns, whole: Ns) -> f64 {
    if whole <= 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A share as a percentage; a trace of something is not nothing.
fn percent(share: f64) -> String {
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

/// Ends in a name whose figure decides: `is`, `are`.
fn verb(count: usize, one: &'static str, several: &'static str) -> &'static str {
    if count == 1 { one } else { several }
}
