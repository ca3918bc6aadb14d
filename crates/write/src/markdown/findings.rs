//! Findings as a table, the first ones in full below it.

use std::io;

use flamelane_model::Ns;
use flamelane_report::{Capture, Finding};

use super::{capitalised, per, text, time};

/// Rows of the table.
const MOST_ROWS: usize = 8;
/// Findings told in full.
const MOST_TOLD: usize = 3;

pub(super) fn write(capture: &Capture, out: &mut impl io::Write) -> io::Result<()> {
    let findings = &capture.findings;
    if findings.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n| finding | what | {} | share | at most to win |", per(capture))?;
    writeln!(out, "|---|---|---:|---:|---:|")?;
    for finding in findings.iter().take(MOST_ROWS) {
        row(finding, out)?;
    }
    if findings.len() > MOST_ROWS {
        writeln!(out, "| … {} smaller ones | | | | |", findings.len() - MOST_ROWS)?;
    }
    let told = findings.iter().filter(|finding| finding.headline).take(MOST_TOLD);
    for (number, finding) in told.enumerate() {
        if number == 0 {
            writeln!(out)?;
        }
        let sentence = capitalised(&text(&finding.sentence));
        writeln!(out, "- {sentence}. Try: {}.", text(&finding.experiment))?;
    }
    Ok(())
}

fn row(finding: &Finding, out: &mut impl io::Write) -> io::Result<()> {
    let simulated = finding.simulated_gain_ns_per_step;
    let simulated = simulated.map_or_else(String::new, |ns| format!(" (replayed: {})", time(ns)));
    // What owns no time, or wins none that can be told, has a dash and no zero.
    let known = |ns: Ns| if ns > 0 { time(ns) } else { "–".to_owned() };
    let owns = finding.owned_ns_per_step > 0;
    let share =
        if owns { format!("{:.1} %", 100.0 * finding.owned_share) } else { "–".to_owned() };
    writeln!(
        out,
        "| {} | {} | {} | {share} | {}{simulated} |",
        finding.kind,
        text(&finding.subject),
        known(finding.owned_ns_per_step),
        known(finding.max_gain_ns_per_step),
    )
}
