//! One damaged event, read with care: for names with raw quotes in them.
//!
//! Profilers wrote names without escaping quotes for years. Here a quote closes a string only
//! where JSON could go on behind it; the fast path never asks, because such an event fails there
//! at the next key and comes here.

use super::{
    EventSink,
    bytes::{bare_end, byte, skip_space, string_end},
    cursor::{Cursor, Inside},
    fields::{self, Field},
    numbers,
    values::{set_integer, set_string},
};

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Care {
    /// The event is whole and in the cursor; it ends before this position.
    Event(usize),
    /// It cannot be read.
    Damaged,
    /// Its end is not in the window.
    More,
}

/// Reads the event that starts at the cursor. No string of it may go on over `next`, where another
/// event seems to start.
pub(super) fn event<S: EventSink>(cursor: &mut Cursor<'_>, next: usize, sink: &mut S) -> Care {
    match try_event(cursor, next, sink) {
        Ok(end) => Care::Event(end),
        Err(care) => care,
    }
}

fn try_event<S: EventSink>(
    cursor: &mut Cursor<'_>,
    next: usize,
    sink: &mut S,
) -> Result<usize, Care> {
    let mut at = separators(cursor, cursor.at)?;
    if byte(cursor.text, at) != b'{' {
        return Err(Care::Damaged);
    }
    at += 1;
    cursor.inside = Inside::Event;
    loop {
        at = separators(cursor, at)?;
        match (byte(cursor.text, at), cursor.inside) {
            (b'}', Inside::Args) => {
                cursor.inside = Inside::Event;
                at += 1;
            }
            (b'}', _) => return Ok(at + 1),
            (b'"', _) => at = pair(cursor, at, next, sink)?,
            _ => return Err(Care::Damaged),
        }
    }
}

fn separators(cursor: &Cursor<'_>, mut at: usize) -> Result<usize, Care> {
    while at < cursor.end && matches!(byte(cursor.text, at), b' ' | b'\n' | b'\r' | b'\t' | b',') {
        at += 1;
    }
    if at < cursor.end { Ok(at) } else { Err(Care::More) }
}

/// Reads a key and its value; gives the position behind.
fn pair<S: EventSink>(
    cursor: &mut Cursor<'_>,
    at: usize,
    next: usize,
    sink: &mut S,
) -> Result<usize, Care> {
    let close = string_end(cursor.text, at + 1, cursor.end).0;
    let colon = skip_space(cursor.text, close + 1);
    if colon >= cursor.end {
        return Err(Care::More);
    }
    if byte(cursor.text, colon) != b':' {
        return Err(Care::Damaged);
    }
    let key = cursor.text.get(at + 1..close).unwrap_or_default();
    let in_args = cursor.inside == Inside::Args;
    let field = if in_args { fields::of_args(key) } else { fields::of_event(key) };
    let value = skip_space(cursor.text, colon + 1);
    if value >= cursor.end {
        return Err(Care::More);
    }
    match byte(cursor.text, value) {
        b'"' => {
            let close = within(string_close(cursor, value + 1, in_args), value, next)?;
            let text = cursor.text.get(value + 1..close).unwrap_or_default();
            if matches!(field, Field::Ts | Field::Dur) {
                set_time(cursor, field, text);
            } else {
                let range = (value as u32 + 1, close as u32);
                set_string(&mut cursor.event, field, text, range, sink);
            }
            Ok(close + 1)
        }
        b'{' if field == Field::Args => {
            cursor.inside = Inside::Args;
            Ok(value + 1)
        }
        b'{' | b'[' => container(cursor, value, next),
        _ => {
            let end = bare_end(cursor.text, value);
            let text = cursor.text.get(value..end).unwrap_or_default();
            if matches!(field, Field::Ts | Field::Dur) {
                set_time(cursor, field, text);
            } else if let Some(number) = numbers::whole(cursor.text, value).value {
                set_integer(&mut cursor.event, field, number);
            }
            Ok(end)
        }
    }
}

