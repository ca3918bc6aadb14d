//! The reader against itself: guessing or not, in any pieces, on sound and on damaged text.

mod agree;
mod model;
mod mutate;
mod oracle;
mod tokens;

use std::io;

use flamelane_model::{Notes, Trace};

use super::read_with;
use crate::{Content, Limits, ReadError, json::Options};

/// A stream that gives a few bytes at a time.
struct Drip<'b> {
    bytes: &'b [u8],
    size: usize,
}

impl io::Read for Drip<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.size.min(out.len()).min(self.bytes.len());
        out[..n].copy_from_slice(&self.bytes[..n]);
        self.bytes = &self.bytes[n..];
        Ok(n)
    }
}

/// The ways to read that must agree: guessing or not, bytes a call, bytes in the window.
const WAYS: [(bool, usize, usize); 6] = [
    (true, usize::MAX, 512 << 10),
    (false, usize::MAX, 512 << 10),
    (true, 1, 512 << 10),
    (true, 100, 333),
    (false, 7, 64),
    (true, usize::MAX, 1),
];

fn read(bytes: &[u8], way: (bool, usize, usize)) -> Result<(Trace, Notes), ReadError> {
    let options = Options { predict: way.0, window: way.2 };
    let mut input = Drip { bytes, size: way.1 };
    let read = read_with(&mut input, &Limits::default(), options)?;
    let Content::Trace(trace) = read.content else { panic!("a trace") };
    Ok((*trace, read.notes))
}

/// Reads in every way and gives the one result they share.
fn read_all_ways(bytes: &[u8]) -> Result<(Trace, Notes), ReadError> {
    read_ways(bytes, &WAYS)
}

/// The same for damaged text: what is lost may depend on how far the window lets one look, so it
/// holds the whole.
fn read_damaged(bytes: &[u8]) -> Result<(Trace, Notes), ReadError> {
    read_ways(bytes, &WAYS[..3])
}

fn read_ways(bytes: &[u8], ways: &[(bool, usize, usize)]) -> Result<(Trace, Notes), ReadError> {
    let first = read(bytes, ways[0]);
    for way in &ways[1..] {
        match (&first, &read(bytes, *way)) {
            (Ok((trace, notes)), Ok((other, other_notes))) => {
                assert_same(trace, other, &format!("{way:?} on {}", shown(bytes)));
                assert_eq!(notes, other_notes, "{way:?} on {}", shown(bytes));
            }
            (Err(error), Err(other)) => {
                assert_eq!(error.to_string(), other.to_string(), "{way:?} on {}", shown(bytes));
            }
            (one, other) => panic!("{:?} or {:?} on {}", one.is_ok(), other.is_ok(), shown(bytes)),
        }
    }
    first
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(20_000)]).into_owned()
}

fn assert_same(one: &Trace, other: &Trace, what: &str) {
    let text = |trace: &Trace| {
        let names = |ids: &[flamelane_model::StrId]| -> Vec<String> {
            ids.iter().map(|id| trace.text(*id).to_owned()).collect()
        };
        (names(&trace.host.name), names(&trace.device.name), names(&trace.overheads.name))
    };
    assert_eq!(one.extent, other.extent, "extent, {what}");
    assert_eq!(one.origin, other.origin, "origin, {what}");
    assert_eq!(one.census, other.census, "census, {what}");
    assert_eq!(text(one), text(other), "names, {what}");
    let debug = |trace: &Trace| {
        let (host, device) = (&trace.host, &trace.device);
        let tables = format!(
            "{:?} {:?} {:?} {:?}",
            trace.processes, trace.devices, trace.lanes, trace.metadata
        );
        let columns = format!(
            "{:?} {:?} {:?} {:?} {:?}",
            host.start, host.end, host.lane, host.kind, trace.calls
        );
        let others = format!(
            "{:?} {:?} {:?} {:?} {:?}",
            trace.op_links, trace.flows, trace.syncs, trace.overheads.span, trace.graph_nodes
        );
        let device = format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            device.start,
            device.end,
            device.lane,
            device.kind,
            device.correlation,
            device.external,
            device.bytes,
            device.graph_node
        );
        [tables, columns, others, device]
    };
    assert_eq!(debug(one), debug(other), "{what}");
}

/// A document around a list of events.
fn document(events: &[&str]) -> String {
    format!("{{\"schemaVersion\": 1, \"traceEvents\": [{}]}}", events.join(", "))
}
