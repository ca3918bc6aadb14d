//! Stacks: a tree of frames with parent pointers, parents before children.

use crate::{Frame, FrameKind, StackId, StrId, Strings};

/// A prefix tree of stacks. Node 0 is the root; every parent has a smaller number than its
/// children, so totals are one backward pass.
#[derive(Clone, Debug)]
pub struct Stacks {
    parent: Vec<StackId>,
    frame: Vec<Frame>,
    /// Open addressing over (parent, frame), power of two, 0 is free (the root is never a child).
    table: Vec<u32>,
}

impl Default for Stacks {
    fn default() -> Self {
        Self::new()
    }
}

impl Stacks {
    /// A tree holding only the root.
    pub fn new() -> Self {
        let root = Frame { name: Strings::EMPTY, kind: FrameKind::Synthetic };
        Self { parent: vec![StackId(0)], frame: vec![root], table: vec![0; 1 << 12] }
    }

    /// The empty stack.
    pub fn root(&self) -> StackId {
        StackId(0)
    }

    /// Number of nodes, the root included.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Always false: the root is there from the start.
    pub fn is_empty(&self) -> bool {
        self.parent.is_empty()
    }

    /// The caller of a node; the root is its own.
    pub fn parent(&self, node: StackId) -> StackId {
        self.parent[node.index()]
    }

    /// The innermost frame of a node.
    pub fn frame(&self, node: StackId) -> Frame {
        self.frame[node.index()]
    }

    /// The node for `frame` called from `parent`, new or known.
    pub fn child(&mut self, parent: StackId, frame: Frame) -> StackId {
        let mask = self.table.len() - 1;
        let mut slot = hash(parent, frame) & mask;
        loop {
            let row = self.table[slot];
            if row == 0 {
                return self.insert(slot, parent, frame);
            }
            if self.parent[row as usize] == parent && self.frame[row as usize] == frame {
                return StackId(row);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn insert(&mut self, slot: usize, parent: StackId, frame: Frame) -> StackId {
        let node = StackId::new(self.parent.len());
        self.parent.push(parent);
        self.frame.push(frame);
        self.table[slot] = node.0;
        if self.parent.len() * 2 > self.table.len() {
            self.grow();
        }
        node
    }

    fn grow(&mut self) {
        let mask = self.table.len() * 2 - 1;
        let mut table = vec![0; mask + 1];
        for row in 1..self.parent.len() {
            let mut slot = hash(self.parent[row], self.frame[row]) & mask;
            while table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            table[slot] = row as u32;
        }
        self.table = table;
    }

    /// The frames of a node, root first.
    pub fn path(&self, node: StackId) -> Vec<Frame> {
        let mut frames: Vec<Frame> = self.climb(node).map(|n| self.frame(n)).collect();
        frames.reverse();
        frames
    }

    /// The nodes from `node` towards the root, the root left out.
    pub fn climb(&self, node: StackId) -> impl Iterator<Item = StackId> + '_ {
        let next = |node: &StackId| Some(self.parent(*node)).filter(|parent| parent.0 != 0);
        std::iter::successors(Some(node).filter(|node| node.0 != 0), next)
    }

    /// The names of a node's frames, root first.
    pub fn names<'s>(&self, node: StackId, strings: &'s Strings) -> Vec<&'s str> {
        self.path(node).into_iter().map(|frame| strings.text(frame.name)).collect()
    }

    /// All nodes but the root, parents before children.
    pub fn nodes(&self) -> impl Iterator<Item = StackId> + use<> {
        (1..self.parent.len()).map(StackId::new)
    }

    /// Adds the values of every node to those of its callers: self values become totals. Sums of
    /// hostile values saturate.
    pub fn accumulate(&self, values: &mut [i64]) {
        for node in (1..values.len().min(self.len())).rev() {
            let parent = self.parent[node].index();
            values[parent] = values[parent].saturating_add(values[node]);
        }
    }

    /// Interns the path of `names` with one kind, for readers of finished stacks.
    pub fn intern_path(&mut self, names: &[(StrId, FrameKind)]) -> StackId {
        names.iter().fold(self.root(), |node, &(name, kind)| self.child(node, Frame { name, kind }))
    }
}

fn hash(parent: StackId, frame: Frame) -> usize {
    let key = (u64::from(parent.0) << 32) | u64::from(frame.name.0);
    let mixed = (key ^ ((frame.kind as u64) << 27)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 29) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_paths_are_one_node_and_parents_come_first() {
        let (mut strings, mut stacks) = (Strings::new(), Stacks::new());
        for i in 0..10_000 {
            let names: Vec<_> = format!("a;b{};c{i}", i % 7)
                .split(';')
                .map(|name| (strings.intern(name), FrameKind::Python))
                .collect();
            assert_eq!(stacks.intern_path(&names), stacks.intern_path(&names));
        }
        assert_eq!(stacks.len(), 1 + 1 + 7 + 10_000);
        assert!(stacks.nodes().all(|node| stacks.parent(node) < node));
    }

    #[test]
    fn a_total_is_self_plus_children() {
        let (mut strings, mut stacks) = (Strings::new(), Stacks::new());
        let mut name = |text: &str| (strings.intern(text), FrameKind::Op);
        let (a, b, c) = (name("a"), name("b"), name("c"));
        let ab = stacks.intern_path(&[a, b]);
        let ac = stacks.intern_path(&[a, c]);
        let mut values = vec![0; stacks.len()];
        (values[ab.index()], values[ac.index()]) = (3, 4);
        stacks.accumulate(&mut values);
        assert_eq!(values[0], 7);
        assert_eq!(values[stacks.parent(ab).index()], 7);
    }
}
