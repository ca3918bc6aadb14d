//! Documents as JSON: pretty, in the order of their fields, with a newline at the end.

use std::io;

use flamelane_report::Report;
use serde::Serialize;

/// Writes the document `flamelane.report/1`.
pub fn write_json(report: &Report, out: &mut dyn io::Write) -> io::Result<()> {
    write_document(report, out)
}

/// Writes any of our documents; the same value gives the same bytes.
pub(crate) fn write_document<T: Serialize>(
    document: &T,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 16, out);
    serde_json::to_writer_pretty(&mut out, document)?;
    io::Write::write_all(&mut out, b"\n")?;
    io::Write::flush(&mut out)
}
