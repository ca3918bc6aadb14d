//! Sets of time intervals as sorted disjoint lists.

/// Start and end, exclusive.
pub(super) type Interval = (i64, i64);

/// The union of intervals; empty ones vanish, touching ones join.
pub(super) fn union(mut intervals: Vec<Interval>) -> Vec<Interval> {
    intervals.retain(|&(from, to)| from < to);
    intervals.sort_unstable();
    let mut joined: Vec<Interval> = Vec::new();
    for (from, to) in intervals {
        match joined.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    joined
}

/// What of a union lies inside one interval.
pub(super) fn overlap(union: &[Interval], (from, to): Interval) -> Vec<Interval> {
    let first = union.partition_point(|&(_, end)| end <= from);
    union[first..]
        .iter()
        .take_while(|&&(start, _)| start < to)
        .map(|&(start, end)| (start.max(from), end.min(to)))
        .collect()
}

/// What of one interval a union leaves free.
pub(super) fn complement(union: &[Interval], (from, to): Interval) -> Vec<Interval> {
    let mut free = Vec::new();
    let mut at = from;
    for (start, end) in overlap(union, (from, to)) {
        if start > at {
            free.push((at, start));
        }
        at = end;
    }
    if at < to {
        free.push((at, to));
    }
    free
}

/// Total length.
pub(super) fn length(union: &[Interval]) -> i64 {
    union.iter().map(|&(from, to)| to - from).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_union_and_its_complement_make_the_whole() {
        let busy = union(vec![(5, 7), (1, 3), (2, 4), (7, 9), (20, 20)]);
        assert_eq!(busy, [(1, 4), (5, 9)]);
        assert_eq!(complement(&busy, (0, 12)), [(0, 1), (4, 5), (9, 12)]);
        assert_eq!(overlap(&busy, (3, 6)), [(3, 4), (5, 6)]);
        assert_eq!(length(&busy), 7);
    }
}
