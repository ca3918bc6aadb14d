//! The inspection for people.

use std::io;

use flamelane_model::{Ns, Unit};

use super::{InspectedLane, Inspection};
use crate::terminal::Screen;
use crate::text::{Cell, Column, Grid, Ink, Line, together, write_lines};
use crate::units::{grouped, human};

/// Most lanes, annotations and event kinds printed; the document has more.
const MOST_ROWS: usize = 10;

/// Writes it for people, lines fitting the screen.
pub fn write_inspection(
    inspection: &Inspection,
    screen: &Screen,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let width = screen.columns();
    let blocks = [
        what_it_is(inspection, width),
        holds(inspection, width),
        lanes(inspection, width),
        annotations(inspection, width),
        events(inspection, width),
        list("lacks", Ink::Warn, inspection.lacks.iter().cloned(), width),
        list("skipped or repaired", Ink::Warn, notes(inspection), width),
    ];
    let blocks = blocks.into_iter().filter(|block| !block.is_empty());
    let lines = blocks.collect::<Vec<_>>().join(&Line::new());
    write_lines(&lines, screen.color, out)
}

fn time(ns: Ns) -> String {
    human(ns, 0, &Unit::Ns)
}

fn count(n: u64) -> String {
    grouped(i64::try_from(n).unwrap_or(i64::MAX))
}

/// `1 thread`, `12 threads`.
fn counted(n: u64, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(n))
}

fn what_it_is(inspection: &Inspection, width: usize) -> Vec<Line> {
    let mut title = Line::of(Ink::Strong, inspection.file.as_str());
    title.push(Ink::Faint, format!(" · {} · {}", inspection.format, inspection.content));
    let mut lines = title.wrapped(width, 2);
    let mut key = |name: &str, text: String| {
        if !text.is_empty() {
            let line = Line::of(Ink::Faint, format!("{name:<11}")).with(Ink::Plain, text);
            lines.extend(line.wrapped(width, 11));
        }
    };
    let rank = inspection.rank.map(|rank| match inspection.world_size {
        Some(n_ranks) => format!("{rank} of {n_ranks}"),
        None => rank.to_string(),
    });
    key("rank", rank.unwrap_or_default());
    let recorded = inspection.recorded_ns.map(|ns| format!(", recorded for {}", time(ns)));
    if inspection.content == "timeline" {
        key("time", time(inspection.span_ns) + &recorded.unwrap_or_default());
    }
    if inspection.whole_micros {
        key("clock", "whole µs: shorter spans are 0 or 1 µs".to_owned());
    }
    let process = |process: &super::InspectedProcess| {
        together(format!("{} {}", process.pid, process.name).trim())
    };
    key("processes", inspection.processes.iter().map(process).collect::<Vec<_>>().join(", "));
    let device = |device: &super::InspectedDevice| {
        let memory = match i64::try_from(device.memory_bytes) {
            Ok(bytes) if bytes > 0 => format!(", {}", human(bytes, 0, &Unit::Bytes)),
            _ => String::new(),
        };
        together(format!("{} {}{memory}", device.device, device.name).trim())
    };
    key("devices", inspection.devices.iter().map(device).collect::<Vec<_>>().join("; "));
    let said = inspection.properties.iter();
    let said = said.map(|(name, value)| together(&format!("{name} {value}")));
    key("says", said.collect::<Vec<_>>().join(", "));
    lines
}

fn holds(inspection: &Inspection, width: usize) -> Vec<Line> {
    let mut grid = Grid::new([Column::number(""), Column::name("")]);
    for (kind, n) in &inspection.kinds {
        grid.row([Cell::new(count(*n)), Cell::new(*kind)]);
    }
    if let Some(n) = inspection.n_stacks {
        grid.row([Cell::new(count(n)), Cell::new("stacks in all")]);
    }
    for weight in &inspection.weights {
        let unit = match weight.unit.as_str() {
            "ns" => Unit::Ns,
            "bytes" => Unit::Bytes,
            "count" => Unit::Count,
            "samples" => Unit::Samples,
            other => Unit::Other(other.to_owned()),
        };
        let total = human(weight.total, weight.decimals, &unit);
        grid.row([Cell::new(total), Cell::new(format!("weight `{}`", weight.name))]);
    }
    let what = if inspection.content == "timeline" { "spans" } else { "frames" };
    block(&format!("holds {what} of these kinds"), &grid, width)
}

fn lanes(inspection: &Inspection, width: usize) -> Vec<Line> {
    let mut grid = Grid::new([
        Column::number("spans"),
        Column::word(""),
        Column::name("name"),
        Column::word("process").goes(2),
        Column::number("device").goes(1),
    ]);
    for lane in inspection.lanes.iter().take(MOST_ROWS) {
        grid.row(lane_row(lane));
    }
    let (n_threads, n_streams) = (inspection.n_threads, inspection.n_streams);
    let title = format!("{}, {}", counted(n_threads, "thread"), counted(n_streams, "stream"));
    let mut lines = block(&title, &grid, width);
    more(&mut lines, inspection.lanes.len(), (n_threads + n_streams) as usize);
    lines
}

fn lane_row(lane: &InspectedLane) -> [Cell; 5] {
    [
        Cell::new(count(lane.spans)),
        Cell::new(lane.kind).ink(Ink::Faint),
        Cell::new(lane.name.as_str()),
        Cell::new(lane.pid.as_str()),
        Cell::new(lane.device.map_or_else(String::new, |device| device.to_string())),
    ]
}

fn annotations(inspection: &Inspection, width: usize) -> Vec<Line> {
    let rows = &inspection.annotations;
    let mut grid = Grid::new([Column::number(""), Column::name("")]);
    for row in rows.iter().take(MOST_ROWS) {
        grid.row([Cell::new(count(row.count)), Cell::new(row.name.as_str())]);
    }
    let mut lines = block("annotations, among which steps are looked for", &grid, width);
    more(&mut lines, rows.len(), rows.len());
    lines
}

fn events(inspection: &Inspection, width: usize) -> Vec<Line> {
    let mut grid = Grid::new([Column::number(""), Column::word(""), Column::name("")]);
    for row in &inspection.events {
        grid.row([
            Cell::new(count(row.count)),
            Cell::new(row.phase.as_str()).ink(Ink::Faint),
            Cell::new(if row.category.is_empty() { "no category" } else { &row.category }),
        ]);
    }
    block("events by phase and category", &grid, width)
}

fn block(title: &str, grid: &Grid, width: usize) -> Vec<Line> {
    let rows = grid.lines(width, 2);
    if grid.is_empty() {
        return Vec::new();
    }
    std::iter::once(Line::of(Ink::Strong, title)).chain(rows).collect()
}

fn more(lines: &mut Vec<Line>, n_rows: usize, n_all: usize) {
    let left = n_all.saturating_sub(MOST_ROWS.min(n_rows));
    if left > 0 {
        lines.push(Line::of(Ink::Faint, format!("  and {left} more")));
    }
}

fn list(title: &str, ink: Ink, items: impl Iterator<Item = String>, width: usize) -> Vec<Line> {
    let lines: Vec<Line> = items
        .flat_map(|item| Line::of(Ink::Plain, format!("  {item}")).wrapped(width, 4))
        .collect();
    if lines.is_empty() {
        return lines;
    }
    std::iter::once(Line::of(ink, title)).chain(lines).collect()
}

fn notes(inspection: &Inspection) -> impl Iterator<Item = String> {
    inspection.notes.iter().map(|note| {
        let first =
            if note.first.is_empty() { String::new() } else { format!(" ({})", note.first) };
        format!("{} {}{first}", count(note.count), note.message)
    })
}
