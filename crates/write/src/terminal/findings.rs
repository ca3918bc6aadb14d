//! What took the device's time away, largest first; what owns no time comes after it.

use flamelane_model::labels::cells;
use flamelane_model::{Ns, Unit};
use flamelane_report::Finding;

use super::view::View;
use crate::text::{Ink, Line};
use crate::units::human;

/// Findings told in full.
const MOST_TOLD: usize = 3;
/// Findings with a line of their own.
const MOST_LISTED: usize = 8;
/// Findings listed that own no time.
const MOST_NOTICED: usize = 4;
/// Cells at the left of a finding's words.
const INDENT: usize = 10;

fn time(ns: Ns) -> String {
    human(ns, 0, &Unit::Ns)
}

/// The first ones in full, the next with a line each, the rest counted.
pub(crate) fn lines(view: &View<'_>) -> Vec<Line> {
    let findings = &view.capture.findings;
    if findings.is_empty() {
        return none(view);
    }
    let (owning, noticed): (Vec<&Finding>, Vec<&Finding>) =
        findings.iter().partition(|finding| finding.owned_ns_per_step > 0);
    let about = format!("lost time by its cause, {}{}", view.per(), unexplained(view));
    let mut lines = view.section("what to change", about);
    let mut n_told = 0;
    let listed = || owning.iter().take(MOST_LISTED);
    let widths = (
        listed().map(|finding| cells(&finding.kind)).max().unwrap_or(0),
        listed().map(|finding| cells(&time(finding.owned_ns_per_step))).max().unwrap_or(0),
    );
    for finding in listed() {
        lines.extend(head(finding, widths).wrapped(view.width, INDENT));
        if finding.headline && n_told < MOST_TOLD {
            n_told += 1;
            lines.extend(told(view, finding));
        }
    }
    let rest = owning.len().saturating_sub(MOST_LISTED);
    if rest > 0 {
        let noun = if rest == 1 { "smaller one" } else { "smaller ones" };
        let more = format!("  {rest} {noun}: `flamelane {} --format json`", view.file());
        lines.push(Line::of(Ink::Faint, more));
    }
    lines.extend(also(view, noticed));
    lines
}

/// What owns no time, by what it can win: loops, compiles that were left out, waits whose cost
/// cannot be told.
fn also(view: &View<'_>, mut noticed: Vec<&Finding>) -> Vec<Line> {
    noticed.sort_by_key(|finding| std::cmp::Reverse(finding.max_gain_ns_per_step));
    let mut lines = Vec::new();
    for finding in noticed.into_iter().take(MOST_NOTICED) {
        let words = match finding.max_gain_ns_per_step {
            0 => finding.sentence.clone(),
            most => format!("{}, at most {} to win", finding.subject, time(most)),
        };
        let line = Line::of(Ink::Faint, format!("  also noticed: {}: ", finding.kind));
        lines.extend(line.with(Ink::Faint, words).wrapped(view.width, INDENT));
    }
    lines
}

/// Why there are none, where that needs a word.
fn none(view: &View<'_>) -> Vec<Line> {
    let verdict = &view.capture.verdict;
    if verdict.suppressed_by.is_empty() || !view.has_device_work() {
        return Vec::new();
    }
    let checks = verdict.suppressed_by.join(", ");
    let said = format!("none: `{checks}` failed, any would be unsound");
    view.keyed("findings", Line::of(Ink::Plain, said))
}

/// Share and time that it owns, kind, what it is about, and the bound of the gain.
fn head(finding: &Finding, (kinds, times): (usize, usize)) -> Line {
    let share = format!("{:>5.1} %", 100.0 * finding.owned_share);
    let ink = if finding.headline { Ink::Strong } else { Ink::Plain };
    let mut line = Line::of(Ink::Idle, format!("{share:>7}   "));
    line.push(ink, format!("{:<kinds$}", finding.kind));
    let owned = time(finding.owned_ns_per_step);
    let pad = " ".repeat(times - cells(&owned));
    line.push(Ink::Plain, format!("  {pad}{owned}  {}", finding.subject));
    line.with(Ink::Faint, gain(finding))
}

/// What curing it can win, where that is not just what it owns.
fn gain(finding: &Finding) -> String {
    let mut words = Vec::new();
    if let Some(simulated) = finding.simulated_gain_ns_per_step {
        words.push(format!("replayed without: −{}", time(simulated)));
    }
    if finding.max_gain_ns_per_step != finding.owned_ns_per_step {
        words.push(format!("at most {} to win", time(finding.max_gain_ns_per_step)));
    }
    if words.is_empty() { String::new() } else { format!("  ({})", words.join(", ")) }
}

fn told(view: &View<'_>, finding: &Finding) -> Vec<Line> {
    let pad = " ".repeat(INDENT);
    let line = |ink, text: &str| {
        Line::of(Ink::Plain, pad.as_str()).with(ink, text).wrapped(view.width, INDENT)
    };
    let mut lines = line(Ink::Plain, &finding.sentence);
    lines.extend(line(Ink::Good, &format!("try: {}", finding.experiment)));
    if !finding.confidence.starts_with("high") {
        lines.extend(line(Ink::Faint, &format!("confidence {}", finding.confidence)));
    }
    lines
}

/// The share that no finding owns, where it is worth a word.
fn unexplained(view: &View<'_>) -> String {
    let rest = view.capture.unexplained_ns_per_step;
    let window = view.capture.window.busy_ns.saturating_add(view.capture.window.idle_ns);
    let share = rest.saturating_mul(view.n_steps()) as f64 / window.max(1) as f64;
    if share < 0.01 {
        return String::new();
    }
    format!("; no finding owns {:.1} %", 100.0 * share)
}
