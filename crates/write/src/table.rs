//! `flamelane top`: what costs most, split by caller, for people, programs and spreadsheets.

mod document;
mod text;

pub use document::write_table_json;
pub use text::{write_table, write_table_csv};

/// Rows of one weight, largest first.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The file's name without its folder.
    pub file: String,
    /// What a row stands for: `kernel`, `op`, …
    pub by: String,
    /// The weight's name.
    pub weight: String,
    /// The word for its unit: `ns`, `bytes`, `count`, `samples`, or the file's own.
    pub unit: String,
    /// A value is `value / 10^decimals` units.
    pub decimals: u8,
    /// The weight's sum over all stacks.
    pub total: i64,
    /// Number of rows before the table was cut.
    pub n_rows: u64,
    /// The rows.
    pub rows: Vec<TableRow>,
}

/// One name and what it costs.
#[derive(Clone, Debug, Default)]
pub struct TableRow {
    /// The name.
    pub name: String,
    /// Kind of its frames.
    pub kind: String,
    /// Innermost frame of the user's own code above it.
    pub user_frame: Option<String>,
    /// Weight for which this is the innermost row.
    pub self_value: i64,
    /// Weight below it, each stack counted once.
    pub total: i64,
    /// How often.
    pub calls: i64,
    /// Durations of its spans, where it stands for spans.
    pub durations: Option<Durations>,
    /// Number of callers before the list was cut.
    pub n_callers: u64,
    /// The callers, largest first.
    pub callers: Vec<TableCaller>,
}

/// How long the spans of a row are, in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Durations {
    /// Median.
    pub p50: i64,
    /// 99th percentile.
    pub p99: i64,
    /// Largest.
    pub max: i64,
}

/// A path to a row.
#[derive(Clone, Debug, Default)]
pub struct TableCaller {
    /// Innermost operator above, or empty.
    pub op: String,
    /// Innermost frame of the user's own code, or empty.
    pub user_frame: String,
    /// Weight by this path.
    pub total: i64,
    /// How often.
    pub calls: i64,
}
