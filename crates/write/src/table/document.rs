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

#[derive(Serialize)]
struct Document<'t> {
    schema: &'static str,
    file: &'t str,
    by: &'t str,
    weight: &'t str,
    unit: &'t str,
    decimals: u8,
    total: i64,
    n_rows: u64,
    rows: Vec<Row<'t>>,
}

#[derive(Serialize)]
struct Row<'t> {
    name: &'t str,
    kind: &'t str,
    user_frame: Option<&'t str>,
    #[serde(rename = "self")]
    self_value: i64,
    total: i64,
    share: f64,
    calls: i64,
    mean: Option<f64>,
    p50: Option<i64>,
    p99: Option<i64>,
    max: Option<i64>,
    n_callers: u64,
    callers: Vec<Caller<'t>>,
}

#[derive(Serialize)]
struct Caller<'t> {
    op: Option<&'t str>,
    user_frame: Option<&'t str>,
    total: i64,
    share: f64,
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
