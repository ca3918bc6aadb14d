//! What reading costs at least, one way a run: `floors WAY FILE`, for the scripts in `bench/` to time.
//!
//! `chunks` reads the file in 256 KB pieces, `inflate` decompresses it with the library that the readers use,
//! `serde` streams its events through typed `serde_json` without copying a string, `parse` is flamelane's reader.
#![expect(clippy::print_stdout, reason = "prints the count that proves the work was done")]
#![expect(
    clippy::disallowed_methods,
    reason = "a program for measuring, which opens its own input"
)]

use std::borrow::Cow;
use std::env;
use std::error::Error;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};

use flamelane_read::{Content, Limits, open};
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};

/// The piece in which files are read.
const PIECE_BYTES: usize = 256 * 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [way, file] = args.as_slice() else { return Err("usage: floors WAY FILE".into()) };
    let count = match way.as_str() {
        "chunks" => drain(File::open(file)?)?,
        "inflate" => drain(MultiGzDecoder::new(File::open(file)?))?,
        "serde" => n_events(&fs::read(file)?)?,
        "parse" => n_columns(&mut File::open(file)?)?,
        _ => return Err("ways: chunks, inflate, serde, parse".into()),
    };
    println!("{count}");
    Ok(())
}

/// Reads to the end and returns the number of bytes.
fn drain(mut source: impl Read) -> io::Result<u64> {
    let mut piece = vec![0; PIECE_BYTES];
    let mut n_bytes = 0;
    loop {
        match source.read(&mut piece)? {
            0 => return Ok(n_bytes),
            n => n_bytes += n as u64,
        }
    }
}

/// Reads a trace into its columns, unpacking it on the way, and returns the number of spans.
fn n_columns(source: &mut File) -> Result<u64, Box<dyn Error>> {
    match open(source, &Limits::default(), None)?.content {
        Content::Trace(trace) => Ok((trace.host.len() + trace.device.len()) as u64),
        Content::Profile(_) => Err("the file holds stacks, not a timeline".into()),
    }
}

/// Parses the fields that a fold needs out of every event and returns the number of complete spans.
fn n_events(text: &[u8]) -> serde_json::Result<u64> {
    let document: Document = serde_json::from_slice(text)?;
    Ok(document.events.n_spans)
}

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "traceEvents")]
    events: Events,
}

/// What is left of the events once they have streamed by.
struct Events {
    n_spans: u64,
}

impl<'de> Deserialize<'de> for Events {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Stream)
    }
}

struct Stream;

impl<'de> Visitor<'de> for Stream {
    type Value = Events;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an array of events")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut events: A) -> Result<Events, A::Error> {
        let mut n_spans = 0;
        while let Some(event) = events.next_element::<Event<'_>>()? {
            n_spans += u64::from(event.is_span());
        }
        Ok(Events { n_spans })
    }
}

/// The part of an event that a fold needs.
#[derive(Deserialize)]
struct Event<'a> {
    #[serde(borrow)]
    ph: Cow<'a, str>,
    #[serde(borrow, default)]
    cat: Cow<'a, str>,
    #[serde(borrow, default)]
    name: Cow<'a, str>,
    #[serde(default)]
    ts: f64,
    #[serde(default)]
    dur: f64,
    #[serde(borrow, default)]
    args: Arguments<'a>,
}

impl Event<'_> {
    /// Whether this is a complete span; looks at every field, so that none is left unread.
    fn is_span(&self) -> bool {
        let launch = self.args.correlation.or(self.args.external_id).unwrap_or_default();
        let timed = self.ts + self.dur >= 0.0 && launch >= 0;
        self.ph == "X" && timed && !(self.name.is_empty() && self.cat.is_empty())
    }
}

/// The part of an event's arguments that a fold needs.
#[derive(Deserialize, Default)]
struct Arguments<'a> {
    correlation: Option<i64>,
    #[serde(rename = "External id")]
    external_id: Option<i64>,
    #[serde(borrow, default, rename = "stream")]
    _stream: Option<&'a serde_json::value::RawValue>,
    #[serde(default, rename = "device")]
    _device: Option<IgnoredAny>,
}
