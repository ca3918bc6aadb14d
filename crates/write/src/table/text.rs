//! The table for people and for spreadsheets.

use std::io;

use flamelane_model::{FrameKind, Ns, Unit};

use super::{Table, TableRow};
use crate::terminal::Screen;
use crate::text::{
    Cell, Column, Grid, Ink, Line, Scale, csv_row, share, three_digits, write_lines,
};
use crate::units::{decimal, grouped, human, human_f64};

/// Writes aligned columns that fit the screen; callers stand below the row they split.
pub fn write_table(table: &Table, screen: &Screen, out: &mut dyn io::Write) -> io::Result<()> {
    let mut lines = vec![title(table)];
    if table.rows.is_empty() {
        lines.push(Line::of(Ink::Plain, format!("no {} holds any {}", table.by, table.weight)));
        return write_lines(&lines, screen.color, out);
    }
    lines.extend(grid(table).lines(screen.columns(), 0));
    let shown = table.rows.len() as u64;
    if shown < table.n_rows {
        let said = format!("{shown} of {} rows; `-n {}` shows all", table.n_rows, table.n_rows);
        lines.push(Line::of(Ink::Faint, said));
    }
    write_lines(&lines, screen.color, out)
}

fn title(table: &Table) -> Line {
    let total = value(table, table.total);
    let about = format!(" · {} by {} · {total} in all", table.weight, table.by);
    Line::of(Ink::Strong, table.file.as_str()).with(Ink::Faint, about)
}

fn unit(table: &Table) -> Unit {
    match table.unit.as_str() {
        "ns" => Unit::Ns,
        "bytes" => Unit::Bytes,
        "count" => Unit::Count,
        "samples" => Unit::Samples,
        other => Unit::Other(other.to_owned()),
    }
}

fn value(table: &Table, value: i64) -> String {
    human(value, table.decimals, &unit(table))
}

fn grid(table: &Table) -> Grid {
    let mut grid = Grid::new([
        Column::number("share"),
        Column::number("total"),
        Column::number("self"),
        Column::number("calls").goes(2),
        Column::number("mean").goes(3),
        Column::number("p50").goes(5),
        Column::number("p99").goes(6),
        Column::number("max").goes(7),
        Column::name("name"),
        Column::name("op").goes(1),
        Column::name("user frame").goes(4),
    ]);
    let shown = Shown::new(table);
    for row in &table.rows {
        grid.row(shown.row(row));
        if row.callers.len() > 1 {
            for caller in &row.callers {
                grid.row(shown.caller(caller));
            }
        }
    }
    grid
}

/// How the figures of one table are shown.
struct Shown<'t> {
    table: &'t Table,
    unit: Unit,
    /// One unit for all totals, where they are times.
    scale: Option<Scale>,
    /// Whether a row holds more than itself.
    has_self: bool,
}

impl<'t> Shown<'t> {
    fn new(table: &'t Table) -> Self {
        let unit = unit(table);
        let is_time = unit == Unit::Ns && table.decimals == 0;
        let totals = || table.rows.iter().map(|row| row.total);
        let scale = is_time.then(|| Scale::of(totals()));
        let has_self = table.rows.iter().any(|row| row.self_value != row.total);
        Self { table, unit, scale, has_self }
    }

    fn total(&self, value: i64) -> String {
        let human = || human(value, self.table.decimals, &self.unit);
        self.scale.map_or_else(human, |scale| scale.show(value))
    }

    fn mean(&self, total: i64, calls: i64) -> Cell {
        let is_measure = !matches!(self.unit, Unit::Count | Unit::Samples);
        if calls <= 0 || !is_measure {
            return Cell::default();
        }
        if self.scale.is_some() {
            return Cell::new(three_digits(total / calls));
        }
        let total = total as f64 / 10_f64.powi(i32::from(self.table.decimals));
        Cell::new(human_f64(total / calls as f64, &self.unit))
    }

