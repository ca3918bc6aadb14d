//! One unit for a column of times, so that the eye compares lengths and not units.

use flamelane_model::Ns;

use crate::units::grouped;

/// A unit and the places behind the point, chosen for the largest value of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    /// Size of the unit, in ns.
    size: i64,
    /// Its word.
    word: &'static str,
    /// Places behind the point.
    places: usize,
}

impl Scale {
    /// The unit in which the largest of `values` has one to three digits before the point.
    pub(crate) fn of(values: impl IntoIterator<Item = Ns>) -> Self {
        let largest = values.into_iter().map(Ns::saturating_abs).max().unwrap_or(0);
        let (size, word) = match largest {
            0..1_000 => (1, "ns"),
            1_000..1_000_000 => (1_000, "µs"),
            1_000_000..1_000_000_000 => (1_000_000, "ms"),
            _ => (1_000_000_000, "s"),
        };
        let places = match largest / size {
            _ if size == 1 => 0,
            100.. => 1,
            _ => 2,
        };
        Self { size, word, places }
    }

    /// A value in this unit: `684.9 µs`; thousands are grouped, almost nothing is not 0.
    pub(crate) fn show(self, value: Ns) -> String {
        if value == 0 {
            return format!("0 {}", self.word);
        }
        let least = 10_f64.powi(-i32::try_from(self.places).unwrap_or(0));
        if value > 0 && (value as f64) < least * self.size as f64 / 2.0 {
            return format!("< {least} {}", self.word);
        }
        let shown = format!("{:.*}", self.places, value as f64 / self.size as f64);
        let (whole, rest) = shown.split_once('.').unwrap_or((&shown, ""));
        let dot = if rest.is_empty() { "" } else { "." };
        let whole = match whole.parse::<i64>() {
            Ok(number) if number.abs() >= 1_000 => grouped(number),
            _ => whole.to_owned(),
        };
        format!("{whole}{dot}{rest} {}", self.word)
    }
}

/// A time in its own unit with three digits, zeros kept: for columns of times far apart.
pub(crate) fn three_digits(ns: Ns) -> String {
    let scale = Scale::of([ns]);
    let places =
        if ns.saturating_abs() / scale.size >= 10 { scale.places.min(1) } else { scale.places };
    let places = if ns.saturating_abs() / scale.size >= 100 { 0 } else { places };
    Scale { places, ..scale }.show(ns)
}

/// A share with one place, for columns: `12.3 %`, `< 0.1 %` for what is almost nothing.
pub(crate) fn share(part: i64, whole: i64) -> String {
    let share = if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    if part > 0 && share < 0.05 { "< 0.1 %".to_owned() } else { format!("{share:.1} %") }
}

/// A path as one word of a shell.
pub(crate) fn shell_word(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./+,:@%=".contains(c);
    if !path.is_empty() && path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_one_unit_and_one_number_of_places() {
        let scale = Scale::of([684_913, 37_440, 12]);
        let shown: Vec<String> = [684_913, 37_440, 12].map(|ns| scale.show(ns)).into();
        assert_eq!(shown, ["684.9 µs", "37.4 µs", "< 0.1 µs"]);
        assert_eq!(Scale::of([8_218_956]).show(8_218_956), "8.22 ms");
        assert_eq!(Scale::of([]).show(0), "0 ns");
        assert_eq!(Scale::of([4_000_000_000_000]).show(4_000_000_000_000), "4,000.0 s");
    }

    #[test]
    fn times_far_apart_keep_three_digits() {
        let shown: Vec<String> = [42_000, 9_890, 175_432, 1, 0].map(three_digits).into();
        assert_eq!(shown, ["42.0 µs", "9.89 µs", "175 µs", "1 ns", "0 ns"]);
    }

    #[test]
    fn shares_and_shell_words() {
        assert_eq!(share(1, 100_000), "< 0.1 %");
        assert_eq!(share(0, 0), "0.0 %");
        assert_eq!(share(1, 3), "33.3 %");
        assert_eq!(shell_word("a/b.json.gz"), "a/b.json.gz");
        assert_eq!(shell_word("it's here"), r"'it'\''s here'");
    }
}