fn set_time(cursor: &mut Cursor<'_>, field: Field, text: &[u8]) {
    if let Some((ns, fraction)) = numbers::decimal(text, 3, cursor.fraction) {
        cursor.any_fraction |= fraction;
        match field {
            Field::Ts => cursor.event.ts = ns,
            _ => cursor.event.dur = ns,
        }
    }
}

/// The end of a string, if it does not lead over `next`.
fn within(close: Result<usize, Care>, start: usize, next: usize) -> Result<usize, Care> {
    let close = close?;
    if start < next && next <= close { Err(Care::Damaged) } else { Ok(close) }
}

/// The quote that closes a string of the event: behind it comes `,` and a key, or the end of the
/// object and whatever may follow that.
fn string_close(cursor: &Cursor<'_>, mut at: usize, in_args: bool) -> Result<usize, Care> {
    loop {
        let close = string_end(cursor.text, at, cursor.end).0;
        if close >= cursor.end {
            return Err(Care::More);
        }
        let next = skip_space(cursor.text, close + 1);
        let fits = match byte(cursor.text, next) {
            b',' => is_key(cursor, next + 1, in_args),
            b'}' => may_follow(cursor, next + 1, in_args),
            _ => false,
        };
        if next >= cursor.end {
            return Err(Care::More);
        }
        if fits {
            return Ok(close);
        }
        at = close + 1;
    }
}

/// Whether what stands at `at` may follow the end of `args`, or of an event.
fn may_follow(cursor: &Cursor<'_>, at: usize, in_args: bool) -> bool {
    let next = skip_space(cursor.text, at);
    if next >= cursor.end {
        return true;
    }
    let after = skip_space(cursor.text, next + 1);
    match byte(cursor.text, next) {
        b'}' => in_args,
        b']' => !in_args,
        b',' if in_args => is_key(cursor, next + 1, false),
        b',' if after >= cursor.end => true,
        b',' => match byte(cursor.text, after) {
            b'{' => is_key(cursor, after + 1, false),
            b']' => true,
            _ => false,
        },
        _ => false,
    }
}

/// Whether a key follows at `at`: in an event one of those that events have.
fn is_key(cursor: &Cursor<'_>, at: usize, any: bool) -> bool {
    let open = skip_space(cursor.text, at);
    // A comma may also be the trailing one.
    if byte(cursor.text, open) == b'}' {
        return true;
    }
    if byte(cursor.text, open) != b'"' {
        return false;
    }
    let close = string_end(cursor.text, open + 1, cursor.end).0;
    let colon = skip_space(cursor.text, close + 1);
    if colon >= cursor.end {
        return true;
    }
    let key = cursor.text.get(open + 1..close).unwrap_or_default();
    byte(cursor.text, colon) == b':' && (any || fields::is_event_key(key))
}

/// The end of a container whose strings may hold raw quotes.
fn container(cursor: &Cursor<'_>, mut at: usize, next: usize) -> Result<usize, Care> {
    let mut depth = 0_usize;
    while at < cursor.end {
        match byte(cursor.text, at) {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Ok(at + 1);
                }
            }
            b'"' => at = within(loose_close(cursor, at + 1), at, next)?,
            _ => {}
        }
        at += 1;
    }
    Err(Care::More)
}

/// The quote that closes a string in a container: a separator or bracket comes behind it.
fn loose_close(cursor: &Cursor<'_>, mut at: usize) -> Result<usize, Care> {
    loop {
        let close = string_end(cursor.text, at, cursor.end).0;
        let next = skip_space(cursor.text, close + 1);
        if next >= cursor.end {
            return Err(Care::More);
        }
        if matches!(byte(cursor.text, next), b',' | b':' | b'}' | b']') {
            return Ok(close);
        }
        at = close + 1;
    }
}
