//! Texts, functions and locations of a pprof file, each once, in order of first use.

use flamelane_model::{Frame, Profile};
use rustc_hash::FxHashMap;

use super::proto;
use flamelane_model::source::source;

/// The string table; row 0 is the empty text.
pub(super) struct Texts {
    rows: FxHashMap<String, i64>,
    list: Vec<String>,
}

impl Texts {
    pub(super) fn new() -> Self {
        let mut texts = Self { rows: FxHashMap::default(), list: Vec::new() };
        texts.intern("");
        texts
    }

    /// The row of `text`, new or known.
    pub(super) fn intern(&mut self, text: &str) -> i64 {
        if let Some(row) = self.rows.get(text) {
            return *row;
        }
        let row = self.list.len() as i64;
        self.rows.insert(text.to_owned(), row);
        self.list.push(text.to_owned());
        row
    }

    pub(super) fn finish(self) -> Vec<String> {
        self.list
    }
}

/// One location and one function a frame.
pub(super) struct Table<'p, 't> {
    profile: &'p Profile,
    texts: &'t mut Texts,
    ids: FxHashMap<Frame, u64>,
    functions: Vec<proto::Function>,
    locations: Vec<proto::Location>,
}

impl<'p, 't> Table<'p, 't> {
    pub(super) fn new(profile: &'p Profile, texts: &'t mut Texts) -> Self {
        let ids = FxHashMap::default();
        Self { profile, texts, ids, functions: Vec::new(), locations: Vec::new() }
    }

    /// The id of a frame's location.
    pub(super) fn location(&mut self, frame: Frame) -> u64 {
        if let Some(id) = self.ids.get(&frame) {
            return *id;
        }
        let id = self.locations.len() as u64 + 1;
        let name = self.profile.strings.text(frame.name);
        let place = source(name);
        let line = place.map_or(0, |place| i64::from(place.line));
        self.functions.push(proto::Function {
            id,
            name: self.texts.intern(name),
            system_name: self.texts.intern(frame.kind.name()),
            filename: self.texts.intern(place.map_or(frame.kind.name(), |place| place.file)),
            start_line: line,
        });
        let lines = vec![proto::Line { function_id: id, line }];
        self.locations.push(proto::Location { id, mapping_id: 1, line: lines });
        self.ids.insert(frame, id);
        id
    }

    pub(super) fn finish(self) -> (Vec<proto::Location>, Vec<proto::Function>) {
        (self.locations, self.functions)
    }
}
