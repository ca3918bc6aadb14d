//! `drop_frames` and `keep_frames`: what a profiler wants hidden, such as its own allocator hooks.

use flamelane_model::{Frame, Notes, StrId, Strings};
use regex_lite::{Regex, RegexBuilder};
use rustc_hash::FxHashSet;

/// Longest pattern that is followed, and largest program it may become.
const MAX_PATTERN: usize = 4 << 10;
const MAX_PROGRAM: usize = 64 << 10;

/// Which functions end a stack, with everything they call.
#[derive(Debug, Default)]
pub(super) struct Prune {
    drop: Option<Regex>,
    keep: Option<Regex>,
    names: FxHashSet<StrId>,
}

impl Prune {
    /// Makes ready the two patterns of a profile; empty ones match nothing.
    pub(super) fn new(drop: &str, keep: &str, notes: &mut Notes) -> Self {
        let drop = pattern(drop, notes);
        let keep = if drop.is_some() { pattern(keep, notes) } else { None };
        Self { drop, keep, names: FxHashSet::default() }
    }

    /// Matches the names of frames once.
    pub(super) fn judge(&mut self, frames: &[Frame], strings: &Strings) {
        let Some(drop) = &self.drop else { return };
        let mut seen = FxHashSet::default();
        for frame in frames {
            let name = strings.text(frame.name);
            if seen.insert(frame.name)
                && drop.is_match(name)
                && !self.keep.as_ref().is_some_and(|keep| keep.is_match(name))
            {
                self.names.insert(frame.name);
            }
        }
    }

    /// Whether a frame and what it calls are hidden.
    pub(super) fn drops(&self, frame: Frame) -> bool {
        self.names.contains(&frame.name)
    }
}

/// A pattern that must match a whole name.
fn pattern(text: &str, notes: &mut Notes) -> Option<Regex> {
    if text.is_empty() {
        return None;
    }
    let whole = format!("^(?:{text})$");
    let built = RegexBuilder::new(&whole).size_limit(MAX_PROGRAM).build();
    match built {
        Ok(regex) if text.len() <= MAX_PATTERN => Some(regex),
        _ => {
            notes.add("bad-pattern", "patterns for frames to drop were not understood", || {
                text.chars().take(60).collect()
            });
            None
        }
    }
}
