//! Skipping a value of any size, without holding it.

use super::{
    bytes::{bare_end, byte, skip_space, string_end},
    window::Window,
};

/// How far a quote may be from what follows it before it is taken as the end of a string.
const LOOK: usize = 256;

/// Skips the value at `at`, refilling the window; gives the position behind it, `None` when the
/// stream ends inside it.
///
/// A quote closes a string only before a separator, a bracket or the end: log lines were written
/// here with raw quotes.
pub(super) fn skip_value(window: &mut Window<'_>, mut at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut in_string = false;
    loop {
        at = refill(window, at)?;
        let (text, end) = (window.text(), window.end());
        if in_string {
            let (close, over) = close_of(text, at, end, window.is_last());
            at = close;
            if over {
                in_string = false;
                if depth == 0 {
                    return Some(at);
                }
            }
            continue;
        }
        match byte(text, at) {
            b'"' => {
                in_string = true;
                at += 1;
            }
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                // A closing bracket of what holds the value belongs to the holder.
                if depth == 0 {
                    return Some(at);
                }
                depth -= 1;
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ if depth == 0 => {
                at = bare_end(text, at).min(end);
                if at < end {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
}

/// Makes sure that the byte at `at` and what follows it closely are in the window.
fn refill(window: &mut Window<'_>, at: usize) -> Option<usize> {
    let is_near = at + LOOK >= window.end();
    if !is_near || window.is_last() {
        return (at < window.end()).then_some(at);
    }
    window.fill(at);
    (window.end() > 0).then_some(0)
}

/// From inside a string: the position behind its closing quote and true, or a position further
/// on inside it and false.
fn close_of(text: &[u8], at: usize, end: usize, is_last: bool) -> (usize, bool) {
    let stop = string_end(text, at, end).0;
    if stop >= end {
        if is_last {
            return (end, false);
        }
        // Stay before a backslash that may be cut from what it escapes.
        let tail = text.get(at..end).unwrap_or_default();
        let n_slashes = tail.iter().rev().take_while(|byte| **byte == b'\\').count();
        return (end - n_slashes % 2, false);
    }
    let next = skip_space(text, stop + 1);
    if next >= end && !is_last && stop + LOOK >= end {
        // What follows the quote is not in the window yet.
        return (stop, false);
    }
    let fits = matches!(byte(text, next), b',' | b':' | b'}' | b']');
    (stop + 1, next >= end || fits)
}
