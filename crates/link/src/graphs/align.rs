//! Aligning two sequences: which elements of one are which of the other, in order.

/// Most edits of one alignment: the cost is the sequences' length times the edits, the memory twice
/// the edits squared, in bytes. So many are needed for 20,000 launches of which 5 % are gone and 10 %
/// have other names.
const MOST_EDITS: usize = 6_000;

/// For each element of `a` its partner in `b`, by a shortest edit script (Myers, A difference
/// algorithm and its variations, 1986); none where more than `most` edits would be needed, or more
/// work than `patience` has left.
pub(super) fn align(
    (a, b): (&[u32], &[u32]),
    most: usize,
    patience: &mut usize,
) -> Option<Vec<Option<usize>>> {
    let most = most.min(a.len() + b.len()).min(MOST_EDITS);
    // The farthest place in `a` on each diagonal from -most - 1 to most + 1.
    let mut far = vec![0_usize; 2 * most + 3];
    let zero = most + 1;
    // Before each edit, the diagonals that it looks at, every other one: to walk back.
    let mut rows: Vec<Vec<u32>> = Vec::new();
    for edits in 0..=most {
        let looked_at = far[zero - edits - 1..=zero + edits + 1].iter().step_by(2);
        rows.push(looked_at.map(|&x| x as u32).collect());
        let mut work = 3 * edits + 1;
        for step in 0..=edits {
            let at = zero + 2 * step - edits;
            let down = step == 0 || (step != edits && far[at - 1] < far[at + 1]);
            let mut x = if down { far[at + 1] } else { far[at - 1] + 1 };
            let mut y = x + zero - at;
            while x < a.len() && y < b.len() && a[x] == b[y] {
                (x, y, work) = (x + 1, y + 1, work + 1);
            }
            far[at] = x;
            if x >= a.len() && y >= b.len() {
                return Some(walk_back(a.len(), b.len(), &rows));
            }
        }
        *patience = patience.saturating_sub(work);
        if *patience == 0 {
            return None;
        }
    }
    None
}

/// Follows the edits back from the end and notes the matches between them.
fn walk_back(a: usize, b: usize, rows: &[Vec<u32>]) -> Vec<Option<usize>> {
    let mut partner = vec![None; a];
    let (mut x, mut y) = (a, b);
    for (edit, row) in rows.iter().enumerate().rev() {
        // Row `edit` begins with diagonal -edit - 1 and has every other; x - y is the one we are on.
        let at = x + edit + 1 - y;
        let (below, above) = (row[at / 2] as usize, row[at / 2 + 1] as usize);
        let down = at == 1 || (at != 2 * edit + 1 && below < above);
        let (from_x, from_y) = match (edit, down) {
            (0, _) => (0, 0),
            (_, true) => (above, above + edit - at),
            (_, false) => (below, below + edit + 2 - at),
        };
        while x > from_x && y > from_y {
            (x, y) = (x - 1, y - 1);
            partner[x] = Some(y);
        }
        (x, y) = (from_x, from_y);
    }
    partner
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest common subsequence, slowly.
    fn longest(a: &[u32], b: &[u32]) -> usize {
        let mut best = vec![vec![0; b.len() + 1]; a.len() + 1];
        for i in 0..a.len() {
            for j in 0..b.len() {
                best[i + 1][j + 1] =
                    if a[i] == b[j] { best[i][j] + 1 } else { best[i][j + 1].max(best[i + 1][j]) };
            }
        }
        best[a.len()][b.len()]
    }

    #[test]
    fn an_alignment_is_in_order_true_and_as_long_as_can_be() {
        let mut state = 7_u64;
        let mut draw = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..2_000 {
            let (n, m) = (draw(12) as usize, draw(12) as usize);
            let a: Vec<u32> = (0..n).map(|_| draw(4) as u32).collect();
            let b: Vec<u32> = (0..m).map(|_| draw(4) as u32).collect();
            let partner = align((&a, &b), 100, &mut 100_000).expect("few edits");
            let pairs: Vec<(usize, usize)> =
                partner.iter().enumerate().filter_map(|(x, y)| Some((x, (*y)?))).collect();
            assert!(pairs.iter().all(|&(x, y)| a[x] == b[y]), "{a:?} {b:?} {pairs:?}");
            assert!(pairs.windows(2).all(|two| two[0].1 < two[1].1), "{a:?} {b:?} {pairs:?}");
            assert_eq!(pairs.len(), longest(&a, &b), "{a:?} {b:?}");
        }
    }

    #[test]
    fn sequences_that_differ_too_much_are_not_aligned() {
        let a: Vec<u32> = (0..9_000).collect();
        let b: Vec<u32> = (10_000..19_000).collect();
        assert!(align((&a, &b), usize::MAX, &mut usize::MAX.clone()).is_none());
        assert!(align((&a[..4], &b[..4]), 7, &mut 1_000).is_none());
        assert!(align((&a[..4], &b[..4]), 8, &mut 1_000).is_some());
    }

    #[test]
    fn a_true_pair_of_twenty_thousand_launches_is_aligned() {
        let mut state = 7_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % below) as u32
        };
        let a: Vec<u32> = (0..20_000).map(|_| draw(20)).collect();
        let b: Vec<u32> = a
            .iter()
            .filter_map(|&name| match draw(100) {
                0..5 => None,
                5..15 => Some(99),
                _ => Some(name),
            })
            .collect();
        let partner = align((&a, &b), usize::MAX, &mut 300_000_000).expect("few enough edits");
        assert!(partner.iter().flatten().count() >= 16_000, "85 % of them are the same");
    }

    #[test]
    fn work_is_bounded_and_what_is_left_stays() {
        let a = vec![1; 1_000];
        let b = vec![2; 1_000];
        let mut patience = 10_000;
        assert!(align((&a, &b), 2_000, &mut patience).is_none());
        assert_eq!(patience, 0);
        let mut patience = 10_000;
        assert!(align((&a, &a), 2_000, &mut patience).is_some());
        assert!(patience > 9_000, "equal sequences cost nothing to speak of");
    }
}
