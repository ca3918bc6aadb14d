//! One profile of a speedscope file: samples with weights, or open and close events.

use flamelane_model::{Frame, FrameKind, Notes, StackId, Stacks, StrId};
use rustc_hash::FxHashMap;

use crate::{
    number::Decimal,
    pull::{Pull, PullError, Token},
    tally::{Tally, child},
};

/// A profile while it is read.
#[derive(Debug)]
pub(super) struct Section {
    /// The node under which its stacks are.
    pub(super) root: StackId,
    /// Its name.
    pub(super) name: String,
    /// Its unit, in the file's word.
    pub(super) unit: String,
    samples: Vec<StackId>,
    weights: Vec<Option<Decimal>>,
    open: Open,
    end: Option<Decimal>,
    ended: bool,
}

/// The frames that are open while events are read.
#[derive(Debug, Default)]
struct Open {
    frames: Vec<(u32, StackId)>,
    /// How often each frame is open: a close of one that is not must not search the whole stack.
    count: FxHashMap<u32, u32>,
    last: Option<Decimal>,
}

/// What an event says.
#[derive(Debug, Default)]
struct Event {
    opens: Option<bool>,
    frame: Option<u32>,
    at: Option<Decimal>,
}

impl Section {
    /// An empty profile under `root`.
    pub(super) fn new(root: StackId) -> Self {
        Self {
            root,
            name: String::new(),
            unit: String::new(),
            samples: Vec::new(),
            weights: Vec::new(),
            open: Open::default(),
            end: None,
            ended: false,
        }
    }

    /// Reads the members of the object, whose brace is behind us.
    pub(super) fn read(
        &mut self,
        pull: &mut Pull<'_>,
        stacks: &mut Stacks,
        values: &mut Tally,
        notes: &mut Notes,
    ) -> Result<(), PullError> {
        while let Token::Key(key) = pull.next()? {
            match key {
                b"samples" => self.samples(pull, stacks, notes)?,
                b"weights" => self.weights(pull)?,
                b"events" => self.events(pull, stacks, values, notes)?,
                b"name" => self.name = text(pull)?,
                b"unit" => self.unit = text(pull)?,
                b"endValue" => self.end = Decimal::parse(text(pull)?.as_bytes()),
                _ => pull.skip()?,
            }
        }
        Ok(())
    }

    /// Joins samples and weights, and closes what is open.
    pub(super) fn end(&mut self, _stacks: &mut Stacks, values: &mut Tally, notes: &mut Notes) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        for (node, weight) in self.samples.iter().zip(&self.weights) {
            match weight {
                Some(weight) => values.add(*node, *weight, notes),
                None => notes.add("bad-weight", "weights were no numbers, taken as 0", String::new),
            }
        }
        let n_missing = self.samples.len().abs_diff(self.weights.len()) as u64;
        let message = "samples or weights had no counterpart and were left out";
        notes
            .add_many("unpaired-sample", message, n_missing, || format!("profile `{}`", self.name));
        (self.samples, self.weights) = (Vec::new(), Vec::new());
        let n_open = self.open.frames.len() as u64;
        if let (Some(end), 1..) = (self.end, n_open) {
            self.open.pass(end, values, notes);
        }
        let message = "events were never closed and end with their profile";
        notes.add_many("unclosed-event", message, n_open, || format!("profile `{}`", self.name));
        self.open = Open::default();
    }

    fn samples(
        &mut self,
        pull: &mut Pull<'_>,
        stacks: &mut Stacks,
        notes: &mut Notes,
    ) -> Result<(), PullError> {
        if pull.next()? != Token::BeginArray {
            return Ok(());
        }
        loop {
            match pull.next()? {
                Token::BeginArray => {}
                Token::BeginObject => {
                    pull.leave()?;
                    continue;
                }
                Token::EndArray | Token::End => return Ok(()),
                _ => continue,
            }
            let mut node = self.root;
            loop {
                match pull.next()? {
                    Token::Number(number) => {
                        node = child(stacks, node, frame(index(number)), notes);
                    }
                    Token::End => return Ok(()),
                    Token::EndArray => break,
                    Token::BeginArray | Token::BeginObject => pull.leave()?,
                    _ => {}
                }
            }
            self.samples.push(node);
        }
    }

    fn weights(&mut self, pull: &mut Pull<'_>) -> Result<(), PullError> {
        if pull.next()? != Token::BeginArray {
            return Ok(());
        }
        loop {
            match pull.next()? {
                Token::Number(number) => self.weights.push(Decimal::parse(number)),
                Token::String(_) | Token::Word(_) => self.weights.push(None),
                Token::BeginArray | Token::BeginObject => pull.leave()?,
                Token::EndArray | Token::End => return Ok(()),
                _ => {}
            }
        }
    }

    fn events(
        &mut self,
        pull: &mut Pull<'_>,
        stacks: &mut Stacks,
        values: &mut Tally,
        notes: &mut Notes,
    ) -> Result<(), PullError> {
        if pull.next()? != Token::BeginArray {
            return Ok(());
        }
        loop {
            match pull.next()? {
                Token::BeginObject => {}
                Token::BeginArray => {
                    pull.leave()?;
                    continue;
                }
                Token::EndArray | Token::End => return Ok(()),
                _ => continue,
            }
            let at = pull.at();
            match Event::read(pull)? {
                Event { opens: Some(opens), frame: Some(frame), at: Some(when) } => {
                    self.open.pass(when, values, notes);
                    if opens {
                        self.open.push(frame, self.root, stacks, notes);
                    } else {
                        self.open.pop(frame, at, notes);
                    }
                }
                _ => notes.add("damaged-event", "events lacked a type, frame or time", || {
                    format!("byte {at}")
                }),
            }
        }
    }
}

