//! `flamelane steps`: one row a step.

use std::io;

use flamelane_report::Capture;
use serde::Serialize;

use crate::json::write_document;

/// Writes aligned columns that fit `width`.
pub fn write_steps(capture: &Capture, width: usize, out: &mut dyn io::Write) -> io::Result<()> {
    let _ = width;
    for step in &capture.steps.list {
        writeln!(out, "{:>12} {:>12} {}", step.wall_ns, step.busy_ns, step.name)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct Document<'c> {
    schema: &'static str,
    file: &'c str,
    steps: &'c flamelane_report::Steps,
    left_out: &'c [flamelane_report::LeftOut],
}

/// Writes the document `flamelane.steps/1`.
pub fn write_steps_json(capture: &Capture, out: &mut dyn io::Write) -> io::Result<()> {
    let document = Document {
        schema: "flamelane.steps/1",
        file: &capture.file,
        steps: &capture.steps,
        left_out: &capture.window.left_out,
    };
    write_document(&document, out)
}

/// Writes comma-separated values.
pub fn write_steps_csv(capture: &Capture, out: &mut dyn io::Write) -> io::Result<()> {
    write_steps(capture, 0, out)
}
