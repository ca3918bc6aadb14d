//! Chrome traces in general: whatever `about:tracing` opens, from py-spy to browsers.

mod lanes;
mod marks;
mod members;
mod sink;

use std::io;

use self::sink::Sink;
use crate::{
    Content, Limits, Read, ReadError, Reader, Sniff, json,
    sniff::{Json, Outer},
};

/// The reader of Chrome traces that no special reader knows.
pub const CHROME: Reader = Reader { name: "chrome", sniff, read };

fn sniff(head: &[u8]) -> Sniff {
    let Some(json) = Json::of(head) else { return Sniff::No };
    let has = |text: &[u8]| memchr::memmem::find(head, text).is_some();
    match json.outer {
        Outer::Object if json.has("traceEvents") => Sniff::Yes,
        Outer::Objects if json.has("ph") || (has(b"\"ph\"") && has(b"\"ts\"")) => Sniff::Yes,
        Outer::Object | Outer::Objects if json.open => Sniff::More,
        _ => Sniff::No,
    }
}

fn read(input: &mut dyn io::Read, limits: &Limits) -> Result<Read, ReadError> {
    let mut sink = Sink::new(limits);
    let outcome = json::scan(input, limits, json::Options::default(), &mut sink);
    if outcome.n_events == 0 {
        if let Some(error) = outcome.error {
            return Err(error);
        }
        if !outcome.found_array {
            let what = "there is no array of events".to_owned();
            return Err(ReadError::Damaged { format: "chrome", what });
        }
    }
    let (trace, notes) = sink.finish(&outcome);
    Ok(Read { format: "chrome", content: Content::Trace(Box::new(trace)), notes })
}

#[cfg(test)]
mod tests;
