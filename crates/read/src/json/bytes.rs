//! Looking for bytes sixteen at a time, past the end of the text as if it went on with quotes.
//!
//! Every function takes the whole window and a position; the window's padding is quotes, so a
//! search for the end of a string stops there without a bound of its own.

use super::simd;

/// Sixteen bytes at `at`; what lies behind the buffer reads as quotes.
#[inline(always)]
fn chunk(text: &[u8], at: usize) -> &[u8; 16] {
    text.get(at..).and_then(|rest| rest.first_chunk()).unwrap_or(&[b'"'; 16])
}

/// The byte at `at`; what lies behind the buffer reads as a quote.
#[inline(always)]
pub(super) fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(b'"')
}

/// The first quote or backslash at or after `at`.
#[inline(always)]
fn quote(text: &[u8], mut at: usize) -> usize {
    loop {
        let found = simd::quotes(chunk(text, at));
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += 16;
    }
}

/// The closing quote of the string whose content starts at `at`, and whether it has escapes.
///
/// A result `>= end` means that the string is not over yet.
#[inline(always)]
pub(super) fn string_end(text: &[u8], at: usize, end: usize) -> (usize, bool) {
    let stop = quote(text, at);
    if byte(text, stop) == b'"' { (stop, false) } else { (escaped_end(text, stop, end), true) }
}

#[inline(never)]
fn escaped_end(text: &[u8], mut stop: usize, end: usize) -> usize {
    while stop < end && byte(text, stop) == b'\\' {
        stop = quote(text, stop + 2);
    }
    stop
}

/// The end of a number or word that starts at `at`: the first byte that cannot be part of it.
#[inline(always)]
pub(super) fn bare_end(text: &[u8], mut at: usize) -> usize {
    loop {
        let found = simd::bare_ends(chunk(text, at));
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += 16;
    }
}

/// The byte after the array or object that opens at `at`; `None` when it is not over by `end`.
///
/// Kinds of brackets are not told apart, and nothing recurses: depth is a counter.
pub(super) fn container_end(text: &[u8], mut at: usize, end: usize) -> Option<usize> {
    let mut depth = 0_usize;
    // All ones while inside a string.
    let mut string = 0_u32;
    while at < end {
        let found = simd::structure(text.get(at..)?.first_chunk()?);
        if found.slashes != 0 {
            return escaped_container_end(text, at, end, depth, string != 0);
        }
        let inside = up_to_each(found.quotes) ^ string;
        let mut brackets = found.brackets & !inside;
        while brackets != 0 {
            let here = at + brackets.trailing_zeros() as usize;
            // Opening ones are `[` and `{`, closing ones `]` and `}`: bit 2 tells.
            if byte(text, here) & 4 == 0 {
                depth += 1;
            } else {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(here + 1);
                }
            }
            brackets &= brackets - 1;
        }
        string = 0_u32.wrapping_sub(inside >> 31);
        at += 32;
    }
    None
}

/// Bit i: the parity of the bits up to i.
#[inline(always)]
fn up_to_each(mut bits: u32) -> u32 {
    for shift in [1, 2, 4, 8, 16] {
        bits ^= bits << shift;
    }
    bits
}

/// The same from where the first backslash comes near, string by string.
#[inline(never)]
fn escaped_container_end(
    text: &[u8],
    mut at: usize,
    end: usize,
    mut depth: usize,
    mut in_string: bool,
) -> Option<usize> {
    while at < end {
        if in_string {
            at = string_end(text, at, end).0 + 1;
            in_string = false;
            continue;
        }
        match byte(text, at) {
            b'"' => in_string = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The first byte at or after `at` that is no white space.
#[inline(always)]
pub(super) fn skip_space(text: &[u8], mut at: usize) -> usize {
    while byte(text, at) <= b' ' {
        at += 1;
    }
    at
}
