//! Finding: what is wrong with a capture, and what is wrong with the run.
//!
//! Comes in: a [`Linked`](flamelane_link::Linked) trace. Goes out: [`Check`]s of the capture, and an
//! [`Answer`]: [`Finding`]s, each with a bound and an experiment, and where the time went.
//! Never does: printing, rewriting the trace, advice without a figure.

mod bandwidth;
mod devices;
mod draft;
mod finding;
mod findings;
mod health;
mod kind;
mod lost;
mod replayed;
mod rhythm;
mod rules;
mod scene;
mod series;
mod tally;
mod thresholds;
mod traits;
mod words;

pub use bandwidth::{ModelBytes, StepBound, step_bound};
pub use devices::{DEVICES, Device};
pub use finding::{Figure, Finding, Where};
pub use findings::{Answer, find};
pub use health::{Check, Status, health, unprofiled};
pub use kind::{Bound, Kind};
pub use rhythm::Pattern;
pub use tally::{Judgement, Tally};
pub use thresholds::{BadThreshold, Threshold, Thresholds};
