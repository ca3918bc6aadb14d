//! `flamelane whatif`: predictions for people and programs.

use std::io;

use flamelane_model::{Ns, Unit};
use flamelane_report::{Change, WhatIf};

use crate::json::write_document;
use crate::terminal::Screen;
use crate::text::{Ink, Line, write_lines};
use crate::units::human;

fn time(ns: Ns) -> String {
    human(ns, 0, &Unit::Ns)
}

/// Writes the self-check, the constants, and each change with what it would do.
pub fn write_whatif(document: &WhatIf, screen: &Screen, out: &mut dyn io::Write) -> io::Result<()> {
    let width = screen.columns();
    let mut lines = vec![Line::of(Ink::Strong, document.file.as_str())];
    lines.extend(self_check(document).wrapped(width, 2));
    if !document.replay.holds {
        return write_lines(&lines, screen.color, out);
    }
    lines.extend(constants(document).wrapped(width, 2));
    for change in &document.changes {
        lines.push(Line::new());
        lines.extend(answer(change).wrapped(width, 2));
        for assumption in &change.assumptions {
            let line = Line::of(Ink::Faint, format!("  if {assumption}"));
            lines.extend(line.wrapped(width, 5));
        }
    }
    write_lines(&lines, screen.color, out)
}

fn self_check(document: &WhatIf) -> Line {
    let check = &document.replay;
    if !check.holds {
        return Line::of(Ink::Bad, "no prediction: ").with(Ink::Plain, check.reason.as_str());
    }
    let what = if document.steps == 0 { "window" } else { "step" };
    let figures = format!(
        "{} replayed, {} measured ({})",
        time(check.replayed_ns),
        time(check.measured_ns),
        signed(100.0 * check.error)
    );
    Line::of(Ink::Plain, "self-check: ")
        .with(Ink::Good, "ok")
        .with(Ink::Plain, format!(", a {what} takes {figures}"))
}

/// A change in percent with its sign; none where it rounds to nothing.
fn signed(percent: f64) -> String {
    let figure = format!("{:.2}", percent.abs());
    match figure.as_str() {
        "0.00" => "± 0.00 %".to_owned(),
        _ if percent < 0.0 => format!("−{figure} %"),
        _ => format!("+{figure} %"),
    }
}

fn constants(document: &WhatIf) -> Line {
    let known = document.constants_ns.iter().filter_map(|(name, ns)| Some((name, (*ns)?)));
    let words: Vec<String> =
        known.map(|(name, ns)| format!("{} {}", name.replace('_', " "), time(ns))).collect();
    Line::of(Ink::Faint, format!("constants: {}", words.join(", ")))
}

fn answer(change: &Change) -> Line {
    let line = Line::of(Ink::Strong, format!("{}: ", change.what));
    if change.count == 0 {
        return line.with(Ink::Plain, "nothing to change in this capture");
    }
    let share = 100.0 * change.gain_ns as f64 / change.before_ns.max(1) as f64;
    let way = if change.gain_ns < 0 { "slower" } else { "faster" };
    if change.gain_ns == 0 {
        return line
            .with(Ink::Plain, format!("stays at {}: it wins nothing", time(change.before_ns)));
    }
    line.with(Ink::Plain, format!("{} → ", time(change.before_ns)))
        .with(Ink::Good, time(change.after_ns))
        .with(Ink::Plain, format!(", {} {way} ({:.1} %)", time(change.gain_ns.abs()), share.abs()))
}

/// Writes the document `flamelane.whatif/1`.
pub fn write_whatif_json(document: &WhatIf, out: &mut dyn io::Write) -> io::Result<()> {
    write_document(document, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(gain_ns: Ns) -> String {
        let change = Change {
            what: "copies ahead".to_owned(),
            count: 3,
            before_ns: 2_000,
            after_ns: 2_000 - gain_ns,
            gain_ns,
            ..Change::default()
        };
        let mut out = Vec::new();
        write_lines(&[answer(&change)], false, &mut out).unwrap_or_default();
        String::from_utf8_lossy(&out).trim_end().to_owned()
    }

    #[test]
    fn what_wins_nothing_is_neither_faster_nor_slower() {
        assert_eq!(said(0), "copies ahead: stays at 2 µs: it wins nothing");
        assert_eq!(said(500), "copies ahead: 2 µs → 1.5 µs, 500 ns faster (25.0 %)");
        assert_eq!(said(-500), "copies ahead: 2 µs → 2.5 µs, 500 ns slower (25.0 %)");
    }

    #[test]
    fn a_sign_is_a_sign_and_nothing_has_none() {
        assert_eq!(signed(-0.024), "−0.02 %");
        assert_eq!(signed(0.5), "+0.50 %");
        assert_eq!(signed(-0.001), "± 0.00 %");
    }
}
