//! Decimal numbers, exact: digits and the place of the point, never a float.

/// A number `digits / 10^decimals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    /// All digits, with the sign.
    pub(crate) digits: i128,
    /// How many of them stand after the point; trailing zeros are not counted.
    pub(crate) decimals: u8,
    /// Whether digits past [`MAX_DECIMALS`] were dropped.
    pub(crate) rounded: bool,
}

/// Most digits after the point; more are rounded half up.
pub(crate) const MAX_DECIMALS: u8 = 18;
/// Numbers of 10^18 and more are no weights.
const MAX_INTEGER_DIGITS: i32 = 18;

impl Decimal {
    /// A whole number.
    pub(crate) fn whole(value: i64) -> Self {
        Self { digits: i128::from(value), decimals: 0, rounded: false }
    }

    /// Reads `12`, `-3.50`, `1e-3`; `None` for anything else and for what is too large.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let (negative, text) = match text.first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (mantissa, exponent) = split_exponent(text)?;
        let point = mantissa.iter().position(|byte| *byte == b'.').unwrap_or(mantissa.len());
        let fraction = mantissa.get(point + 1..).unwrap_or_default();
        let figures = mantissa[..point].iter().chain(fraction);
        if mantissa.len() - usize::from(point < mantissa.len()) == 0
            || !figures.clone().all(u8::is_ascii_digit)
        {
            return None;
        }
        let point = i32::try_from(point).ok()?.checked_add(exponent)?;
        let number = collect(figures, point)?;
        Some(if negative { Self { digits: -number.digits, ..number } } else { number })
    }

    /// This number times 10^`places`.
    pub(crate) fn shift(self, places: u8) -> Self {
        let taken = places.min(self.decimals);
        let digits = self.digits.saturating_mul(10_i128.pow(u32::from(places - taken)));
        Self { digits, decimals: self.decimals - taken, ..self }
    }

    /// This number times a whole number.
    pub(crate) fn times(self, factor: i128) -> Self {
        Self { digits: self.digits.saturating_mul(factor), ..self }
    }

    /// The difference of two numbers.
    pub(crate) fn minus(self, other: Self) -> Self {
        let decimals = self.decimals.max(other.decimals);
        let digits = self.at_scale(decimals).saturating_sub(other.at_scale(decimals));
        Self { digits, decimals, rounded: self.rounded || other.rounded }
    }

    /// The digits with `decimals` of them after the point; `decimals` is not below our own.
    pub(crate) fn at_scale(self, decimals: u8) -> i128 {
        let places = decimals.saturating_sub(self.decimals);
        self.digits.saturating_mul(10_i128.pow(u32::from(places.min(36))))
    }
}

fn split_exponent(text: &[u8]) -> Option<(&[u8], i32)> {
    let Some(at) = text.iter().position(|byte| matches!(byte, b'e' | b'E')) else {
        return Some((text, 0));
    };
    let exponent = str::from_utf8(&text[at + 1..]).ok()?.parse::<i32>().ok()?;
    Some((&text[..at], exponent.clamp(-10_000, 10_000)))
}

/// Collects figures of which the first `point` stand before the point (negative: zeros follow it).
fn collect<'f>(figures: impl Iterator<Item = &'f u8>, point: i32) -> Option<Decimal> {
    let last = point.saturating_add(i32::from(MAX_DECIMALS));
    let (mut digits, mut place, mut rounded) = (0_i128, 0_i32, false);
    let mut n_integer = point;
    for figure in figures {
        let value = i128::from(figure - b'0');
        if digits == 0 && value == 0 && place < point {
            n_integer -= 1;
        }
        if place < last {
            if n_integer > MAX_INTEGER_DIGITS && (digits != 0 || value != 0) {
                return None;
            }
            digits = digits * 10 + value;
        } else {
            rounded |= value != 0;
            digits += i128::from(place == last && value >= 5);
        }
        place = place.saturating_add(1);
    }
    if place < point && digits != 0 {
        digits = digits.checked_mul(10_i128.checked_pow(u32::try_from(point - place).ok()?)?)?;
    }
    let kept = place.min(last).max(point.min(place));
    let mut decimals = u8::try_from((kept - point).clamp(0, 36)).ok()?;
    while decimals > 0 && digits % 10 == 0 {
        digits /= 10;
        decimals -= 1;
    }
    // A point far left of the figures leaves only zeros.
    if last <= 0 {
        return Some(Decimal { digits: 0, decimals: 0, rounded: true });
    }
    Some(Decimal { digits, decimals, rounded })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(text: &str) -> Option<(i128, u8)> {
        Decimal::parse(text.as_bytes()).map(|number| (number.digits, number.decimals))
    }

    #[test]
    fn numbers_keep_their_digits() {
        assert_eq!(parsed("812"), Some((812, 0)));
        assert_eq!(parsed("31.23"), Some((3123, 2)));
        assert_eq!(parsed("-19.0"), Some((-19, 0)));
        assert_eq!(parsed("1.5e3"), Some((1500, 0)));
        assert_eq!(parsed("25e-4"), Some((25, 4)));
        assert_eq!(parsed(".5"), Some((5, 1)));
        assert_eq!(parsed("0.01"), Some((1, 2)));
        assert_eq!(parsed("000.010"), Some((1, 2)));
        assert_eq!(parsed("1e-30"), Some((0, 0)));
        assert_eq!(parsed("0.1234567890123456789"), Some((123_456_789_012_345_679, 18)));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", ".", "e5", "1x", "0x10", "1.2.3", "1e99", "inf", "1e", "--1"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn seconds_become_nanoseconds_exactly() {
        let number = Decimal::parse(b"0.010000000001").unwrap().shift(9);
        assert_eq!((number.digits, number.decimals), (10_000_000_001, 3));
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_refused(text in "[-+0-9.eE]{0,60}") {
            let _ = Decimal::parse(text.as_bytes());
        }

        #[test]
        fn printed_numbers_come_back(digits in 0_u32.., decimals in 0_u32..9) {
            let scale = 10_u32.pow(decimals);
            let text = format!("{}.{:0width$}", digits / scale, digits % scale, width = decimals as usize);
            let number = Decimal::parse(text.as_bytes()).unwrap();
            prop_assert_eq!(number.at_scale(9), i128::from(digits) * 10_i128.pow(9 - decimals));
        }
    }
}
