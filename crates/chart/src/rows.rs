//! Rows: spans of one lane, so that none overlap in a row and each lies below those around it.

use flamelane_model::{ChartLane, Interval, Ns};

/// Where each span of a lane went.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// The spans of each row by time, as positions in what was laid.
    pub(crate) spans: Vec<Vec<u32>>,
    /// Spans without a row.
    pub(crate) n_hidden: u64,
}

/// Instants beyond this are none: in a double, which is all a page has, they are no longer whole.
const FARTHEST: Ns = 1 << 52;

/// Lays spans that come by start, and of one start the longest first, into rows.
pub(crate) fn lay(spans: &[Interval]) -> Rows {
    let begins = begins(spans);
    let mut order: Vec<u32> = (0..spans.len() as u32).collect();
    let key = |&span: &u32| (begins[span as usize], std::cmp::Reverse(spans[span as usize].to));
    if !order.is_sorted_by_key(key) {
        // Stable, so that of equal spans the outer one stays outside.
        order.sort_by_key(key);
    }
    let mut rows = Rows::default();
    // (row, end) of spans that may still be open; rows ascend. One that has ended stays until all
    // below it have, which changes no answer: the last one alone decides.
    let mut open: Vec<(usize, Ns)> = Vec::new();
    for span in order {
        let time = spans[span as usize];
        while open.last().is_some_and(|(_, end)| *end <= begins[span as usize]) {
            open.pop();
        }
        let row = open.last().map_or(0, |(row, _)| row + 1);
        let is_sound = time.from > -FARTHEST && time.to < FARTHEST;
        if row >= ChartLane::MOST_ROWS || !is_sound {
            rows.n_hidden += 1;
            continue;
        }
        open.push((row, time.to));
        if row == rows.spans.len() {
            rows.spans.push(Vec::new());
        }
        rows.spans[row].push(span);
    }
    rows
}

/// Packs spans that come by start into as few rows as they need: each into the first row that is free.
///
/// For streams, whose spans do not call each other: kernels of a graph often begin a moment before the
/// one before them ends, and a row for each would be stairs.
pub(crate) fn pack(spans: &[Interval]) -> Rows {
    let mut rows = Rows::default();
    let mut ends: Vec<Ns> = Vec::new();
    for (position, time) in spans.iter().enumerate() {
        let row = ends.iter().position(|&end| end <= time.from).unwrap_or(ends.len());
        let is_sound = time.from > -FARTHEST && time.to < FARTHEST;
        if row >= ChartLane::MOST_ROWS || !is_sound {
            rows.n_hidden += 1;
            continue;
        }
        if row == ends.len() {
            ends.push(time.to);
            rows.spans.push(Vec::new());
        }
        ends[row] = time.to;
        rows.spans[row].push(position as u32);
    }
    rows
}

/// Most spans that one may cross and still be laid above them.
const MOST_CROSSED: usize = 64;

