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
        "{} replayed, {} measured ({:+.2} %)",
        time(check.replayed_ns),
        time(check.measured_ns),
        100.0 * check.error
    );
    Line::of(Ink::Plain, "self-check: ")
        .with(Ink::Good, "ok")
        .with(Ink::Plain, format!(", a {what} takes {figures}"))
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
    line.with(Ink::Plain, format!("{} → ", time(change.before_ns)))
        .with(Ink::Good, time(change.after_ns))
        .with(Ink::Plain, format!(", {} {way} ({:.1} %)", time(change.gain_ns.abs()), share.abs()))
}

/// Writes the document `flamelane.whatif/1`.
pub fn write_whatif_json(document: &WhatIf, out: &mut dyn io::Write) -> io::Result<()> {
    write_document(document, out)
}
