//! Conditions on a report: `sync-cliff>0.5ms,idle>20%`.
//!
//! A condition compares a figure of a capture with a limit. Figures of time are per step. In percent
//! `idle`, `comm`, `copy`, `compute` and `unexplained` are shares of the window; findings are shares of
//! the time that the verdict speaks of, as the report prints them beside each finding. Time in which work may have run that was not recorded is in none of them.

use std::fmt;

use flamelane_find::Kind;
use flamelane_model::Ns;

use crate::document::{Capture, Finding};

/// Names of figures beside the kinds of findings.
const FIGURES: [&str; 6] = ["idle", "comm", "copy", "compute", "step", "unexplained"];

/// Conditions, any of which makes a check fail.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions(Vec<Condition>);

#[derive(Clone, Debug, PartialEq)]
struct Condition {
    text: String,
    figure: String,
    relation: Relation,
    limit: Limit,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Above,
    AtLeast,
    Below,
    AtMost,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Limit {
    /// Of the step or window, 0…1.
    Share(f64),
    Ns(f64),
}

/// Why an expression is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadCondition {
    /// The part that is wrong.
    pub part: String,
    /// What is wrong with it.
    pub problem: String,
    /// What would be right.
    pub hint: String,
}

impl fmt::Display for BadCondition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "cannot understand the condition `{}`: {}", self.part, self.problem)
    }
}

impl std::error::Error for BadCondition {}

/// A condition that holds, or that cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The condition as given.
    pub condition: String,
    /// What was found, in words.
    pub found: String,
}

impl Conditions {
    /// Reads a list of conditions with commas between.
    ///
    /// # Errors
    ///
    /// A part that names no figure, has no relation, or whose limit has no unit.
    pub fn parse(text: &str) -> Result<Self, BadCondition> {
        text.split(',').map(|part| condition(part.trim())).collect::<Result<_, _>>().map(Self)
    }

    /// The conditions that hold of a capture. One that supports no verdict cannot be judged by its
    /// idle time or findings: that counts as held, so that a gate never passes in ignorance.
    pub fn broken(&self, capture: &Capture) -> Vec<Violation> {
        self.0.iter().filter_map(|condition| condition.broken(capture)).collect()
    }
}

fn condition(part: &str) -> Result<Condition, BadCondition> {
    let bad = |problem: &str, hint: String| BadCondition {
        part: part.to_owned(),
        problem: problem.to_owned(),
        hint,
    };
    let example = || "write it like `sync-cliff>0.5ms` or `idle>20%`".to_owned();
    let at = part.find(['<', '>']).ok_or_else(|| bad("it has no `<` or `>`", example()))?;
    let (figure, rest) = (part[..at].trim(), &part[at..]);
    let (relation, limit) = match (rest.as_bytes()[0], rest.as_bytes().get(1)) {
        (b'>', Some(b'=')) => (Relation::AtLeast, &rest[2..]),
        (b'<', Some(b'=')) => (Relation::AtMost, &rest[2..]),
        (b'>', _) => (Relation::Above, &rest[1..]),
        _ => (Relation::Below, &rest[1..]),
    };
    let is_kind = Kind::ALL.iter().any(|kind| kind.name() == figure);
    if !is_kind && !FIGURES.contains(&figure) {
        let kinds = Kind::ALL.iter().map(|kind| kind.name());
        let names: Vec<&str> = FIGURES.into_iter().chain(kinds).collect();
        return Err(bad("no figure is called so", format!("known are {}", names.join(", "))));
    }
    let limit = limit_of(limit.trim())
        .ok_or_else(|| bad("its limit is no number with a unit (%, ns, us, ms, s)", example()))?;
    if figure == "step" && matches!(limit, Limit::Share(_)) {
        return Err(bad("a step has no share", "write a time, like `step>12ms`".to_owned()));
    }
    Ok(Condition { text: part.to_owned(), figure: figure.to_owned(), relation, limit })
}

fn limit_of(text: &str) -> Option<Limit> {
    // The two letters that people write for micro look alike.
    const UNITS: [(&str, f64); 6] =
        [("ns", 1.0), ("us", 1e3), ("\u{b5}s", 1e3), ("\u{3bc}s", 1e3), ("ms", 1e6), ("s", 1e9)];
    let number = |text: &str| {
        let value: f64 = text.trim().parse().ok()?;
        (value.is_finite() && value >= 0.0).then_some(value)
    };
    if let Some(text) = text.strip_suffix('%') {
        return Some(Limit::Share(number(text)? / 100.0));
    }
    let (unit, ns) = UNITS.iter().find(|(unit, _)| text.ends_with(unit))?;
    Some(Limit::Ns(number(&text[..text.len() - unit.len()])? * ns))
}

impl Condition {
    fn broken(&self, capture: &Capture) -> Option<Violation> {
        let violation = |found: String| Violation { condition: self.text.clone(), found };
        if capture.verdict.kind == "untrustworthy" && self.figure != "step" {
            let checks = capture.verdict.suppressed_by.join(", ");
            return Some(violation(format!("cannot be judged: health check {checks} failed")));
        }
        if self.figure == "step" && capture.steps.wall_ns.p50 == 0 {
            return Some(violation("cannot be judged: no step with device work".to_owned()));
        }
        let ns = self.figure_ns(capture);
        let share = self.share(capture, ns);
        let holds = match self.limit {
            Limit::Share(limit) => self.holds(share, limit),
            Limit::Ns(limit) => self.holds(ns as f64, limit),
        };
        let share = 100.0 * share;
        let found = match self.figure.as_str() {
            "step" => format!("{:.3} ms", ns as f64 / 1e6),
            _ => format!("{:.3} ms a step, {share:.1} %", ns as f64 / 1e6),
        };
        holds.then(|| violation(found))
    }