    fn row(&self, row: &TableRow) -> Vec<Cell> {
        let duration = |of: fn(super::Durations) -> Ns| {
            Cell::new(row.durations.map_or_else(String::new, |d| three_digits(of(d))))
        };
        let n_callers = Cell::new(format!("{} callers", row.n_callers)).ink(Ink::Faint);
        let (op, user_frame) = match row.callers.as_slice() {
            [only] if row.n_callers == 1 => (op(&only.op), user(&only.user_frame)),
            // Operators have no operator above: what splits them is the user's frame.
            _ if row.n_callers > 1 && self.by_op() => (Cell::default(), n_callers),
            _ if row.n_callers > 1 => (n_callers, Cell::default()),
            _ => (Cell::default(), user(row.user_frame.as_deref().unwrap_or_default())),
        };
        let kind = FrameKind::parse(&row.kind).unwrap_or(FrameKind::Native);
        vec![
            Cell::new(share(row.total, self.table.total)).ink(Ink::Strong),
            Cell::new(self.total(row.total)),
            Cell::new(if self.has_self { self.total(row.self_value) } else { String::new() }),
            calls(row.calls),
            self.mean(row.total, row.calls),
            duration(|d| d.p50),
            duration(|d| d.p99),
            duration(|d| d.max),
            Cell::frame(&row.name, kind),
            op,
            user_frame,
        ]
    }

    fn by_op(&self) -> bool {
        self.table.by == "op"
    }

    fn caller(&self, caller: &super::TableCaller) -> Vec<Cell> {
        let user_frame = user(&caller.user_frame);
        let said = |cell: Cell, none: &str| if cell.is_empty() { Cell::new(none) } else { cell };
        let cells = vec![
            Cell::new(share(caller.total, self.table.total)),
            Cell::new(self.total(caller.total)),
            Cell::default(),
            calls(caller.calls),
            self.mean(caller.total, caller.calls),
            Cell::default(),
            Cell::default(),
            Cell::default(),
            Cell::new("  by"),
            if self.by_op() { Cell::default() } else { said(op(&caller.op), "no op") },
            if self.by_op() { said(user_frame, "no user frame") } else { user_frame },
        ];
        cells.into_iter().map(|cell| cell.ink(Ink::Faint)).collect()
    }
}

fn calls(calls: i64) -> Cell {
    Cell::new(if calls == 0 { String::new() } else { grouped(calls) })
}

fn op(name: &str) -> Cell {
    Cell::frame(name, FrameKind::Op)
}

fn user(name: &str) -> Cell {
    Cell::frame(name, FrameKind::Python)
}

/// Writes comma-separated values: one row a name, then one row each of its callers; the first column
/// tells them apart.
pub fn write_table_csv(table: &Table, out: &mut dyn io::Write) -> io::Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 14, out);
    let heads = [
        "row",
        "name",
        "kind",
        "op",
        "user_frame",
        "self",
        "total",
        "share",
        "calls",
        "p50_ns",
        "p99_ns",
        "max_ns",
        "unit",
    ];
    csv_row(&heads, &mut out)?;
    let figure = |value: i64| decimal(value, table.decimals);
    let part = |value: i64| {
        let whole = if table.total == 0 { 1 } else { table.total };
        format!("{:.6}", value as f64 / whole as f64)
    };
    for row in &table.rows {
        let spread = row.durations.map(|d| [d.p50, d.p99, d.max].map(|ns| ns.to_string()));
        let [p50, p99, max] = spread.unwrap_or_default();
        let user = row.user_frame.as_deref().unwrap_or_default();
        let (own, total, calls) =
            (figure(row.self_value), figure(row.total), row.calls.to_string());
        let share = part(row.total);
        let fields = ["name", &row.name, &row.kind, "", user, &own, &total, &share, &calls];
        csv_row(&[&fields[..], &[&p50, &p99, &max, &table.unit]].concat(), &mut out)?;
        for caller in &row.callers {
            let (total, calls) = (figure(caller.total), caller.calls.to_string());
            let (share, user) = (part(caller.total), caller.user_frame.as_str());
            let fields =
                ["caller", &row.name, &row.kind, &caller.op, user, "", &total, &share, &calls];
            csv_row(&[&fields[..], &["", "", "", &table.unit]].concat(), &mut out)?;
        }
    }
    io::Write::flush(&mut out)
}
