//! The general scanner: from the end of one value to the start of the next, key by key.

use super::{
    EventSink, Id,
    bytes::{byte, skip_space, string_end},
    cursor::{Cursor, Inside, Literals, Stop, text_id},
    fields::{self, Field},
    learned::{Context, Learned, Lesson, MAX_TOKEN},
    numbers,
    values::value,
};

/// Room that a token keeps for what follows a literal value: the rest of an event, the start of
/// another, and a key.
const ROOM: usize = 160;
const MAX_LITERAL: usize = 24;

/// Scans all events that are whole in the window.
pub(super) fn events<S: EventSink>(
    cursor: &mut Cursor<'_>,
    learned: &mut Learned,
    sink: &mut S,
) -> Stop {
    let mut at = cursor.at;
    loop {
        let (key, start) = match learned.predict(cursor, at, sink) {
            Some(found) => found,
            None => {
                cursor.at = at;
                match between_values(cursor, learned, sink) {
                    Ok(key) => (key, cursor.at),
                    Err(stop) => return stop,
                }
            }
        };
        at = match value(cursor, start, key, sink) {
            Some(after) => after,
            None if cursor.is_swallowed => return Stop::Bad,
            None => return Stop::More,
        };
        if at > cursor.deadline {
            return Stop::Long;
        }
    }
}

/// What one pass of the general scanner has seen.
struct Seen {
    from: usize,
    emit: usize,
    n_emits: usize,
    by_name: bool,
    before: Literals,
    after: Literals,
}

/// Moves from behind a value to the start of the next, and teaches the token between.
#[inline(never)]
fn between_values<S: EventSink>(
    cursor: &mut Cursor<'_>,
    learned: &mut Learned,
    sink: &mut S,
) -> Result<(Field, bool), Stop> {
    let context = Context::of(cursor);
    learned.n_misses += 1;
    let mut seen = Seen {
        from: cursor.at,
        emit: 0,
        n_emits: 0,
        by_name: false,
        before: Literals::NONE,
        after: Literals::NONE,
    };
    let field = loop {
        if cursor.at >= cursor.end {
            return Err(Stop::More);
        }
        match byte(cursor.text, cursor.at) {
            b' ' | b'\n' | b'\r' | b'\t' | b',' => cursor.at += 1,
            b'"' if cursor.inside != Inside::Array => {
                let key_at = cursor.at + 1;
                let field = key(cursor)?;
                if !inline_value(cursor, learned, (field, key_at), &mut seen, sink)? {
                    break field;
                }
                if cursor.at > cursor.deadline {
                    return Err(Stop::Long);
                }
            }
            b'}' => close(cursor, &mut seen, sink)?,
            b'{' if cursor.inside == Inside::Array => {
                cursor.inside = Inside::Event;
                cursor.at += 1;
            }
            b']' if cursor.inside == Inside::Array => return Err(Stop::Done(cursor.at + 1)),
            _ => return Err(Stop::Bad),
        }
    };
    let quoted = byte(cursor.text, cursor.at) == b'"';
    cursor.at += usize::from(quoted);
    if !learned.on {
        cursor.state = Learned::unknown(cursor.inside);
        return Ok((field, quoted));
    }
    let lesson = Lesson {
        from: seen.from,
        to: cursor.at,
        context,
        field,
        quoted,
        emit: seen.emit,
        by_name: seen.by_name,
        before: seen.before,
        after: seen.after,
    };
    cursor.state = if seen.n_emits > 1 {
        Learned::unknown(cursor.inside)
    } else {
        learned.learn(cursor.text, &lesson, cursor.inside)
    };
    Ok((field, quoted))
}

/// Reads a key and its colon; the cursor is then at the value.
fn key(cursor: &mut Cursor<'_>) -> Result<Field, Stop> {
    let start = cursor.at + 1;
    let (close, escaped) = string_end(cursor.text, start, cursor.end);
    if close >= cursor.end {
        return Err(Stop::More);
    }
    let key = cursor.text.get(start..close).unwrap_or_default();
    let field = match cursor.inside {
        _ if escaped => Field::Skip,
        Inside::Args => fields::of_args(key),
        _ => fields::of_event(key),
    };
    let colon = skip_space(cursor.text, close + 1);
    if colon >= cursor.end {
        return Err(Stop::More);
    }
    if byte(cursor.text, colon) != b':' {
        return Err(Stop::Bad);
    }
    cursor.at = skip_space(cursor.text, colon + 1);
    if cursor.at >= cursor.end { Err(Stop::More) } else { Ok(field) }
}

/// Takes a value that becomes part of the token: the brace of `args`, literals, and what repeats.
fn inline_value<S: EventSink>(
    cursor: &mut Cursor<'_>,
    learned: &mut Learned,
    (field, key_at): (Field, usize),
    seen: &mut Seen,
    sink: &mut S,
) -> Result<bool, Stop> {
    match field {
        Field::Args if byte(cursor.text, cursor.at) == b'{' => {
            cursor.inside = Inside::Args;
            cursor.at += 1;
            Ok(true)
        }
        _ if cursor.at - seen.from >= MAX_TOKEN - ROOM => Ok(false),
        Field::Ph | Field::Cat | Field::Pid | Field::Tid if learned.literals => {
            literal(cursor, field, seen, sink)
        }
        Field::Name if learned.on => name(cursor, learned, seen, sink),
        Field::Skip | Field::Device | Field::Stream if learned.on => {
            repeated(cursor, learned, (field, key_at), seen, sink)
        }
        _ => Ok(false),
    }
}