impl Event {
    fn read(pull: &mut Pull<'_>) -> Result<Self, PullError> {
        let mut event = Self::default();
        while let Token::Key(key) = pull.next()? {
            match key {
                b"type" => {
                    event.opens = match text(pull)?.as_str() {
                        "O" => Some(true),
                        "C" => Some(false),
                        _ => None,
                    }
                }
                b"frame" => event.frame = Some(index(text(pull)?.as_bytes())),
                b"at" => event.at = Decimal::parse(text(pull)?.as_bytes()),
                _ => pull.skip()?,
            }
        }
        Ok(event)
    }
}

impl Open {
    /// Lets time pass until `when`: it belongs to the innermost open frame.
    fn pass(&mut self, when: Decimal, values: &mut Tally, notes: &mut Notes) {
        let elapsed = when.minus(self.last.unwrap_or(when));
        if elapsed.digits < 0 {
            let message = "events were earlier than the one before, taken as simultaneous";
            return notes.add("unordered-event", message, String::new);
        }
        if let Some((_, node)) = self.frames.last() {
            values.add(*node, elapsed, notes);
        }
        self.last = Some(when);
    }

    fn push(&mut self, number: u32, root: StackId, stacks: &mut Stacks, notes: &mut Notes) {
        let parent = self.frames.last().map_or(root, |(_, node)| *node);
        self.frames.push((number, child(stacks, parent, frame(number), notes)));
        *self.count.entry(number).or_default() += 1;
    }

    /// Closes the innermost `number`, and what is still open inside it.
    fn pop(&mut self, number: u32, at: u64, notes: &mut Notes) {
        if self.count.get(&number).is_none_or(|count| *count == 0) {
            let message = "events closed a frame that was not open";
            return notes.add("close-without-open", message, || format!("byte {at}"));
        }
        while let Some((frame, _)) = self.frames.pop() {
            if let Some(count) = self.count.get_mut(&frame) {
                *count -= 1;
            }
            if frame == number {
                return;
            }
            let message = "events were not closed before their caller";
            notes.add("crossing-event", message, || format!("byte {at}"));
        }
    }
}

/// A frame by its number: names come later.
fn frame(number: u32) -> Frame {
    Frame { name: StrId(number), kind: FrameKind::Native }
}

/// A frame number; what is none is past every list.
fn index(number: &[u8]) -> u32 {
    str::from_utf8(number).ok().and_then(|text| text.parse().ok()).unwrap_or(u32::MAX)
}

/// A text or number as written; anything else is passed over and empty.
fn text(pull: &mut Pull<'_>) -> Result<String, PullError> {
    match pull.next()? {
        Token::String(text) | Token::Number(text) => Ok(String::from_utf8_lossy(text).into_owned()),
        Token::BeginArray | Token::BeginObject => pull.leave().map(|()| String::new()),
        _ => Ok(String::new()),
    }
}
