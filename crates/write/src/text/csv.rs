//! Comma-separated values as RFC 4180 has them, lines ending in a newline alone.

use std::io;

/// Writes one row.
pub(crate) fn csv_row(fields: &[&str], out: &mut dyn io::Write) -> io::Result<()> {
    for (at, field) in fields.iter().enumerate() {
        if at > 0 {
            out.write_all(b",")?;
        }
        if field.contains([',', '"', '\n', '\r']) {
            write!(out, "\"{}\"", field.replace('"', "\"\""))?;
        } else {
            out.write_all(field.as_bytes())?;
        }
    }
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_hold_commas_or_quotes_are_quoted() {
        let mut out = Vec::new();
        csv_row(&["f<4, 2>", "say \"x\"", "", "plain"], &mut out).unwrap();
        assert_eq!(out, b"\"f<4, 2>\",\"say \"\"x\"\"\",,plain\n");
    }
}
