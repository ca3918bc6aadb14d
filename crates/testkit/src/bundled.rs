//! The bundled examples: traces of every scenario with their truth.

use std::io::Write;

use flate2::{Compression, GzBuilder};

use crate::scenario::{Options, Scenario};
use crate::truth::Truth;

/// A bundled example as it lies in `fixtures/kineto`.
#[derive(Debug)]
pub struct Bundled {
    /// File name without extension.
    pub name: &'static str,
    /// The trace, gzipped.
    pub trace_gz: Vec<u8>,
    /// Its truth, gzipped.
    pub truth_gz: Vec<u8>,
}

/// What makes the bundled example of a scenario: few steps and layers, so that it stays small.
pub fn options(scenario: Scenario) -> Options {
    let (steps, layers) = match scenario {
        Scenario::LlmDecode => (12, 4),
        Scenario::Loader => (8, 1),
        Scenario::GraphDecode | Scenario::Detokenizer => (8, 4),
        Scenario::Nccl | Scenario::MultiThread => (4, 2),
        _ => (5, 2),
    };
    Options { steps, layers, ..Options::new(scenario) }
}

/// Makes a bundled example anew; the same bytes each time.
pub fn make(scenario: Scenario) -> Bundled {
    let options = options(scenario);
    let capture = options.simulate();
    let mut truth = Vec::new();
    Truth::of(&capture).write_json(&mut truth).expect("invariant: memory takes every write");
    Bundled {
        name: scenario.name(),
        trace_gz: gzip(capture.to_json(options.layout).as_bytes()),
        truth_gz: gzip(&truth),
    }
}

/// Compresses without a time stamp or name, so that equal input gives equal bytes.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("invariant: memory takes every write");
    encoder.finish().expect("invariant: memory takes every write")
}
