//! What of a capture tells something, so that the terminal and Markdown show the same.

use flamelane_model::{Ns, Unit};
use flamelane_report::{BackPressure, Capture, Launches, Range};

use crate::units::{grouped, human};

/// From this share of launches with hardly any lead on, launching is worth a block.
const LOW_LEAD: f64 = 0.25;
/// A range whose device work fills this much of its own stretch explains no waiting.
const DENSE: f64 = 0.85;

fn time(ns: Ns) -> String {
    human(ns, 0, &Unit::Ns)
}

fn count(n: u64) -> String {
    grouped(i64::try_from(n).unwrap_or(i64::MAX))
}

/// Whether the device often waits for launches, or the queue was full.
pub(crate) fn launching_tells(capture: &Capture) -> bool {
    let launches = &capture.launches;
    let is_late = launches.low_lead_share >= LOW_LEAD && capture.window.idle_ns > 0;
    !launches.paths.is_empty() && (is_late || launches.back_pressure.is_some())
}

/// How far the host is ahead.
pub(crate) fn lead(launches: &Launches) -> String {
    let lead = launches.lead_ns;
    format!(
        "host lead {} p10, {} p50, {} p90; {:.0} % of launches under 10 µs",
        time(lead.p10),
        time(lead.p50),
        time(lead.p90),
        100.0 * launches.low_lead_share
    )
}

/// What a full queue means.
pub(crate) fn queue_full(full: &BackPressure) -> String {
    let noun = if full.calls == 1 { "call" } else { "calls" };
    format!(
        "full for {} of the window: {} long {noun} ({}) waited for a busy device, at no cost",
        time(full.ns),
        count(full.calls),
        time(full.call_ns)
    )
}

/// The longest ranges with gaps in their work; none where fewer than two have any: the window says
/// the same of one.
pub(crate) fn telling_ranges(capture: &Capture, most: usize) -> Vec<&Range> {
    let explains = |range: &&Range| range.union_ns > 0 && range.density < DENSE;
    let shown: Vec<&Range> = capture.ranges.iter().filter(explains).take(most).collect();
    if shown.len() < 2 { Vec::new() } else { shown }
}
