//! Several captures side by side: the ranks of a job, and the processes beside them.

use flamelane_model::Unit;
use flamelane_report::{Capture, Report};

use super::answers::listed;
use super::time::section;
use super::view::View;
use crate::text::{Cell, Column, Grid, Ink, Line, share};
use crate::units::{grouped, human};

/// Most captures in the table.
const MOST_ROWS: usize = 32;

/// The capture with most busy time; the first of equal ones.
pub(crate) fn busiest(report: &Report) -> usize {
    let rows = 0..report.captures.len();
    rows.rev().max_by_key(|&row| report.captures[row].window.busy_ns).unwrap_or(0)
}

/// The table of captures, those without device work apart, and how to see one.
pub(crate) fn lines<'a>(
    report: &Report,
    busiest: usize,
    view: &dyn Fn(usize) -> View<'a>,
) -> Vec<Line> {
    let width = view(busiest).width;
    let (mut on_device, mut host_only): (Vec<usize>, Vec<usize>) =
        (0..report.captures.len()).partition(|&row| report.captures[row].totals.device_spans > 0);
    let rank = |row: &usize| report.captures[*row].rank.unwrap_or(u64::MAX);
    on_device.sort_by_key(rank);
    host_only.sort_by_key(rank);
    let mut lines = Vec::new();
    if !on_device.is_empty() {
        lines.push(section("captures", about(report, &on_device)));
        let shown = on_device.iter().take(MOST_ROWS).map(|&row| &report.captures[row]);
        lines.extend(table(shown).lines(width, 2));
        lines.extend(more(on_device.len()));
    }
    if !host_only.is_empty() {
        if !lines.is_empty() {
            lines.push(Line::new());
        }
        let about = format!("{} captures show the host alone", host_only.len());
        lines.push(section("without device work", about));
        let shown = host_only.iter().take(MOST_ROWS).map(|&row| &report.captures[row]);
        lines.extend(host_table(shown).lines(width, 2));
        lines.extend(more(host_only.len()));
    }
    lines.push(Line::new());
    let other = on_device.iter().chain(&host_only).find(|&&row| row != busiest);
    if let Some(&other) = other {
        let command = format!("flamelane {}", view(other).file());
        lines.extend(listed(
            &view(busiest),
            &[(command, "one capture alone; below is the busiest")],
        ));
    }
    lines
}

fn about(report: &Report, rows: &[usize]) -> String {
    let world = rows.iter().filter_map(|&row| report.captures[row].world_size).max();
    match world {
        Some(n_ranks) if n_ranks > 1 => format!("{} of a job of {n_ranks} ranks", rows.len()),
        _ => format!("{} with device work", rows.len()),
    }
}

fn more(n_rows: usize) -> Option<Line> {
    let left = n_rows.checked_sub(MOST_ROWS).filter(|&left| left > 0)?;
    Some(Line::of(Ink::Faint, format!("  and {left} more")))
}

fn table<'a>(captures: impl Iterator<Item = &'a Capture>) -> Grid {
    let mut grid = Grid::new([
        Column::number("rank"),
        Column::name("capture"),
        Column::number("steps").goes(3),
        Column::number("step p50"),
        Column::number("compute"),
        Column::number("comm"),
        Column::number("copy"),
        Column::number("idle"),
        Column::word("verdict").goes(2),
    ]);
    for capture in captures {
        grid.row(row(capture));
    }
    grid
}

fn row(capture: &Capture) -> Vec<Cell> {
    let part = &capture.partition;
    let whole = part.compute_ns + part.comm_exposed_ns + part.copy_exposed_ns + part.idle_ns;
    let has_steps = capture.steps.count > 0;
    let verdict = match capture.verdict.kind.as_str() {
        "untrustworthy" => Cell::new("untrustworthy").ink(Ink::Bad),
        "unknown" => Cell::new("waiting").ink(Ink::Faint),
        kind => Cell::new(kind),
    };
    vec![
        Cell::new(capture.rank.map_or_else(String::new, |rank| rank.to_string())),
        Cell::new(capture.file.as_str()),
        Cell::new(if has_steps { capture.steps.count.to_string() } else { "none".to_owned() }),
        Cell::new(if has_steps {
            human(capture.steps.wall_ns.p50, 0, &Unit::Ns)
        } else {
            String::new()
        }),
        Cell::new(share(part.compute_ns, whole)).ink(Ink::Strong),
        Cell::new(share(part.comm_exposed_ns, whole)),
        Cell::new(share(part.copy_exposed_ns, whole)),
        Cell::new(share(part.idle_ns, whole)),
        verdict,
    ]
}

fn host_table<'a>(captures: impl Iterator<Item = &'a Capture>) -> Grid {
    let mut grid = Grid::new([
        Column::number("rank"),
        Column::name("capture"),
        Column::number("span"),
        Column::number("host spans"),
        Column::number("threads").goes(1),
    ]);
    let count = |n: u64| Cell::new(grouped(i64::try_from(n).unwrap_or(i64::MAX)));
    for capture in captures {
        grid.row([
            Cell::new(capture.rank.map_or_else(String::new, |rank| rank.to_string())),
            Cell::new(capture.file.as_str()),
            Cell::new(human(capture.totals.span_ns, 0, &Unit::Ns)),
            count(capture.totals.host_spans),
            count(capture.totals.threads),
        ]);
    }
    grid
}
