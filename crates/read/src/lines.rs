//! Lines of a stream, one at a time, of bounded length.

use std::io;

use memchr::memchr;

const BUFFER: usize = 256 << 10;

/// A line without its end (`\n` or `\r\n`).
#[derive(Debug)]
pub(crate) struct Line<'l> {
    /// Its bytes.
    pub(crate) text: &'l [u8],
    /// Byte offset of its start.
    pub(crate) at: u64,
    /// Whether it was longer than the limit and only its beginning is here.
    pub(crate) cut: bool,
}

/// The lines of a stream.
pub(crate) struct Lines<'r> {
    input: &'r mut dyn io::Read,
    buffer: Vec<u8>,
    from: usize,
    to: usize,
    /// Byte offset of `buffer[0]`.
    before: u64,
    max: usize,
}

impl<'r> Lines<'r> {
    /// Lines of `input`, of which at most `max` bytes each are kept.
    pub(crate) fn new(input: &'r mut dyn io::Read, max: usize) -> Self {
        let max = max.max(BUFFER);
        Self { input, buffer: vec![0; BUFFER], from: 0, to: 0, before: 0, max }
    }

    /// Reads until the buffer is full or the stream ends, and shows what is there without taking it.
    pub(crate) fn look_ahead(&mut self) -> io::Result<&[u8]> {
        while self.to < self.buffer.len() && self.fill()? {}
        Ok(&self.buffer[self.from..self.to])
    }

    /// Bytes consumed so far.
    pub(crate) fn at(&self) -> u64 {
        self.before + self.from as u64
    }

    /// The next line, or `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut seen = 0;
        loop {
            if let Some(n) = memchr(b'\n', &self.buffer[self.from + seen..self.to]) {
                let (from, end) = (self.from, self.from + seen + n);
                self.from = end + 1;
                return Ok(Some(self.line(from, end, false)));
            }
            seen = self.to - self.from;
            if seen >= self.max {
                return self.cut().map(Some);
            }
            if !self.make_room_and_fill()? {
                let (from, end) = (self.from, self.to);
                self.from = end;
                return Ok((end > from).then(|| self.line(from, end, false)));
            }
        }
    }

    fn line(&self, from: usize, end: usize, cut: bool) -> Line<'_> {
        let text = &self.buffer[from..end];
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        Line { text, at: self.before + from as u64, cut }
    }

    /// Gives the beginning of a line that is too long, and passes over its rest.
    fn cut(&mut self) -> io::Result<Line<'_>> {
        let at = self.at();
        let kept = self.buffer[self.from..self.to].to_vec();
        loop {
            self.before += self.to as u64;
            (self.from, self.to) = (0, 0);
            if !self.fill()? {
                break;
            }
            if let Some(n) = memchr(b'\n', &self.buffer[..self.to]) {
                self.from = n + 1;
                break;
            }
        }
        // The kept part moves behind the unread bytes, so that both live in one buffer.
        let start = self.to;
        self.buffer.truncate(start);
        self.buffer.extend_from_slice(&kept);
        Ok(Line { text: &self.buffer[start..], at, cut: true })
    }

    fn make_room_and_fill(&mut self) -> io::Result<bool> {
        self.buffer.copy_within(self.from..self.to, 0);
        self.before += self.from as u64;
        (self.from, self.to) = (0, self.to - self.from);
        if self.to * 2 > self.buffer.len() || self.buffer.len() < BUFFER {
            let size = (self.buffer.len() * 2).clamp(BUFFER, self.max.max(BUFFER) * 2);
            self.buffer.resize(size, 0);
        }
        self.fill()
    }

    fn fill(&mut self) -> io::Result<bool> {
        loop {
            match self.input.read(&mut self.buffer[self.to..]) {
                Ok(n) => {
                    self.to += n;
                    return Ok(n > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(String, bool)> {
        let mut bytes = text.as_bytes();
        let mut lines = Lines::new(&mut bytes, 0);
        let mut out = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            assert!(text.as_bytes()[line.at as usize..].starts_with(line.text));
            out.push((String::from_utf8_lossy(line.text).into_owned(), line.cut));
        }
        out
    }

    #[test]
    fn line_ends_of_both_kinds_are_left_out() {
        let texts: Vec<String> = lines("a\r\n\nb\nc").into_iter().map(|(text, _)| text).collect();
        assert_eq!(texts, ["a", "", "b", "c"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_cut_and_the_next_one_is_whole() {
        let long = format!("first\n{}\nlast 1\n", "x".repeat(3 * BUFFER));
        let lines = lines(&long);
        assert_eq!(lines.len(), 3);
        assert!(lines[1].1 && lines[1].0.len() >= BUFFER);
        assert_eq!(lines[2], ("last 1".to_owned(), false));
    }
}
