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

/// Reads one key of the outermost object, with its value unless that is the array of events.
pub(super) fn next_key<S: EventSink>(
    window: &mut Window<'_>,
    mut at: usize,
    max_value: usize,
    sink: &mut S,
) -> Next {
    let (key, value) = loop {
        match find_key(window.text(), window.end(), at) {
            Found::Key(from, to, value) => {
                break (window.text().get(from..to).unwrap_or_default().to_vec(), value);
            }
            Found::Over => return Next::Over,
            Found::Bad(at) => return Next::Bad(at),
            Found::Cut if window.is_last() => return Next::Over,
            Found::Cut if window.is_full(at) && window.end() >= max_value => return Next::Bad(at),
            Found::Cut => {
                window.fill(at);
                at = 0;
            }
        }
    };
    if key == b"traceEvents" && byte(window.text(), value) == b'[' {
        return Next::Events(value + 1);
    }
    let after = if sink.wants(&key) {
        wanted(window, &key, value, max_value, sink)
    } else {
        skip_value(window, value)
    };
    after.map_or(Next::Over, Next::Object)
}

enum Found {
    /// A key between two positions, and where its value starts.
    Key(usize, usize, usize),
    /// The object ends.
    Over,
    /// No key stands here.
    Bad(usize),
    /// The window ends first.
    Cut,
}

fn find_key(text: &[u8], end: usize, mut at: usize) -> Found {
    while at < end && (byte(text, at) <= b' ' || byte(text, at) == b',') {
        at += 1;
    }
    if at >= end {
        return Found::Cut;
    }
    match byte(text, at) {
        b'}' => return Found::Over,
        b'"' => {}
        _ => return Found::Bad(at),
    }
    let close = string_end(text, at + 1, end).0;
    let colon = skip_space(text, close + 1);
    if colon >= end {
        return Found::Cut;
    }
    if byte(text, colon) != b':' {
        return Found::Bad(colon);
    }
    let value = skip_space(text, colon + 1);
    if value >= end { Found::Cut } else { Found::Key(at + 1, close, value) }
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
