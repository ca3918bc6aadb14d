//! The report on one screen of a terminal: what ran, can it be trusted, where did the time go, who
//! let the device wait, what to do next.

mod answers;
mod findings;
mod head;
mod job;
mod more;
mod tables;
mod time;
mod view;

use std::io;

use flamelane_report::Report;

pub(crate) use self::tables::op_of;
use self::view::View;
use crate::text::{Ink, Line, write_lines};

/// The terminal that is written to, and what the reader typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// Columns.
    pub width: usize,
    /// Whether escape codes for colour are understood and wanted.
    pub color: bool,
    /// Name of the HTML report that is written beside, if one is.
    pub report: Option<String>,
    /// The captures' paths as typed, for commands to copy; the file's name where one is missing.
    pub paths: Vec<String>,
}

impl Screen {
    /// Columns to fill: neither too few for a table nor too many for the eye.
    pub(crate) fn columns(&self) -> usize {
        self.width.clamp(LEAST_WIDTH, MOST_WIDTH)
    }
}

/// Narrower terminals get lines of this width.
const LEAST_WIDTH: usize = 56;
/// Wider ones too: longer lines are hard to follow from number to name.
const MOST_WIDTH: usize = 160;

/// Writes the first screen.
///
/// One capture fills it; of several, a table of all comes first and then the busiest one's screen.
pub fn write_terminal(report: &Report, screen: &Screen, out: &mut dyn io::Write) -> io::Result<()> {
    let view = |index: usize| View::new(&report.captures[index], index, screen);
    let lines = match report.captures.len() {
        0 => vec![Line::of(Ink::Plain, "no captures")],
        1 => capture(&view(0)),
        _ => several(report, &view),
    };
    write_lines(&lines, screen.color, out)
}

fn several<'a>(report: &Report, view: &dyn Fn(usize) -> View<'a>) -> Vec<Line> {
    let busiest = job::busiest(report);
    let mut lines = job::lines(report, busiest, view);
    lines.push(Line::new());
    lines.extend(capture(&view(busiest)));
    lines
}

/// The screen of one capture: blocks with an empty line between.
fn capture(view: &View<'_>) -> Vec<Line> {
    let blocks = [
        head::lines(view),
        time::window(view),
        [time::partition(view), more::launching(view)].concat(),
        time::devices(view),
        [answers::verdict(view), more::phases(view), more::bound(view)].concat(),
        findings::lines(view),
        tables::owners(view),
        tables::paths(view),
        answers::questions(view),
        answers::next(view),
    ];
    let mut blocks: Vec<_> = blocks.into_iter().filter(|block| !block.is_empty()).collect();
    let last = blocks.len() - 1;
    for (at, more) in [more::launches(view), more::ranges(view)].into_iter().enumerate() {
        let n_lines: usize = blocks.iter().map(|block| block.len() + 1).sum();
        if !more.is_empty() && n_lines + more.len() <= MOST_LINES {
            blocks.insert(last + at.min(blocks.len() - 1 - last), more);
        }
    }
    blocks.join(&Line::new())
}

/// Tables that only explain more are left out of a screen that would grow longer than this.
const MOST_LINES: usize = 45;
