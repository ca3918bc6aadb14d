//! Traces of PyTorch's profiler: Chrome trace JSON as libkineto and its kin write it.
//!
//! What the categories mean is in [`categories`], once. Everything else is bookkeeping: events
//! come from the shared scanner and go into columns as they pass.

mod builder;
mod categories;
mod finish;
mod flows;
mod labels;
mod lanes;
mod memo;
mod properties;
mod sniff;
#[cfg(test)]
mod tests;

use std::io;

use self::builder::Builder;
use crate::{Content, Limits, Read, ReadError, Reader, json};

/// The reader of these traces.
pub const KINETO: Reader = Reader { name: "kineto", sniff: sniff::sniff, read };

fn read(input: &mut dyn io::Read, limits: &Limits) -> Result<Read, ReadError> {
    read_with(input, limits, json::Options::default())
}

/// Reads with or without guessing tokens.
pub(crate) fn read_with(
    input: &mut dyn io::Read,
    limits: &Limits,
    options: json::Options,
) -> Result<Read, ReadError> {
    let mut builder = Builder::new(limits);
    let outcome = json::scan(input, limits, options, &mut builder);
    if outcome.n_events == 0 {
        if let Some(error) = outcome.error {
            return Err(error);
        }
        if let Some(what) = unusable(&outcome) {
            return Err(ReadError::Damaged { format: "kineto", what });
        }
    }
    let (trace, notes) = builder.finish(&outcome);
    Ok(Read { format: "kineto", content: Content::Trace(Box::new(trace)), notes })
}

fn unusable(outcome: &json::Outcome) -> Option<String> {
    if !outcome.found_array {
        return Some("there is no `traceEvents` array".to_owned());
    }
    let n = outcome.n_others;
    (n > 0).then(|| format!("none of its {n} elements is an event"))
}
