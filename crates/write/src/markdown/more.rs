//! Phases, launches and ranges, where they explain something.

use std::io;

use flamelane_model::Ns;
use flamelane_report::Capture;

use super::{code, count, frame, text, time};
use crate::tells::{launching_tells, lead, queue_full, telling_ranges};
use crate::text::share;

/// Rows of each table.
const ROWS: usize = 5;

/// One row a phase, where the kept steps hold several.
pub(super) fn phases(capture: &Capture, out: &mut impl io::Write) -> io::Result<()> {
    if capture.phases.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n| phase | steps | step p50 | of window | busy | verdict | largest blank |")?;
    writeln!(out, "|---|---:|---:|---:|---:|---|---|")?;
    for phase in &capture.phases {
        writeln!(
            out,
            "| {} | {} | {} | {:.1} % | {} | {} | {} |",
            text(phase.phase.as_deref().unwrap_or("unnamed")),
            count(phase.count),
            time(phase.wall_ns.p50),
            100.0 * phase.share,
            share(phase.busy_ns, phase.busy_ns.saturating_add(phase.idle_ns)),
            phase.verdict.kind,
            text(&phase.blank),
        )?;
    }
    Ok(())
}

/// How far the host is ahead, and what a launch takes.
pub(super) fn launches(capture: &Capture, out: &mut impl io::Write) -> io::Result<()> {
    let launches = &capture.launches;
    if !launching_tells(capture) {
        return Ok(());
    }
    writeln!(out, "\nLaunching: {}.", lead(launches))?;
    if let Some(full) = &launches.back_pressure {
        writeln!(out, "\nLaunch queue: {}.", queue_full(full))?;
    }
    writeln!(out, "\n| call | of | count | call mean | latency p50 | queueing p50 | user frame |")?;
    writeln!(out, "|---|---|---:|---:|---:|---:|---|")?;
    let delay = |n: u64, ns: Ns| if n == 0 { String::new() } else { time(ns) };
    for path in launches.paths.iter().take(ROWS) {
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} |",
            code(&path.call),
            if path.graph { "graph" } else { &path.kind },
            count(path.count),
            time(path.mean_call_ns),
            delay(path.latency_ns.count, path.latency_ns.p50),
            delay(path.queueing_ns.count, path.queueing_ns.p50),
            path.frames.first().map_or_else(String::new, |user| frame(&user.name, "python")),
        )?;
    }
    Ok(())
}

/// Ranges with gaps in their work.
pub(super) fn ranges(capture: &Capture, out: &mut impl io::Write) -> io::Result<()> {
    let shown = telling_ranges(capture, ROWS);
    if shown.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n| range | count | host | envelope | device | density | onset |")?;
    writeln!(out, "|---|---:|---:|---:|---:|---:|---:|")?;
    for range in shown {
        writeln!(
            out,
            "| {} | {} | {} | {} | {} | {:.1} % | {} |",
            code(&range.name),
            count(range.count),
            time(range.host_ns),
            time(range.envelope_ns),
            time(range.union_ns),
            100.0 * range.density,
            time(range.onset_ns),
        )?;
    }
    Ok(())
}
