//! The keys around the array of events.

use super::{
    EventSink,
    bytes::{byte, container_end, skip_space, string_end},
    skip::skip_value,
    window::Window,
};

/// What the next key of the outermost object leads to.
pub(super) enum Next {
    /// The array of events starts at this position.
    Events(usize),
    /// The object goes on at this position.
    Object(usize),
    /// The object is over, or the stream is.
    Over,
    /// The text at this position is no key.
    Bad(usize),
}

/// Longest key that is looked at.
const MAX_KEY: usize = 4096;

/// Reads one key of the outermost object, with its value unless that is the array of events.
pub(super) fn next_key<S: EventSink>(
    window: &mut Window<'_>,
    mut at: usize,
    max_value: usize,
    sink: &mut S,
) -> Next {
    if at + MAX_KEY >= window.end() && !window.is_last() {
        window.fill(at);
        at = 0;
    }
    let (text, end) = (window.text(), window.end());
    while at < end && (byte(text, at) <= b' ' || byte(text, at) == b',') {
        at += 1;
    }
    if at >= end || byte(text, at) == b'}' {
        return Next::Over;
    }
    if byte(text, at) != b'"' {
        return Next::Bad(at);
    }
    let close = string_end(text, at + 1, end).0;
    let colon = skip_space(text, close + 1);
    if colon >= end {
        return Next::Over;
    }
    if byte(text, colon) != b':' {
        return Next::Bad(colon);
    }
    let value = skip_space(text, colon + 1);
    if value >= end {
        return Next::Over;
    }
    let key = text.get(at + 1..close).unwrap_or_default();
    if key == b"traceEvents" && byte(text, value) == b'[' {
        return Next::Events(value + 1);
    }
    let key = key.to_vec();
    let after = if sink.wants(&key) {
        wanted(window, &key, value, max_value, sink)
    } else {
        skip_value(window, value)
    };
    after.map_or(Next::Over, Next::Object)
}

/// Hands a whole value to the sink; one that is too large is skipped and noted.
fn wanted<S: EventSink>(
    window: &mut Window<'_>,
    key: &[u8],
    mut at: usize,
    max_value: usize,
    sink: &mut S,
) -> Option<usize> {
    loop {
        let (text, end) = (window.text(), window.end());
        let close = match byte(text, at) {
            b'{' | b'[' => container_end(text, at, end),
            b'"' => Some(string_end(text, at + 1, end).0 + 1).filter(|close| *close <= end),
            _ => Some(super::bytes::bare_end(text, at)).filter(|close| *close < end),
        };
        if let Some(close) = close {
            sink.property(key, text.get(at..close).unwrap_or_default());
            return Some(close);
        }
        if window.is_last() {
            return None;
        }
        if window.is_full(at) && end >= max_value {
            let place = window.base();
            sink.notes().add("oversized-value", "top-level values were too large to hold", || {
                format!("byte {place}: {}", String::from_utf8_lossy(key))
            });
            return skip_value(window, at);
        }
        window.fill(at);
        at = 0;
    }
}
