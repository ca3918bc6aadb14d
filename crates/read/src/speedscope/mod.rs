//! speedscope's JSON: shared frames, and profiles of samples or of open and close events.

mod frames;
mod profile;

use std::io;

use flamelane_model::{Frame, FrameKind, Notes, Profile, StackId, Stacks, StrId, Unit, Weight};

use self::{frames::Frames, profile::Section};
use crate::{
    Content, Limits, Read, ReadError, Reader, Sniff,
    number::Decimal,
    pull::{Pull, PullError, Token},
    sniff::{Json, Outer},
    tally::{Tally, child, push_columns},
};

/// The reader of speedscope files.
pub const SPEEDSCOPE: Reader = Reader { name: "speedscope", sniff, read };

/// Most units; each is a column over all stacks.
const MAX_UNITS: usize = 16;

fn sniff(head: &[u8]) -> Sniff {
    let Some(json) = Json::of(head) else { return Sniff::No };
    let known = json.value("$schema").contains("speedscope")
        || json.value("exporter").starts_with("speedscope")
        || (json.has("profiles") && json.has("shared"));
    match json.outer {
        Outer::Object if known => Sniff::Yes,
        Outer::Object if json.open && !json.has("traceEvents") => Sniff::More,
        _ => Sniff::No,
    }
}

fn read(input: &mut dyn io::Read, limits: &Limits) -> Result<Read, ReadError> {
    let mut pull = Pull::new(input, limits.max_event);
    let mut draft = Draft::new();
    let outcome = draft.file(&mut pull);
    let at = pull.at();
    match outcome {
        Err(PullError::Input(source)) => return Err(ReadError::Input { at, source }),
        Err(error) => {
            draft.notes.add(
                "damaged-json",
                "places were no JSON; what came before is used",
                || format!("byte {at}: {error}"),
            );
        }
        Ok(()) if pull.depth() > 0 => draft.notes.add(
            "truncated-input",
            "inputs ended in the middle; what was there is used",
            || format!("byte {at}"),
        ),
        Ok(()) => {}
    }
    let cut = |notes: &mut Notes| {
        let message = "strings were longer than the limit and were cut";
        notes.add_many("long-string", message, pull.n_cut(), String::new);
    };
    cut(&mut draft.notes);
    draft.finish()
}

/// What is known while the file is read. Profiles may come before the frames they name, so stacks
/// are kept over frame numbers until the end.
struct Draft {
    frames: Frames,
    /// Below the root one node a profile, below it its stacks; names are numbers.
    stacks: Stacks,
    /// Self values, in the profile's own unit.
    values: Tally,
    sections: Vec<Section>,
    notes: Notes,
}

impl Draft {
    fn new() -> Self {
        Self {
            frames: Frames::default(),
            stacks: Stacks::new(),
            values: Tally::new(),
            sections: Vec::new(),
            notes: Notes::new(),
        }
    }

    fn file(&mut self, pull: &mut Pull<'_>) -> Result<(), PullError> {
        if pull.next()? != Token::BeginObject {
            return Ok(());
        }
        while let Token::Key(key) = pull.next()? {
            match key {
                b"shared" => self.shared(pull)?,
                b"profiles" => self.profiles(pull)?,
                _ => pull.skip()?,
            }
        }
        Ok(())
    }

    fn shared(&mut self, pull: &mut Pull<'_>) -> Result<(), PullError> {
        if pull.next()? != Token::BeginObject {
            return Ok(());
        }
        while let Token::Key(key) = pull.next()? {
            if key == b"frames" { self.frames.read(pull)? } else { pull.skip()? }
        }
        Ok(())
    }

    fn profiles(&mut self, pull: &mut Pull<'_>) -> Result<(), PullError> {
        if pull.next()? != Token::BeginArray {
            return Ok(());
        }
        loop {
            match pull.next()? {
                Token::BeginObject => {
                    let outcome = self.profile(pull);
                    // What a truncated profile holds counts too.
                    if let Some(section) = self.sections.last_mut() {
                        section.end(&mut self.stacks, &mut self.values, &mut self.notes);
                    }
                    outcome?;
                }
                Token::BeginArray => pull.leave()?,
                Token::EndArray | Token::End => return Ok(()),
                _ => {}
            }
        }
    }

