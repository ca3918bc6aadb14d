//! Readers: bytes of a profile file in, a [`Trace`] or [`Profile`] and counted notes out.
//!
//! Comes in: a stream of bytes that somebody else opened. Goes out: [`Read`].
//! Never does: open files, print, guess in silence: what is skipped or repaired becomes a note.
//!
//! ```
//! use flamelane_read::{Content, Limits, open};
//!
//! let mut bytes = &b"main;work 3\nmain;rest 1\n"[..];
//! let read = open(&mut bytes, &Limits::default(), None)?;
//! assert_eq!(read.format, "folded");
//! let Content::Profile(profile) = read.content else { panic!("stacks") };
//! assert_eq!(profile.sum(&profile.columns[0].weight), 4);
//! # Ok::<(), flamelane_read::ReadError>(())
//! ```

mod chrome;
mod error;
mod folded;
mod json;
mod kinds;
mod kineto;
mod lines;
mod node_stacks;
mod number;
mod open;
mod pprof;
mod pull;
mod refuse;
mod sniff;
mod speedscope;
mod tally;
mod unpack;

use std::io;

use flamelane_model::{Notes, Profile, Trace};

pub use crate::{
    chrome::CHROME, error::ReadError, folded::FOLDED, kineto::KINETO, node_stacks::NODE_STACKS,
    open::open, pprof::PPROF, refuse::Foreign, speedscope::SPEEDSCOPE,
};

/// What a file turned out to hold.
#[derive(Debug)]
pub enum Content {
    /// A timeline.
    Trace(Box<Trace>),
    /// Finished stacks.
    Profile(Box<Profile>),
}

/// A file as read.
#[derive(Debug)]
pub struct Read {
    /// The word for its format: `kineto`, `chrome`, `node-stacks`, `folded`, `speedscope`, `pprof`.
    pub format: &'static str,
    /// What it holds.
    pub content: Content,
    /// What was skipped or repaired.
    pub notes: Notes,
}

/// A reader's answer to "is this mine?".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sniff {
    /// Surely.
    Yes,
    /// Surely not.
    No,
    /// These bytes do not tell; with more, they may.
    More,
}

/// One format: how to know it and how to read it.
#[derive(Clone, Copy, Debug)]
pub struct Reader {
    /// The word for the format, also for `--input-format`.
    pub name: &'static str,
    /// Looks at the first bytes (unpacked; at most 1 MiB).
    pub sniff: fn(&[u8]) -> Sniff,
    /// Reads the whole stream (unpacked).
    pub read: fn(&mut dyn io::Read, &Limits) -> Result<Read, ReadError>,
}

/// Bounds that keep a hostile file from eating the machine.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most bytes that a compressed input may unpack to.
    pub max_unpacked: u64,
    /// Longest single event, string or line that is held in memory, in bytes.
    pub max_event: usize,
    /// Most lanes before the rest share one.
    pub max_lanes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_unpacked: 64 << 30, max_event: 64 << 20, max_lanes: 100_000 }
    }
}

/// All readers, in the order in which they are asked: the special before the general.
pub fn readers() -> &'static [Reader] {
    &[KINETO, SPEEDSCOPE, CHROME, NODE_STACKS, PPROF, FOLDED]
}
