//! Finished stacks: what a page shows of them, and what they cannot answer.

use std::collections::BTreeMap;

use flamelane_model::{Frame, Notes, Profile};
use flamelane_report::{Report, SCHEMA};
use flamelane_write::{About, CaptureData, StacksFile};

use crate::captures::{Capture, Loaded};
use crate::hinted::Hinted;

/// A file of finished stacks.
pub(crate) struct Stacks {
    pub(crate) file: String,
    pub(crate) format: &'static str,
    pub(crate) notes: Notes,
    pub(crate) profile: Box<Profile>,
    /// Of its device frames.
    pub(crate) families: BTreeMap<Frame, String>,
}

impl Stacks {
    pub(crate) fn into_capture(self) -> Capture {
        let Self { file, format, notes, profile, .. } = self;
        Capture { file, format, loaded: Loaded::Profile(profile), notes }
    }

    /// What a page shows of them.
    pub(crate) fn data(&self) -> CaptureData<'_> {
        let Self { file, format, notes, profile, families } = self;
        let about = About::Stacks(StacksFile { file, format, notes });
        CaptureData { about, profile, chart: None, families }
    }

    /// What a command says that needs to know when things happened.
    pub(crate) fn have_no_timeline(&self) -> Hinted {
        let Self { file, format, .. } = self;
        Hinted::new(
            format!("`{file}` holds {format} stacks, no timeline to report on"),
            "`flamelane report -o x.html` writes a page of them, `flamelane top` prints their table, and `flamelane fold` converts them",
        )
    }
}

/// What a page of stacks has for a report: it speaks of no capture.
pub(crate) fn no_report() -> Report {
    Report { schema: SCHEMA, captures: Vec::new() }
}
