//! Layouts of the JSON text: the same trace as different writers would print it.

use std::io::{self, Write};

/// How the JSON is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// libkineto up to torch 2.9: an event over a few lines, several keys a line, metadata last.
    #[default]
    Kineto,
    /// libkineto of torch 2.15: one key a line, metadata first.
    Keys,
    /// All on one line without spaces.
    Minified,
    /// Two spaces a level, arrays one element a line.
    Indent2,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Self; 4] = [Self::Kineto, Self::Keys, Self::Minified, Self::Indent2];

    /// The layout's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kineto => "kineto",
            Self::Keys => "keys",
            Self::Minified => "minified",
            Self::Indent2 => "indent2",
        }
    }

    /// The layout of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layout| layout.name() == name)
    }
}

/// Lays JSON text out anew while it passes through; strings and numbers are kept byte for byte.
#[derive(Debug)]
pub struct Relayout<W> {
    out: W,
    /// Levels that get lines of their own; deeper ones stay on the line.
    broken_levels: usize,
    depth: usize,
    in_string: bool,
    escaped: bool,
    just_opened: bool,
    buffer: Vec<u8>,
}

impl<W: Write> Relayout<W> {
    /// Removes all space between tokens.
    pub fn minified(out: W) -> Self {
        Self::new(out, 0)
    }

    /// Indents by two spaces a level, down to `levels`.
    pub fn indented(out: W, levels: usize) -> Self {
        Self::new(out, levels)
    }

    fn new(out: W, broken_levels: usize) -> Self {
        Self {
            out,
            broken_levels,
            depth: 0,
            in_string: false,
            escaped: false,
            just_opened: false,
            buffer: Vec::with_capacity(1 << 16),
        }
    }

    fn line(&mut self) {
        if self.depth < self.broken_levels {
            self.buffer.push(b'\n');
            self.buffer.extend(std::iter::repeat_n(b' ', 2 * self.depth));
        }
    }

    fn token(&mut self, byte: u8) {
        match byte {
            b' ' | b'\n' | b'\r' | b'\t' => {}
            b'}' | b']' => {
                let empty = self.just_opened;
                self.just_opened = false;
                let inner_broken = self.depth < self.broken_levels;
                self.depth -= 1;
                if !empty && inner_broken {
                    self.line();
                }
                self.buffer.push(byte);
            }
            _ => {
                if std::mem::take(&mut self.just_opened) {
                    self.line();
                }
                self.buffer.push(byte);
                self.after(byte);
            }
        }
    }

    fn after(&mut self, byte: u8) {
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => {
                self.depth += 1;
                self.just_opened = true;
            }
            b',' if self.depth < self.broken_levels => self.line(),
            b',' | b':' if self.broken_levels > 0 => self.buffer.push(b' '),
            _ => {}
        }
    }

    fn string_byte(&mut self, byte: u8) {
        self.buffer.push(byte);
        if self.escaped {
            self.escaped = false;
        } else if byte == b'\\' {
            self.escaped = true;
        } else if byte == b'"' {
            self.in_string = false;
        }
    }
}

impl<W: Write> Write for Relayout<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if self.in_string {
                self.string_byte(byte);
            } else {
                self.token(byte);
            }
        }
        if self.buffer.len() > (1 << 16) {
            self.out.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relaid(text: &str, levels: usize) -> String {
        let mut out = Vec::new();
        let mut relayout = Relayout::new(&mut out, levels);
        relayout.write_all(text.as_bytes()).expect("memory takes all");
        relayout.flush().expect("memory takes all");
        String::from_utf8(out).expect("text in, text out")
    }

    const TEXT: &str = "{ \"a b\" : [ 1,\n 2.50 , [] ], \"c\\\" ,\": { } ,\"d\":\"}\"}";

    #[test]
    fn minified_text_keeps_strings_and_drops_space() {
        assert_eq!(relaid(TEXT, 0), "{\"a b\":[1,2.50,[]],\"c\\\" ,\":{},\"d\":\"}\"}");
    }

    #[test]
    fn indented_text_breaks_every_level() {
        let expected = "{\n  \"a b\": [\n    1,\n    2.50,\n    []\n  ],\n  \"c\\\" ,\": {},\n  \"d\": \"}\"\n}";
        assert_eq!(relaid(TEXT, 99), expected);
    }

    #[test]
    fn rows_stay_on_their_line() {
        assert_eq!(relaid("{\"a\":[{\"b\":1}]}", 3), "{\n  \"a\": [\n    {\"b\": 1}\n  ]\n}");
    }
}
