//! `flamelane inspect`: what a file is, holds and lacks.

use anyhow::Result;
use flamelane_read::Content;
use flamelane_write::Inspection;

use crate::args::{Inspect, TableFormat};
use crate::exit::Outcome;
use crate::{open, terminal};

pub(crate) fn run(args: &Inspect) -> Result<Outcome> {
    let read = open::read(&args.file, &args.input)?;
    let inspection = match &read.content {
        Content::Trace(trace) => Inspection::of_trace(open::name(&args.file), read.format, trace),
        Content::Profile(profile) => {
            Inspection::of_profile(open::name(&args.file), read.format, profile)
        }
    };
    let inspection = inspection.with_notes(&read.notes);
    let screen = terminal::screen();
    open::write(open::DASH.as_ref(), |out| match args.format {
        TableFormat::Json => flamelane_write::write_inspection_json(&inspection, out),
        TableFormat::Text | TableFormat::Csv => {
            flamelane_write::write_inspection(&inspection, &screen, out)
        }
    })?;
    Ok(Outcome::Fine)
}
