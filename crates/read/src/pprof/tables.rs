//! The tables of a profile: sample types, functions, places and names.

use flamelane_model::{Frame, FrameKind, Notes, StrId, Strings};
use prost::Message;
use rustc_hash::FxHashMap;

use super::{
    prune::Prune,
    wire::{Fields, Function, Location, Value, ValueType},
};
use crate::{
    ReadError,
    kinds::{guess, is_python_file},
};

/// Most sample types; each is a column over all stacks.
const MAX_KINDS: usize = 64;
/// Most inlined calls at one place.
const MAX_LINES: usize = 1000;

/// Name and unit of a sample type, in the file's words.
#[derive(Debug)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) unit: String,
}

/// What samples refer to.
#[derive(Debug)]
pub(super) struct Tables {
    /// The sample types, in file order.
    pub(super) kinds: Vec<Kind>,
    /// The one to show first.
    pub(super) preferred: usize,
    /// Frames of all places, each place root first.
    frames: Vec<Frame>,
    /// Piece of `frames` by id of the place.
    places: FxHashMap<u64, (u32, u32)>,
    /// Which frames to leave out.
    pub(super) prune: Prune,
}

/// The first pass: everything but samples and places, which need the names.
#[derive(Default)]
struct Raw<'b> {
    kinds: Vec<ValueType>,
    functions: Vec<Function>,
    names: Vec<&'b [u8]>,
    drop_frames: i64,
    keep_frames: i64,
    preferred: i64,
}

impl Tables {
    /// Collects the tables of a profile.
    pub(super) fn read(
        bytes: &[u8],
        strings: &mut Strings,
        notes: &mut Notes,
    ) -> Result<Self, ReadError> {
        let raw = Raw::read(bytes, notes);
        let damaged =
            |what: &str| Err(ReadError::Damaged { format: "pprof", what: what.to_owned() });
        if raw.names.is_empty() {
            return damaged("it ends before its table of names");
        }
        if raw.kinds.is_empty() {
            return damaged("it has no sample type");
        }
        let text = |row: i64| String::from_utf8_lossy(raw.name(row)).into_owned();
        let kinds: Vec<Kind> = raw
            .kinds
            .iter()
            .map(|kind| Kind { name: text(kind.kind), unit: text(kind.unit) })
            .collect();
        let named = kinds.iter().position(|kind| kind.name == text(raw.preferred));
        // Without a preference it is the last, says the format.
        let preferred = named.filter(|_| raw.preferred != 0).unwrap_or(kinds.len() - 1);
        let functions = raw.frames(strings);
        let prune = Prune::new(&text(raw.drop_frames), &text(raw.keep_frames), notes);
        let mut tables =
            Self { kinds, preferred, frames: Vec::new(), places: FxHashMap::default(), prune };
        tables.places(bytes, &functions, strings, notes);
        tables.prune.judge(&tables.frames, strings);
        Ok(tables)
    }

    /// The frames of a place, root first; `None` for an id that is not in the file.
    pub(super) fn place(&self, id: u64) -> Option<&[Frame]> {
        self.places.get(&id).map(|(from, to)| &self.frames[*from as usize..*to as usize])
    }

    /// The second pass: places, with the frames of their functions.
    fn places(
        &mut self,
        bytes: &[u8],
        functions: &FxHashMap<u64, Frame>,
        strings: &mut Strings,
        notes: &mut Notes,
    ) {
        for (number, value) in Fields::new(bytes) {
            let (4, Value::Bytes(message)) = (number, value) else { continue };
            let Ok(location) = Location::decode(message) else {
                damaged(notes, "place");
                continue;
            };
            let from = self.frames.len();
            let lines = location.line.iter().rev();
            let frames = lines.filter_map(|line| functions.get(&line.function)).take(MAX_LINES);
            self.frames.extend(frames);
            if self.frames.len() == from {
                let name = strings.intern(&format!("{:#x}", location.address));
                self.frames.push(Frame { name, kind: FrameKind::Native });
                notes.add(
                    "no-symbols",
                    "places have no function and are shown as addresses",
                    || format!("{:#x}", location.address),
                );
            }
            self.places.insert(location.id, (from as u32, self.frames.len() as u32));
        }
    }
}

impl<'b> Raw<'b> {
    fn read(bytes: &'b [u8], notes: &mut Notes) -> Self {
        let mut raw = Self::default();
        let mut fields = Fields::new(bytes);
        for field in &mut fields {
            match field {
                (1, Value::Bytes(message)) => match ValueType::decode(message) {
                    Ok(kind) if raw.kinds.len() < MAX_KINDS => raw.kinds.push(kind),
                    Ok(_) => {
                        notes.add("too-many-columns", "sample types were left out", String::new);
                    }
                    Err(_) => damaged(notes, "sample type"),
                },
                (5, Value::Bytes(message)) => match Function::decode(message) {
                    Ok(function) => raw.functions.push(function),
                    Err(_) => damaged(notes, "function"),
                },
                (6, Value::Bytes(name)) => raw.names.push(name),
                (7, Value::Number(row)) => raw.drop_frames = row as i64,
                (8, Value::Number(row)) => raw.keep_frames = row as i64,
                (14, Value::Number(row)) => raw.preferred = row as i64,
                _ => {}
            }
        }
        if fields.is_broken() {
            let at = fields.at();
            let message = "inputs ended in the middle; what was there is used";
            notes.add("truncated-input", message, || format!("byte {at}"));
        }
        raw
    }

    fn name(&self, row: i64) -> &'b [u8] {
        usize::try_from(row).ok().and_then(|row| self.names.get(row)).copied().unwrap_or_default()
    }

    /// The frame of each function.
    fn frames(&self, strings: &mut Strings) -> FxHashMap<u64, Frame> {
        let frame = |function: &Function, strings: &mut Strings| {
            let name = String::from_utf8_lossy(self.name(function.name));
            let file = String::from_utf8_lossy(self.name(function.filename));
            if name.is_empty() {
                return Frame { name: strings.intern("[unnamed]"), kind: FrameKind::Synthetic };
            }
            // As py-spy's folded output has it, so that both read the same.
            if is_python_file(&file) && !name.contains(&*file) {
                let line = function.start_line;
                let place = if line > 0 { format!("{file}:{line}") } else { file.into_owned() };
                let name: StrId = strings.intern(&format!("{name} ({place})"));
                return Frame { name, kind: FrameKind::Python };
            }
            Frame { name: strings.intern(&name), kind: guess(&name) }
        };
        self.functions.iter().map(|function| (function.id, frame(function, strings))).collect()
    }
}

fn damaged(notes: &mut Notes, what: &'static str) {
    notes.add("damaged-message", "messages were damaged and left out", || what.to_owned());
}
