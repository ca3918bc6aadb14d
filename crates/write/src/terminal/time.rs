//! The window, its steps, and where their time went.

use flamelane_model::{Ns, Unit};
use flamelane_report::{Capture, Device, IdleClass, Partition};

use super::view::View;
use crate::text::{Cell, Column, Grid, Ink, Line, Scale, share, together};
use crate::units::{human, sum};

/// Most devices listed.
const MOST_DEVICES: usize = 8;
/// Most entries of what was left out.
const MOST_LEFT_OUT: usize = 3;
/// Most columns of the drawing of steps.
const MOST_BARS: usize = 40;

fn time(ns: Ns) -> String {
    human(ns, 0, &Unit::Ns)
}

/// The stretch of time that everything below speaks of.
pub(crate) fn window(view: &View<'_>) -> Vec<Line> {
    let window = &view.capture.window;
    if !view.has_device_work() && window.wall_ns == 0 {
        return Vec::new();
    }
    let line = Line::of(Ink::Strong, time(window.wall_ns));
    let mut lines = view.keyed("window", line.with(Ink::Plain, format!(", {}", window.rule)));
    let out = window.left_out.iter().take(MOST_LEFT_OUT);
    let mut out: Vec<String> = out.map(|out| format!("{} ({})", out.what, out.why)).collect();
    if window.left_out.len() > MOST_LEFT_OUT {
        out.push(format!("{} more", window.left_out.len() - MOST_LEFT_OUT));
    }
    if !out.is_empty() {
        lines.extend(view.keyed("left out", Line::of(Ink::Plain, out.join("; "))));
    }
    if view.has_device_work() {
        lines.extend(steps(view));
    }
    lines
}

fn steps(view: &View<'_>) -> Vec<Line> {
    let steps = &view.capture.steps;
    let spread = steps.wall_ns;
    let line = match steps.count {
        0 => Line::of(Ink::Plain, "none found: the figures below are totals of the window"),
        1 => Line::of(Ink::Plain, format!("one, {}", time(spread.p50))),
        _ => {
            let walls = steps.list.iter().filter(|step| step.kept).map(|step| step.wall_ns);
            let mut line = Line::of(Ink::Strong, time(spread.p50));
            let (min, max) = (time(spread.min), time(spread.max));
            line.push(Ink::Plain, format!(" p50, {min} min, {max} max  "));
            line.with(Ink::Faint, heights(&walls.collect::<Vec<_>>()))
        }
    };
    let mut lines = view.keyed("steps", line);
    lines.extend(no_step(view));
    lines
}

/// Time of the devices that belongs to no kept step; 0 where it is not worth a word.
fn outside_steps(capture: &Capture) -> Ns {
    let kept = capture.steps.list.iter().filter(|step| step.kept);
    let n_devices = Ns::try_from(capture.devices.len()).unwrap_or(1).max(1);
    let inside = sum(kept.map(|step| step.wall_ns)).saturating_mul(n_devices);
    let window = capture.window.busy_ns.saturating_add(capture.window.idle_ns);
    let outside = window.saturating_sub(inside);
    let is_known = capture.steps.count > 0 && capture.steps.not_listed == 0;
    if is_known && outside >= window / 100 { outside } else { 0 }
}

/// What of the window the figures of steps leave out.
fn no_step(view: &View<'_>) -> Vec<Line> {
    let outside = outside_steps(view.capture);
    if outside == 0 {
        return Vec::new();
    }
    let n_devices = Ns::try_from(view.capture.devices.len()).unwrap_or(1).max(1);
    let per = if n_devices > 1 { " a device" } else { "" };
    let line = Line::of(Ink::Plain, time(outside / n_devices));
    let why = format!("{per} of the window: launched before the steps or between them");
    view.keyed("no step", line.with(Ink::Plain, why))
}

