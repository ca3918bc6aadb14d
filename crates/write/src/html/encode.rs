//! A profile as blocks.

use std::collections::BTreeMap;

use flamelane_model::{Column, Frame, FrameKind, Profile, Strings};
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::blocks::{Effort, block, varint, varints, zigzag};
use super::cut::{Cut, Row, cut, rows_of_nodes, selves};
use super::{About, CaptureData, HtmlOptions, StacksFile};

/// A profile ready for the page.
#[derive(Debug)]
pub(super) struct Packed {
    /// What the viewer must know before it unpacks anything.
    pub(super) index: Index,
    /// Every block with its name.
    pub(super) blocks: Vec<(String, Vec<u8>)>,
    /// The page's row of each node of the profile.
    pub(super) rows: Vec<u32>,
}

/// The table of contents of one profile.
#[derive(Debug, Serialize)]
pub(super) struct Index {
    /// Row of the report's captures; none for a file that the report does not speak of.
    capture: Option<usize>,
    /// What that file is.
    stacks: Option<StacksIndex>,
    /// Rows of the tree, the root included.
    nodes: usize,
    /// Distinct frames.
    frames: usize,
    /// Block with the frames' kinds, name lengths, names and families.
    names: String,
    /// What the families are called, by their numbers less one; 0 is none.
    families: Vec<String>,
    /// Block with each row's frame and its levels up.
    tree: String,
    /// The weights, in the order of the switch.
    columns: Vec<ColumnIndex>,
    folded: Folded,
}

/// One weight.
#[derive(Debug, Serialize)]
struct ColumnIndex {
    weight: String,
    unit: String,
    decimals: u8,
    sum: i64,
    /// Block with the self value of each row.
    block: String,
}

/// A file of finished stacks.
#[derive(Debug, Serialize)]
struct StacksIndex {
    file: String,
    format: String,
    notes: Vec<NoteIndex>,
}

/// A remark of the reader, with the report's words.
#[derive(Debug, Serialize)]
struct NoteIndex {
    code: &'static str,
    message: &'static str,
    count: u64,
    first: String,
}

/// What is not shown by name.
#[derive(Debug, Serialize)]
struct Folded {
    frames: usize,
    /// Share of any weight that none of them exceeds.
    below: f64,
}

/// Packs the profile at `index` of the page.
pub(super) fn pack(index: usize, capture: CaptureData<'_>, options: HtmlOptions) -> Packed {
    let profile = capture.profile;
    let cut = cut(profile, options.max_nodes);
    let frames = Frames::of(profile, &cut);
    let (families, of_frames) = frames.families(capture.families);
    let mut names = frames.columns(&profile.strings, &cut).to_vec();
    names.push(of_frames);
    let mut blocks = vec![
        (format!("p{index}-names"), block(&names, Effort::Best)),
        (
            format!("p{index}-tree"),
            block(&[frames.rows(profile, &cut), varints(&cut.up)], Effort::Best),
        ),
    ];
    let mut columns = Vec::new();
    for column in in_switch_order(capture) {
        let id = format!("p{index}-w{}", columns.len());
        if let Some((row, block)) = pack_column(profile, &cut, column, id.clone()) {
            columns.push(row);
            blocks.push((id, block));
        }
    }
    let (row, stacks) = match capture.about {
        About::Report(row) => (Some(row), None),
        About::Stacks(file) => (None, Some(stacks_index(file))),
    };
    let index = Index {
        capture: row,
        stacks,
        nodes: cut.rows.len(),
        frames: frames.ranked.len(),
        names: blocks[0].0.clone(),
        families,
        tree: blocks[1].0.clone(),
        columns,
        folded: Folded { frames: cut.n_folded, below: cut.below },
    };
    Packed { index, blocks, rows: rows_of_nodes(profile, &cut) }
}

fn stacks_index(StacksFile { file, format, notes }: StacksFile<'_>) -> StacksIndex {
    let note = |note: &flamelane_model::Note| NoteIndex {
        code: note.code,
        message: note.message,
        count: note.count,
        first: note.first.clone(),
    };
    let notes = notes.iter().map(note).collect();
    StacksIndex { file: file.to_owned(), format: format.to_owned(), notes }
}

