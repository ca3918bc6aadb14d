//! Numbers from decimal text, exactly: microseconds to nanoseconds, and whole numbers.
//!
//! Nothing here goes through a float: epoch microseconds with three decimals need 61 bits.

use super::bytes::bare_end;

/// A number as read, and where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parsed {
    /// The value; `None` where the text is no number.
    pub(super) value: Option<i64>,
    /// The first byte behind it.
    pub(super) end: usize,
    /// Whether it has a fraction other than 0 (times only).
    pub(super) fraction: bool,
}

/// How to read the digits behind the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Fraction {
    /// As everyone does.
    #[default]
    Decimal,
    /// As a whole number of nanoseconds: `1.5` is 1 µs and 5 ns (builds of March 2024).
    Nanoseconds,
}

const MAX_WHOLE_MICROS: u64 = (i64::MAX / 1000 - 1) as u64;

/// How many of the eight bytes are digits, from the first on.
#[inline(always)]
fn n_digits(word: u64) -> usize {
    let value = word ^ 0x3030_3030_3030_3030;
    // A digit is below ten: adding six must not reach the upper half of its byte.
    let odd = (value | value.wrapping_add(0x0606_0606_0606_0606)) & 0xF0F0_F0F0_F0F0_F0F0;
    (odd.trailing_zeros() / 8) as usize
}

/// The value of the first `n` of eight bytes, all digits; `n` is not 0.
#[inline(always)]
fn digits_value(word: u64, n: usize) -> u64 {
    // What is before the digits in the shifted word counts as leading zeros.
    let word = word.wrapping_shl(64 - 8 * n as u32);
    let pairs = (word & 0x0F0F_0F0F_0F0F_0F0F).wrapping_mul(2561) >> 8;
    let quads = (pairs & 0x00FF_00FF_00FF_00FF).wrapping_mul(6_553_601) >> 16;
    (quads & 0x0000_FFFF_0000_FFFF).wrapping_mul(42_949_672_960_001) >> 32
}

const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// What a number is read from: 16 digits, a point, and what comes behind it.
type Digits = [u8; 32];

#[inline(always)]
fn digits_at(text: &[u8], at: usize) -> Option<&Digits> {
    text.get(at..)?.first_chunk()
}

/// Eight of the bytes, the first in the low bits.
#[inline(always)]
fn eight(here: &Digits, at: usize) -> u64 {
    let chunk = here.get(at..).and_then(|rest| rest.first_chunk());
    chunk.map_or(u64::MAX, |chunk| u64::from_le_bytes(*chunk))
}

/// Up to 16 digits at the start: their value and number.
#[inline(always)]
fn digits(here: &Digits) -> (u64, usize) {
    let word = eight(here, 0);
    let n = n_digits(word);
    if n == 0 {
        return (0, 0);
    }
    let value = digits_value(word, n);
    if n < 8 { (value, n) } else { more_digits(here, value) }
}

#[inline(always)]
fn more_digits(here: &Digits, value: u64) -> (u64, usize) {
    let word = eight(here, 8);
    let n = n_digits(word);
    if n == 0 {
        return (value, 8);
    }
    (value * POWERS.get(n).copied().unwrap_or(0) + digits_value(word, n), 8 + n)
}

