//! Where to go on behind damage.

use memchr::{memchr_iter, memmem};

use super::{
    bytes::{byte, skip_space, string_end},
    fields,
};

/// Longest text between the comma before an event and the colon behind its first key.
pub(super) const REACH: usize = 96;

/// The next place at or after `from` where an event starts: a brace behind a comma, before a key
/// that events have.
pub(super) fn event_start(text: &[u8], from: usize, end: usize) -> Option<usize> {
    let region = text.get(from..end)?;
    memchr_iter(b'{', region).map(|at| from + at).find(|at| is_event_start(text, *at, from, end))
}

fn is_event_start(text: &[u8], at: usize, from: usize, end: usize) -> bool {
    let before = text.get(from..at).unwrap_or_default().trim_ascii_end();
    if before.last() != Some(&b',') {
        return false;
    }
    let open = skip_space(text, at + 1);
    if byte(text, open) != b'"' {
        return false;
    }
    let close = string_end(text, open + 1, end).0;
    let colon = skip_space(text, close + 1);
    let key = text.get(open + 1..close).unwrap_or_default();
    colon < end && byte(text, colon) == b':' && fields::is_event_key(key)
}

/// The next place at or after `from` where a key stands that only the top level has behind the
/// events.
pub(super) fn top_level_key(text: &[u8], from: usize, end: usize) -> Option<usize> {
    let region = text.get(from..end)?;
    let keys: [&[u8]; 3] = [b"\"traceName\"", b"\"baseTimeNanoseconds\"", b"\"displayTimeUnit\""];
    let places = keys.iter().filter_map(|key| memmem::find(region, key));
    places.min().map(|at| from + at)
}

/// How many events a lost piece of text held: the `ph` keys in it.
pub(super) fn n_lost(text: &[u8]) -> u64 {
    memmem::find_iter(text, b"\"ph\"").count() as u64
}
