//! The samples of a profile, one pass: stacks into the tree, values into the tallies.

use flamelane_model::{Frame, FrameKind, Notes, Profile, StackId};
use prost::Message;

use super::{
    measure, scaled,
    tables::Tables,
    wire::{Fields, Sample, Value},
};
use crate::tally::{Tally, child};

/// Frames that may be entered for each byte of the file, and in any case: hostile files name one
/// place with a thousand inlined calls over and over.
const FRAMES_PER_BYTE: usize = 4;
const FRAMES_AT_LEAST: usize = 1 << 20;
/// Most values of all columns: each column has one a node.
const MAX_VALUES: usize = 96 << 20;

/// The profile while samples come in.
pub(super) struct Samples<'t> {
    tables: &'t Tables,
    profile: &'t mut Profile,
    notes: &'t mut Notes,
    factors: Vec<i128>,
    tallies: Vec<Tally>,
    missing: Frame,
    n_frames_left: usize,
    max_nodes: usize,
}

impl<'t> Samples<'t> {
    /// Nothing read yet.
    pub(super) fn new(tables: &'t Tables, profile: &'t mut Profile, notes: &'t mut Notes) -> Self {
        let factors = tables.kinds.iter().map(|kind| measure(&kind.name, &kind.unit).2).collect();
        let name = profile.strings.intern("[missing place]");
        Self {
            tables,
            profile,
            notes,
            factors,
            tallies: tables.kinds.iter().map(|_| Tally::new()).collect(),
            missing: Frame { name, kind: FrameKind::Synthetic },
            n_frames_left: 0,
            max_nodes: MAX_VALUES / tables.kinds.len().max(1),
        }
    }

    /// Reads all samples.
    pub(super) fn read(&mut self, bytes: &[u8]) {
        self.n_frames_left = bytes.len().saturating_mul(FRAMES_PER_BYTE).max(FRAMES_AT_LEAST);
        for (number, value) in Fields::new(bytes) {
            let (2, Value::Bytes(message)) = (number, value) else { continue };
            match Sample::decode(message) {
                Ok(sample) => self.sample(&sample),
                Err(_) => {
                    self.notes.add("damaged-message", "messages were damaged and left out", || {
                        "sample".to_owned()
                    });
                }
            }
        }
    }

    /// One tally a sample type.
    pub(super) fn finish(self) -> Vec<Tally> {
        self.tallies
    }

    fn sample(&mut self, sample: &Sample) {
        if !sample.label.is_empty() {
            self.notes.add(
                "labels-not-kept",
                "samples had labels, which are not kept",
                String::new,
            );
        }
        if sample.value.len() != self.tallies.len() {
            self.notes.add(
                "unpaired-value",
                "samples had more or fewer values than there are sample types",
                || format!("{} values for {} types", sample.value.len(), self.tallies.len()),
            );
        }
        let node = self.stack(&sample.location);
        let columns = self.tallies.iter_mut().zip(&sample.value).zip(&self.factors);
        for ((tally, value), factor) in columns {
            tally.add(node, scaled(*value, *factor), self.notes);
        }
    }

    /// Enters a stack, which the file has leaf first.
    fn stack(&mut self, places: &[u64]) -> StackId {
        let mut node = self.profile.stacks.root();
        let mut shown = false;
        let tables = self.tables;
        for id in places.iter().rev() {
            let missing = [self.missing];
            let frames = tables.place(*id).unwrap_or_else(|| {
                self.notes.add("missing-place", "stacks name places that are not listed", || {
                    format!("place {id}")
                });
                &missing
            });
            for frame in frames {
                // As pprof does it: frames above the first that is shown are not dropped, so that
                // a pattern that matches a root does not hide everything.
                if shown && tables.prune.drops(*frame) {
                    self.notes.add(
                        "dropped-frames",
                        "stacks were cut as the file asks",
                        String::new,
                    );
                    return node;
                }
                shown |= !tables.prune.drops(*frame);
                if self.n_frames_left == 0 || self.profile.stacks.len() >= self.max_nodes {
                    let message = "frames were left out: too many for the size of the file";
                    self.notes.add("too-many-frames", message, String::new);
                    return node;
                }
                self.n_frames_left -= 1;
                node = child(&mut self.profile.stacks, node, *frame, self.notes);
            }
        }
        node
    }
}
