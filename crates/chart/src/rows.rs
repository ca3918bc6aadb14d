//! Rows: spans of one lane, so that none overlap in a row and each lies below those around it.

use flamelane_model::{ChartLane, ChartRow, Ns};

/// One span on its way into a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) start: Ns,
    pub(crate) end: Ns,
    pub(crate) frame: u32,
}

/// Lays spans into rows as they come, by start.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    laid: Vec<ChartRow>,
    /// (row, end) of spans that may still be open; rows ascend. One that has ended stays until all
    /// below it have, which changes no answer: the last one alone decides.
    open: Vec<(usize, Ns)>,
    n_hidden: u64,
}

/// Instants beyond this are none: in a double, which is all a page has, they are no longer whole.
const FARTHEST: Ns = 1 << 52;

impl Rows {
    /// Puts a span into its row; answers (row, position in it), or nothing when it has no row.
    pub(crate) fn place(&mut self, span: Placed) -> Option<(usize, usize)> {
        while self.open.last().is_some_and(|(_, end)| *end <= span.start) {
            self.open.pop();
        }
        let row = self.open.last().map_or(0, |(row, _)| row + 1);
        let is_sound = span.start > -FARTHEST && span.end < FARTHEST;
        if row >= ChartLane::MOST_ROWS || !is_sound {
            self.n_hidden += 1;
            return None;
        }
        self.open.push((row, span.end));
        if row == self.laid.len() {
            self.laid.push(ChartRow::default());
        }
        let into = &mut self.laid[row];
        into.start.push(span.start);
        into.end.push(span.end);
        into.frame.push(span.frame);
        Some((row, into.start.len() - 1))
    }

    /// Fills a lane.
    pub(crate) fn settle(self, lane: &mut ChartLane) {
        (lane.rows, lane.n_hidden) = (self.laid, self.n_hidden);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Rows of a drawing: each letter is a span, a line a set of spans that may cross others.
    fn rows(spans: &[(Ns, Ns)]) -> Vec<Vec<(Ns, Ns)>> {
        let mut rows = Rows::default();
        for &(start, end) in spans {
            rows.place(Placed { start, end, frame: 0 });
        }
        let row = |row: ChartRow| row.start.into_iter().zip(row.end).collect();
        rows.laid.into_iter().map(row).collect()
    }

    #[test]
    fn a_span_lies_below_those_around_it() {
        assert_eq!(
            rows(&[(0, 10), (1, 4), (2, 3), (5, 9), (10, 12)]),
            [vec![(0, 10), (10, 12)], vec![(1, 4), (5, 9)], vec![(2, 3)]]
        );
    }

    #[test]
    fn a_span_that_crosses_another_is_cut_off_by_none() {
        // The second outlives the first; the third begins inside the second alone.
        assert_eq!(rows(&[(0, 4), (2, 8), (5, 7)]), [vec![(0, 4)], vec![(2, 8)], vec![(5, 7)]]);
    }

    #[test]
    fn spans_without_length_share_a_row() {
        assert_eq!(rows(&[(3, 3), (3, 3), (3, 5)]), [vec![(3, 3), (3, 3), (3, 5)]]);
    }

    #[test]
    fn what_has_no_row_is_counted() {
        let mut rows = Rows::default();
        let deep = ChartLane::MOST_ROWS as Ns + 5;
        for start in 0..deep {
            rows.place(Placed { start, end: 2 * deep, frame: 0 });
        }
        rows.place(Placed { start: 0, end: FARTHEST, frame: 0 });
        let mut lane = ChartLane::default();
        rows.settle(&mut lane);
        assert_eq!((lane.rows.len(), lane.n_hidden), (ChartLane::MOST_ROWS, 6));
    }

    proptest! {
        #[test]
        fn no_row_overlaps_and_every_span_lies_below_what_holds_it(
            mut spans in prop::collection::vec((0_i64..60, 0_i64..25), 0..60)
        ) {
            for span in &mut spans {
                span.1 += span.0;
            }
            spans.sort_by_key(|&(start, end)| (start, -end));
            let mut rows = Rows::default();
            let placed: Vec<usize> = spans
                .iter()
                .map(|&(start, end)| rows.place(Placed { start, end, frame: 0 }).unwrap().0)
                .collect();
            for row in &rows.laid {
                for next in 1..row.start.len() {
                    prop_assert!(row.end[next - 1] <= row.start[next]);
                }
            }
            for (inner, &(start, end)) in spans.iter().enumerate() {
                for (outer, &(from, to)) in spans[..inner].iter().enumerate() {
                    if from <= start && end <= to && start < to {
                        prop_assert!(placed[outer] < placed[inner]);
                    }
                }
            }
        }
    }
}
