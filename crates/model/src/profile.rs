//! Profiles: one set of stacks, many weights.

use crate::{StackId, Stacks, Strings, Unit, Weight};

/// One weight over all stacks: the *self* value of each node.
#[derive(Clone, Debug)]
pub struct Column {
    /// What it measures.
    pub weight: Weight,
    /// In what.
    pub unit: Unit,
    /// A value is `self_values[i] / 10^decimals` units: files with fractional weights stay exact.
    pub decimals: u8,
    /// One entry a node of the stacks, in node order; shorter than the tree when the rest is 0.
    pub self_values: Vec<i64>,
}

/// Stacks with the columns measured over them.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// Names of frames.
    pub strings: Strings,
    /// The tree.
    pub stacks: Stacks,
    /// The weights; each weight at most once.
    pub columns: Vec<Column>,
}

impl Profile {
    /// An empty profile.
    pub fn new() -> Self {
        Self::default()
    }

    /// The column of a weight, if there is one.
    pub fn column(&self, weight: &Weight) -> Option<&Column> {
        self.columns.iter().find(|column| column.weight == *weight)
    }

    /// The column of a weight, made with the weight's own unit when missing.
    pub fn column_mut(&mut self, weight: Weight) -> &mut Column {
        let found = self.columns.iter().position(|column| column.weight == weight);
        let index = found.unwrap_or_else(|| {
            let unit = weight.unit();
            self.columns.push(Column { weight, unit, decimals: 0, self_values: Vec::new() });
            self.columns.len() - 1
        });
        &mut self.columns[index]
    }

    /// Adds to the self value of a node.
    pub fn add(&mut self, weight: Weight, node: StackId, value: i64) {
        let n_nodes = self.stacks.len();
        let values = &mut self.column_mut(weight).self_values;
        if values.len() <= node.index() {
            values.resize(n_nodes, 0);
        }
        values[node.index()] = values[node.index()].saturating_add(value);
    }

    /// Self values of a weight, one a node; all 0 when the weight is missing.
    pub fn selves(&self, weight: &Weight) -> Vec<i64> {
        let mut values = self.column(weight).map(|c| c.self_values.clone()).unwrap_or_default();
        values.resize(self.stacks.len(), 0);
        values
    }

    /// Totals of a weight, one a node: self plus everything called from it.
    pub fn totals(&self, weight: &Weight) -> Vec<i64> {
        let mut values = self.selves(weight);
        self.stacks.accumulate(&mut values);
        values
    }

    /// Sum over all stacks, saturating.
    pub fn sum(&self, weight: &Weight) -> i64 {
        let values = self.column(weight).map(|column| column.self_values.iter());
        values.into_iter().flatten().fold(0, |sum, &value| sum.saturating_add(value))
    }
}
