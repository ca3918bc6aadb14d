//! Values as text: exact decimals for machines, human units for people.

use flamelane_model::Unit;

/// A sum that stops at the largest value: times of a hostile file may not fit.
pub(crate) fn sum(values: impl Iterator<Item = i64>) -> i64 {
    values.fold(0, i64::saturating_add)
}

/// `value / 10^decimals` without rounding and without trailing zeros.
pub fn decimal(value: i64, decimals: u8) -> String {
    if decimals == 0 {
        return value.to_string();
    }
    let digits = format!("{:0>1$}", value.unsigned_abs(), usize::from(decimals) + 1);
    let (whole, rest) = digits.split_at(digits.len() - usize::from(decimals));
    let rest = rest.trim_end_matches('0');
    let sign = if value < 0 { "-" } else { "" };
    let dot = if rest.is_empty() { "" } else { "." };
    format!("{sign}{whole}{dot}{rest}")
}

/// A value in the unit a person would choose: `1.23 s`, `4.5 MiB`, `12,345`.
pub fn human(value: i64, decimals: u8, unit: &Unit) -> String {
    if decimals == 0 && matches!(unit, Unit::Count | Unit::Samples | Unit::Other(_)) {
        return with_word(grouped(value), unit);
    }
    human_f64(value as f64 / 10f64.powi(i32::from(decimals)), unit)
}

/// As [`human`], for means and other figures that are no integers.
pub fn human_f64(value: f64, unit: &Unit) -> String {
    match unit {
        Unit::Ns => scaled(value, &NS),
        Unit::Bytes => scaled(value, &BYTES),
        _ if value.abs() >= 1e6 => with_word(grouped(value.round() as i64), unit),
        _ => with_word(three_digits(value), unit),
    }
}

/// A share as `12.3 %`; `0 %` and `100 %` only when exact, `< 0.1 %` for what is almost nothing.
pub fn percent(part: i64, whole: i64) -> String {
    if whole == 0 {
        return "0 %".to_owned();
    }
    let share = part as f64 / whole as f64 * 100.0;
    match share {
        _ if part == whole => "100 %".to_owned(),
        _ if part == 0 => "0 %".to_owned(),
        s if s < 0.1 => "< 0.1 %".to_owned(),
        s if s >= 99.95 => "> 99.9 %".to_owned(),
        s => format!("{s:.1} %"),
    }
}

/// An integer with `,` between thousands.
pub fn grouped(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut text = String::from(if value < 0 { "-" } else { "" });
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

const NS: [(f64, &str); 4] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns")];
const BYTES: [(f64, &str); 5] = [
    (1_099_511_627_776.0, "TiB"),
    (1_073_741_824.0, "GiB"),
    (1_048_576.0, "MiB"),
    (1024.0, "KiB"),
    (1.0, "B"),
];

fn scaled(value: f64, steps: &[(f64, &str)]) -> String {
    let last = steps.len() - 1;
    // A value that rounds up to the next unit is said in that unit: never `1000 ms`.
    let fits = |size: f64| value.abs() / size >= 0.9995;
    let (size, word) = steps.iter().find(|(size, _)| fits(*size)).unwrap_or(&steps[last]);
    format!("{} {word}", three_digits(value / size))
}

/// At least three significant digits, no trailing zeros behind the point.
fn three_digits(value: f64) -> String {
    let places = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{value:.places$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn with_word(number: String, unit: &Unit) -> String {
    match unit {
        Unit::Samples => format!("{number} samples"),
        Unit::Other(word) if !word.is_empty() => format!("{number} {word}"),
        _ => number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        let cases = [(0, 2, "0"), (5, 2, "0.05"), (1250, 2, "12.5"), (-5, 1, "-0.5"), (7, 0, "7")];
        for (value, decimals, text) in cases {
            assert_eq!(decimal(value, decimals), text);
        }
        assert_eq!(decimal(i64::MIN, 3), "-9223372036854775.808");
    }

    #[test]
    fn a_person_reads_three_digits_and_a_unit() {
        let cases = [
            (0, "0 ns"),
            (999, "999 ns"),
            (1_234, "1.23 µs"),
            (999_999, "1 ms"),
            (45_600_000, "45.6 ms"),
            (7_654_000_000, "7.65 s"),
            (765_400_000_000, "765 s"),
        ];
        for (value, text) in cases {
            assert_eq!(human(value, 0, &Unit::Ns), text);
        }
        assert_eq!(human(3 << 29, 0, &Unit::Bytes), "1.5 GiB");
        assert_eq!(human(1_234_567, 0, &Unit::Count), "1,234,567");
        assert_eq!(human(125, 2, &Unit::Other("USD".to_owned())), "1.25 USD");
    }

    #[test]
    fn a_share_is_round_only_when_it_is() {
        let cases = [(0, "0 %"), (1, "< 0.1 %"), (123_456, "12.3 %"), (999_999, "> 99.9 %")];
        for (part, text) in cases {
            assert_eq!(percent(part, 1_000_000), text);
        }
        assert_eq!(percent(5, 5), "100 %");
        assert_eq!(percent(0, 0), "0 %");
    }
}
