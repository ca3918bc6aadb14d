//! What if: a capture replayed as a graph of causes, with one thing changed.
//!
//! Comes in: a [`Linked`](flamelane_link::Linked) trace. Goes out: a [`Replay`] that says how long a
//! step would have taken, or [`Declined`] where an unchanged replay misses what was measured.
//! Never does: carrying delays that it cannot explain, printing, naming formats.
//!
//! `docs/concepts/what-if.md` describes the model.

mod change;
mod constants;
mod events;
mod measure;
mod names;
mod queues;
mod records;
mod region;
mod replay;
mod script;
mod sleepers;

pub use change::Change;
pub use constants::Constants;
pub use measure::{Check, Declined, Prediction, Replay};
