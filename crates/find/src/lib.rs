//! Finding: what is wrong with a capture, and (later) what is wrong with the run.
//!
//! Comes in: a [`Linked`](flamelane_link::Linked) trace. Goes out: [`Check`]s.
//! Never does: printing, rewriting the trace, advice without a figure.

mod graphs;
mod health;

pub use health::{Check, Status, health};
