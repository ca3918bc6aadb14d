//! Several captures side by side: the ranks of a job, and the processes beside them.

use flamelane_report::{Capture, Report};

use super::answers::listed;
use super::view::View;
use crate::text::{Cell, Column, Grid, Ink, Line, share, three_digits};
use crate::units::{grouped, sum};

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
        lines.extend(view(busiest).section("captures", about(report, &on_device)));
        let shown = on_device.iter().take(MOST_ROWS).map(|&row| &report.captures[row]);
        lines.extend(table(shown).lines(width, 2));
        lines.extend(more(on_device.len()));
    }
    if !host_only.is_empty() {
        if !lines.is_empty() {
            lines.push(Line::new());
        }
        lines.extend(view(busiest).section("without device work", "the host alone"));
        let shown = host_only.iter().take(MOST_ROWS).map(|&row| &report.captures[row]);
        lines.extend(host_table(shown).lines(width, 2));
        lines.extend(more(host_only.len()));
    }
    lines.push(Line::new());
    let other = on_device.iter().chain(&host_only).find(|&&row| row != busiest);
    if let Some(&other) = other {
        lines.push(Line::of(Ink::Faint, "the busiest follows; to see another one:"));
        lines.extend(listed(&view(busiest), &[(format!("flamelane {}", view(other).file()), "")]));
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
        Column::number("steps").goes(5),
        Column::number("step p50").goes(1),
        Column::number("compute"),
        Column::number("comm").goes(2),
        Column::number("copy").goes(4),
        Column::number("idle"),
        Column::word("verdict").goes(3),
    ]);
    let captures: Vec<&Capture> = captures.collect();
    for (capture, name) in captures.iter().zip(names(&captures)) {
        grid.row(row(capture, name));
    }
    grid
}

/// The captures' names, with what all of them share left out where room lacks.
fn names(captures: &[&Capture]) -> Vec<Cell> {
    let files: Vec<&str> = captures.iter().map(|capture| capture.file.as_str()).collect();
    let shared = |ends: &dyn Fn(&str, &str) -> usize| {
        let lengths = files.iter().map(|file| ends(files[0], file));
        lengths.min().unwrap_or(0)
    };
    let head = shared(&|a, b| {
        let same = a.char_indices().zip(b.chars()).take_while(|((_, a), b)| a == b);
        let same = same.map(|((at, c), _)| at + c.len_utf8()).last().unwrap_or(0);
        // Words stay whole: `rank0` and `rank1` share no `rank`.
        a[..same].rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| at + 1)
    });
    let tail = shared(&|a, b| {
        let same = a.char_indices().rev().zip(b.chars().rev()).take_while(|((_, a), b)| a == b);
        let from = same.map(|((at, _), _)| at).last().unwrap_or(a.len());
        a[from..].find(|c: char| !c.is_alphanumeric()).map_or(0, |at| a.len() - from - at)
    });
    let name = |file: &&str| {
        let middle = file.get(head..file.len().saturating_sub(tail)).unwrap_or_default();
        let cell = Cell::new(*file);
        if middle.is_empty() { cell } else { cell.or(format!("…{middle}…")) }
    };
    files.iter().map(name).collect()
}

fn row(capture: &Capture, name: Cell) -> Vec<Cell> {
    let part = &capture.partition;
    let parts = [part.compute_ns, part.comm_exposed_ns, part.copy_exposed_ns, part.idle_ns];
    let whole = sum(parts.into_iter());
    let has_steps = capture.steps.count > 0;
    let verdict = match capture.verdict.kind.as_str() {
        "untrustworthy" => Cell::new("untrustworthy").ink(Ink::Bad),
        "unknown" => Cell::new("waiting").ink(Ink::Faint),
        kind => Cell::new(kind),
    };
    vec![
        Cell::new(capture.rank.map_or_else(String::new, |rank| rank.to_string())),
        name,
        Cell::new(if has_steps { capture.steps.count.to_string() } else { "none".to_owned() }),
        Cell::new(if has_steps { three_digits(capture.steps.wall_ns.p50) } else { String::new() }),
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
            Cell::new(three_digits(capture.totals.span_ns)),
            count(capture.totals.host_spans),
            count(capture.totals.threads),
        ]);
    }
    grid
}
