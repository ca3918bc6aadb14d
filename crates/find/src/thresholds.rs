//! Thresholds: every number that a rule of the findings compares with, in one table.

use std::fmt;

use flamelane_model::Ns;

/// One line of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// Its name under `[thresholds]` in `flamelane.toml`.
    pub name: &'static str,
    /// Its default, in its unit.
    pub default: f64,
    /// `ns`, `share` (0…1), `times` or `count`.
    pub unit: &'static str,
    /// What it decides.
    pub meaning: &'static str,
}

/// A name that no threshold has, or a value that none can take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadThreshold(String);

impl fmt::Display for BadThreshold {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for BadThreshold {}

macro_rules! thresholds {
    ($($name:ident: $type:ty = $default:expr, $unit:literal, $meaning:literal;)*) => {
        /// What the rules compare with; `docs/findings` has the same table.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Thresholds {
            $(#[doc = $meaning] pub $name: $type,)*
        }

        impl Default for Thresholds {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Thresholds {
            /// All of them, by rule.
            pub const TABLE: &'static [Threshold] = &[$(Threshold {
                name: stringify!($name),
                default: $default as f64,
                unit: $unit,
                meaning: $meaning,
            },)*];

            /// Sets one by its name.
            pub fn set(&mut self, name: &str, value: f64) -> Result<(), BadThreshold> {
                let is_sound = value.is_finite() && value >= 0.0;
                match name {
                    $(stringify!($name) if is_sound => self.$name = value as $type,)*
                    $(stringify!($name))|* => {
                        return Err(BadThreshold(format!("threshold `{name}` cannot be {value}")));
                    }
                    _ => return Err(BadThreshold(format!("no threshold is called `{name}`"))),
                }
                Ok(())
            }
        }
    };
}

thresholds! {
    headline_share: f64 = 0.01, "share", "a finding that owns less of the step is never a headline";
    listed_share: f64 = 0.001, "share", "a finding that owns less of the window is not listed";
    launching_share: f64 = 0.01, "share", "only threads that launch this much of a device's spans count as its hosts";
    fence_gaps: u64 = 32, "count", "a picket fence has at least this many gaps";
    fence_busy_ns: Ns = 500_000, "ns", "a longer busy stretch ends the region of a picket fence";
    island_ns: Ns = 500_000, "ns", "a gap of the host's own work this long is an island, however long the step";
    island_step_share: f64 = 0.05, "share", "so is one of this share of the step";
    island_least_ns: Ns = 100_000, "ns", "but not a shorter one than this";
    island_runtime_share: f64 = 0.1, "share", "an island spends less than this inside runtime calls";
    copy_run_ns: Ns = 100_000, "ns", "a run of exposed copies this long counts";
    copy_run_share: f64 = 0.02, "share", "so does one of this share of the window";
    churn_steps: u64 = 2, "count", "allocator calls in this many kept steps are churn";
    churn_calls: u64 = 32, "count", "so are this many calls in all";
    first_use_times: f64 = 100.0, "times", "an allocator call this many times its name's median is first use, not churn";
    first_launch_ns: Ns = 1_000_000, "ns", "the first launch of a kernel's name that takes this long loads it";
    first_launch_times: f64 = 50.0, "times", "and takes this many times the median launch";
    pause_ns: Ns = 10_000_000, "ns", "a hole in the host thread this long is a pause";
    pause_step_share: f64 = 0.25, "share", "when at most this share of the steps has one";
    pause_steps: u64 = 4, "count", "and there are this many steps";
    fallback_launch_times: f64 = 3.0, "times", "steps that launch this many times as often are another population";
    fallback_work_share: f64 = 0.2, "share", "whose device work differs by less than this";
    fallback_slower_times: f64 = 1.15, "times", "and whose steps are this many times as long";
    loop_times: u64 = 16, "count", "a child this often under one parent is a loop";
    trend_fit: f64 = 0.7, "share", "r² from which a trend over steps, or a dependence on the batch, is named";
    profiled_slower_times: f64 = 1.15, "times", "a profiled step longer than this many unprofiled ones supports no verdict on idle time";
    gpu_bound_share: f64 = 0.85, "share", "compute at or above this share of the window is GPU-bound";
    gpu_bound_least_share: f64 = 0.75, "share", "so is this much, when no other class is large";
    class_share: f64 = 0.1, "share", "a class of this share is large";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_set_by_the_names_of_the_table() {
        let mut limits = Thresholds::default();
        for row in Thresholds::TABLE {
            limits.set(row.name, row.default).expect("a name of the table is known");
        }
        assert_eq!(limits, Thresholds::default());
        limits.set("island_ns", 7.0).expect("known");
        assert_eq!(limits.island_ns, 7);
        let unknown = limits.set("island", 7.0).expect_err("unknown");
        assert_eq!(unknown.to_string(), "no threshold is called `island`");
        assert!(limits.set("island_ns", -1.0).is_err());
        assert!(limits.set("island_ns", f64::NAN).is_err());
    }
}
