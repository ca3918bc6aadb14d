//! Notes: what a reader skipped or repaired, counted, with the first example.

/// One kind of remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Stable kebab-case word, for tests and JSON: `damaged-event`, `negative-duration`.
    pub code: &'static str,
    /// What happened, as a fragment that follows a count: `events had a negative duration, taken as 0`.
    pub message: &'static str,
    /// How often.
    pub count: u64,
    /// Where it was first met, and what was there: `byte 1234: "dur": -3`.
    pub first: String,
}

/// All remarks of one reading, in order of first sight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    rows: Vec<Note>,
}

impl Notes {
    /// No remarks yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one more `code`; `first` is asked for only the first time.
    pub fn add(
        &mut self,
        code: &'static str,
        message: &'static str,
        first: impl FnOnce() -> String,
    ) {
        self.add_many(code, message, 1, first);
    }

    /// Counts `count` more of `code`.
    pub fn add_many(
        &mut self,
        code: &'static str,
        message: &'static str,
        count: u64,
        first: impl FnOnce() -> String,
    ) {
        if count == 0 {
            return;
        }
        match self.rows.iter_mut().find(|note| note.code == code) {
            Some(note) => note.count += count,
            None => self.rows.push(Note { code, message, count, first: first() }),
        }
    }

    /// The remarks, in order of first sight.
    pub fn iter(&self) -> impl Iterator<Item = &Note> {
        self.rows.iter()
    }

    /// How often `code` was counted.
    pub fn count(&self, code: &str) -> u64 {
        self.rows.iter().find(|note| note.code == code).map_or(0, |note| note.count)
    }

    /// Whether nothing was remarked.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}
