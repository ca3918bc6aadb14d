//! What every target asks of a reader: no panic, and the same answer however the bytes arrive.

use std::io::{self, Read};

use flamelane_read::{Limits, open, readers};

/// Reads `data` with the reader of that name, or with whichever knows it, whole and in small pieces.
pub fn check(format: Option<&str>, data: &[u8]) {
    if let Some(name) = format {
        assert!(readers().iter().any(|reader| reader.name == name), "no reader is called `{name}`");
    }
    let limits = Limits { max_unpacked: 16 << 20, max_event: 1 << 20, max_lanes: 64 };
    let whole = open(&mut &data[..], &limits, format);
    let pieces = open(&mut Pieces { data, n: 0 }, &limits, format);
    assert_eq!(format!("{whole:?}"), format!("{pieces:?}"), "the pieces changed the answer");
}

/// Hands out 1 to 7 bytes at a time.
struct Pieces<'a> {
    data: &'a [u8],
    n: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.n = self.n % 7 + 1;
        let n = self.n.min(out.len()).min(self.data.len());
        let (piece, rest) = self.data.split_at(n);
        out[..n].copy_from_slice(piece);
        self.data = rest;
        Ok(n)
    }
}
