//! One value of an event: parsed when its key is a field, skipped otherwise.

use flamelane_model::Ns;

use super::{
    Event, EventSink, Id,
    bytes::{bare_end, byte, container_end, skip_space, string_end},
    cursor::{Cursor, Inside, intern, text_id},
    fields::Field,
    learned::Learned,
    numbers::{self, Fraction},
};

/// Reads the value at `at`, whose opening quote is already behind when `quoted`; gives the
/// position behind it, `None` when the window ends first.
#[inline(always)]
pub(super) fn value<S: EventSink>(
    cursor: &mut Cursor<'_>,
    at: usize,
    (field, quoted): (Field, bool),
    sink: &mut S,
) -> Option<usize> {
    let after =
        if quoted { string(cursor, at, field, sink)? } else { bare(cursor, at, field, sink)? };
    (after < cursor.end).then_some(after)
}

/// A value that is not what its token promised: after more space, a string where a number was.
#[inline(never)]
fn surprise<S: EventSink>(
    cursor: &mut Cursor<'_>,
    at: usize,
    field: Field,
    sink: &mut S,
) -> Option<usize> {
    let at = skip_space(cursor.text, at);
    if at >= cursor.end {
        return None;
    }
    let first = byte(cursor.text, at);
    if first == b'"' {
        return string(cursor, at + 1, field, sink);
    }
    match field {
        Field::Ts | Field::Dur => {
            let parsed = numbers::micros(cursor.text, at, cursor.fraction);
            if let Some(ns) = parsed.value {
                set_time(cursor, field, ns, parsed.fraction);
                return Some(parsed.end);
            }
        }
        Field::Args if first == b'{' => {
            cursor.inside = Inside::Args;
            cursor.state = Learned::IN_ARGS;
            return Some(at + 1);
        }
        Field::Skip
        | Field::Args
        | Field::Ph
        | Field::Cat
        | Field::Name
        | Field::Task
        | Field::Kernel
        | Field::Label => {}
        _ => {
            let parsed = numbers::whole(cursor.text, at);
            if let Some(number) = parsed.value {
                set_integer(&mut cursor.event, field, number);
                return Some(parsed.end);
            }
        }
    }
    if first == b'{' || first == b'[' {
        container(cursor, at)
    } else {
        Some(bare_end(cursor.text, at))
    }
}

#[inline(always)]
fn string<S: EventSink>(
    cursor: &mut Cursor<'_>,
    start: usize,
    field: Field,
    sink: &mut S,
) -> Option<usize> {
    let (close, escaped) = string_end(cursor.text, start, cursor.end);
    if close >= cursor.end {
        return None;
    }
    if field == Field::Skip {
        return Some(close + 1);
    }
    let text = cursor.text.get(start..close).unwrap_or_default();
    if field == Field::Name {
        cursor.event.name = if escaped { intern(text, sink) } else { sink.names().intern(text) };
    } else {
        rare_string(cursor, field, (start, close), sink);
    }
    Some(close + 1)
}

#[inline(never)]
fn rare_string<S: EventSink>(
    cursor: &mut Cursor<'_>,
    field: Field,
    (start, close): (usize, usize),
    sink: &mut S,
) {
    let text = cursor.text.get(start..close).unwrap_or_default();
    if matches!(field, Field::Ts | Field::Dur) {
        if let Some((ns, fraction)) = numbers::decimal(text, 3, cursor.fraction) {
            set_time(cursor, field, ns, fraction);
        }
        return;
    }
    set_string(&mut cursor.event, field, text, (start as u32, close as u32), sink);
}

/// Skips an array or object inside an event; one that has swallowed another event, by a raw quote
/// in one of its strings, is damage.
#[inline]
fn container(cursor: &mut Cursor<'_>, at: usize) -> Option<usize> {
    let end = container_end(cursor.text, at, cursor.end)?;
    if end - at > LEAST_SWALLOWED {
        let inner = cursor.text.get(at..end).unwrap_or_default();
        cursor.is_swallowed = cursor.phase.find(inner).is_some();
        if cursor.is_swallowed {
            return None;
        }
    }
    Some(end)
}

/// What is left of an event behind an argument, with another event up to one of its arguments, is
/// longer than this.
const LEAST_SWALLOWED: usize = 96;

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

#[inline(always)]
fn set_time(cursor: &mut Cursor<'_>, field: Field, ns: Ns, fraction: bool) {
    cursor.any_fraction |= fraction;
    match field {
        Field::Ts => cursor.event.ts = ns,
        _ => cursor.event.dur = ns,
    }
}

#[inline(always)]
fn bare<S: EventSink>(
    cursor: &mut Cursor<'_>,
    at: usize,
    field: Field,
    sink: &mut S,
) -> Option<usize> {
    match field {
        Field::Skip => {
            let first = byte(cursor.text, at);
            if first == b'[' {
                return container(cursor, at);
            }
            let end = numbers::passed(cursor.text, at);
            if end > at { Some(end) } else { surprise(cursor, at, field, sink) }
        }
        Field::Ts | Field::Dur => {
            let parsed = numbers::micros(cursor.text, at, cursor.fraction);
            let Some(ns) = parsed.value else { return surprise(cursor, at, field, sink) };
            set_time(cursor, field, ns, parsed.fraction);
            Some(parsed.end)
        }
        Field::Correlation
        | Field::External
        | Field::Stream
        | Field::Device
        | Field::Bytes
        | Field::Sequence
        | Field::ForwardThread
        | Field::Graph
        | Field::GraphNode
        | Field::Pid
        | Field::Tid
        | Field::Id => {
            let parsed = numbers::whole(cursor.text, at);
            let Some(number) = parsed.value else { return surprise(cursor, at, field, sink) };
            set_integer(&mut cursor.event, field, number);
            Some(parsed.end)
        }
        _ => surprise(cursor, at, field, sink),
    }
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
        Field::Graph => event.graph = number,
        Field::GraphNode => event.graph_node = number,
        _ => {}
    }
}
