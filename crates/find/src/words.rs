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

/// A rate a step: `3.25`, `40`; of large ones, nobody reads the fraction.
pub(crate) fn rate(count: u64, n_steps: Ns) -> String {
    let rate = count as f64 / n_steps.max(1) as f64;
    if rate >= 10.0 {
        return format!("{rate:.0}");
    }
    let text = format!("{rate:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// How often something is: `once a step`, `3.25 × a step`, `2 × in 38 steps`; how often in all where
/// there are no steps.
pub(crate) fn often(count: u64, n_steps: u64) -> String {
    let times = |rate: String| if rate == "1" { "once".to_owned() } else { format!("{rate} ×") };
    if n_steps == 0 {
        return times(count.to_string());
    }
    if count < n_steps {
        return format!("{} in {}", times(count.to_string()), many(n_steps, "step"));
    }
    let n_steps = Ns::try_from(n_steps).unwrap_or(Ns::MAX);
    format!("{} a step", times(rate(count, n_steps)))
}

/// Some of all: `3 of 8 steps`, `all 8 steps`, `the only step`.
pub(crate) fn of_all(some: u64, all: u64, noun: &str) -> String {
    match all {
        _ if some < all => format!("{some} of {}", many(all, noun)),
        1 => format!("the only {noun}"),
        _ => format!("all {}", many(all, noun)),
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
        assert_eq!(rate(770, 6), "128", "a mean of many has no fraction");
    }

    #[test]
    fn how_often_reads_well() {
        assert_eq!(often(6, 6), "once a step");
        assert_eq!(often(26, 8), "3.25 × a step");
        assert_eq!(often(770, 6), "128 × a step");
        assert_eq!(often(1, 6), "once in 6 steps");
        assert_eq!(often(5, 6), "5 × in 6 steps");
        assert_eq!(often(19, 0), "19 ×");
        assert_eq!(of_all(3, 8, "step"), "3 of 8 steps");
        assert_eq!(of_all(8, 8, "step"), "all 8 steps");
        assert_eq!(of_all(1, 1, "step"), "the only step");
    }
}
