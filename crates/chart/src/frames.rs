//! The names of a chart, numbered by how often they are used.

use std::cmp::Reverse;

use flamelane_model::{Chart, ChartFrame, Frame, Strings};
use rustc_hash::FxHashMap;

/// Frames in order of first use, with their uses.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    rows: Vec<(Frame, u64)>,
    row_of: FxHashMap<Frame, u32>,
}

impl Frames {
    /// The row of a frame, for now.
    pub(crate) fn row(&mut self, frame: Frame) -> u32 {
        let next = self.rows.len() as u32;
        let row = *self.row_of.entry(frame).or_insert(next);
        if row == next {
            self.rows.push((frame, 0));
        }
        self.rows[row as usize].1 += 1;
        row
    }

    /// Renumbers the frames of a chart, the most frequent first so that most take one byte, and
    /// spells them out.
    pub(crate) fn settle(self, strings: &Strings, chart: &mut Chart) {
        let mut ranked: Vec<usize> = (0..self.rows.len()).collect();
        // Stable: equals stay in order of first use, so the bytes are the same every time.
        ranked.sort_by_key(|&row| Reverse(self.rows[row].1));
        let mut rank = vec![0_u32; ranked.len()];
        for (place, &row) in ranked.iter().enumerate() {
            rank[row] = place as u32;
        }
        let spans = chart.lanes.iter_mut().flat_map(|lane| &mut lane.rows);
        let of_spans = spans.flat_map(|row| &mut row.frame);
        let owners = chart.idle.iter_mut().flat_map(|idle| &mut idle.owners);
        for frame in of_spans.chain(owners.flat_map(|owner| &mut owner.stack)) {
            *frame = rank[*frame as usize];
        }
        let spelled = |&row: &usize| {
            let frame = self.rows[row].0;
            ChartFrame { name: strings.text(frame.name).to_owned(), kind: frame.kind }
        };
        chart.frames = ranked.iter().map(spelled).collect();
    }
}
