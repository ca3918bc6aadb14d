//! Blocks: varint columns, deflated; in base64 where they stand in a page.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, write::DeflateEncoder};

/// How hard to press.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effort {
    /// For trees, which shrink by it.
    Best,
    /// For spans, which are many and hardly do.
    Fast,
}

/// Joins columns, each behind its length in bytes, and packs them.
pub(super) fn block(columns: &[Vec<u8>], effort: Effort) -> Vec<u8> {
    let level = match effort {
        Effort::Best => 6,
        Effort::Fast => 1,
    };
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(level));
    for column in columns {
        let length = (column.len() as u32).to_le_bytes();
        // Writing into memory cannot fail.
        let _ = encoder.write_all(&length).and_then(|()| encoder.write_all(column));
    }
    encoder.finish().unwrap_or_default()
}

/// A block as text, a third larger.
pub(super) fn text(block: &[u8]) -> String {
    STANDARD.encode(block)
}

/// One number after the other.
pub(super) fn varints(values: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.len());
    for value in values {
        varint(&mut bytes, u64::from(*value));
    }
    bytes
}

/// Seven bits a byte, the low ones first.
pub(super) fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Small numbers of either sign become small numbers.
pub(super) fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}
