//! The Kineto reader on real files, on every trap of the format, and on damage.

mod corpus;

use flamelane_model::{Notes, Trace};
use flamelane_read::{Content, Limits, readers};

/// Reads a whole file that must be readable.
fn read_all(bytes: &[u8]) -> (Trace, Notes) {
    let reader = readers().iter().find(|reader| reader.name == "kineto").unwrap();
    let read = (reader.read)(&mut &bytes[..], &Limits::default()).unwrap();
    let Content::Trace(trace) = read.content else { panic!("a trace") };
    (*trace, read.notes)
}