/// Wall times in a row of bars; where there are more steps than columns, each shows its largest.
fn heights(walls: &[Ns]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let largest = walls.iter().copied().max().unwrap_or(0).max(1);
    let per_bar = walls.len().div_ceil(MOST_BARS).max(1);
    let tallest = walls.chunks(per_bar).map(|chunk| chunk.iter().copied().max().unwrap_or(0));
    let bar = |wall: Ns| BARS[(wall.saturating_mul(7) / largest).clamp(0, 7) as usize];
    tallest.map(bar).collect()
}

/// The four parts of the window, each bar beginning where the one above ends.
pub(crate) fn partition(view: &View<'_>) -> Vec<Line> {
    let parts = parts(&view.capture.partition);
    let whole = sum(parts.iter().map(|part| part.ns));
    if whole <= 0 || !view.has_device_work() {
        return Vec::new();
    }
    let (n_steps, per) = divisor(view, whole);
    let scale = Scale::of(parts.iter().map(|part| part.ns / n_steps));
    let room = view.width.saturating_sub(38);
    // Numbers explain themselves: the title says what they are, and a line of heads is saved.
    let columns = [Column::word(""), Column::number(""), Column::number(""), Column::word("")];
    let mut grid = Grid::new(columns);
    let mut before = 0;
    for part in parts {
        let bar = bar(part.glyph, before, part.ns, whole, room);
        before = before.saturating_add(part.ns);
        if part.ns > 0 || part.ink == Ink::Idle {
            grid.row([
                Cell::new(part.name),
                Cell::new(scale.show(part.ns / n_steps)),
                Cell::new(share(part.ns, whole)).ink(Ink::Strong),
                Cell::new(bar).ink(part.ink),
            ]);
        }
    }
    let mut lines = view.section("where the time goes", format!("{per}{}", view.summed()));
    lines.extend(grid.lines(view.width, 2));
    lines.extend(beside(view, n_steps, per));
    lines
}

/// What to divide the partition by, and what that makes of it. Where the steps do not fill the
/// window (work launched before the capture, left-out steps), its parts are no figures per step.
fn divisor(view: &View<'_>, whole: Ns) -> (Ns, &'static str) {
    let steps = view.capture.steps.list.iter().filter(|step| step.kept);
    let filled = sum(steps.map(|step| step.wall_ns));
    if (whole - filled).abs() <= whole / 50 { (view.n_steps(), view.per()) } else { (1, "total") }
}

impl View<'_> {
    fn summed(&self) -> String {
        match self.capture.devices.len() {
            0 | 1 => String::new(),
            n_devices => format!(", summed over {n_devices} devices"),
        }
    }
}

struct Part {
    name: &'static str,
    ink: Ink,
    glyph: char,
    ns: Ns,
}

fn parts(partition: &Partition) -> [Part; 4] {
    let part = |name, ink, glyph, ns| Part { name, ink, glyph, ns };
    [
        part("compute", Ink::Compute, '█', partition.compute_ns),
        part("exposed comm", Ink::Comm, '▓', partition.comm_exposed_ns),
        part("exposed copy", Ink::Copy, '▒', partition.copy_exposed_ns),
        part("idle", Ink::Idle, '░', partition.idle_ns),
    ]
}

/// A bar of `room` cells for the whole, from where `before` ends; almost nothing is a thin line.
fn bar(glyph: char, before: Ns, ns: Ns, whole: Ns, room: usize) -> String {
    if ns <= 0 || room == 0 {
        return String::new();
    }
    let at = |ns: Ns| (ns as f64 / whole as f64 * room as f64).round() as usize;
    let (from, to) = (at(before), at(before.saturating_add(ns)).min(room));
    if from == to {
        return format!("{}▏", " ".repeat(from.min(room - 1)));
    }
    " ".repeat(from) + &String::from(glyph).repeat(to - from)
}

