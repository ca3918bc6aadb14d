//! The older binary CPU profile of gperftools and Go: machine words, then the mappings as text.

use flamelane_model::{Notes, Profile, Unit, Weight};

use super::{maps::Maps, scaled};
use crate::{
    ReadError,
    tally::{Tally, child, push_columns},
};

/// Deepest stack that a record may have.
const MAX_DEPTH: u64 = 1 << 16;

/// How the machine that wrote the file lays out words.
#[derive(Clone, Copy, Debug)]
struct Words {
    size: usize,
    little_endian: bool,
}

const LAYOUTS: [Words; 4] = [
    Words { size: 8, little_endian: true },
    Words { size: 8, little_endian: false },
    Words { size: 4, little_endian: true },
    Words { size: 4, little_endian: false },
];

impl Words {
    fn word(self, bytes: &[u8], index: usize) -> Option<u64> {
        let from = index.checked_mul(self.size)?;
        let word = bytes.get(from..from.checked_add(self.size)?)?;
        let join = |value: u64, byte: &u8| (value << 8) | u64::from(*byte);
        Some(if self.little_endian {
            word.iter().rev().fold(0, join)
        } else {
            word.iter().fold(0, join)
        })
    }

    /// Whether the header fits: no count, its length, version, period in µs, padding.
    fn fits(self, bytes: &[u8]) -> bool {
        let word = |index| self.word(bytes, index);
        word(0) == Some(0)
            && word(1) == Some(3)
            && word(2).is_some_and(|version| version <= 1)
            && word(3).is_some_and(|period| (1..=10_000_000).contains(&period))
            && word(4) == Some(0)
    }
}

fn layout(bytes: &[u8]) -> Option<Words> {
    LAYOUTS.into_iter().find(|words| words.fits(bytes))
}

/// Whether the bytes begin such a profile.
pub(super) fn is_cpu(head: &[u8]) -> bool {
    layout(head).is_some()
}

/// Reads such a profile.
pub(super) fn read(bytes: &[u8], notes: &mut Notes) -> Result<Profile, ReadError> {
    let damaged = |what: &str| ReadError::Damaged { format: "pprof", what: what.to_owned() };
    let words = layout(bytes).ok_or_else(|| damaged("the header is no header"))?;
    let period = words.word(bytes, 3).unwrap_or(1);
    let (records, end) = records(bytes, words, notes);
    let maps = Maps::read(bytes.get(end * words.size..).unwrap_or_default());
    if !maps.has_names() {
        notes.add("no-symbols", "profiles hold addresses without names", String::new);
    }
    let mut profile = Profile::new();
    let (mut samples, mut cpu) = (Tally::new(), Tally::new());
    for (count, from, to) in records {
        let mut node = profile.stacks.root();
        for index in (from..to).rev() {
            let address = words.word(bytes, index).unwrap_or(0);
            let frame = maps.frame(address, &mut profile.strings);
            node = child(&mut profile.stacks, node, frame, notes);
        }
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        samples.add(node, scaled(count, 1), notes);
        cpu.add(node, scaled(count, i128::from(period) * 1000), notes);
    }
    if samples.is_empty() {
        return Err(damaged("it has no samples"));
    }
    let columns = vec![
        cpu.finish(Weight::Cpu, Unit::Ns, notes),
        samples.finish(Weight::parse("samples"), Unit::Samples, notes),
    ];
    push_columns(&mut profile, columns, notes);
    Ok(profile)
}

/// Count and words of each stack, and the word behind the last record.
fn records(bytes: &[u8], words: Words, notes: &mut Notes) -> (Vec<(u64, usize, usize)>, usize) {
    let mut records = Vec::new();
    let mut index = 5;
    loop {
        let (Some(count), Some(depth)) = (words.word(bytes, index), words.word(bytes, index + 1))
        else {
            let message = "inputs ended in the middle; what was there is used";
            notes.add("truncated-input", message, String::new);
            return (records, index);
        };
        let from = index + 2;
        if count == 0 && depth == 1 && words.word(bytes, from) == Some(0) {
            return (records, from + 1);
        }
        if depth == 0 || depth > MAX_DEPTH || from + depth as usize > bytes.len() / words.size {
            notes.add("damaged-input", "records were damaged; what came before is used", || {
                format!("word {index}")
            });
            return (records, index);
        }
        index = from + depth as usize;
        records.push((count, from, index));
    }
}
