//! Time: integer nanoseconds, half-open intervals, and unions of them.

/// Nanoseconds, as an instant since [`Trace::origin`](crate::Trace) or as a length.
///
/// Decimal text becomes `Ns` exactly, never through a float.
pub type Ns = i64;

/// A half-open piece of time `[from, to)`; `from <= to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Interval {
    /// First instant inside.
    pub from: Ns,
    /// First instant after.
    pub to: Ns,
}

impl Interval {
    /// Makes `[from, to)`, empty when `to < from`.
    pub fn new(from: Ns, to: Ns) -> Self {
        Self { from, to: to.max(from) }
    }

    /// Length in ns, saturating: hostile times must not overflow.
    pub fn len(self) -> Ns {
        self.to.saturating_sub(self.from)
    }

    /// Whether nothing lies inside.
    pub fn is_empty(self) -> bool {
        self.to <= self.from
    }

    /// Whether `at` lies inside.
    pub fn holds(self, at: Ns) -> bool {
        self.from <= at && at < self.to
    }

    /// The part shared with `other`, empty when there is none.
    #[must_use]
    pub fn clip(self, other: Self) -> Self {
        Self::new(self.from.max(other.from), self.to.min(other.to))
    }
}

/// Merges intervals into disjoint ones in order; touching ones become one, empty ones vanish.
pub fn union(mut pieces: Vec<Interval>) -> Vec<Interval> {
    pieces.retain(|piece| !piece.is_empty());
    pieces.sort_unstable();
    let mut merged: Vec<Interval> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match merged.last_mut() {
            Some(last) if piece.from <= last.to => last.to = last.to.max(piece.to),
            _ => merged.push(piece),
        }
    }
    merged
}

/// The shared parts of two ordered, disjoint lists.
pub fn intersect(left: &[Interval], right: &[Interval]) -> Vec<Interval> {
    let (mut i, mut j) = (0, 0);
    let mut shared = Vec::new();
    while i < left.len() && j < right.len() {
        let piece = left[i].clip(right[j]);
        if !piece.is_empty() {
            shared.push(piece);
        }
        if left[i].to <= right[j].to {
            i += 1;
        } else {
            j += 1;
        }
    }
    shared
}

/// Sum of the lengths, in ns.
pub fn total(pieces: &[Interval]) -> Ns {
    pieces.iter().map(|piece| piece.len()).fold(0, Ns::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(line: &str) -> Vec<Interval> {
        let at = |i: usize| Interval::new(i as Ns, i as Ns + 1);
        union(line.char_indices().filter(|(_, c)| *c == '#').map(|(i, _)| at(i)).collect())
    }

    #[test]
    fn touching_pieces_merge_and_apart_ones_stay() {
        assert_eq!(draw("## ###").len(), 2);
        assert_eq!(total(&draw("## ###")), 5);
    }

    #[test]
    fn an_intersection_holds_only_what_both_hold() {
        assert_eq!(intersect(&draw("#### ###"), &draw(" ## ###")), draw(" ##  ##"));
    }
}
