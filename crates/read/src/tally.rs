//! Sums exact decimal weights over the nodes of a tree, and turns them into a column.

use flamelane_model::{Column, Frame, Notes, Profile, StackId, Stacks, Unit, Weight};

use crate::number::{Decimal, MAX_DECIMALS};

/// Most nodes of a tree; a hostile file must not fill the memory with stacks.
const MAX_NODES: usize = 48 << 20;

/// One weight while it is summed.
#[derive(Debug)]
pub(crate) struct Tally {
    decimals: u8,
    values: Vec<i128>,
}

impl Tally {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        Self { decimals: 0, values: Vec::new() }
    }

    /// Adds to the self value of a node.
    pub(crate) fn add(&mut self, node: StackId, number: Decimal, notes: &mut Notes) {
        if number.rounded {
            note_rounded(notes, 1);
        }
        if number.decimals > self.decimals {
            self.rescale(number.decimals);
        }
        if self.values.len() <= node.index() {
            self.values.resize(node.index() + 1, 0);
        }
        let value = &mut self.values[node.index()];
        *value = value.saturating_add(number.at_scale(self.decimals));
    }

    /// Whether nothing was added.
    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The values that are not 0, in node order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (StackId, Decimal)> + '_ {
        let decimal = |digits| Decimal { digits, decimals: self.decimals, rounded: false };
        let values = self.values.iter().enumerate().filter(|(_, value)| **value != 0);
        values.map(move |(index, value)| (StackId::new(index), decimal(*value)))
    }

    /// The column: as many decimals as the sum leaves room for in 64 bits.
    pub(crate) fn finish(mut self, weight: Weight, unit: Unit, notes: &mut Notes) -> Column {
        let sum = self.values.iter().fold(0_u128, |sum, v| sum.saturating_add(v.unsigned_abs()));
        let mut decimals = self.decimals;
        let mut room = sum;
        while decimals > 0 && room > i64::MAX as u128 {
            room /= 10;
            decimals -= 1;
        }
        self.drop_decimals(self.decimals - decimals, notes);
        let clamp = |value: &i128| (*value).clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        let self_values: Vec<i64> = if room > i64::MAX as u128 {
            let share = i64::MAX / 2 / i64::try_from(self.values.len()).unwrap_or(i64::MAX).max(1);
            notes.add("weight-overflow", "weights do not fit in 64 bits and were cut", String::new);
            self.values.iter().map(|value| clamp(value).clamp(-share, share)).collect()
        } else {
            self.values.iter().map(clamp).collect()
        };
        Column { weight, unit, decimals, self_values }
    }

    fn rescale(&mut self, decimals: u8) {
        let factor = 10_i128.pow(u32::from((decimals - self.decimals).min(MAX_DECIMALS)));
        self.values.iter_mut().for_each(|value| *value = value.saturating_mul(factor));
        self.decimals = decimals;
    }

    fn drop_decimals(&mut self, places: u8, notes: &mut Notes) {
        if places == 0 {
            return;
        }
        let factor = 10_i128.pow(u32::from(places));
        let mut n_rounded = 0;
        for value in &mut self.values {
            n_rounded += u64::from(*value % factor != 0);
            *value = value.saturating_add(factor / 2).div_euclid(factor);
        }
        note_rounded(notes, n_rounded);
    }
}

fn note_rounded(notes: &mut Notes, count: u64) {
    notes.add_many(
        "rounded-weight",
        "weights had more digits than fit and were rounded",
        count,
        String::new,
    );
}

/// The node for `frame` under `parent`; past [`MAX_NODES`] the parent itself, with a note.
pub(crate) fn child(
    stacks: &mut Stacks,
    parent: StackId,
    frame: Frame,
    notes: &mut Notes,
) -> StackId {
    if stacks.len() >= MAX_NODES {
        notes.add(
            "too-many-stacks",
            "frames past the largest tree went to their caller",
            String::new,
        );
        return parent;
    }
    stacks.child(parent, frame)
}

/// Appends columns, each under a weight that is not taken.
pub(crate) fn push_columns(profile: &mut Profile, columns: Vec<Column>, notes: &mut Notes) {
    for mut column in columns {
        let mut n = 2;
        let name = column.weight.name().to_owned();
        while profile.column(&column.weight).is_some() {
            column.weight = Weight::Other(format!("{name} {n}"));
            n += 1;
        }
        if n > 2 {
            notes.add("renamed-weight", "weights share a name and were numbered", || name.clone());
        }
        profile.columns.push(column);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(numbers: &[&str]) -> (Column, Notes) {
        let (mut tally, mut notes) = (Tally::new(), Notes::new());
        for (i, number) in numbers.iter().enumerate() {
            let number = Decimal::parse(number.as_bytes()).unwrap();
            tally.add(StackId::new(i), number, &mut notes);
        }
        let column = tally.finish(Weight::Cpu, Unit::Ns, &mut notes);
        (column, notes)
    }

    #[test]
    fn the_column_has_the_most_decimals_seen() {
        let (column, notes) = tally(&["31.23", "6.1", "2.567", "4"]);
        assert_eq!((column.decimals, column.self_values), (3, vec![31_230, 6_100, 2_567, 4_000]));
        assert!(notes.is_empty());
    }

    #[test]
    fn decimals_give_way_before_the_sum_overflows() {
        let (column, notes) = tally(&["100000000000000000", "0.123456"]);
        assert_eq!(column.decimals, 1);
        assert_eq!(column.self_values, [1_000_000_000_000_000_000, 1]);
        assert_eq!(notes.count("rounded-weight"), 1);
    }

    #[test]
    fn weights_past_64_bits_are_cut_with_a_note() {
        let (column, notes) = tally(&["999999999999999999"; 20]);
        assert!(column.self_values.iter().copied().try_fold(0_i64, i64::checked_add).is_some());
        assert_eq!(notes.count("weight-overflow"), 1);
    }
}
