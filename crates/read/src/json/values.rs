//! One value of an event: parsed when its key is a field, skipped otherwise.

use flamelane_model::{NONE, Ns};

use super::{
    Event, EventSink, Id,
    bytes::{bare_end, byte, container_end, skip_space, string_end},
    cursor::{Cursor, Inside, Stop, intern, text_id},
    fields::Field,
    learned::Learned,
    numbers::{self, Fraction},
};

/// Reads the value at the cursor; `quoted` when its opening quote is already behind.
#[inline(always)]
pub(super) fn value<S: EventSink>(
    cursor: &mut Cursor<'_>,
    field: Field,
    quoted: bool,
    sink: &mut S,
) -> Result<(), Stop> {
    let quoted = quoted || {
        // A learned token may meet more space, or a string where it saw a number.
        cursor.at = skip_space(cursor.text, cursor.at);
        let quoted = byte(cursor.text, cursor.at) == b'"';
        cursor.at += usize::from(quoted);
        quoted
    };
    if cursor.at >= cursor.end {
        return Err(Stop::More);
    }
    if quoted { string(cursor, field, sink) } else { bare(cursor, field) }
}

#[inline(always)]
fn string<S: EventSink>(cursor: &mut Cursor<'_>, field: Field, sink: &mut S) -> Result<(), Stop> {
    let start = cursor.at;
    let (close, escaped) = string_end(cursor.text, start, cursor.end);
    if close >= cursor.end {
        return Err(Stop::More);
    }
    cursor.at = close + 1;
    if field == Field::Skip {
        return Ok(());
    }
    let text = cursor.text.get(start..close).unwrap_or_default();
    if field == Field::Name {
        cursor.event.name = if escaped { intern(text, sink) } else { sink.names().intern(text) };
        return Ok(());
    }
    set_string(&mut cursor.event, field, text, (start as u32, close as u32), sink);
    if matches!(field, Field::Ts | Field::Dur) {
        let time = numbers::decimal(text, 3, cursor.fraction);
        set_time(cursor, field, time);
    }
    Ok(())
}

/// Sets a field that came as a string.
pub(super) fn set_string<S: EventSink>(
    event: &mut Event,
    field: Field,
    text: &[u8],
    range: (u32, u32),
    sink: &mut S,
) {
    match field {
        Field::Ph => event.ph = text.first().copied().unwrap_or(0),
        Field::Cat => event.cat = sink.names().category_id(&super::unescape(text)),
        Field::Name => event.name = intern(text, sink),
        Field::Pid => event.pid = text_id(text, sink),
        Field::Tid => event.tid = text_id(text, sink),
        Field::Id => event.id = text_id(text, sink),
        Field::Task => event.task = range,
        Field::Kernel => event.kernel = range,
        Field::Label => event.label = range,
        _ => {
            if let Some((number, _)) = numbers::decimal(text, 0, Fraction::Decimal) {
                set_integer(event, field, number);
            }
        }
    }
}

fn set_time(cursor: &mut Cursor<'_>, field: Field, time: Option<(Ns, bool)>) {
    let Some((ns, fraction)) = time else { return };
    cursor.any_fraction |= fraction;
    match field {
        Field::Ts => cursor.event.ts = ns,
        _ => cursor.event.dur = ns,
    }
}

#[inline(always)]
fn bare(cursor: &mut Cursor<'_>, field: Field) -> Result<(), Stop> {
    match field {
        Field::Ts | Field::Dur => {
            let parsed = numbers::micros(cursor.text, cursor.at, cursor.fraction);
            if let Some(ns) = parsed.value {
                set_time(cursor, field, Some((ns, parsed.fraction)));
            }
            if parsed.value.is_none() {
                return skip(cursor);
            }
            cursor.at = parsed.end;
        }
        Field::Args if byte(cursor.text, cursor.at) == b'{' => {
            cursor.at += 1;
            cursor.inside = Inside::Args;
            cursor.state = Learned::IN_ARGS;
        }
        Field::Skip
        | Field::Args
        | Field::Ph
        | Field::Cat
        | Field::Name
        | Field::Task
        | Field::Kernel
        | Field::Label => return skip(cursor),
        _ => {
            let parsed = numbers::whole(cursor.text, cursor.at);
            let Some(number) = parsed.value else { return skip(cursor) };
            set_integer(&mut cursor.event, field, number);
            cursor.at = parsed.end;
        }
    }
    if cursor.at >= cursor.end { Err(Stop::More) } else { Ok(()) }
}

/// Sets a field that is a whole number.
#[inline(always)]
pub(super) fn set_integer(event: &mut Event, field: Field, number: i64) {
    match field {
        Field::Pid => event.pid = Id::Number(number),
        Field::Tid => event.tid = Id::Number(number),
        Field::Id => event.id = Id::Number(number),
        Field::Correlation => event.correlation = number,
        Field::External => event.external = number,
        Field::Stream => event.stream = number,
        Field::Device => event.device = number,
        Field::Bytes => event.bytes = number,
        Field::Sequence => event.sequence = number,
        Field::ForwardThread => event.forward_thread = number,
        Field::GraphNode => event.graph_node = number,
        _ => {}
    }
    debug_assert!(number != NONE, "numbers saturate above the mark for none");
}

/// Skips a bare value: a container, a number, `null`, `NaN`.
#[inline(always)]
fn skip(cursor: &mut Cursor<'_>) -> Result<(), Stop> {
    let first = byte(cursor.text, cursor.at);
    if first == b'{' || first == b'[' {
        let Some(end) = container_end(cursor.text, cursor.at, cursor.end) else {
            return Err(Stop::More);
        };
        cursor.at = end;
    } else {
        cursor.at = bare_end(cursor.text, cursor.at);
    }
    if cursor.at >= cursor.end { Err(Stop::More) } else { Ok(()) }
}
