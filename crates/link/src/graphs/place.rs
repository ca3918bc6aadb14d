//! Where in a long run of launches a replay may lie.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// Launches in a row that are looked up.
const GRAM: usize = 4;
/// A run of launches that a replay has more often says little about where it lies: layers repeat.
const MOST_REPEATS: usize = 4;
/// Places that are returned.
const MOST_PLACES: usize = 4;

/// Stretches of `long` in which `short` may lie, the likeliest first: where runs of launches that
/// are rare in `short` say that it begins, with an eighth of its length on either side.
///
/// The cost is linear in both lengths.
pub(super) fn places(short: &[u32], long: &[u32]) -> Vec<Range<usize>> {
    let mut rows_of: FxHashMap<&[u32], Vec<usize>> = FxHashMap::default();
    for (row, gram) in short.windows(GRAM).enumerate() {
        let rows = rows_of.entry(gram).or_default();
        if rows.len() <= MOST_REPEATS {
            rows.push(row);
        }
    }
    let margin = short.len() / 8 + 1;
    let mut votes: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
    for (at, gram) in long.windows(GRAM).enumerate() {
        let rows = rows_of.get(gram).filter(|rows| rows.len() <= MOST_REPEATS);
        for row in rows.into_iter().flatten() {
            // Shifted by the length of the replay: it may have begun before the run did.
            let from = at + short.len() - row;
            let (n_votes, first) = votes.entry(from / margin).or_insert((0, from));
            *n_votes += 1;
            *first = (*first).min(from);
        }
    }
    let mut votes: Vec<(usize, (usize, usize))> = votes.into_iter().collect();
    votes.sort_unstable_by_key(|&(bin, (n_votes, _))| (std::cmp::Reverse(n_votes), bin));
    let range = |(_, (_, first)): (usize, (usize, usize))| {
        let from = first.saturating_sub(short.len() + margin);
        from..(first + 2 * margin).min(long.len())
    };
    votes.into_iter().take(MOST_PLACES).map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_is_found_in_a_long_run_by_what_is_rare_in_it() {
        let layer = [5, 6, 7, 8, 9];
        let mut short = vec![1, 2, 3, 4];
        (0..40).for_each(|_| short.extend(layer));
        short.extend([10, 11, 12, 13]);
        let mut long: Vec<u32> = (100..400).collect();
        (0..200).for_each(|_| long.extend(layer));
        let from = long.len();
        long.extend(&short);
        long.extend(400..700);
        let best = places(&short, &long)[0].clone();
        assert!(best.start <= from && best.end >= from + short.len(), "{best:?} {from}");
        assert!(best.len() < 2 * short.len(), "{best:?}");
    }

    #[test]
    fn nothing_is_found_where_nothing_is_alike_or_everything() {
        assert!(places(&[1, 2, 3, 4, 5], &[6; 100]).is_empty());
        assert!(places(&[6; 50], &[6; 1_000]).is_empty());
        assert!(places(&[1, 2], &[1, 2, 3]).is_empty());
    }
}