/// From when on each span's row is taken.
///
/// A range that opens inside a short call and outlives it (a `record_function` in the frame of its
/// `__enter__`) would lie below that call all its life; it lies above it instead, as if it had
/// begun with it. Of two that cross the longer one lies above.
fn begins(spans: &[Interval]) -> Vec<Ns> {
    let mut begins: Vec<Ns> = spans.iter().map(|span| span.from).collect();
    // Open spans, those that end last first.
    let mut open: Vec<u32> = Vec::new();
    let end = |span: u32| spans[span as usize].to;
    for (position, span) in spans.iter().enumerate() {
        while open.last().is_some_and(|&last| end(last) <= span.from) {
            open.pop();
        }
        let outlived = |last: &&u32| {
            let other = spans[**last as usize];
            span.from < other.to && other.to < span.to && other.len() < span.len()
        };
        let crossed = open.iter().rev().take(MOST_CROSSED + 1).take_while(outlived).count();
        let crossed = if crossed > MOST_CROSSED { 0 } else { crossed };
        let at = open.len() - crossed;
        let first = open[at..].iter().map(|&span| begins[span as usize]).min();
        begins[position] = first.unwrap_or(span.from);
        open.insert(at, position as u32);
    }
    begins
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn times(spans: &[(Ns, Ns)]) -> Vec<Interval> {
        spans.iter().map(|&(from, to)| Interval::new(from, to)).collect()
    }

    fn rows(spans: &[(Ns, Ns)]) -> Vec<Vec<(Ns, Ns)>> {
        of(spans, lay)
    }

    fn of(spans: &[(Ns, Ns)], lay: impl Fn(&[Interval]) -> Rows) -> Vec<Vec<(Ns, Ns)>> {
        let laid = lay(&times(spans)).spans.into_iter();
        laid.map(|row| row.into_iter().map(|span| spans[span as usize]).collect()).collect()
    }

    #[test]
    fn a_span_lies_below_those_around_it() {
        assert_eq!(
            rows(&[(0, 10), (1, 4), (2, 3), (5, 9), (10, 12)]),
            [vec![(0, 10), (10, 12)], vec![(1, 4), (5, 9)], vec![(2, 3)]]
        );
    }

    #[test]
    fn a_span_that_outlives_what_it_began_in_lies_above_it() {
        assert_eq!(
            rows(&[(0, 4), (1, 4), (2, 8), (5, 7)]),
            [vec![(2, 8)], vec![(0, 4), (5, 7)], vec![(1, 4)]]
        );
        assert_eq!(rows(&[(0, 8), (6, 10)]), [vec![(0, 8)], vec![(6, 10)]]);
    }

    #[test]
    fn spans_without_length_lie_below_what_starts_with_them() {
        assert_eq!(rows(&[(3, 5), (3, 3), (3, 3)]), [vec![(3, 5)], vec![(3, 3), (3, 3)]]);
    }

    #[test]
    fn kernels_that_begin_before_the_last_one_ends_take_two_rows_and_no_stairs() {
        let stairs: Vec<(Ns, Ns)> = (0..6).map(|i| (i * 10, i * 10 + 12)).collect();
        let found = of(&stairs, pack);
        assert_eq!(
            found,
            [vec![stairs[0], stairs[2], stairs[4]], vec![stairs[1], stairs[3], stairs[5]]]
        );
        assert_eq!(rows(&stairs).len(), 6);
    }

    #[test]
    fn what_has_no_row_is_counted() {
        let deep = ChartLane::MOST_ROWS as Ns + 5;
        let mut spans: Vec<(Ns, Ns)> = (0..deep).map(|start| (start, 3 * deep - start)).collect();
        spans.push((4 * deep, FARTHEST));
        let laid = lay(&times(&spans));
        assert_eq!((laid.spans.len(), laid.n_hidden), (ChartLane::MOST_ROWS, 6));
    }

    #[test]
    fn a_flood_of_crossing_spans_ends() {
        let n = 200_000;
        let spans: Vec<(Ns, Ns)> = (0..n).map(|start| (start, start + n)).collect();
        let laid = lay(&times(&spans));
        let shown: usize = laid.spans.iter().map(Vec::len).sum();
        assert_eq!(shown as u64 + laid.n_hidden, n as u64);
    }

    proptest! {
        #[test]
        fn packed_rows_never_overlap_hold_every_span_and_are_as_few_as_run_at_once(
            mut spans in prop::collection::vec((0_i64..60, 1_i64..25), 0..60)
        ) {
            for span in &mut spans {
                span.1 += span.0;
            }
            spans.sort_by_key(|&(start, end)| (start, -end));
            let packed = of(&spans, pack);
            prop_assert_eq!(packed.iter().map(Vec::len).sum::<usize>(), spans.len());
            for row in &packed {
                prop_assert!(row.windows(2).all(|pair| pair[0].1 <= pair[1].0));
            }
            let at_once = |&(at, _): &(Ns, Ns)| spans.iter().filter(|s| s.0 <= at && at < s.1).count();
            prop_assert_eq!(packed.len(), spans.iter().map(at_once).max().unwrap_or(0));
        }

        #[test]
        fn no_row_overlaps_and_every_span_lies_below_what_holds_it(
            mut spans in prop::collection::vec((0_i64..60, 0_i64..25), 0..60)
        ) {
            for span in &mut spans {
                span.1 += span.0;
            }
            spans.sort_by_key(|&(start, end)| (start, -end));
            let laid = lay(&times(&spans));
            let mut row_of = vec![usize::MAX; spans.len()];
            for (row, inside) in laid.spans.iter().enumerate() {
                for pair in inside.windows(2) {
                    prop_assert!(spans[pair[0] as usize].1 <= spans[pair[1] as usize].0);
                }
                for span in inside {
                    row_of[*span as usize] = row;
                }
            }
            for (inner, &(start, end)) in spans.iter().enumerate() {
                for (outer, &(from, to)) in spans[..inner].iter().enumerate() {
                    if from <= start && end <= to && start < to {
                        prop_assert!(row_of[outer] < row_of[inner]);
                    }
                }
            }
        }
    }
}
