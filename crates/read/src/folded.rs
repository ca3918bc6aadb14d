//! Folded stacks: one line a stack, frames joined by `;`, then one weight (two for a difference).

mod style;

use std::{borrow::Cow, io};

use flamelane_model::{Frame, FrameKind, Notes, Profile, StackId, Unit, Weight};

use self::style::{Style, Voice};
use crate::{
    Content, Limits, Read, ReadError, Reader,
    kinds::guess,
    lines::{Line, Lines},
    tally::{Tally, child, push_columns},
};

/// The reader of folded stacks.
pub const FOLDED: Reader = Reader { name: "folded", sniff: style::sniff, read };

fn read(input: &mut dyn io::Read, limits: &Limits) -> Result<Read, ReadError> {
    let mut lines = Lines::new(input, limits.max_event);
    let style = match lines.look_ahead() {
        Ok(head) => Style::of(head),
        Err(source) => return Err(ReadError::Input { at: lines.at(), source }),
    };
    let mut folder = Folder::new(style);
    loop {
        let at = lines.at();
        match lines.next() {
            Ok(Some(line)) => folder.line(&line),
            Ok(None) => break,
            Err(source) => return Err(ReadError::Input { at, source }),
        }
    }
    folder.finish()
}

/// The profile while lines come in.
struct Folder {
    style: Style,
    profile: Profile,
    /// Kind of each name, once guessed.
    kinds: Vec<Option<FrameKind>>,
    /// The stack before, and where each of its frames ends, with its node.
    last: String,
    entered: Vec<(usize, StackId)>,
    tallies: Vec<Tally>,
    n_stacks: u64,
    notes: Notes,
}

impl Folder {
    fn new(style: Style) -> Self {
        let tallies = (0..style.n_weights).map(|_| Tally::new()).collect();
        Self {
            style,
            profile: Profile::new(),
            kinds: Vec::new(),
            last: String::new(),
            entered: Vec::new(),
            tallies,
            n_stacks: 0,
            notes: Notes::new(),
        }
    }

    fn line(&mut self, line: &Line<'_>) {
        let text = line.text.trim_ascii();
        if text.is_empty() {
            return;
        }
        if line.cut {
            return self.note(line, "long-line", "lines were longer than the limit and left out");
        }
        let Some((stack, weights)) = self.style.split(text) else {
            let (code, message) = if style::is_comment(text) {
                ("comment-line", "lines were comments")
            } else {
                ("line-without-weight", "lines had no weight and were left out")
            };
            return self.note(line, code, message);
        };
        let node = self.stack(stack);
        self.n_stacks += 1;
        for (tally, weight) in self.tallies.iter_mut().zip(weights) {
            if let Some(weight) = weight {
                tally.add(node, weight, &mut self.notes);
            }
        }
        if self.style.n_weights == 2 && weights[1].is_none() {
            self.note(line, "one-weight", "lines had one weight of two, taken as the first");
        }
    }

    /// Enters a stack; what it shares with the one before is not entered again, as most files are
    /// sorted.
    fn stack(&mut self, stack: &[u8]) -> StackId {
        let text = String::from_utf8_lossy(stack);
        if matches!(text, Cow::Owned(_)) {
            self.notes.add("invalid-utf8", "lines were no UTF-8 and were repaired", String::new);
        }
        let mut node = self.profile.stacks.root();
        let mut from = 0;
        let shared = self.last.bytes().zip(text.bytes()).take_while(|(l, r)| l == r).count();
        // A frame is shared only when its `;` is.
        self.entered.retain(|(end, _)| *end < shared);
        if let Some((end, last)) = self.entered.last() {
            (from, node) = (end + 1, *last);
        }
        for name in text[from..].split(';') {
            node = self.frame(node, name);
            from += name.len() + 1;
            self.entered.push((from - 1, node));
        }
        self.last.clear();
        self.last.push_str(&text);
        node
    }

    fn frame(&mut self, parent: StackId, name: &str) -> StackId {
        let name = self.style.restore(name.trim());
        if name.is_empty() {
            return parent;
        }
        let id = self.profile.strings.intern(&name);
        if self.kinds.len() <= id.index() {
            self.kinds.resize(id.index() + 1, None);
        }
        let kind = *self.kinds[id.index()].get_or_insert_with(|| guess(&name));
        child(&mut self.profile.stacks, parent, Frame { name: id, kind }, &mut self.notes)
    }

