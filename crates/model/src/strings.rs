//! The interner: every name once, as UTF-8, behind a 32-bit handle.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::FxHasher;

use crate::StrId;

/// Append-only table of distinct strings; row 0 is the empty string.
///
/// Total text is capped at 4 GiB by the 32-bit offsets; past that, new strings become the empty
/// one (a reader that meets this says so).
#[derive(Clone, Debug)]
pub struct Strings {
    text: String,
    /// End of each string in `text`; string `i` starts at the end of `i - 1`.
    ends: Vec<u32>,
    /// Open addressing, power of two, `u32::MAX` is free.
    table: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl Default for Strings {
    fn default() -> Self {
        Self::new()
    }
}

impl Strings {
    /// A table holding only the empty string.
    pub fn new() -> Self {
        let mut strings = Self { text: String::new(), ends: Vec::new(), table: vec![FREE; 1024] };
        strings.intern("");
        strings
    }

    /// The handle of the empty string.
    pub const EMPTY: StrId = StrId(0);

    /// The handle of `text`, new or known.
    pub fn intern(&mut self, text: &str) -> StrId {
        let slot = match self.find(text.as_bytes()) {
            Ok(id) => return id,
            Err(slot) => slot,
        };
        if self.text.len() + text.len() > u32::MAX as usize {
            return Self::EMPTY;
        }
        let id = StrId::new(self.ends.len());
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        self.table[slot] = id.0;
        if self.ends.len() * 2 > self.table.len() {
            self.grow();
        }
        id
    }

    /// The handle of `bytes`; what is not UTF-8 is replaced by U+FFFD.
    pub fn intern_bytes(&mut self, bytes: &[u8]) -> StrId {
        match self.find(bytes) {
            Ok(id) => id,
            Err(_) => self.intern(&String::from_utf8_lossy(bytes)),
        }
    }

    /// The handle of `text` if it is known.
    pub fn lookup(&self, text: &str) -> Option<StrId> {
        self.find(text.as_bytes()).ok()
    }

    /// The text behind a handle.
    pub fn text(&self, id: StrId) -> &str {
        &self.text[self.range(id.index())]
    }

    /// Whether `bytes` are the text behind a handle.
    #[inline]
    pub fn is(&self, id: StrId, bytes: &[u8]) -> bool {
        self.text.as_bytes().get(self.range(id.index())) == Some(bytes)
    }

    /// Number of strings, the empty one included.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Always false: the empty string is there from the start.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All strings in order of their handles.
    pub fn iter(&self) -> impl Iterator<Item = (StrId, &str)> {
        (0..self.ends.len()).map(|i| (StrId::new(i), &self.text[self.range(i)]))
    }

    fn range(&self, index: usize) -> std::ops::Range<usize> {
        let from = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        from..self.ends[index] as usize
    }

    /// The row that holds `bytes`, or the free slot where it belongs.
    fn find(&self, bytes: &[u8]) -> Result<StrId, usize> {
        let mask = self.table.len() - 1;
        let mut slot = hash(bytes) & mask;
        loop {
            match self.table[slot] {
                FREE => return Err(slot),
                row if self.text.as_bytes()[self.range(row as usize)] == *bytes => {
                    return Ok(StrId(row));
                }
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let mut table = vec![FREE; mask + 1];
        for row in 0..self.ends.len() {
            let mut slot = hash(self.text[self.range(row)].as_bytes()) & mask;
            while table[slot] != FREE {
                slot = (slot + 1) & mask;
            }
            table[slot] = row as u32;
        }
        self.table = table;
    }
}

fn hash(bytes: &[u8]) -> usize {
    let hash = BuildHasherDefault::<FxHasher>::default().hash_one(bytes);
    // The high bits mix best.
    (hash ^ (hash >> 32)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_held_once_and_the_table_grows() {
        let mut strings = Strings::new();
        let ids: Vec<StrId> = (0..5000).map(|i| strings.intern(&format!("name {i}"))).collect();
        assert_eq!(strings.len(), 5001);
        for (i, id) in ids.iter().enumerate() {
            assert_eq!(strings.text(*id), format!("name {i}"));
            assert_eq!(strings.lookup(&format!("name {i}")), Some(*id));
        }
        assert_eq!(strings.intern(""), Strings::EMPTY);
    }

    #[test]
    fn bytes_that_are_no_utf8_are_replaced() {
        let mut strings = Strings::new();
        let id = strings.intern_bytes(b"a\xffb");
        assert_eq!(strings.text(id), "a\u{fffd}b");
    }
}
