//! Folded stacks: `a;b;c VALUE`, one line a stack, for every tool that reads flame graphs.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use flamelane_model::{Profile, StackId, Stacks, StrId, Strings, Weight};

use crate::units::decimal;
use crate::walk::{Callees, upward};

/// The frame that stands for an empty stack, which the format cannot say.
pub const NO_STACK: &str = "[no stack]";

/// Writes every stack whose own value is not 0, in byte order of the paths.
///
/// `;` in a name becomes `:`, a line break a space. Stacks that read the same (frames that differ
/// in kind only) become one line. A missing weight writes nothing. Memory is bounded by the tree,
/// not by the text.
///
/// ```
/// use flamelane_model::{FrameKind, Profile, Weight};
///
/// let mut profile = Profile::new();
/// let frame = (profile.strings.intern("f;g"), FrameKind::Native);
/// let node = profile.stacks.intern_path(&[frame]);
/// profile.add(Weight::Cpu, node, 7);
/// let mut text = Vec::new();
/// flamelane_write::write_folded(&profile, &Weight::Cpu, &mut text).unwrap();
/// assert_eq!(text, b"f:g 7\n");
/// ```
pub fn write_folded(profile: &Profile, weight: &Weight, out: &mut dyn Write) -> io::Result<()> {
    let Some(column) = profile.column(weight) else { return Ok(()) };
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let walk = Walk::new(profile, weight);
    let mut path = Path::default();
    let mut todo = vec![Item { key: 0, nodes: vec![StackId(0)], depth: 0 }];
    while let Some(item) = todo.pop() {
        let Some(name) = walk.keys.name(item.key) else {
            // Only the root has no name.
            path.line(walk.value(&item.nodes), column.decimals, &mut out)?;
            walk.push_below(&item, &mut todo);
            continue;
        };
        path.enter(item.depth, name);
        if walk.keys.ends(item.key) {
            path.line(walk.value(&item.nodes), column.decimals, &mut out)?;
        } else {
            walk.push_below(&item, &mut todo);
        }
    }
    out.flush()
}

/// A step of the walk: either the line of some nodes or everything below them.
struct Item {
    /// Sorts siblings; says the name and which of the two it is.
    key: u32,
    /// Nodes that read the same.
    nodes: Vec<StackId>,
    /// Frames above.
    depth: usize,
}

/// What the walk reads.
struct Walk {
    keys: Keys,
    /// In key order.
    callees: Callees,
    /// Key of each node's name.
    key: Vec<u32>,
    /// Own values.
    values: Vec<i64>,
    /// Whether anything below a node has a value.
    inner: Vec<bool>,
}

impl Walk {
    fn new(profile: &Profile, weight: &Weight) -> Self {
        let stacks = &profile.stacks;
        let values = profile.selves(weight);
        let keys = Keys::new(stacks, &profile.strings);
        let key: Vec<u32> =
            (0..stacks.len()).map(|i| keys.of(stacks.frame(StackId::new(i)).name)).collect();
        let mut nodes: Vec<StackId> = stacks.nodes().collect();
        nodes.sort_by_key(|node| key[node.index()]);
        let callees = Callees::new(stacks, &nodes);
        let mut inner = vec![false; stacks.len()];
        for node in upward(stacks) {
            if values[node.index()] != 0 || inner[node.index()] {
                inner[stacks.parent(node).index()] = true;
            }
        }
        Self { keys, callees, key, values, inner }
    }

    fn value(&self, nodes: &[StackId]) -> i64 {
        nodes.iter().map(|node| self.values[node.index()]).fold(0, i64::saturating_add)
    }

    /// Puts the lines and subtrees below `item` on the list, the first to be written on top.
    fn push_below(&self, item: &Item, todo: &mut Vec<Item>) {
        let mut below: Vec<StackId> =
            item.nodes.iter().flat_map(|node| self.callees.of(*node)).copied().collect();
        if item.nodes.len() > 1 {
            below.sort_by_key(|node| self.key[node.index()]);
        }
        let depth = item.depth + usize::from(item.key != 0);
        let from = todo.len();
        for group in below.chunk_by(|a, b| self.key[a.index()] == self.key[b.index()]) {
            let key = self.key[group[0].index()];
            if self.value(group) != 0 {
                todo.push(Item { key, nodes: group.to_vec(), depth });
            }
            let nodes: Vec<StackId> =
                group.iter().copied().filter(|node| self.inner[node.index()]).collect();
            if !nodes.is_empty() {
                todo.push(Item { key: self.keys.below(key), nodes, depth });
            }
        }
        todo[from..].sort_by_key(|item| std::cmp::Reverse(item.key));
    }
}

/// Names in byte order, each twice: as the end of a line and as `name;`, the head of longer ones.
///
/// The line `a` comes before `a b`, and both before `a;c`: so a name's own line and the lines
/// below it sort apart, and integers can stand for both.
struct Keys {
    /// Clean text of each key; entry 0 is unused: the root's.
    text: Vec<String>,
    /// Key of `name;` for the key of `name`, 0 for the keys of `name;` themselves.
    below: Vec<u32>,
    /// Key of each string used as a name.
    of: Vec<u32>,
}