/// Microseconds at `at` as nanoseconds; a fourth decimal rounds half up.
///
/// The usual form has up to 13 digits, a point, and three more, which are read as if the point was
/// not there.
#[inline(always)]
pub(super) fn micros(text: &[u8], at: usize, fraction: Fraction) -> Parsed {
    let Some(here) = digits_at(text, at) else { return slow(text, at, 3, fraction) };
    let (mut high, mut point, mut word) = (0, 0, eight(here, 0));
    let mut n = n_digits(word);
    if n == 8 {
        (high, point, word) = (digits_value(word, 8), 8, eight(here, 8));
        n = n_digits(word);
    }
    point += n;
    // The point, three digits, and what ends the number.
    let tail = eight(here, point);
    let below = (tail >> 8) & 0x00FF_FFFF;
    if n > 5 || point == 0 || tail as u8 != b'.' {
        return unusual(text, at, fraction);
    }
    let shift = 8 * n as u32;
    let joined = (word & !(u64::MAX << shift)) | (below << shift);
    if n_digits(joined) != n + 3 || !is_over((tail >> 32) as u8) {
        return unusual(text, at, fraction);
    }
    let low = digits_value(joined, n + 3);
    let ns = high * POWERS.get(n + 3).copied().unwrap_or(0) + low;
    Parsed { value: Some(ns as i64), end: at + point + 4, fraction: below != 0x0030_3030 }
}

/// Whether a number cannot go on with this byte.
#[inline(always)]
fn is_over(byte: u8) -> bool {
    IS_OVER[usize::from(byte)]
}

static IS_OVER: [bool; 256] = {
    let mut is_over = [false; 256];
    let mut i = 0;
    while i < 256 {
        let byte = i as u8;
        is_over[i] = byte == b',' || byte <= b'"' || byte >= b'{' || byte == b']';
        i += 1;
    }
    is_over
};

/// Times since 1970, times with fewer decimals, and all other forms.
#[inline(never)]
fn unusual(text: &[u8], at: usize, fraction: Fraction) -> Parsed {
    let Some(here) = digits_at(text, at) else { return slow(text, at, 3, fraction) };
    let (whole, n) = digits(here);
    if n == 0 || whole > MAX_WHOLE_MICROS {
        return slow(text, at, 3, fraction);
    }
    let tail = eight(here, n);
    if is_over(tail as u8) {
        return Parsed { value: Some(whole as i64 * 1000), end: at + n, fraction: false };
    }
    let n_below = n_digits(tail >> 8);
    let is_usual = tail as u8 == b'.' && (n_below == 3 || fraction == Fraction::Decimal);
    let Some(unit) = [1, 10, 100].get(3_usize.wrapping_sub(n_below)).filter(|_| is_usual) else {
        return slow(text, at, 3, fraction);
    };
    if !is_over((tail >> (8 * n_below + 8)) as u8) {
        return slow(text, at, 3, fraction);
    }
    let below = digits_value(tail >> 8, n_below) * unit;
    let ns = whole as i64 * 1000 + below as i64;
    Parsed { value: Some(ns), end: at + n + 1 + n_below, fraction: below != 0 }
}

/// A whole number at `at`. Unsigned 64-bit numbers keep their bits, so `u64::MAX` is -1; a
/// fraction is cut off.
#[inline(always)]
pub(super) fn whole(text: &[u8], at: usize) -> Parsed {
    let Some(here) = digits_at(text, at) else { return slow(text, at, 0, Fraction::Decimal) };
    let (value, n) = digits(here);
    let end = at + n;
    if n == 0 || !is_over(*here.get(n).unwrap_or(&b'.')) {
        return slow(text, at, 0, Fraction::Decimal);
    }
    Parsed { value: Some(value as i64), end, fraction: false }
}

/// The end of a number or word whose value nobody needs: mostly up to seven digits.
#[inline(always)]
pub(super) fn passed(text: &[u8], at: usize) -> usize {
    let Some(here) = digits_at(text, at) else { return bare_end(text, at) };
    let n = n_digits(eight(here, 0));
    if here.get(n).is_some_and(|byte| is_over(*byte)) { at + n } else { bare_end(text, at) }
}

/// Every other form, by arithmetic on the decimal text: long numbers, exponents, odd fractions.
#[inline(never)]
fn slow(text: &[u8], at: usize, shift: i64, fraction: Fraction) -> Parsed {
    let end = bare_end(text, at);
    let word = text.get(at..end).unwrap_or_default();
    let (value, fraction) = match decimal(word, shift, fraction) {
        Some((value, fraction)) => (Some(value), fraction),
        None => (None, false),
    };
    Parsed { value, end, fraction }
}

