//! The Kineto reader on real files, on every trap of the format, and on damage.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::print_stdout, reason = "a test that is skipped says so")]
#![expect(clippy::disallowed_methods, reason = "tests open their own inputs")]

mod corpus;
mod damage;
mod times;
mod traps;

use flamelane_model::{Notes, Trace};
use flamelane_read::{Content, Limits, Reader, readers};

fn kineto() -> &'static Reader {
    readers().iter().find(|reader| reader.name == "kineto").unwrap()
}

/// Reads a whole file that must be readable.
fn read_all(bytes: &[u8]) -> (Trace, Notes) {
    let read = (kineto().read)(&mut &bytes[..], &Limits::default()).unwrap();
    let Content::Trace(trace) = read.content else { panic!("a trace") };
    (*trace, read.notes)
}

/// The trace of a sound list of events.
fn trace_of(events: &[&str]) -> Trace {
    let text = format!("{{\"deviceProperties\": [], \"traceEvents\": [{}]}}", events.join(", "));
    let (trace, notes) = read_all(text.as_bytes());
    assert!(notes.is_empty(), "{notes:?}");
    trace
}

/// A complete event of 1 µs, on process 0 for a device and 4242 for a host.
fn event(category: &str, name: &str, tid: i64, args: &str) -> String {
    let pid = if ["kernel", "gpu_memcpy"].contains(&category) { 0 } else { 4242 };
    format!(
        "{{\"ph\": \"X\", \"cat\": \"{category}\", \"name\": \"{name}\", \"pid\": {pid}, \"tid\": {tid}, \"ts\": 2, \"dur\": 1, \"args\": {{{args}}}}}"
    )
}