impl Keys {
    fn new(stacks: &Stacks, strings: &Strings) -> Self {
        let mut used: Vec<StrId> = stacks.nodes().map(|node| stacks.frame(node).name).collect();
        used.sort_unstable();
        used.dedup();
        let mut names: Vec<(Cow<'_, str>, StrId)> =
            used.into_iter().map(|id| (clean(strings.text(id)), id)).collect();
        names.sort_unstable();

        let mut keyed: Vec<(String, usize)> = Vec::with_capacity(names.len() * 2);
        let mut of = vec![0u32; strings.len()];
        for (group, same) in names.chunk_by(|a, b| a.0 == b.0).enumerate() {
            keyed.push((same[0].0.to_string(), group * 2));
            keyed.push((format!("{};", same[0].0), group * 2 + 1));
            for (_, id) in same {
                of[id.index()] = group as u32 * 2;
            }
        }
        keyed.sort_unstable();
        let mut rank = vec![0u32; keyed.len()];
        for (i, (_, slot)) in keyed.iter().enumerate() {
            rank[*slot] = i as u32 + 1;
        }
        let mut below = vec![0u32; keyed.len() + 1];
        for pair in rank.chunks_exact(2) {
            below[pair[0] as usize] = pair[1];
        }
        for key in &mut of {
            *key = rank.get(*key as usize).copied().unwrap_or(0);
        }
        let root = std::iter::once(String::new());
        let text = root.chain(keyed.into_iter().map(|(text, _)| text)).collect();
        Self { text, below, of }
    }

    fn of(&self, name: StrId) -> u32 {
        self.of[name.index()]
    }

    fn below(&self, key: u32) -> u32 {
        self.below[key as usize]
    }

    fn ends(&self, key: u32) -> bool {
        self.below[key as usize] != 0
    }

    /// The text of a key without the closing `;`; none for the root.
    fn name(&self, key: u32) -> Option<&str> {
        let text = self.text[key as usize].as_str();
        match key {
            0 => None,
            _ if self.ends(key) => Some(text),
            _ => Some(&text[..text.len() - 1]),
        }
    }
}

/// A name as the format can say it.
fn clean(name: &str) -> Cow<'_, str> {
    if !name.contains([';', '\n', '\r']) {
        return Cow::Borrowed(name);
    }
    let swap = |c| match c {
        ';' => ':',
        '\n' | '\r' => ' ',
        other => other,
    };
    Cow::Owned(name.chars().map(swap).collect())
}

/// The text of the stack the walk is in.
#[derive(Default)]
struct Path {
    text: String,
    /// Length of `text` before each frame.
    ends: Vec<usize>,
}

impl Path {
    /// Goes to the frame `name` below the first `depth` frames.
    fn enter(&mut self, depth: usize, name: &str) {
        if let Some(end) = self.ends.get(depth) {
            self.text.truncate(*end);
        }
        self.ends.truncate(depth);
        self.ends.push(self.text.len());
        if depth > 0 {
            self.text.push(';');
        }
        self.text.push_str(name);
    }

    fn line(&self, value: i64, decimals: u8, out: &mut dyn Write) -> io::Result<()> {
        if value == 0 {
            return Ok(());
        }
        let path = if self.ends.is_empty() { NO_STACK } else { &self.text };
        writeln!(out, "{path} {}", decimal(value, decimals))
    }
}

#[cfg(test)]
mod tests {
    use flamelane_model::FrameKind;

    use super::*;

    fn profile(lines: &[(&str, FrameKind, i64)]) -> Profile {
        let mut profile = Profile::new();
        for &(path, kind, value) in lines {
            let frames: Vec<_> = path
                .split('|')
                .filter(|name| !name.is_empty())
                .map(|name| (profile.strings.intern(name), kind))
                .collect();
            let node = profile.stacks.intern_path(&frames);
            profile.add(Weight::Gpu, node, value);
        }
        profile
    }

    fn folded(profile: &Profile) -> String {
        let mut text = Vec::new();
        write_folded(profile, &Weight::Gpu, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn lines_come_in_byte_order_and_only_where_there_is_a_value() {
        let op = FrameKind::Op;
        let profile = profile(&[
            ("b", op, 1),
            ("a|c", op, 2),
            ("a b|x", op, 3),
            ("a b", op, 4),
            ("a", op, 5),
            ("a.b|c", op, 6),
            ("z|none", op, 0),
            ("a<b>|c", op, 7),
        ]);
        let text = folded(&profile);
        assert_eq!(text, "a 5\na b 4\na b;x 3\na.b;c 6\na;c 2\na<b>;c 7\nb 1\n");
    }

    #[test]
    fn stacks_that_read_the_same_become_one_line() {
        let profile = profile(&[
            ("a|b", FrameKind::Op, 1),
            ("a|b", FrameKind::Python, 2),
            ("a|b|c", FrameKind::Op, 4),
            ("a|b|c", FrameKind::Python, 8),
            ("x;y", FrameKind::Op, 1),
            ("x:y", FrameKind::Op, 1),
        ]);
        assert_eq!(folded(&profile), "a;b 3\na;b;c 12\nx:y 2\n");
    }

    #[test]
    fn an_empty_stack_and_line_breaks_and_decimals_can_be_said() {
        let mut profile = profile(&[("", FrameKind::Op, 5), ("a\r\nb", FrameKind::Op, 1250)]);
        profile.column_mut(Weight::Gpu).decimals = 2;
        assert_eq!(folded(&profile), "[no stack] 0.05\na  b 12.5\n");
    }

    #[test]
    fn a_stack_of_a_hundred_thousand_frames_is_one_line() {
        let mut profile = Profile::new();
        let name = profile.strings.intern("f");
        let node = profile.stacks.intern_path(&vec![(name, FrameKind::Op); 100_000]);
        profile.add(Weight::Gpu, node, 1);
        assert_eq!(folded(&profile).len(), 200_002);
    }
}
