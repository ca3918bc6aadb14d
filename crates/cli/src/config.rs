//! `flamelane.toml`: patterns that tell the user's code, steps, phases and kernel families.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use flamelane_find::Thresholds;
use flamelane_link::Rules;
use serde::Deserialize;

use crate::args::{Part, Reading};
use crate::hinted::Hinted;
use crate::open;

/// The file's tables; every field may be missing.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    frames: Frames,
    steps: Steps,
    /// Part of an annotation's name → phase.
    phases: BTreeMap<String, String>,
    /// Part of a kernel's name → family.
    families: BTreeMap<String, String>,
    /// Name of a threshold of the findings → its value.
    thresholds: BTreeMap<String, f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Frames {
    /// Path prefixes of the user's own code.
    user: Vec<String>,
    /// Path prefixes of serving engines, beside the known ones.
    engine: Vec<String>,
    /// Path prefixes of libraries, beside the known ones.
    library: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Steps {
    /// Annotations whose name starts with one of these are steps.
    markers: Vec<String>,
}

/// The rules for one run: defaults, then the file, then the command line.
pub(crate) fn rules(input: &Reading, part: &Part) -> Result<Rules> {
    let file = file(input)?;
    let mut rules = Rules { choice: part.choice(), ..Rules::default() };
    rules.user_prefixes = file.frames.user;
    rules.engine_prefixes.extend(file.frames.engine);
    rules.library_prefixes.extend(file.frames.library);
    if file.steps.markers.iter().any(String::is_empty) {
        let hint = "give the beginning of the markers' names, like `markers = [\"step\"]`";
        return Err(Hinted::new(
            "a marker in `steps.markers` is empty: every annotation would be a step",
            hint,
        )
        .into());
    }
    rules.step_prefixes = file.steps.markers;
    let lower = |map: BTreeMap<String, String>| {
        map.into_iter().map(|(part, word)| (part.to_ascii_lowercase(), word)).collect()
    };
    rules.phases = lower(file.phases);
    rules.families = lower(file.families);
    Ok(rules)
}

/// What the findings compare with: defaults, then the file.
pub(crate) fn limits(input: &Reading) -> Result<Thresholds> {
    let mut limits = Thresholds::default();
    for (name, value) in file(input)?.thresholds {
        limits.set(&name, value).map_err(|error| {
            let known: Vec<&str> = Thresholds::TABLE.iter().map(|row| row.name).collect();
            Hinted::new(error, format!("`[thresholds]` knows {}", known.join(", ")))
        })?;
    }
    Ok(limits)
}

fn file(input: &Reading) -> Result<File> {
    let default = Path::new("flamelane.toml");
    let path = input.config.as_deref().unwrap_or(default);
    let text = open::text(path)?;
    if text.is_none() && input.config.is_some() {
        anyhow::bail!("cannot read `{}`: no such file", path.display());
    }
    let cannot = || format!("cannot understand `{}`", path.display());
    toml::from_str(&text.unwrap_or_default()).with_context(cannot)
}
