//! What explains more where there is something to explain: phases, launches, ranges, the bound.

use flamelane_model::{FrameKind, Ns};
use flamelane_report::{LaunchPath, PhaseOf, Range};

use super::view::View;
use crate::tells::{launching_tells, lead, queue_full, telling_ranges};
use crate::text::{Cell, Column, Grid, Ink, Line, Scale, share, three_digits};
use crate::units::grouped;

/// Rows of each table.
const ROWS: usize = 4;

fn count(n: u64) -> String {
    grouped(i64::try_from(n).unwrap_or(i64::MAX))
}

/// One line a phase, where the kept steps hold several.
pub(crate) fn phases(view: &View<'_>) -> Vec<Line> {
    let phases = view.capture.phases.iter().take(ROWS);
    let line = |phase: &PhaseOf| {
        let noun = if phase.count == 1 { "step" } else { "steps" };
        let busy = share(phase.busy_ns, phase.busy_ns.saturating_add(phase.idle_ns));
        let figures = format!(
            "{} {noun} of {} p50, busy {busy}, {:.1} % of the window",
            count(phase.count),
            three_digits(phase.wall_ns.p50),
            100.0 * phase.share,
        );
        let line = Line::of(Ink::Strong, format!("{}: ", phase.verdict.kind));
        let line = line.with(Ink::Plain, figures);
        view.keyed(phase.phase.as_deref().unwrap_or("unnamed"), line)
    };
    phases.flat_map(line).collect()
}

/// The least time of a decode step, beside what it takes.
pub(crate) fn bound(view: &View<'_>) -> Vec<Line> {
    let Some(bound) = &view.capture.bound else { return Vec::new() };
    view.keyed("bound", Line::of(Ink::Plain, bound.sentence.as_str()))
}

/// How far the host is ahead, where the device often waits for launches or the queue was full.
pub(crate) fn launching(view: &View<'_>) -> Vec<Line> {
    let launches = &view.capture.launches;
    if !launching_tells(view.capture) {
        return Vec::new();
    }
    let mut lines = view.keyed("  launch", Line::of(Ink::Plain, lead(launches)));
    if let Some(full) = &launches.back_pressure {
        lines.extend(view.keyed("  queue", Line::of(Ink::Plain, queue_full(full))));
    }
    lines
}

/// What a launch takes, by the call that makes it.
pub(crate) fn launches(view: &View<'_>) -> Vec<Line> {
    if !launching_tells(view.capture) {
        return Vec::new();
    }
    let about = "from the call to the start: latency on an idle stream, queueing behind other work";
    let mut lines = view.section("launches", about);
    lines.extend(paths(&view.capture.launches.paths).lines(view.width, 2));
    lines
}

fn paths(paths: &[LaunchPath]) -> Grid {
    let mut grid = Grid::new([
        Column::name("call"),
        Column::word("of").goes(1),
        Column::number("count"),
        Column::number("call mean").goes(3),
        Column::number("latency p50"),
        Column::number("p99").goes(4),
        Column::number("queueing p50"),
        Column::number("p99").goes(5),
        Column::name("user frame").goes(2),
    ]);
    let delay =
        |count: u64, ns: Ns| Cell::new(if count == 0 { String::new() } else { three_digits(ns) });
    for path in paths.iter().take(ROWS) {
        let (latency, queueing) = (path.latency_ns, path.queueing_ns);
        let what = if path.graph { "graph" } else { path.kind.as_str() };
        let user = path.frames.first();
        grid.row([
            Cell::new(path.call.as_str()),
            Cell::new(what),
            Cell::new(count(path.count)),
            Cell::new(three_digits(path.mean_call_ns)),
            delay(latency.count, latency.p50).ink(Ink::Strong),
            delay(latency.count, latency.p99),
            delay(queueing.count, queueing.p50),
            delay(queueing.count, queueing.p99),
            user.map_or_else(Cell::default, |user| Cell::frame(&user.name, FrameKind::Python)),
        ]);
    }
    grid
}

/// Ranges with gaps in their work, or with work that starts late.
pub(crate) fn ranges(view: &View<'_>) -> Vec<Line> {
    let shown = telling_ranges(view.capture, ROWS);
    if shown.is_empty() {
        return Vec::new();
    }
    let mut grid = Grid::new([
        Column::name("range"),
        Column::number("count"),
        Column::number("host").goes(1),
        Column::number("envelope").goes(2),
        Column::number("device"),
        Column::number("density"),
        Column::number("onset"),
    ]);
    let scale = |of: fn(&Range) -> Ns| Scale::of(shown.iter().map(|range| of(range)));
    let (host, envelope, union) =
        (scale(|range| range.host_ns), scale(|range| range.envelope_ns), scale(|r| r.union_ns));
    for range in &shown {
        grid.row([
            Cell::new(range.name.as_str()),
            Cell::new(count(range.count)),
            Cell::new(host.show(range.host_ns)),
            Cell::new(envelope.show(range.envelope_ns)),
            Cell::new(union.show(range.union_ns)),
            Cell::new(format!("{:.1} %", 100.0 * range.density)).ink(Ink::Strong),
            Cell::new(three_digits(range.onset_ns)),
        ]);
    }
    let about = "device work launched inside: its share of its own stretch, its first start";
    let mut lines = view.section("ranges", about);
    lines.extend(grid.lines(view.width, 2));
    lines
}
