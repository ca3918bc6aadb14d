//! The report on one screen of a terminal.

use std::io;

use flamelane_report::Report;

/// The terminal that is written to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Screen {
    /// Columns.
    pub width: usize,
    /// Whether escape codes for colour are understood and wanted.
    pub color: bool,
    /// Name of the HTML report that is written beside, if one is.
    pub report: Option<String>,
}

/// Writes the first screen.
pub fn write_terminal(report: &Report, screen: &Screen, out: &mut dyn io::Write) -> io::Result<()> {
    let _ = screen;
    for capture in &report.captures {
        writeln!(out, "{}\n{}", capture.file, capture.verdict.sentence)?;
    }
    Ok(())
}
