//! `flamelane steps`: one row a step, for people, programs and spreadsheets.

use std::io;

use flamelane_model::{Ns, Unit};
use flamelane_report::{Capture, LeftOut, Step, Steps};
use serde::Serialize;

use crate::json::write_document;
use crate::terminal::Screen;
use crate::text::{Cell, Column, Grid, Ink, Line, Scale, csv_row, write_lines};
use crate::units::{grouped, human};

/// Most cells of a step's bar.
const MOST_BAR: usize = 30;

/// Writes aligned columns that fit the screen, a bar of busy and idle time a step, and a summary.
pub fn write_steps(capture: &Capture, screen: &Screen, out: &mut dyn io::Write) -> io::Result<()> {
    let steps = &capture.steps;
    let mut lines = vec![title(capture)];
    if steps.list.is_empty() {
        lines.push(Line::of(Ink::Plain, "no steps found: nothing in the capture repeats as one"));
        let hint = "mark steps with `prof.step()` or `record_function(\"step\")`";
        lines.push(Line::of(Ink::Faint, format!("fix: {hint}")));
        return write_lines(&lines, screen.color, out);
    }
    lines.extend(grid(steps, screen.columns()).lines(screen.columns(), 0));
    lines.push(Line::new());
    lines.extend(summary(capture).into_iter().flat_map(|line| line.wrapped(screen.columns(), 2)));
    write_lines(&lines, screen.color, out)
}

fn title(capture: &Capture) -> Line {
    let steps = &capture.steps;
    let marker = steps.marker.as_ref().map(|marker| format!(" · marked by `{marker}`"));
    let line = Line::of(Ink::Strong, capture.file.as_str());
    line.with(Ink::Faint, marker.unwrap_or_default())
}

fn grid(steps: &Steps, width: usize) -> Grid {
    let mut grid = Grid::new([
        Column::number("#"),
        Column::name("step"),
        Column::word("phase").goes(4),
        Column::number("batch").goes(3),
        Column::number("wall"),
        Column::number("busy"),
        Column::number("idle"),
        Column::number("launches").goes(6),
        Column::number("kernels").goes(5),
        Column::word("█ busy ░ idle").goes(2),
        Column::word("").goes(1),
    ]);
    let scale = Scale::of(steps.list.iter().map(|step| step.wall_ns));
    let longest = steps.list.iter().map(|step| step.wall_ns).max().unwrap_or(0);
    let room = (width / 5).min(MOST_BAR);
    for (number, step) in steps.list.iter().enumerate() {
        grid.row(row(number, step, scale, &bar(step, longest, room)));
    }
    grid
}

fn row(number: usize, step: &Step, scale: Scale, bar: &str) -> Vec<Cell> {
    let count = |n: u64| Cell::new(grouped(i64::try_from(n).unwrap_or(i64::MAX)));
    let time = |ns: Ns| Cell::new(scale.show(ns));
    let cells = vec![
        Cell::new(number.to_string()),
        Cell::new(step.name.as_str()),
        Cell::new(step.phase.as_deref().unwrap_or_default()),
        Cell::new(step.batch.map_or_else(String::new, |batch| batch.to_string())),
        time(step.wall_ns).ink(Ink::Strong),
        time(step.busy_ns),
        time(step.idle_ns),
        count(step.launch_calls),
        count(step.kernels),
        Cell::new(bar),
        Cell::new(if step.kept { "" } else { "left out" }),
    ];
    if step.kept {
        return cells;
    }
    cells.into_iter().map(|cell| cell.ink(Ink::Faint)).collect()
}

/// Busy and idle time of a step, `room` cells for the longest one.
fn bar(step: &Step, longest: Ns, room: usize) -> String {
    let at = |ns: Ns| (ns as f64 / longest.max(1) as f64 * room as f64).round() as usize;
    let (busy, all) = (at(step.busy_ns), at(step.busy_ns.saturating_add(step.idle_ns)));
    "█".repeat(busy) + &"░".repeat(all.saturating_sub(busy))
}

fn summary(capture: &Capture) -> Vec<Line> {
    let (steps, spread) = (&capture.steps, capture.steps.wall_ns);
    let time = |ns: Ns| human(ns, 0, &Unit::Ns);
    let n_all = steps.list.len() as u64 + steps.not_listed;
    let kept = match (steps.count, n_all) {
        (1, 1) => "the only step: ".to_owned(),
        (n_kept, n_all) => format!("{n_kept} of {n_all} steps kept: "),
    };
    if spread.max == 0 {
        let mut markers: Vec<Ns> = steps.list.iter().map(|step| step.marker_ns).collect();
        markers.sort_unstable();
        let median = markers.get(markers.len().saturating_sub(1) / 2).copied().unwrap_or(0);
        let why = format!("no device work belongs to one; their markers take {} p50", time(median));
        return vec![Line::of(Ink::Plain, kept).with(Ink::Strong, why)];
    }
    let figures = format!(
        "wall {} p50, {} mean, {} min, {} max",
        time(spread.p50),
        time(spread.mean),
        time(spread.min),
        time(spread.max)
    );
    let mut lines = vec![Line::of(Ink::Plain, kept).with(Ink::Strong, figures)];
    for pattern in &steps.patterns {
        lines.push(Line::of(Ink::Plain, pattern.sentence.as_str()));
    }
    for out in &capture.window.left_out {
        lines.push(Line::of(Ink::Faint, format!("left out: {} ({})", out.what, out.why)));
    }
    lines
}

/// The document `flamelane.steps/1`.
#[derive(Serialize)]
struct Document<'c> {
    /// Always `flamelane.steps/1`.
    schema: &'static str,
    /// The file's name without its folder.
    file: &'c str,
    /// The steps, as in the report.
    steps: &'c Steps,
    /// What was left out of the window, as in the report.
    left_out: &'c [LeftOut],
}

/// Writes the document `flamelane.steps/1`.
pub fn write_steps_json(capture: &Capture, out: &mut dyn io::Write) -> io::Result<()> {
    let document = Document {
        schema: "flamelane.steps/1",
        file: &capture.file,
        steps: &capture.steps,
        left_out: &capture.window.left_out,
    };
    write_document(&document, out)
}

/// Writes comma-separated values, one row a step.
pub fn write_steps_csv(capture: &Capture, out: &mut dyn io::Write) -> io::Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 14, out);
    let heads = [
        "step",
        "name",
        "phase",
        "batch",
        "kept",
        "from_ns",
        "marker_ns",
        "wall_ns",
        "busy_ns",
        "idle_ns",
        "launch_calls",
        "kernels",
        "gpu_ns",
    ];
    csv_row(&heads, &mut out)?;
    for (number, step) in capture.steps.list.iter().enumerate() {
        let fields = [
            number.to_string(),
            step.name.clone(),
            step.phase.clone().unwrap_or_default(),
            step.batch.map_or_else(String::new, |batch| batch.to_string()),
            step.kept.to_string(),
            step.from_ns.to_string(),
            step.marker_ns.to_string(),
            step.wall_ns.to_string(),
            step.busy_ns.to_string(),
            step.idle_ns.to_string(),
            step.launch_calls.to_string(),
            step.kernels.to_string(),
            step.gpu_ns.to_string(),
        ];
        csv_row(&fields.each_ref().map(String::as_str), &mut out)?;
    }
    io::Write::flush(&mut out)
}