/// `word` times 10^`shift`, rounded half up when `shift` is not 0, else cut; and whether a time
/// has a fraction of its µs. Saturates.
pub(super) fn decimal(word: &[u8], shift: i64, fraction: Fraction) -> Option<(i64, bool)> {
    let word = word.trim_ascii();
    let (negative, word) = match word {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, word),
    };
    let (mantissa, exponent) = match word.iter().position(|byte| byte | 0x20 == b'e') {
        Some(i) => (&word[..i], exponent(&word[i + 1..])?),
        None => (word, 0),
    };
    let (whole, below) = match mantissa.iter().position(|byte| *byte == b'.') {
        Some(i) => (&mantissa[..i], &mantissa[i + 1..]),
        None => (mantissa, &[][..]),
    };
    let digits = [whole, below];
    if whole.len() + below.len() == 0 || !digits.iter().all(|d| d.iter().all(u8::is_ascii_digit)) {
        return None;
    }
    let padded;
    let below = if fraction == Fraction::Nanoseconds && shift == 3 && below.len() < 3 {
        padded = format!("{:0>3}", std::str::from_utf8(below).ok()?);
        padded.as_bytes()
    } else {
        below
    };
    let value = scaled(whole, below, exponent.saturating_add(shift), shift != 0);
    let value = match (negative, value) {
        (false, Some(value)) => i64::try_from(value).unwrap_or(i64::MAX),
        (true, Some(value)) => i64::try_from(value).map_or(i64::MIN + 1, |value| -value),
        (false, None) => i64::MAX,
        (true, None) => i64::MIN + 1,
    };
    // An identifier of 64 bits keeps them all.
    let wide = shift == 0 && exponent == 0 && below.is_empty() && !negative;
    let wrapped = wide.then(|| std::str::from_utf8(whole).ok()?.parse::<u64>().ok()).flatten();
    let value = wrapped.map_or(value, |wide| wide as i64);
    Some((value, shift == 3 && value % 1000 != 0))
}

fn exponent(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?;
    let negative = text.starts_with('-');
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse::<i64>().unwrap_or(1_000_000).min(1_000_000);
    Some(if negative { -size } else { size })
}

/// The digits `whole.below` with the point moved right by `shift`; `None` past 64 bits.
fn scaled(whole: &[u8], below: &[u8], shift: i64, round: bool) -> Option<u64> {
    let digits = || whole.iter().chain(below).map(|digit| u64::from(digit - b'0'));
    let point = whole.len() as i64 + shift;
    let leading = digits().take_while(|digit| *digit == 0).count();
    let n_digits = whole.len() + below.len();
    if leading == n_digits {
        return Some(0);
    }
    if point < 0 {
        return Some(0);
    }
    if point - leading as i64 > 20 {
        return None;
    }
    let point = point as usize;
    let mut value = 0_u64;
    for digit in digits().chain(std::iter::repeat(0)).take(point) {
        value = value.checked_mul(10)?.checked_add(digit)?;
    }
    let next = digits().nth(point).unwrap_or(0);
    if round && next >= 5 { value.checked_add(1) } else { Some(value) }
}

