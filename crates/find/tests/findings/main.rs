//! Findings on captures of known shape: each situation, and its near misses.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod advice;
mod copies;
mod doubt;
mod false_alarms;
mod field;
mod healthy;
mod host;
mod lead;
mod loops;
mod steps;
mod tape;
mod waits;