fn literal<S: EventSink>(
    cursor: &mut Cursor<'_>,
    field: Field,
    seen: &mut Seen,
    sink: &mut S,
) -> Result<bool, Stop> {
    if byte(cursor.text, cursor.at) == b'"' {
        let (close, escaped) = string_end(cursor.text, cursor.at + 1, cursor.end);
        if close >= cursor.end {
            return Err(Stop::More);
        }
        let text = cursor.text.get(cursor.at + 1..close).unwrap_or_default();
        if escaped || text.len() > MAX_LITERAL {
            return Ok(false);
        }
        let id =
            if matches!(field, Field::Pid | Field::Tid) { text_id(text, sink) } else { Id::Absent };
        set_literal(&mut seen.after, field, id, text, sink);
        cursor.at = close + 1;
    } else {
        if !matches!(field, Field::Pid | Field::Tid) {
            return Ok(false);
        }
        let parsed = numbers::whole(cursor.text, cursor.at);
        let Some(number) = parsed.value else { return Ok(false) };
        if parsed.end >= cursor.end {
            return Err(Stop::More);
        }
        set_literal(&mut seen.after, field, Id::Number(number), &[], sink);
        cursor.at = parsed.end;
    }
    cursor.apply(&seen.after);
    Ok(true)
}

/// Takes a name where all events of the category have the same.
fn name<S: EventSink>(
    cursor: &mut Cursor<'_>,
    learned: &mut Learned,
    seen: &mut Seen,
    sink: &mut S,
) -> Result<bool, Stop> {
    let Some(habits) = &mut learned.habits else { return Ok(false) };
    if byte(cursor.text, cursor.at) != b'"' {
        return Ok(false);
    }
    let (close, escaped) = string_end(cursor.text, cursor.at + 1, cursor.end);
    if close >= cursor.end {
        return Err(Stop::More);
    }
    let text = cursor.text.get(cursor.at + 1..close).unwrap_or_default();
    if escaped || text.len() > MAX_LITERAL || !habits.is_the_name(cursor.event.cat, text) {
        return Ok(false);
    }
    seen.after.has |= Literals::NAME;
    seen.after.name = sink.names().intern(text);
    cursor.apply(&seen.after);
    cursor.at = close + 1;
    Ok(true)
}

/// Takes a value that is likely to be the same in the next event of this name: one that nobody
/// reads, or a small number.
fn repeated<S: EventSink>(
    cursor: &mut Cursor<'_>,
    learned: &mut Learned,
    (field, key_at): (Field, usize),
    seen: &mut Seen,
    sink: &mut S,
) -> Result<bool, Stop> {
    let Some(habits) = &mut learned.habits else { return Ok(false) };
    let quoted = byte(cursor.text, cursor.at) == b'"';
    let start = cursor.at + usize::from(quoted);
    let (end, number) = if field == Field::Skip {
        (value(cursor, start, (field, quoted), sink), None)
    } else {
        let parsed = numbers::whole(cursor.text, cursor.at);
        if parsed.value.is_none() {
            return Ok(false);
        }
        (Some(parsed.end).filter(|end| *end < cursor.end), parsed.value)
    };
    let Some(end) = end else {
        return Err(if cursor.is_swallowed { Stop::Bad } else { Stop::More });
    };
    if end - seen.from > MAX_TOKEN - ROOM {
        return Ok(false);
    }
    let text = cursor.text.get(key_at..end).unwrap_or_default();
    let (key, value) = text.split_at((cursor.at - key_at).min(text.len()));
    if !habits.repeats(key, cursor.event.name, value) {
        return Ok(false);
    }
    if let Some(number) = number {
        seen.after.set_number(field, number);
        cursor.apply(&seen.after);
    }
    seen.by_name = true;
    cursor.at = end;
    Ok(true)
}

fn set_literal<S: EventSink>(
    literals: &mut Literals,
    field: Field,
    id: Id,
    text: &[u8],
    sink: &mut S,
) {
    match field {
        Field::Ph => {
            literals.has |= Literals::PH;
            literals.ph = text.first().copied().unwrap_or(0);
        }
        Field::Cat => {
            literals.has |= Literals::CAT;
            literals.cat = sink.names().category_id(text);
        }
        Field::Pid => {
            literals.has |= Literals::PID;
            literals.pid = id;
        }
        _ => {
            literals.has |= Literals::TID;
            literals.tid = id;
        }
    }
}

/// Leaves `args` or the event at a closing brace.
fn close<S: EventSink>(cursor: &mut Cursor<'_>, seen: &mut Seen, sink: &mut S) -> Result<(), Stop> {
    match cursor.inside {
        Inside::Args => {
            cursor.inside = Inside::Event;
            cursor.at += 1;
        }
        Inside::Event => {
            cursor.at += 1;
            cursor.emit(cursor.at, sink);
            cursor.inside = Inside::Array;
            seen.n_emits += 1;
            seen.emit = cursor.at - seen.from;
            seen.before = std::mem::replace(&mut seen.after, Literals::NONE);
        }
        Inside::Array => return Err(Stop::Bad),
    }
    Ok(())
}
