//! Who owns the idle time, and which paths launch the device's work.

use flamelane_model::{FrameKind, Ns};
use flamelane_report::{GpuPath, IdleOwner};

use super::view::View;
use crate::text::{Cell, Column, Grid, Ink, Line, Scale, share, three_digits, together};
use crate::units::{grouped, sum};

/// Rows of each table where no finding says more.
const ROWS: usize = 5;
/// Rows beside findings.
const FEW_ROWS: usize = 3;
/// Most kernel families named.
const MOST_FAMILIES: usize = 4;

fn kind(name: &str) -> FrameKind {
    FrameKind::parse(name).unwrap_or(FrameKind::Native)
}

fn rows(view: &View<'_>) -> usize {
    if view.capture.findings.is_empty() { ROWS } else { FEW_ROWS }
}

fn count(n: u64) -> Cell {
    Cell::new(grouped(i64::try_from(n).unwrap_or(i64::MAX)))
}

/// The frame of the user's own code, unless the row is that frame.
fn user_frame(user: Option<&str>, own: &str) -> Cell {
    match user {
        Some(user) if user == own => Cell::new("itself").ink(Ink::Faint),
        Some(user) => Cell::frame(user, FrameKind::Python),
        None => Cell::default(),
    }
}

/// The stacks that own most idle time.
pub(crate) fn owners(view: &View<'_>) -> Vec<Line> {
    let owners = &view.capture.idle;
    if owners.is_empty() || !view.has_device_work() {
        return Vec::new();
    }
    let whole = view.capture.window.idle_ns;
    let shown = &owners[..owners.len().min(rows(view))];
    let scale = Scale::of(shown.iter().map(|owner| owner.per_step_ns));
    let mut grid = Grid::new([
        Column::number("of idle"),
        Column::number(view.per()),
        Column::number("pieces").goes(2),
        Column::name("frame"),
        Column::name("user frame").goes(3),
        Column::word("class").goes(1),
    ]);
    for owner in shown {
        grid.row(owner_row(owner, whole, scale.show(owner.per_step_ns)));
    }
    let mut lines = view.section("why the device was idle", largest(shown, owners, whole));
    lines.extend(grid.lines(view.width, 2));
    lines
}

fn owner_row(owner: &IdleOwner, whole: Ns, time: String) -> Vec<Cell> {
    let is_bucket = owner.kind == FrameKind::Synthetic.name();
    let class = if is_bucket { "" } else { owner.class.as_str() };
    vec![
        Cell::new(share(owner.ns, whole)).ink(Ink::Strong),
        Cell::new(time),
        count(owner.count),
        Cell::frame(&owner.frame, kind(&owner.kind)),
        user_frame(owner.user_frame.as_deref(), &owner.frame),
        Cell::new(class).ink(Ink::Faint),
    ]
}

/// How much of the whole the shown rows are.
fn largest(shown: &[IdleOwner], all: &[IdleOwner], whole: Ns) -> String {
    if shown.len() == all.len() {
        return String::new();
    }
    let n_stacks = |rows: &[IdleOwner]| {
        let n_stacks: u64 = rows.iter().map(|row| row.stacks).sum();
        grouped(i64::try_from(n_stacks).unwrap_or(i64::MAX))
    };
    let part = sum(shown.iter().map(|owner| owner.ns));
    format!("{} of {} stacks, {} of it", n_stacks(shown), n_stacks(all), share(part, whole))
}

/// The paths that launch most device time, and the families of their kernels.
pub(crate) fn paths(view: &View<'_>) -> Vec<Line> {
    let paths = &view.capture.gpu_paths;
    if paths.is_empty() {
        return Vec::new();
    }
    let shown = &paths[..paths.len().min(rows(view))];
    let whole = view.capture.window.sum_ns;
    let per_step = Scale::of(shown.iter().map(|path| path.per_step_ns));
    let mut grid = Grid::new([
        Column::number("of work"),
        Column::number(view.per()),
        Column::number("count").goes(4),
        Column::number("mean").goes(1),
        Column::name("kernel"),
        Column::name("op").goes(2),
        Column::name("module").goes(5),
        Column::name("user frame").goes(3),
    ]);
    for path in shown {
        grid.row(path_row(path, whole, per_step));
    }
    let mut lines = view.section("what the device worked on", "the widest stacks");
    lines.extend(grid.lines(view.width, 2));
    lines.extend(families(view));
    lines.extend(graphs(view));
    lines
}

/// The operator of a path; work without a launch in the file has a bucket in its place.
pub(crate) fn op_of(path: &GpuPath) -> &str {
    let bucket = path.stack.first().filter(|frame| frame.starts_with('['));
    path.op.as_ref().or(bucket).map_or("", String::as_str)
}

fn mean_ns(path: &GpuPath) -> Ns {
    path.ns / Ns::try_from(path.count).unwrap_or(Ns::MAX).max(1)
}

fn path_row(path: &GpuPath, whole: Ns, per_step: Scale) -> Vec<Cell> {
    vec![
        Cell::new(share(path.ns, whole)).ink(Ink::Strong),
        Cell::new(per_step.show(path.per_step_ns)),
        count(path.count),
        Cell::new(three_digits(mean_ns(path))),
        Cell::frame(&path.name, kind(&path.kind)),
        Cell::frame(op_of(path), FrameKind::Op),
        module(path),
        user_frame(path.user_frame.as_deref(), &path.name),
    ]
}

/// The innermost module above a kernel, and in how many like it.
fn module(path: &GpuPath) -> Cell {
    let name = path.stack.iter().rev().find_map(|frame| frame.strip_prefix("nn.Module: "));
    match name {
        Some(name) if path.stacks > 1 => {
            let bare = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
            Cell::new(format!("{} × {bare}", path.stacks))
        }
        Some(name) => Cell::new(name),
        None => Cell::default(),
    }
}

fn families(view: &View<'_>) -> Vec<Line> {
    let families = &view.capture.families;
    let whole = sum(families.iter().map(|family| family.ns));
    let of = |name: &str, ns: Ns| together(&format!("{name} {}", share(ns, whole)));
    let named = families.iter().take(MOST_FAMILIES);
    let mut words: Vec<String> = named.map(|family| of(&family.name, family.ns)).collect();
    if families.len() > MOST_FAMILIES {
        let rest = sum(families[MOST_FAMILIES..].iter().map(|family| family.ns));
        words.push(of(&format!("{} others", families.len() - MOST_FAMILIES), rest));
    }
    if words.is_empty() {
        return Vec::new();
    }
    view.keyed("  kernels", Line::of(Ink::Plain, words.join(", ")))
}

/// How many kernels of graph replays have the stacks of the code that recorded them.
fn graphs(view: &View<'_>) -> Vec<Line> {
    let check = view.capture.health.iter().find(|check| check.check == "graph-names");
    let Some(check) = check else { return Vec::new() };
    let line = Line::of(Ink::Plain, &check.message);
    let line = if check.value > 0.0 {
        line
    } else {
        line.with(Ink::Faint, "; `--graph-names FILE` takes a capture or an eager run of the model")
    };
    view.keyed("  graphs", line)
}
