//! Captures: from a path to a linked trace or a profile.

use std::path::Path;

use anyhow::Result;
use flamelane_link::{Linked, Rules, link};
use flamelane_model::{Notes, Profile, Weight};
use flamelane_read::Content;

use crate::args::Input;
use crate::{open, terminal};

/// What a file turned out to hold, ready for use.
pub(crate) enum Loaded {
    /// A timeline, linked.
    Trace(Box<Linked>),
    /// Finished stacks.
    Profile(Box<Profile>),
}

/// A file and what it holds.
pub(crate) struct Capture {
    pub(crate) file: String,
    pub(crate) format: &'static str,
    pub(crate) loaded: Loaded,
    pub(crate) notes: Notes,
}

/// Reads a file, links it if it is a timeline, and prints the reader's remarks.
pub(crate) fn load(path: &Path, input: &Input, rules: &Rules) -> Result<Capture> {
    let read = open::read(path, input)?;
    let file = open::name(path);
    terminal::notes(&file, &read.notes);
    let loaded = match read.content {
        Content::Trace(trace) => Loaded::Trace(Box::new(link(*trace, rules.clone()))),
        Content::Profile(profile) => Loaded::Profile(profile),
    };
    Ok(Capture { file, format: read.format, loaded, notes: read.notes })
}

impl Capture {
    /// The stacks of the capture.
    pub(crate) fn profile(self) -> Profile {
        match self.loaded {
            Loaded::Trace(linked) => flamelane_fold::fold(&linked),
            Loaded::Profile(profile) => *profile,
        }
    }

    /// Number of kept steps, 1 for finished stacks.
    pub(crate) fn n_steps(&self) -> usize {
        match &self.loaded {
            Loaded::Trace(linked) => linked.n_steps(),
            Loaded::Profile(_) => 1,
        }
    }
}

/// The weight that is asked for, else the first that the profile holds and is not empty.
pub(crate) fn weight(profile: &Profile, asked: Option<&str>) -> Result<Weight> {
    let known = || {
        let names: Vec<&str> = profile.columns.iter().map(|column| column.weight.name()).collect();
        names.join(", ")
    };
    if let Some(name) = asked {
        let weight = Weight::parse(name);
        if profile.column(&weight).is_none() {
            anyhow::bail!("no weight `{name}` in this profile; it has {}", known());
        }
        return Ok(weight);
    }
    let filled = profile.columns.iter().find(|column| column.self_values.iter().any(|&v| v != 0));
    let first = filled.or(profile.columns.first()).map(|column| column.weight.clone());
    first.ok_or_else(|| anyhow::anyhow!("the profile holds no weights"))
}