/// What stands beside the sum: kinds of idle time, hidden work, sum against union.
fn beside(view: &View<'_>, n_steps: Ns, per: &str) -> Vec<Line> {
    let (window, partition) = (&view.capture.window, &view.capture.partition);
    let mut lines = Vec::new();
    let classes = view.capture.idle_classes.iter().take(4);
    let class = |row: &IdleClass| format!("{} {}", row.class, share(row.ns, window.idle_ns));
    let classes = classes.map(|row| together(&class(row)));
    let classes: Vec<String> = classes.collect();
    if !classes.is_empty() {
        lines.extend(view.keyed("  of idle", Line::of(Ink::Plain, classes.join(", "))));
    }
    let hidden =
        [(partition.comm_hidden_ns, "communication"), (partition.copy_hidden_ns, "copies")];
    let hidden = hidden.iter().filter(|(ns, _)| *ns > 0);
    let hidden = hidden.map(|(ns, name)| format!("{} of {name}", time(ns / n_steps)));
    let hidden: Vec<String> = hidden.collect();
    if !hidden.is_empty() {
        let per = if n_steps > 1 { format!(" {per}") } else { String::new() };
        let said = format!("{}{per} behind other work", hidden.join(" and "));
        lines.extend(view.keyed("  hidden", Line::of(Ink::Plain, said)));
    }
    let (sum, busy, idle) = (time(window.sum_ns), time(window.busy_ns), time(window.idle_ns));
    let n_devices = view.capture.devices.len();
    let times = if n_devices > 1 { format!("{n_devices} × ") } else { String::new() };
    let wall = time(window.wall_ns);
    let gaps = if window.idle_ns == 0 { "no gaps".to_owned() } else { format!("{idle} are gaps") };
    let said =
        format!("{sum} of device work in {busy} of busy time in a window of {times}{wall}: {gaps}");
    lines.extend(view.keyed("  in all", Line::of(Ink::Plain, said)));
    lines
}

/// One row a device, where there are several.
pub(crate) fn devices(view: &View<'_>) -> Vec<Line> {
    let devices = &view.capture.devices;
    if devices.len() < 2 {
        return Vec::new();
    }
    let mut grid = Grid::new([
        Column::number("device"),
        Column::number("busy"),
        Column::number("compute"),
        Column::number("comm"),
        Column::number("copy"),
        Column::number("idle"),
        Column::number("streams").goes(1),
        Column::name("").goes(2),
    ]);
    for device in devices.iter().take(MOST_DEVICES) {
        grid.row(device_row(device));
    }
    let mut lines = view.section("devices", "share of the window");
    lines.extend(grid.lines(view.width, 2));
    if devices.len() > MOST_DEVICES {
        let more = format!("  and {} more", devices.len() - MOST_DEVICES);
        lines.push(Line::of(Ink::Faint, more));
    }
    lines
}

fn device_row(device: &Device) -> Vec<Cell> {
    let part = |ns: Ns| Cell::new(share(ns, device.wall_ns));
    let outside = if device.in_verdict { "" } else { ", outside the verdict" };
    vec![
        Cell::new(device.device.to_string()),
        part(device.busy_ns).ink(Ink::Strong),
        part(device.partition.compute_ns),
        part(device.partition.comm_exposed_ns),
        part(device.partition.copy_exposed_ns),
        part(device.idle_ns),
        Cell::new(device.streams.to_string()),
        Cell::new(format!("{}{outside}", device.name)).ink(Ink::Faint),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_begin_where_the_one_above_ends() {
        assert_eq!(bar('█', 0, 50, 100, 10), "█████");
        assert_eq!(bar('░', 50, 50, 100, 10), "     ░░░░░");
        assert_eq!(bar('▒', 50, 1, 100, 10), "     ▏");
        assert_eq!(bar('▒', 100, 1, 100, 10), "         ▏");
        assert_eq!(bar('▒', 0, 0, 100, 10), "");
    }

    #[test]
    fn steps_are_drawn_by_their_height() {
        assert_eq!(heights(&[0, 50, 100]), "▁▄█");
        assert_eq!(heights(&(0..100).collect::<Vec<_>>()).chars().count(), 34);
        assert_eq!(heights(&[]), "");
    }
}
