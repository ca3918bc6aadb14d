//! Words: figures as sentences want them.

use flamelane_model::Ns;

/// A time with three figures: `4.18 ms`, `312 µs`.
pub(crate) fn time(ns: Ns) -> String {
    let ns = ns as f64;
    let (value, unit) = match ns {
        n if n >= 1e9 => (n / 1e9, "s"),
        n if n >= 1e6 => (n / 1e6, "ms"),
        n if n >= 1e3 => (n / 1e3, "µs"),
        n => return format!("{n:.0} ns"),
    };
    let digits = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$} {unit}")
}

/// A share as a percentage.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A count and its noun: `1 call`, `3 calls`.
pub(crate) fn many(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// A rate a step: `3.25`, `40`.
pub(crate) fn rate(count: u64, n_steps: Ns) -> String {
    let rate = count as f64 / n_steps.max(1) as f64;
    let text = format!("{rate:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// How often a step: `once`, `3.25 ×`.
pub(crate) fn times(count: u64, n_steps: Ns) -> String {
    match rate(count, n_steps) {
        rate if rate == "1" => "once".to_owned(),
        rate => format!("{rate} ×"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_read_well() {
        assert_eq!(time(4_180_000), "4.18 ms");
        assert_eq!(time(312_400), "312 µs");
        assert_eq!(time(40), "40 ns");
        assert_eq!(time(2_500_000_000), "2.50 s");
        assert_eq!(many(1, "call"), "1 call");
        assert_eq!(many(0, "call"), "0 calls");
        assert_eq!(rate(26, 8), "3.25");
        assert_eq!(rate(400, 10), "40");
    }
}
