//! Orders in which writers go over a tree of stacks, none of them by recursion: stacks are deep.

use flamelane_model::{StackId, Stacks};

/// All nodes but the root, callees before their callers.
pub(crate) fn upward(stacks: &Stacks) -> impl Iterator<Item = StackId> + use<> {
    (1..stacks.len()).rev().map(StackId::new)
}

/// The nodes called from each node.
pub(crate) struct Callees {
    /// Start of each node's callees in `list`; one more entry than nodes.
    first: Vec<u32>,
    /// Callees, grouped by caller.
    list: Vec<StackId>,
}

impl Callees {
    /// Groups `list` by caller; the order among callees of one node stays.
    pub(crate) fn new(stacks: &Stacks, nodes: &[StackId]) -> Self {
        let mut first = vec![0u32; stacks.len() + 1];
        for node in nodes {
            first[stacks.parent(*node).index() + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        let mut next = first.clone();
        let mut list = vec![StackId(0); nodes.len()];
        for node in nodes {
            let at = &mut next[stacks.parent(*node).index()];
            list[*at as usize] = *node;
            *at += 1;
        }
        Self { first, list }
    }

    /// The callees of `node`.
    pub(crate) fn of(&self, node: StackId) -> &[StackId] {
        let at = node.index();
        &self.list[self.first[at] as usize..self.first[at + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use flamelane_model::{FrameKind, Strings};

    use super::*;

    #[test]
    fn callees_are_grouped_and_come_before_callers_upward() {
        let (mut strings, mut stacks) = (Strings::new(), Stacks::new());
        let mut name = |text: &str| (strings.intern(text), FrameKind::Op);
        let (a, b, c) = (name("a"), name("b"), name("c"));
        let ab = stacks.intern_path(&[a, b]);
        let other = stacks.intern_path(&[c]);
        let ac = stacks.intern_path(&[a, c]);
        let nodes: Vec<StackId> = stacks.nodes().collect();
        let callees = Callees::new(&stacks, &nodes);
        assert_eq!(callees.of(StackId(0)), [stacks.parent(ab), other]);
        assert_eq!(callees.of(stacks.parent(ab)), [ab, ac]);
        assert!(callees.of(ac).is_empty());
        assert_eq!(upward(&stacks).last(), Some(StackId(1)));
    }
}
