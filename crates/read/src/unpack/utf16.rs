//! UTF-16 to UTF-8: what PowerShell's `>` makes of any tool's output.

use std::io::{self, Read};

const BUFFER: usize = 32 << 10;

/// Turns UTF-16 without its byte-order mark into UTF-8; lone surrogates become U+FFFD.
pub(crate) struct Utf16<'r> {
    input: &'r mut dyn Read,
    little_endian: bool,
    buffer: Box<[u8]>,
    n_left: usize,
    high: Option<u16>,
    out: Vec<u8>,
    from: usize,
    ended: bool,
}

impl<'r> Utf16<'r> {
    /// Text of `input`.
    pub(crate) fn new(input: &'r mut dyn Read, little_endian: bool) -> Self {
        Self {
            input,
            little_endian,
            buffer: vec![0; BUFFER].into_boxed_slice(),
            n_left: 0,
            high: None,
            out: Vec::new(),
            from: 0,
            ended: false,
        }
    }

    fn push(&mut self, unit: u16) {
        if let Some(high) = self.high.take() {
            if (0xDC00..0xE000).contains(&unit) {
                let pair = (u32::from(high - 0xD800) << 10) + u32::from(unit - 0xDC00);
                return self.push_char(0x1_0000 + pair);
            }
            self.push_char(u32::from(high));
        }
        if (0xD800..0xDC00).contains(&unit) {
            self.high = Some(unit);
        } else {
            self.push_char(u32::from(unit));
        }
    }

    fn push_char(&mut self, code: u32) {
        let char = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        self.out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
    }

    fn refill(&mut self) -> io::Result<()> {
        (self.from, self.ended) = (0, false);
        self.out.clear();
        let n = self.input.read(&mut self.buffer[self.n_left..])?;
        self.ended = n == 0;
        let n = self.n_left + n;
        for i in (0..n / 2 * 2).step_by(2) {
            let pair = [self.buffer[i], self.buffer[i + 1]];
            let little = u16::from_le_bytes(pair);
            self.push(if self.little_endian { little } else { little.swap_bytes() });
        }
        self.n_left = n % 2;
        if self.n_left == 1 {
            self.buffer[0] = self.buffer[n - 1];
        }
        Ok(())
    }
}

impl Read for Utf16<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.from == self.out.len() && !self.ended {
            self.refill()?;
        }
        let n = out.len().min(self.out.len() - self.from);
        out[..n].copy_from_slice(&self.out[self.from..self.from + n]);
        self.from += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_byte_orders_and_pairs_become_utf8() {
        let text = "a;é 1\n😀 2";
        for little_endian in [true, false] {
            let units = text.encode_utf16();
            let bytes: Vec<u8> = units
                .flat_map(
                    |unit| if little_endian { unit.to_le_bytes() } else { unit.to_be_bytes() },
                )
                .collect();
            let mut input = &bytes[..];
            let mut out = String::new();
            Utf16::new(&mut input, little_endian).read_to_string(&mut out).unwrap();
            assert_eq!(out, text);
        }
    }
}