/// How the fractions of times in `text` are meant.
///
/// Builds of late March 2024 wrote whole nanoseconds without padding. Their fractions vary in
/// length and never start with 0, while some end with it; those of a float printer never end
/// with 0, and those of every other profiler have three digits.
pub(super) fn fraction_style(text: &[u8], end: usize) -> Fraction {
    const ENOUGH: usize = 64;
    let text = text.get(..end).unwrap_or_default();
    let (mut n_long, mut n_short, mut n_round) = (0_usize, 0_usize, 0_usize);
    for at in memchr::memchr_iter(b'.', text) {
        let key = text.get(at.saturating_sub(32)..at).unwrap_or_default();
        let digits = key.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let head = key[..key.len() - digits].trim_ascii_end();
        let head = head.strip_suffix(b":").unwrap_or_default().trim_ascii_end();
        if !(head.ends_with(b"\"ts\"") || head.ends_with(b"\"dur\"")) {
            continue;
        }
        let tail = text.get(at + 1..).unwrap_or_default();
        let fraction = &tail[..tail.iter().take_while(|byte| byte.is_ascii_digit()).count()];
        match fraction {
            [_, _, _, _, ..] | [b'0', _, ..] => return Fraction::Decimal,
            [] | [_] => n_short += 1,
            [_, last] | [_, _, last] => {
                n_long += 1;
                n_short += usize::from(fraction.len() < 3);
                n_round += usize::from(*last == b'0');
            }
        }
    }
    let is_unpadded = n_long >= ENOUGH && n_short > 0 && n_round > 0;
    if is_unpadded { Fraction::Nanoseconds } else { Fraction::Decimal }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ns(text: &str) -> Option<i64> {
        let padded = format!("{text},{}", "\"".repeat(64));
        let parsed = micros(padded.as_bytes(), 0, Fraction::Decimal);
        assert_eq!(parsed.end, text.len(), "{text}");
        parsed.value
    }

    fn int(text: &str) -> Option<i64> {
        let padded = format!("{text},{}", "\"".repeat(64));
        whole(padded.as_bytes(), 0).value
    }

    #[test]
    fn microseconds_become_nanoseconds_without_a_float() {
        assert_eq!(ns("1712195495509888.704"), Some(1_712_195_495_509_888_704));
        assert_eq!(ns("1.5"), Some(1_500));
        assert_eq!(ns("1.005"), Some(1_005));
        assert_eq!(ns("0.0005"), Some(1));
        assert_eq!(ns("0.0004999"), Some(0));
        assert_eq!(ns("12.3454"), Some(12_345));
        assert_eq!(ns("12.3455"), Some(12_346));
        assert_eq!(ns("-3.250"), Some(-3_250));
        assert_eq!(ns("7"), Some(7_000));
        assert_eq!(ns("7."), Some(7_000));
        assert_eq!(ns("3.467829031595695"), Some(3_468));
    }

    #[test]
    fn exponents_are_exact_too() {
        assert_eq!(ns("1e5"), Some(100_000_000));
        assert_eq!(ns("1.712195495509888704E15"), Some(1_712_195_495_509_888_704));
        assert_eq!(ns("-1.5E-3"), Some(-2));
        assert_eq!(ns("15e-4"), Some(2));
        assert_eq!(ns("1e-400"), Some(0));
        assert_eq!(ns("0e999999999999999999999"), Some(0));
    }

    #[test]
    fn too_large_saturates_and_no_number_is_none() {
        assert_eq!(ns("9223372036854775808"), Some(i64::MAX));
        assert_eq!(ns("1e300"), Some(i64::MAX));
        assert_eq!(ns("-1e300"), Some(i64::MIN + 1));
        for text in ["NaN", "Infinity", "None", "null", "true", "1.2.3", "--1", "e5", "-"] {
            assert_eq!(ns(text), None, "{text}");
        }
    }

    #[test]
    fn unpadded_fractions_are_nanoseconds_when_told_so() {
        let value = |text| decimal(text, 3, Fraction::Nanoseconds).map(|(value, _)| value);
        assert_eq!(value(b"1.5"), Some(1_005));
        assert_eq!(value(b"1.50"), Some(1_050));
        assert_eq!(value(b"1.500"), Some(1_500));
    }

    #[test]
    fn identifiers_keep_their_bits() {
        assert_eq!(int("4294967295"), Some(4_294_967_295));
        assert_eq!(int("18446744073709551615"), Some(-1));
        assert_eq!(int("-1"), Some(-1));
        assert_eq!(int("7.0"), Some(7));
        assert_eq!(int("1e3"), Some(1_000));
        assert_eq!(int("999999999999999999999999"), Some(i64::MAX));
    }
}