/// Known weights in their fixed order, then the rest in the profile's; those of finished stacks as the
/// file has them.
fn in_switch_order(capture: CaptureData<'_>) -> Vec<&Column> {
    let mut columns: Vec<&Column> = capture.profile.columns.iter().collect();
    if let About::Stacks(_) = capture.about {
        return columns;
    }
    columns.sort_by_key(|column| {
        let known = flamelane_model::Weight::OF_A_TRACE.iter();
        known.clone().position(|weight| *weight == column.weight).unwrap_or(known.len())
    });
    columns
}

/// The column's row and block; nothing when it is empty.
fn pack_column(
    profile: &Profile,
    cut: &Cut,
    column: &Column,
    block_id: String,
) -> Option<(ColumnIndex, Vec<u8>)> {
    let own = profile.selves(&column.weight);
    let mut totals = own.clone();
    profile.stacks.accumulate(&mut totals);
    let sum = *totals.first().filter(|&&sum| sum > 0)?;
    let mut bytes = Vec::new();
    for value in selves(profile, cut, &own, &totals) {
        varint(&mut bytes, zigzag(value));
    }
    let index = ColumnIndex {
        weight: column.weight.name().to_owned(),
        unit: column.unit.name().to_owned(),
        decimals: column.decimals,
        sum,
        block: block_id,
    };
    Some((index, block(&[bytes], Effort::Best)))
}

/// The distinct frames of a page, the most frequent first so that most rows take one byte.
struct Frames {
    ranked: Vec<Option<Frame>>,
    rank: FxHashMap<Option<Frame>, u32>,
}

impl Frames {
    /// `None` is the frame of a rest.
    fn of(profile: &Profile, cut: &Cut) -> Self {
        let mut counts: FxHashMap<Option<Frame>, u32> = FxHashMap::default();
        let mut ranked = Vec::new();
        for row in &cut.rows {
            let frame = frame_of(profile, *row);
            let count = counts.entry(frame).or_insert(0);
            if *count == 0 {
                ranked.push(frame);
            }
            *count += 1;
        }
        // Stable: equals stay in page order, so the bytes are the same every time.
        ranked.sort_by_key(|frame| std::cmp::Reverse(counts[frame]));
        let rank = ranked.iter().enumerate().map(|(rank, frame)| (*frame, rank as u32)).collect();
        Self { ranked, rank }
    }

    fn rows(&self, profile: &Profile, cut: &Cut) -> Vec<u8> {
        let ranks: Vec<u32> =
            cut.rows.iter().map(|row| self.rank[&frame_of(profile, *row)]).collect();
        varints(&ranks)
    }

    /// The families that the frames belong to, and the number of each frame's; 0 is none.
    fn families(&self, known: &BTreeMap<Frame, String>) -> (Vec<String>, Vec<u8>) {
        let family = |frame: &Option<Frame>| known.get(frame.as_ref()?).map(String::as_str);
        let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
        for name in self.ranked.iter().filter_map(&family) {
            let next = numbers.len() as u32 + 1;
            numbers.entry(name).or_insert(next);
        }
        let number = |frame| family(frame).map_or(0, |name| numbers[name]);
        let of_frames = varints(&self.ranked.iter().map(number).collect::<Vec<u32>>());
        let mut names: Vec<(u32, String)> =
            numbers.into_iter().map(|(name, number)| (number, name.to_owned())).collect();
        names.sort_unstable();
        (names.into_iter().map(|(_, name)| name).collect(), of_frames)
    }

    /// Kinds, name lengths in UTF-16 units (what the viewer cuts by), and the names.
    fn columns(&self, strings: &Strings, cut: &Cut) -> [Vec<u8>; 3] {
        let (mut kinds, mut lengths, mut text) = (Vec::new(), Vec::new(), String::new());
        for frame in &self.ranked {
            let rest = format!("[frames below {}]", percent(cut.below));
            let (name, kind) = match frame {
                Some(frame) => (strings.text(frame.name), frame.kind),
                None => (rest.as_str(), FrameKind::Synthetic),
            };
            kinds.push(kind as u8);
            varint(&mut lengths, name.encode_utf16().count() as u64);
            text.push_str(name);
        }
        [kinds, lengths, text.into_bytes()]
    }
}

fn frame_of(profile: &Profile, row: Row) -> Option<Frame> {
    match row {
        Row::Node(node) => Some(profile.stacks.frame(node)),
        Row::Rest(_) => None,
    }
}

/// A share as a percentage with two figures that count, rounded up.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let decimals = (1.0 - percent.log10().floor()).clamp(0.0, 9.0) as usize;
    let scale = 10_f64.powi(decimals as i32);
    format!("{:.decimals$} %", (percent * scale).ceil() / scale)
}