    fn profile(&mut self, pull: &mut Pull<'_>) -> Result<(), PullError> {
        let name = StrId::new(self.sections.len());
        let frame = Frame { name, kind: FrameKind::Thread };
        let root = self.stacks.root();
        let root = child(&mut self.stacks, root, frame, &mut self.notes);
        self.sections.push(Section::new(root));
        let Some(section) = self.sections.last_mut() else { return Ok(()) };
        section.read(pull, &mut self.stacks, &mut self.values, &mut self.notes)
    }

    fn finish(mut self) -> Result<Read, ReadError> {
        let damaged =
            |what: &str| Err(ReadError::Damaged { format: "speedscope", what: what.to_owned() });
        if self.values.is_empty() {
            return damaged("no profile in it has a weight");
        }
        if self.frames.is_empty() {
            return damaged("it ends before the names of its frames");
        }
        let mut profile = Profile::new();
        let nodes = self.name_stacks(&mut profile);
        let columns = self.columns(&nodes);
        push_columns(&mut profile, columns, &mut self.notes);
        let content = Content::Profile(Box::new(profile));
        Ok(Read { format: "speedscope", content, notes: self.notes })
    }

    /// Makes the stacks again with names; gives the new node of each old one.
    fn name_stacks(&mut self, profile: &mut Profile) -> Vec<StackId> {
        let frames = self.frames.intern(&mut profile.strings);
        let mut nodes = vec![profile.stacks.root(); self.stacks.len()];
        for node in self.stacks.nodes() {
            let Frame { name: number, kind } = self.stacks.frame(node);
            let parent = nodes[self.stacks.parent(node).index()];
            let frame = if kind == FrameKind::Thread {
                let Some(name) = self.section_name(number.index()) else {
                    continue;
                };
                Frame { name: profile.strings.intern(name), kind }
            } else if let Some(frame) = frames.get(number.index()) {
                *frame
            } else {
                self.notes.add("missing-frame", "stacks name frames that are not listed", || {
                    format!("frame {}", number.index())
                });
                let name = profile.strings.intern("[missing frame]");
                Frame { name, kind: FrameKind::Synthetic }
            };
            nodes[node.index()] = profile.stacks.child(parent, frame);
        }
        nodes
    }

    /// The name that stands at the root of a profile's stacks, when there is more than one.
    fn section_name(&self, number: usize) -> Option<&str> {
        let section = self.sections.get(number)?;
        (self.sections.len() > 1 && !section.name.is_empty()).then_some(section.name.as_str())
    }

    /// One column a unit, in order of first sight.
    fn columns(&mut self, nodes: &[StackId]) -> Vec<flamelane_model::Column> {
        let mut tallies: Vec<(Unit, Tally)> = Vec::new();
        let mut section = 0;
        for (old, value) in self.values.iter() {
            // The nodes of a profile lie together, behind its own root.
            while self.sections.get(section + 1).is_some_and(|next| next.root <= old) {
                section += 1;
            }
            let Some((unit, value)) = self.sections.get(section).map(|s| scaled(&s.unit, value))
            else {
                continue;
            };
            let known = tallies.iter().position(|(known, _)| *known == unit);
            if known.is_none() && tallies.len() == MAX_UNITS {
                let message = "values have more units than are kept and were left out";
                self.notes.add("too-many-columns", message, || unit.name().to_owned());
                continue;
            }
            let index = known.unwrap_or_else(|| {
                tallies.push((unit, Tally::new()));
                tallies.len() - 1
            });
            tallies[index].1.add(nodes[old.index()], value, &mut self.notes);
        }
        let finish = |(unit, tally): (Unit, Tally)| {
            let weight = match unit {
                Unit::Ns => "time",
                Unit::Bytes => "bytes",
                _ => "weight",
            };
            tally.finish(Weight::parse(weight), unit, &mut self.notes)
        };
        tallies.into_iter().map(finish).collect()
    }
}

/// A value of the file in one of our units.
fn scaled(unit: &str, value: Decimal) -> (Unit, Decimal) {
    match unit {
        "nanoseconds" => (Unit::Ns, value),
        "microseconds" => (Unit::Ns, value.shift(3)),
        "milliseconds" => (Unit::Ns, value.shift(6)),
        "seconds" => (Unit::Ns, value.shift(9)),
        "bytes" => (Unit::Bytes, value),
        "none" => (Unit::Other(String::new()), value),
        other => (Unit::Other(other.to_owned()), value),
    }
}

#[cfg(test)]
mod tests;
