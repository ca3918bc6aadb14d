//! `flamelane inspect`: what a file is, holds and lacks.

use std::io;

use flamelane_model::{Notes, Profile, Trace};
use serde::Serialize;

use crate::json::write_document;

/// What a file is, holds and lacks.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Inspection {
    schema: &'static str,
    file: String,
    format: String,
}

impl Inspection {
    /// Looks at a timeline.
    pub fn of_trace(file: String, format: &str, trace: &Trace) -> Self {
        let _ = trace;
        Self { schema: "flamelane.inspect/1", file, format: format.to_owned() }
    }

    /// Looks at stacks.
    pub fn of_profile(file: String, format: &str, profile: &Profile) -> Self {
        let _ = profile;
        Self { schema: "flamelane.inspect/1", file, format: format.to_owned() }
    }

    /// Adds what the reader skipped or repaired.
    #[must_use]
    pub fn with_notes(self, notes: &Notes) -> Self {
        let _ = notes;
        self
    }
}

/// Writes it for people, lines fitting `width`.
pub fn write_inspection(
    inspection: &Inspection,
    width: usize,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let _ = width;
    writeln!(out, "{} {}", inspection.file, inspection.format)
}

/// Writes the document `flamelane.inspect/1`.
pub fn write_inspection_json(inspection: &Inspection, out: &mut dyn io::Write) -> io::Result<()> {
    write_document(inspection, out)
}
