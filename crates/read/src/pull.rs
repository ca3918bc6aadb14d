//! A pull tokenizer for JSON of any size: exact numbers, bounded strings, no recursion, and what
//! came before a truncation stays usable.

use std::io;

use memchr::memchr2;

/// One token; texts live until the next call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Token<'t> {
    BeginObject,
    EndObject,
    BeginArray,
    EndArray,
    /// Name of a member, unescaped.
    Key(&'t [u8]),
    /// A string value, unescaped.
    String(&'t [u8]),
    /// A number as written.
    Number(&'t [u8]),
    /// `true`, `false`, `null`, `NaN` and the like.
    Word(&'t [u8]),
    /// No more bytes; a file that ends inside a value is truncated.
    End,
}

/// Why tokens stop before the end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PullError {
    /// The stream failed.
    #[error("the stream failed")]
    Input(#[source] io::Error),
    /// This byte fits nowhere.
    #[error("unexpected `{}`", char::from(*.0).escape_default())]
    Stray(u8),
    /// Brackets nest deeper than [`MAX_DEPTH`].
    #[error("brackets nest too deep")]
    Deep,
}

/// Deepest nesting that is followed.
const MAX_DEPTH: usize = 1000;
const BUFFER: usize = 64 << 10;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Key,
    Value,
    Array,
}

/// The tokenizer.
pub(crate) struct Pull<'r> {
    input: &'r mut dyn io::Read,
    buffer: Box<[u8]>,
    from: usize,
    to: usize,
    /// Bytes of the stream before `buffer[0]`.
    before: u64,
    text: Vec<u8>,
    max_text: usize,
    n_cut: u64,
    levels: Vec<Level>,
}

impl<'r> Pull<'r> {
    /// Tokens of `input`; of strings longer than `max_text` only the beginning is kept.
    pub(crate) fn new(input: &'r mut dyn io::Read, max_text: usize) -> Self {
        Self {
            input,
            buffer: vec![0; BUFFER].into_boxed_slice(),
            from: 0,
            to: 0,
            before: 0,
            text: Vec::new(),
            max_text,
            n_cut: 0,
            levels: Vec::new(),
        }
    }

    /// Bytes consumed so far.
    pub(crate) fn at(&self) -> u64 {
        self.before + self.from as u64
    }

    /// How many brackets are open.
    pub(crate) fn depth(&self) -> usize {
        self.levels.len()
    }

    /// How many strings were cut.
    pub(crate) fn n_cut(&self) -> u64 {
        self.n_cut
    }

    /// The next token.
    pub(crate) fn next(&mut self) -> Result<Token<'_>, PullError> {
        loop {
            let Some(byte) = self.peek()? else { return Ok(Token::End) };
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' => self.from += 1,
                _ => return self.token(byte),
            }
        }
    }

    /// Passes over the next value, whatever it is.
    pub(crate) fn skip(&mut self) -> Result<(), PullError> {
        let depth = self.depth();
        loop {
            let is_key = match self.next()? {
                Token::End => return Ok(()),
                token => matches!(token, Token::Key(_)),
            };
            if !is_key && self.depth() <= depth {
                return Ok(());
            }
        }
    }

    /// Passes over the rest of the array or object whose bracket was the last token.
    pub(crate) fn leave(&mut self) -> Result<(), PullError> {
        let depth = self.depth();
        while self.depth() >= depth {
            if self.next()? == Token::End {
                return Ok(());
            }
        }
        Ok(())
    }

    fn token(&mut self, byte: u8) -> Result<Token<'_>, PullError> {
        match byte {
            b'{' => self.open(Level::Key).map(|()| Token::BeginObject),
            b'[' => self.open(Level::Array).map(|()| Token::BeginArray),
            b'}' | b']' => self.close(byte),
            b'"' => {
                self.from += 1;
                self.string()?;
                if self.levels.last() == Some(&Level::Key) {
                    self.set_level(Level::Value);
                    return Ok(Token::Key(&self.text));
                }
                self.value_done();
                Ok(Token::String(&self.text))
            }
            b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => self.bare(byte),
            _ => Err(PullError::Stray(byte)),
        }
    }

    fn open(&mut self, level: Level) -> Result<(), PullError> {
        if self.levels.len() >= MAX_DEPTH {
            return Err(PullError::Deep);
        }
        self.from += 1;
        self.levels.push(level);
        Ok(())
    }

    fn close(&mut self, byte: u8) -> Result<Token<'_>, PullError> {
        let array = match self.levels.last() {
            Some(level) => *level == Level::Array,
            None => return Err(PullError::Stray(byte)),
        };
        if array != (byte == b']') {
            return Err(PullError::Stray(byte));
        }
        self.from += 1;
        self.levels.pop();
        self.value_done();
        Ok(if array { Token::EndArray } else { Token::EndObject })
    }

    fn value_done(&mut self) {
        if self.levels.last() == Some(&Level::Value) {
            self.set_level(Level::Key);
        }
    }

    fn set_level(&mut self, level: Level) {
        if let Some(last) = self.levels.last_mut() {
            *last = level;
        }
    }

    fn bare(&mut self, first: u8) -> Result<Token<'_>, PullError> {
        self.text.clear();
        while let Some(byte) = self.peek()? {
            if !matches!(byte, b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') {
                break;
            }
            self.from += 1;
            if self.text.len() < 64 {
                self.text.push(byte);
            }
        }
        self.value_done();
        let is_word = first.is_ascii_alphabetic() || self.text.get(1) == Some(&b'I');
        Ok(if is_word { Token::Word(&self.text) } else { Token::Number(&self.text) })
    }

    fn string(&mut self) -> Result<(), PullError> {
        self.text.clear();
        let mut cut = false;
        // A string that the end of the file cuts counts as ended: the next token is the end.
        while self.peek()?.is_some() {
            let rest = &self.buffer[self.from..self.to];
            let found = memchr2(b'"', b'\\', rest);
            let plain = found.unwrap_or(rest.len());
            let room = self.max_text.saturating_sub(self.text.len()).min(plain);
            cut |= room < plain;
            self.text.extend_from_slice(&rest[..room]);
            self.from += plain;
            if found.is_none() {
                continue;
            }
            self.from += 1;
            if self.buffer[self.from - 1] == b'"' {
                break;
            }
            self.escape()?;
        }
        self.n_cut += u64::from(cut);
        Ok(())
    }

    fn escape(&mut self) -> Result<(), PullError> {
        let Some(byte) = self.bump()? else { return Ok(()) };
        let plain = match byte {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            b'u' => return self.unicode(),
            other => other,
        };
        self.text.push(plain);
        Ok(())
    }

    fn unicode(&mut self) -> Result<(), PullError> {
        let mut code = self.hex4()?;
        if (0xD800..0xDC00).contains(&code) && self.peek()? == Some(b'\\') {
            self.from += 1;
            if self.peek()? != Some(b'u') {
                self.push_char(code);
                return self.escape();
            }
            self.from += 1;
            let low = self.hex4()?;
            if (0xDC00..0xE000).contains(&low) {
                code = 0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            } else {
                self.push_char(code);
                code = low;
            }
        }
        self.push_char(code);
        Ok(())
    }

    fn push_char(&mut self, code: u32) {
        let char = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        self.text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn hex4(&mut self) -> Result<u32, PullError> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek()?.and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else { return Ok(0xFFFD) };
            self.from += 1;
            code = code * 16 + digit;
        }
        Ok(code)
    }

    fn bump(&mut self) -> Result<Option<u8>, PullError> {
        let byte = self.peek()?;
        self.from += usize::from(byte.is_some());
        Ok(byte)
    }

    fn peek(&mut self) -> Result<Option<u8>, PullError> {
        if self.from == self.to && !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.buffer[self.from]))
    }

    #[cold]
    fn fill(&mut self) -> Result<bool, PullError> {
        self.before += self.to as u64;
        (self.from, self.to) = (0, 0);
        loop {
            match self.input.read(&mut self.buffer) {
                Ok(n) => {
                    self.to = n;
                    return Ok(n > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(PullError::Input(error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> String {
        let mut bytes = text.as_bytes();
        let mut pull = Pull::new(&mut bytes, 16);
        let mut out = Vec::new();
        loop {
            let token = match pull.next() {
                Ok(Token::End) => break,
                Ok(Token::Key(text)) => format!("{}:", String::from_utf8_lossy(text)),
                Ok(Token::String(text)) => format!("'{}'", String::from_utf8_lossy(text)),
                Ok(Token::Number(text) | Token::Word(text)) => {
                    String::from_utf8_lossy(text).into_owned()
                }
                Ok(Token::BeginObject) => "{".into(),
                Ok(Token::EndObject) => "}".into(),
                Ok(Token::BeginArray) => "[".into(),
                Ok(Token::EndArray) => "]".into(),
                Err(error) => format!("{error:?}"),
            };
            let stop = token.starts_with("Stray") || token == "Deep";
            out.push(token);
            if stop {
                break;
            }
        }
        out.join(" ")
    }

    #[test]
    fn keys_and_values_are_told_apart() {
        assert_eq!(
            tokens(r#"{"a": ["b", -1.50e3, null], "c": {"d": "e"}}"#),
            "{ a: [ 'b' -1.50e3 null ] c: { d: 'e' } }"
        );
    }

    #[test]
    fn escapes_are_undone_and_broken_ones_replaced() {
        assert_eq!(
            tokens(r#"["\u00e9\ud83d\ude00\n\/", "\ud800x", "\uzz"]"#),
            "[ 'é😀\n/' '\u{fffd}x' '\u{fffd}zz' ]"
        );
    }

    #[test]
    fn a_truncated_file_gives_what_was_there() {
        assert_eq!(tokens(r#"{"a": [1, "b"#), "{ a: [ 1 'b'");
        assert_eq!(tokens("[1]]"), "[ 1 ] Stray(93)");
        assert_eq!(tokens("[}"), "[ Stray(125)");
    }

    #[test]
    fn endless_nesting_stops() {
        assert!(tokens(&"[".repeat(5000)).ends_with("Deep"));
    }

    #[test]
    fn a_value_is_skipped_whole() {
        let mut bytes = &br#"{"a": {"x": [1, {"y": 2}]}, "b": 3}"#[..];
        let mut pull = Pull::new(&mut bytes, 16);
        pull.next().unwrap();
        pull.next().unwrap();
        pull.skip().unwrap();
        assert_eq!(pull.next().unwrap(), Token::Key(b"b"));
    }
}
