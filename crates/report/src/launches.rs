//! Launches as the document lists them.

use flamelane_link::{Launches, Linked, Quantiles};
use flamelane_model::{DeviceKind, Ns};

use crate::document::launches as doc;

/// Most paths listed.
const MOST_PATHS: usize = 32;

pub(crate) fn launches(linked: &Linked) -> doc::Launches {
    let told = flamelane_link::launches(linked);
    let n_launches = told.lead.spread.count;
    doc::Launches {
        paths: paths(linked, &told),
        lead_ns: tenths(told.lead.spread),
        low_lead_share: share(told.lead.n_low, n_launches),
        queue_depth: tenths(told.lead.depth),
        lead_series: told
            .lead
            .series
            .iter()
            .map(|row| doc::LeadOfSteps {
                step: linked.steps.list[row.step as usize].name.clone(),
                number: u64::from(row.step),
                p50_ns: row.p50,
                launches: row.count,
                low_share: share(row.n_low, row.count),
            })
            .collect(),
        back_pressure: told.back_pressure.map(|full| doc::BackPressure {
            calls: full.count,
            call_ns: full.call_ns,
            ns: full.ns,
            from_ns: full.longest.from,
            to_ns: full.longest.to,
            queue_depth: full.depth,
        }),
        negative: told.n_negative,
        hidden: told.n_hidden,
    }
}

fn paths(linked: &Linked, told: &Launches) -> Vec<doc::LaunchPath> {
    let frame = |frame: &flamelane_link::LaunchFrame| doc::LaunchFrame {
        name: frame.name.clone(),
        count: frame.count,
        latency_ns: delay(frame.latency),
        queueing_ns: delay(frame.queueing),
    };
    let path = |path: &flamelane_link::LaunchPath| doc::LaunchPath {
        call: linked.trace.text(path.call).to_owned(),
        graph: path.is_graph,
        kind: kind(path.kind).to_owned(),
        count: path.count,
        device_spans: path.n_spans,
        mean_call_ns: path.call_ns / Ns::try_from(path.count).unwrap_or(Ns::MAX).max(1),
        latency_ns: delay(path.latency),
        queueing_ns: delay(path.queueing),
        frames: path.frames.iter().map(frame).collect(),
    };
    told.paths.iter().take(MOST_PATHS).map(path).collect()
}

fn kind(kind: DeviceKind) -> &'static str {
    match kind {
        DeviceKind::Kernel => "kernel",
        DeviceKind::Copy => "copy",
        DeviceKind::Memset => "memset",
        DeviceKind::Graph => "graph",
    }
}

fn tenths(of: Quantiles) -> doc::Tenths {
    doc::Tenths { p10: of.p10, p50: of.p50, p90: of.p90 }
}

fn delay(of: Quantiles) -> doc::Delay {
    doc::Delay { count: of.count, p50: of.p50, p99: of.p99 }
}

fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
