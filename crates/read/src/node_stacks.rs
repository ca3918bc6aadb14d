//! PyTorch's dump of the Python stacks that recorded the nodes of CUDA graphs: a JSON object from
//! node ids to stacks. Read as a trace without spans.

use std::io;

use flamelane_model::{Notes, StrId, Trace};
use rustc_hash::FxHashMap;

use crate::{
    Content, Limits, Read, ReadError, Reader, Sniff,
    pull::{Pull, PullError, Token},
    sniff::{Json, Outer},
};

/// The reader of what `torch.cuda.graph_annotations.dump_kernel_py_stacks` writes.
pub const NODE_STACKS: Reader = Reader { name: NAME, sniff, read };

const NAME: &str = "node-stacks";
/// Most frames of one stack; PyTorch keeps 64.
const MAX_FRAMES: usize = 1000;

fn sniff(head: &[u8]) -> Sniff {
    let Some(json) = Json::of(head) else { return Sniff::No };
    let are_nodes = json.keys.iter().all(|key| node(key.as_bytes()).is_some());
    if json.outer != Outer::Object || json.keys.is_empty() || !are_nodes {
        return Sniff::No;
    }
    // Values are cut: of long ones the first line tells.
    let is_stack = |value: &String| value.lines().next().and_then(frame).is_some();
    match json.values.iter().any(is_stack) {
        true => Sniff::Yes,
        false if json.open => Sniff::More,
        false => Sniff::No,
    }
}

fn read(input: &mut dyn io::Read, limits: &Limits) -> Result<Read, ReadError> {
    let mut pull = Pull::new(input, limits.max_event);
    let mut draft = Draft::default();
    let outcome = draft.file(&mut pull);
    let at = pull.at();
    match outcome {
        Err(PullError::Input(source)) => return Err(ReadError::Input { at, source }),
        Err(error) => {
            let message = "places were no JSON; what came before is used";
            draft.notes.add("damaged-json", message, || format!("byte {at}: {error}"));
        }
        Ok(()) if pull.depth() > 0 => {
            let message = "inputs ended in the middle; what was there is used";
            draft.notes.add("truncated-input", message, || format!("byte {at}"));
        }
        Ok(()) => {}
    }
    let message = "strings were longer than the limit and were cut";
    draft.notes.add_many("long-string", message, pull.n_cut(), String::new);
    Ok(draft.finish())
}

#[derive(Default)]
struct Draft {
    trace: Trace,
    /// Row of each stack, by its text: most nodes share theirs with nodes of other graphs.
    row_of: FxHashMap<String, u32>,
    notes: Notes,
}

impl Draft {
    fn file(&mut self, pull: &mut Pull<'_>) -> Result<(), PullError> {
        if pull.next()? != Token::BeginObject {
            return Ok(());
        }
        while let Token::Key(key) = pull.next()? {
            let id = node(key);
            if id.is_none() {
                let name = String::from_utf8_lossy(key).into_owned();
                self.notes
                    .add("no-node", "keys were no node of a graph and were left out", || name);
                pull.skip()?;
                continue;
            }
            let depth = pull.depth();
            let stack = match pull.next()? {
                Token::String(text) => Some(String::from_utf8_lossy(text).into_owned()),
                Token::End => return Ok(()),
                _ => None,
            };
            while pull.depth() > depth {
                if pull.next()? == Token::End {
                    return Ok(());
                }
            }
            if let (Some(id), Some(stack)) = (id, stack) {
                let row = self.row(stack);
                self.trace.graph_nodes.recorded.push((id, row));
            }
        }
        Ok(())
    }

    fn row(&mut self, stack: String) -> u32 {
        if let Some(&row) = self.row_of.get(&stack) {
            return row;
        }
        // The innermost frame comes first in the file and last in our stacks.
        let lines: Vec<&str> = stack.lines().take(MAX_FRAMES).collect();
        let strings = &mut self.trace.strings;
        let name = |line: &&str| match frame(line) {
            Some((file, number, function)) => {
                strings.intern(&format!("{file}({number}): {function}"))
            }
            None => strings.intern(line),
        };
        let frames: Vec<StrId> = lines.iter().rev().map(name).collect();
        let row = self.trace.graph_nodes.stacks.len() as u32;
        self.trace.graph_nodes.stacks.push(frames);
        self.row_of.insert(stack, row);
        row
    }

    fn finish(mut self) -> Read {
        let recorded = &mut self.trace.graph_nodes.recorded;
        // Stable: of several stacks of one node the first counts.
        recorded.sort_by_key(|&(id, _)| id);
        let n_all = recorded.len();
        recorded.dedup_by_key(|&mut (id, _)| id);
        let n_twice = (n_all - recorded.len()) as u64;
        let message = "nodes had several stacks, the first counts";
        self.notes.add_many("node-twice", message, n_twice, String::new);
        self.trace.metadata.format = NAME;
        Read { format: NAME, content: Content::Trace(Box::new(self.trace)), notes: self.notes }
    }
}

/// A node's id: decimal, 64 bits without a sign.
fn node(key: &[u8]) -> Option<i64> {
    let digits = std::str::from_utf8(key).ok().filter(|key| !key.starts_with('+'))?;
    digits.parse::<u64>().ok().map(u64::cast_signed)
}

/// `file:line:function`, its parts.
fn frame(line: &str) -> Option<(&str, u32, &str)> {
    let (rest, function) = line.rsplit_once(':')?;
    let (file, number) = rest.rsplit_once(':')?;
    Some((file, number.parse().ok()?, function))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, wanted: Option<&str>, expected: &str, notes: &str) {
        let read = crate::open(&mut json.as_bytes(), &Limits::default(), wanted).unwrap();
        assert_eq!(read.format, NAME);
        let Content::Trace(trace) = read.content else { panic!("a trace") };
        let line = |&(id, row): &(i64, u32)| {
            let frames = &trace.graph_nodes.stacks[row as usize];
            let names: Vec<&str> = frames.iter().map(|&name| trace.text(name)).collect();
            format!("{}+{} {}", id >> 32, id & 0xFFFF_FFFF, names.join(";"))
        };
        let lines: Vec<String> = trace.graph_nodes.recorded.iter().map(line).collect();
        assert_eq!(lines.join("\n"), expected);
        let codes: Vec<&str> = read.notes.iter().map(|note| note.code).collect();
        assert_eq!(codes.join(" "), notes);
    }

    #[test]
    fn stacks_are_read_outermost_first_and_by_node() {
        check(
            r#"{"21474836482": "/m/mlp.py:12:forward\n/m/run.py:3:<module>",
                "21474836481": "C:\\m\\mlp.py:9:<lambda>"}"#,
            None,
            "5+1 C:\\m\\mlp.py(9): <lambda>\n5+2 /m/run.py(3): <module>;/m/mlp.py(12): forward",
            "",
        );
    }

    #[test]
    fn odd_rows_are_counted_and_the_rest_is_read() {
        check(
            r#"{"1": "a.py:1:f", "x": {"y": [1]}, "2": 7, "1": "b.py:1:f", "3": "frozen"}"#,
            Some(NAME),
            "0+1 a.py(1): f\n0+3 frozen",
            "no-node node-twice",
        );
    }
}
