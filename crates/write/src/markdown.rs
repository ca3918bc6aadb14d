//! The report for chats and pull requests.

use std::io;

use flamelane_report::Report;

/// Writes the report as Markdown.
pub fn write_markdown(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    for capture in &report.captures {
        writeln!(out, "## {}\n\n{}", capture.file, capture.verdict.sentence)?;
    }
    Ok(())
}
