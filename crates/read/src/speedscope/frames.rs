//! The shared frames: names, and the files and lines that some writers add.

use flamelane_model::{Frame, Strings};

use crate::{
    kinds::guess,
    pull::{Pull, PullError, Token},
};

/// The frames as read, in file order.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// All names, one after the other.
    text: String,
    /// End of each name in `text`.
    ends: Vec<usize>,
}

impl Frames {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Reads the array of frames.
    pub(super) fn read(&mut self, pull: &mut Pull<'_>) -> Result<(), PullError> {
        if pull.next()? != Token::BeginArray {
            return Ok(());
        }
        loop {
            match pull.next()? {
                Token::BeginObject => self.frame(pull)?,
                Token::BeginArray => pull.leave()?,
                Token::EndArray | Token::End => return Ok(()),
                // Something that is no frame still counts: stacks name frames by their place.
                _ => self.push("[unnamed]", "", ""),
            }
        }
    }

    /// The frames with their kinds.
    pub(super) fn intern(&self, strings: &mut Strings) -> Vec<Frame> {
        let mut from = 0;
        let mut frames = Vec::with_capacity(self.ends.len());
        for end in &self.ends {
            let name = &self.text[from..*end];
            frames.push(Frame { name: strings.intern(name), kind: guess(name) });
            from = *end;
        }
        frames
    }

    fn frame(&mut self, pull: &mut Pull<'_>) -> Result<(), PullError> {
        let (mut name, mut file, mut line) = (String::new(), String::new(), String::new());
        while let Token::Key(key) = pull.next()? {
            let slot = match key {
                b"name" => &mut name,
                b"file" => &mut file,
                b"line" => &mut line,
                _ => {
                    pull.skip()?;
                    continue;
                }
            };
            match pull.next()? {
                Token::String(text) | Token::Number(text) => {
                    *slot = String::from_utf8_lossy(text).into_owned();
                }
                Token::BeginArray | Token::BeginObject => pull.leave()?,
                _ => {}
            }
        }
        self.push(&name, &file, &line);
        Ok(())
    }

    /// Writes the place as py-spy's folded output does, so that both read the same.
    fn push(&mut self, name: &str, file: &str, line: &str) {
        self.text.push_str(name);
        if !file.is_empty() {
            self.text.push_str(" (");
            self.text.push_str(file);
            if !line.is_empty() {
                self.text.push(':');
                self.text.push_str(line);
            }
            self.text.push(')');
        }
        self.ends.push(self.text.len());
    }
}
