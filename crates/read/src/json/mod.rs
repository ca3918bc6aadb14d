//! The event scanner that all trace readers share: a stream of Chrome trace JSON in, one
//! [`Event`] after another out, in one pass over a small window.
//!
//! [`scan()`] drives it. A reader implements [`EventSink`]: it gets each event with the fields that
//! any of our readers needs, already parsed, and the text of the event for everything else; and
//! the values of the top-level keys it asks for, as raw JSON. Whatever is damaged is repaired or
//! skipped, counted in the sink's notes, and never fatal.

#![expect(
    clippy::inline_always,
    reason = "the loop over tokens must be one function: a call for each value costs a third"
)]

mod bytes;
mod careful;
mod cursor;
mod event;
mod fields;
mod general;
mod habits;
mod header;
mod learned;
mod names;
mod numbers;
mod recover;
mod repair;
mod scan;
mod simd;
mod skip;
mod unescape;
mod values;
mod window;

pub(crate) use self::{
    event::{Event, EventSink, EventText, Id},
    names::{CategoryId, Names},
    scan::{Options, Outcome, scan},
    unescape::unescape,
};