    fn holds(&self, value: f64, limit: f64) -> bool {
        match self.relation {
            Relation::Above => value > limit,
            Relation::AtLeast => value >= limit,
            Relation::Below => value < limit,
            Relation::AtMost => value <= limit,
        }
    }

    /// The figure in ns per step.
    fn figure_ns(&self, capture: &Capture) -> Ns {
        let part = capture.partition;
        let per_step = |ns: Ns| ns / n_steps(capture);
        match self.figure.as_str() {
            "idle" => per_step(part.idle_ns.saturating_sub(capture.window.not_recorded_ns)),
            "comm" => per_step(part.comm_exposed_ns),
            "copy" => per_step(part.copy_exposed_ns),
            "compute" => per_step(part.compute_ns),
            "step" => capture.steps.wall_ns.p50,
            "unexplained" => capture.unexplained_ns_per_step,
            _ => self
                .findings(capture)
                .fold(0, |sum, finding| sum.saturating_add(finding.owned_ns_per_step)),
        }
    }

    fn findings<'a>(&'a self, capture: &'a Capture) -> impl Iterator<Item = &'a Finding> {
        capture.findings.iter().filter(|finding| finding.kind == self.figure)
    }

    /// The figure as a share, 0…1.
    fn share(&self, capture: &Capture, ns: Ns) -> f64 {
        if !FIGURES.contains(&self.figure.as_str()) {
            return self.findings(capture).map(|finding| finding.owned_share).sum();
        }
        let window = &capture.window;
        let recorded = window.busy_ns.saturating_add(window.idle_ns) - window.not_recorded_ns;
        ns as f64 / (recorded / n_steps(capture)).max(1) as f64
    }
}

fn n_steps(capture: &Capture) -> Ns {
    Ns::try_from(capture.steps.count).unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Partition, Spread, Steps, Verdict, Window};

    fn capture() -> Capture {
        let sync = |owned_ns_per_step| Finding {
            kind: "sync-cliff".to_owned(),
            owned_ns_per_step,
            owned_share: owned_ns_per_step as f64 / 8e6,
            ..Finding::default()
        };
        Capture {
            window: Window { busy_ns: 80_000_000, idle_ns: 20_000_000, ..Window::default() },
            partition: Partition {
                compute_ns: 80_000_000,
                idle_ns: 20_000_000,
                ..Partition::default()
            },
            steps: Steps {
                count: 10,
                wall_ns: Spread { p50: 10_000_000, ..Spread::default() },
                ..Steps::default()
            },
            findings: vec![sync(400_000), sync(200_000)],
            ..Capture::default()
        }
    }

    fn broken(text: &str) -> Vec<String> {
        let broken = Conditions::parse(text).expect("a condition").broken(&capture());
        broken.into_iter().map(|violation| violation.condition).collect()
    }

    #[test]
    fn conditions_compare_times_per_step_and_shares() {
        assert_eq!(
            broken("sync-cliff>0.5ms,idle>20%"),
            ["sync-cliff>0.5ms"],
            "two findings add up"
        );
        assert_eq!(broken("idle>=20%, sync-cliff > 7.6 %"), ["idle>=20%"]);
        assert_eq!(broken("sync-cliff>=7.5%"), ["sync-cliff>=7.5%"], "of what the steps take");
        assert_eq!(broken("step>9.9ms"), ["step>9.9ms"]);
        assert_eq!(broken("step<10ms,step<=10ms"), ["step<=10ms"]);
        assert_eq!(broken("idle>=2000us"), ["idle>=2000us"]);
        assert_eq!(broken("idle>=2000\u{b5}s,idle>=2000\u{3bc}s").len(), 2);
        assert_eq!(broken("picket-fence>0%,compute<80%"), [""; 0]);
    }

    #[test]
    fn work_that_was_not_recorded_is_no_idle_time() {
        let mut capture = capture();
        capture.window.not_recorded_ns = 15_000_000;
        let broken = |text: &str| Conditions::parse(text).expect("one").broken(&capture).len();
        assert_eq!((broken("idle>5.8%"), broken("idle>5.9%"), broken("idle>0.5ms")), (1, 0, 0));
    }

    #[test]
    fn a_capture_without_steps_passes_no_gate_on_them() {
        let capture = Capture { steps: Steps::default(), ..capture() };
        for text in ["step>1us", "step<1s"] {
            let broken = Conditions::parse(text).expect("one").broken(&capture);
            assert!(broken[0].found.contains("no step"), "{text}");
        }
    }

    #[test]
    fn a_bad_condition_says_what_is_wrong() {
        let problem = |text: &str| Conditions::parse(text).expect_err("bad").to_string();
        assert!(problem("idle").contains("no `<` or `>`"));
        assert!(problem("idles>2%").contains("no figure"));
        assert!(problem("idle>2").contains("unit"));
        assert!(problem("idle>-2%").contains("unit"));
        assert!(problem("idle>nan%").contains("unit"));
        assert!(problem("step>2%").contains("no share"));
        assert!(problem("idle>2%,").contains("``"));
        let hint = Conditions::parse("idles>2%").expect_err("bad").hint;
        assert!(hint.contains("idle") && hint.contains("sync-cliff"));
    }

    #[test]
    fn a_capture_without_a_verdict_passes_no_gate() {
        let verdict = Verdict {
            kind: "untrustworthy".to_owned(),
            suppressed_by: vec!["graph-replays".to_owned()],
            ..Verdict::default()
        };
        let capture = Capture { verdict, ..capture() };
        let broken = Conditions::parse("idle>99%,step>1s").expect("two").broken(&capture);
        assert_eq!(broken.len(), 1);
        assert!(broken[0].found.contains("graph-replays"));
    }
}
