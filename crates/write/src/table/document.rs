//! The document `flamelane.top/1`.

use std::io;

use serde::Serialize;

use super::{Table, TableCaller, TableRow};
use crate::json::write_document;

/// Writes the document `flamelane.top/1`.
pub fn write_table_json(table: &Table, out: &mut dyn io::Write) -> io::Result<()> {
    let rows = table.rows.iter().map(|row| Row::new(row, table.total)).collect();
    let document = Document {
        schema: "flamelane.top/1",
        file: &table.file,
        by: &table.by,
        weight: &table.weight,
        unit: &table.unit,
        decimals: table.decimals,
        total: table.total,
        n_rows: table.n_rows,
        rows,
    };
    write_document(&document, out)
}

/// The document.
#[derive(Serialize)]
struct Document<'t> {
    /// Always `flamelane.top/1`.
    schema: &'static str,
    /// The file's name without its folder.
    file: &'t str,
    /// What a row stands for: `kernel`, `op`, `python`, `user`, `module`, `annotation`, `family`, `frame`.
    by: &'t str,
    /// The weight's name.
    weight: &'t str,
    /// The word for its unit: `ns`, `bytes`, `count`, `samples`, or the file's own.
    unit: &'t str,
    /// Values of the weight are `value / 10^decimals` units.
    decimals: u8,
    /// The weight's sum over all stacks, in the weight's unit.
    total: i64,
    /// Number of rows before the table was cut.
    n_rows: u64,
    /// The rows, largest total first.
    rows: Vec<Row<'t>>,
}

/// One name and what it costs.
#[derive(Serialize)]
struct Row<'t> {
    /// The name.
    name: &'t str,
    /// Kind of its frames: `kernel`, `op`, `python`, …
    kind: &'t str,
    /// Innermost frame of the user's own code above it, of the largest caller.
    user_frame: Option<&'t str>,
    /// Weight for which this is the innermost row, in the weight's unit.
    #[serde(rename = "self")]
    self_value: i64,
    /// Weight below it, each stack counted once, in the weight's unit.
    total: i64,
    /// `total` as a share of the whole, 0 to 1.
    share: f64,
    /// How often: device spans below it for device weights, else entries.
    calls: i64,
    /// `total / calls`, in the weight's unit; null without calls.
    mean: Option<f64>,
    /// Median duration of its spans in ns; null where it stands for no spans.
    p50: Option<i64>,
    /// 99th percentile of the durations in ns; null likewise.
    p99: Option<i64>,
    /// Largest of the durations in ns; null likewise.
    max: Option<i64>,
    /// Number of callers before the list was cut.
    n_callers: u64,
    /// The paths that lead to it, largest first.
    callers: Vec<Caller<'t>>,
}

/// A path to a row.
#[derive(Serialize)]
struct Caller<'t> {
    /// Innermost operator above; null where there is none.
    op: Option<&'t str>,
    /// Innermost frame of the user's own code; null where there is none.
    user_frame: Option<&'t str>,
    /// Weight by this path, in the weight's unit.
    total: i64,
    /// `total` as a share of the whole, 0 to 1.
    share: f64,
    /// How often.
    calls: i64,
}

impl<'t> Row<'t> {
    fn new(row: &'t TableRow, whole: i64) -> Self {
        Self {
            name: &row.name,
            kind: &row.kind,
            user_frame: row.user_frame.as_deref(),
            self_value: row.self_value,
            total: row.total,
            share: share(row.total, whole),
            calls: row.calls,
            mean: (row.calls > 0).then(|| row.total as f64 / row.calls as f64),
            p50: row.durations.map(|durations| durations.p50),
            p99: row.durations.map(|durations| durations.p99),
            max: row.durations.map(|durations| durations.max),
            n_callers: row.n_callers,
            callers: row.callers.iter().map(|caller| Caller::new(caller, whole)).collect(),
        }
    }
}

impl<'t> Caller<'t> {
    fn new(caller: &'t TableCaller, whole: i64) -> Self {
        let said = |text: &'t str| (!text.is_empty()).then_some(text);
        Self {
            op: said(&caller.op),
            user_frame: said(&caller.user_frame),
            total: caller.total,
            share: share(caller.total, whole),
            calls: caller.calls,
        }
    }
}

fn share(part: i64, whole: i64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
