//! Launches as numbers: equal numbers are launches of one kernel, of a copy, or of a fill.

use flamelane_model::{DeviceKind, StrId};
use rustc_hash::FxHashMap;

use super::recording::Recording;
use super::replays::Replay;
use crate::{Linked, Rules, UNKNOWN, comparison, family};

/// A captured kernel whose name the file does not tell.
pub(super) const NAMELESS: u32 = 0;
pub(super) const COPY: u32 = 1;
pub(super) const MEMSET: u32 = 2;
const FIRST_NAME: u32 = 3;
/// A kernel of a replay without a name: like no other.
const UNKNOWN_NAME: u32 = u32::MAX;

/// Whether it stands for a kernel by name.
pub(super) fn is_kernel(token: u32) -> bool {
    token >= FIRST_NAME
}

/// Numbers of names, shared by a capture and its recordings.
#[derive(Default)]
pub(super) struct Tokens {
    number_of: FxHashMap<String, u32>,
    /// One a number of a kernel's name.
    names: Vec<String>,
    /// Names of the capture.
    known: FxHashMap<StrId, u32>,
}

impl Tokens {
    /// One a part of the recording: its launches.
    pub(super) fn parts(&mut self, recording: &Recording) -> Vec<Vec<u32>> {
        let mut known: FxHashMap<StrId, u32> = FxHashMap::default();
        let mut parts = Vec::with_capacity(recording.parts.len());
        for part in &recording.parts {
            let launches = part.launches.iter().map(|launch| match launch.kind {
                DeviceKind::Copy => COPY,
                DeviceKind::Memset => MEMSET,
                DeviceKind::Kernel | DeviceKind::Graph => {
                    let name = || self.name(recording.strings.text(launch.name));
                    *known.entry(launch.name).or_insert_with(name)
                }
            });
            parts.push(launches.collect());
        }
        parts
    }

    /// What a replay ran.
    pub(super) fn replay(&mut self, linked: &Linked, replay: &Replay) -> Vec<u32> {
        let device = &linked.trace.device;
        let mut tokens = Vec::with_capacity(replay.spans.len());
        for span in replay.spans.iter().map(|&span| span as usize) {
            tokens.push(match device.kind[span] {
                DeviceKind::Copy => COPY,
                DeviceKind::Memset => MEMSET,
                DeviceKind::Kernel | DeviceKind::Graph => self.kernel(linked, device.name[span]),
            });
        }
        tokens
    }

    fn kernel(&mut self, linked: &Linked, name: StrId) -> u32 {
        if let Some(&known) = self.known.get(&name) {
            return known;
        }
        let text = comparison(linked.trace.text(name));
        let token = if text.is_empty() { UNKNOWN_NAME } else { self.name(&text) };
        self.known.insert(name, token);
        token
    }

    fn name(&mut self, name: &str) -> u32 {
        if name.is_empty() {
            return NAMELESS;
        }
        if let Some(&known) = self.number_of.get(name) {
            return known;
        }
        let fresh = FIRST_NAME + self.number_of.len() as u32;
        self.number_of.insert(name.to_owned(), fresh);
        self.names.push(name.to_owned());
        fresh
    }

    /// Whether two kernels are of one known family.
    pub(super) fn are_alike(&self, one: u32, other: u32, rules: &Rules) -> bool {
        let name = |token: u32| self.names.get(token.checked_sub(FIRST_NAME)? as usize);
        let (Some(one), Some(other)) = (name(one), name(other)) else { return false };
        let one = family(one, rules);
        one != UNKNOWN && one == family(other, rules)
    }
}
