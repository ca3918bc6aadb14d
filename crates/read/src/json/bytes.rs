//! Looking for bytes sixteen at a time, past the end of the text as if it went on with quotes.
//!
//! Every function takes the whole window and a position; the window's padding is quotes, so a
//! search for the end of a string stops there without a bound of its own.

/// Sixteen bytes at `at`; what lies behind the buffer reads as quotes.
#[inline(always)]
fn chunk(text: &[u8], at: usize) -> [u8; 16] {
    match text.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(chunk) => *chunk,
        None => [b'"'; 16],
    }
}

/// The byte at `at`; what lies behind the buffer reads as a quote.
#[inline(always)]
pub(super) fn byte(text: &[u8], at: usize) -> u8 {
    text.get(at).copied().unwrap_or(b'"')
}

/// Eight bytes at `at`, the first in the low bits.
#[inline(always)]
pub(super) fn eight(text: &[u8], at: usize) -> u64 {
    match text.get(at..).and_then(|rest| rest.first_chunk()) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => u64::MAX,
    }
}

mod simd {
    #[inline(always)]
    fn mask(bytes: [u8; 16], wanted: impl Fn(u8) -> bool) -> u32 {
        let bit = |(i, byte): (usize, &u8)| u32::from(wanted(*byte)) << i;
        bytes.iter().enumerate().map(bit).sum()
    }

    /// Bit i: byte i is a quote or a backslash.
    #[inline(always)]
    pub(super) fn quotes(bytes: [u8; 16]) -> u32 {
        mask(bytes, |b| b == b'"' || b == b'\\')
    }

    /// Bit i: byte i ends a bare value: a comma, a bracket, a quote, or white space.
    #[inline(always)]
    pub(super) fn bare_ends(bytes: [u8; 16]) -> u32 {
        mask(bytes, |b| b <= b'"' || b == b',' || b == b']' || b >= b'{')
    }

    /// Bit i: byte i is a quote or any bracket.
    #[inline(always)]
    pub(super) fn structure(bytes: [u8; 16]) -> u32 {
        mask(bytes, |b| b == b'"' || matches!(b | 0x20, b'{' | b'}'))
    }
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
    'chunks: while at < end {
        let mut found = simd::structure(chunk(text, at));
        while found != 0 {
            let here = at + found.trailing_zeros() as usize;
            if here >= end {
                return None;
            }
            match byte(text, here) {
                b'"' => {
                    let close = string_end(text, here + 1, end).0;
                    if close >= end {
                        return None;
                    }
                    if close - at >= 15 {
                        at = close + 1;
                        continue 'chunks;
                    }
                    found &= u32::MAX << (close - at + 1);
                }
                b'{' | b'[' => {
                    depth += 1;
                    found &= found - 1;
                }
                _ => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(here + 1);
                    }
                    found &= found - 1;
                }
            }
        }
        at += 16;
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