    fn note(&mut self, line: &Line<'_>, code: &'static str, message: &'static str) {
        let shown = &line.text[..line.text.len().min(80)];
        self.notes.add(code, message, || {
            format!("byte {}: `{}`", line.at, String::from_utf8_lossy(shown).trim())
        });
    }

    fn finish(mut self) -> Result<Read, ReadError> {
        if self.n_stacks == 0 {
            let what = "no line ends in a weight".to_owned();
            return Err(ReadError::Damaged { format: "folded", what });
        }
        let (name, unit) = match self.style.voice {
            Voice::Samples => ("samples", Unit::Samples),
            Voice::ExportStacks => ("time", Unit::Ns),
            Voice::Unknown => ("weight", Unit::Other(String::new())),
        };
        if self.style.voice == Voice::ExportStacks {
            let n_stacks = self.n_stacks;
            self.notes.add_many(
                "export-stacks",
                "stacks of `export_stacks`: µs became ns, underscores after `):` spaces again",
                n_stacks,
                String::new,
            );
        }
        let names = if self.style.n_weights == 2 { &["before", "after"][..] } else { &[name][..] };
        let mut columns = Vec::new();
        for (tally, name) in self.tallies.drain(..).zip(names) {
            let weight = Weight::parse(name);
            columns.push(tally.finish(weight, unit.clone(), &mut self.notes));
        }
        push_columns(&mut self.profile, columns, &mut self.notes);
        let content = Content::Profile(Box::new(self.profile));
        Ok(Read { format: "folded", content, notes: self.notes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn folded(text: &str) -> (Profile, Notes) {
        let read = read(&mut text.as_bytes(), &Limits::default()).unwrap();
        match read.content {
            Content::Profile(profile) => (*profile, read.notes),
            Content::Trace(_) => panic!("stacks"),
        }
    }

    /// Stacks and self values of every column, as text.
    fn drawn(profile: &Profile) -> Vec<String> {
        let columns: Vec<_> = profile.columns.iter().map(|c| profile.selves(&c.weight)).collect();
        let rows =
            profile.stacks.nodes().filter(|node| columns.iter().any(|c| c[node.index()] != 0));
        rows.map(|node| {
            let names = profile.stacks.names(node, &profile.strings).join(";");
            let values: Vec<String> = columns.iter().map(|c| c[node.index()].to_string()).collect();
            format!("{names} {}", values.join(" "))
        })
        .collect()
    }

    #[test]
    fn equal_stacks_add_up_and_other_lines_are_counted() {
        let (profile, notes) = folded("# made by hand\na;b;c 1\r\n\r\na;b;c 2\nno weight\na;b 5");
        assert_eq!(drawn(&profile), ["a;b 5", "a;b;c 3"]);
        assert_eq!(notes.count("comment-line"), 1);
        assert_eq!(notes.count("line-without-weight"), 1);
    }

    #[test]
    fn frames_keep_their_spaces_and_numbers() {
        let (profile, _) = folded("operator new;std::map<int, int> x 3;t 1 4\na;b 1\n");
        assert_eq!(drawn(&profile)[0], "operator new;std::map<int, int> x 3;t 1 4");
    }

    #[test]
    fn fractions_are_exact() {
        let (profile, _) = folded("a;b 31.23\na;c 2.567\na 19.0\n");
        assert_eq!(profile.columns[0].decimals, 3);
        assert_eq!(drawn(&profile), ["a 19000", "a;b 31230", "a;c 2567"]);
    }

    #[test]
    fn two_weights_on_every_line_are_a_difference() {
        let (profile, _) = folded("a;b 1 2\na;c 0 4\n");
        assert_eq!(profile.columns[0].weight.name(), "before");
        assert_eq!(drawn(&profile), ["a;b 1 2", "a;c 0 4"]);
    }

    #[test]
    fn export_stacks_gets_its_spaces_and_nanoseconds_back() {
        let (profile, notes) = folded("a.py(1):_main;b.py(2):___call__ 34\na.py(1):_main 1\n");
        assert_eq!(
            drawn(&profile),
            ["a.py(1): main 1000", "a.py(1): main;b.py(2): __call__ 34000"]
        );
        assert_eq!(profile.columns[0].unit, Unit::Ns);
        assert_eq!(notes.count("export-stacks"), 2);
    }

    #[test]
    fn samplers_give_samples() {
        let (profile, _) = folded("thread (12): Main;f (a.py:3) 4\n");
        assert_eq!(profile.columns[0].unit, Unit::Samples);
        let (profile, _) = folded("java;[unknown];read_[k] 4\n");
        assert_eq!(profile.columns[0].unit, Unit::Samples);
    }
}
