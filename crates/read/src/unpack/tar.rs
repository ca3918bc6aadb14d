//! tar: the regular files of an archive, one after the other.

use std::io::{self, Read};

const BLOCK: usize = 512;
/// Longest name or header record that is held.
const MAX_NAME: u64 = 64 << 10;

/// Whether 512 bytes begin a tar archive: the header's checksum says so.
pub(super) fn is_header(head: &[u8]) -> bool {
    let Some(header) = head.first_chunk::<BLOCK>() else { return false };
    let Some(expected) = octal(&header[148..156]) else { return false };
    let sum = |bytes: &[u8]| bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>();
    // The checksum counts itself as spaces; an all-zero block is the end, not a header.
    header[0] != 0 && expected == sum(&header[..148]) + 8 * 32 + sum(&header[156..])
}

fn octal(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        // GNU's base 256, for files of 8 GiB and more.
        let tail = &field[field.len().saturating_sub(8)..];
        return Some(tail.iter().fold(0, |value, byte| (value << 8) | u64::from(*byte)));
    }
    let text = str::from_utf8(field).ok()?.trim_matches(['\0', ' ']);
    if text.is_empty() { Some(0) } else { u64::from_str_radix(text, 8).ok() }
}

/// A tar archive being read.
pub(crate) struct Tar<'r> {
    input: &'r mut dyn Read,
    /// Bytes of the current member that are unread, then its padding.
    left: u64,
    padding: u64,
    truncated: bool,
}

impl<'r> Tar<'r> {
    /// The archive in `input`.
    pub(crate) fn new(input: &'r mut dyn Read) -> Self {
        Self { input, left: 0, padding: 0, truncated: false }
    }

    /// Whether the archive ended inside a member.
    pub(crate) fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// Goes to the next regular file and gives its name; `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<String>> {
        let mut long_name = None;
        loop {
            self.skip_rest()?;
            let mut header = [0; BLOCK];
            if !self.fill(&mut header)? || !is_header(&header) {
                return Ok(None);
            }
            self.left = octal(&header[124..136]).unwrap_or(0);
            self.padding = self.left.wrapping_neg() % BLOCK as u64;
            match header[156] {
                b'L' => long_name = Some(text_until_nul(&self.record()?)),
                b'x' => long_name = pax_path(&self.record()?).or(long_name),
                b'0' | 0 | b'7' => {
                    return Ok(Some(long_name.take().unwrap_or_else(|| name(&header))));
                }
                // Folders, links and devices may carry a size that is no content.
                b'1'..=b'6' => (self.left, self.padding, long_name) = (0, 0, None),
                _ => {}
            }
        }
    }

    fn record(&mut self) -> io::Result<Vec<u8>> {
        let mut record = Vec::new();
        let size = self.left.min(MAX_NAME);
        self.take(size).read_to_end(&mut record)?;
        Ok(record)
    }

    fn skip_rest(&mut self) -> io::Result<()> {
        let rest = self.left.saturating_add(self.padding);
        (self.left, self.padding) = (0, 0);
        if rest == 0 {
            return Ok(());
        }
        let skipped = io::copy(&mut (&mut *self.input).take(rest), &mut io::sink())?;
        self.truncated |= skipped < rest;
        Ok(())
    }

    fn fill(&mut self, header: &mut [u8]) -> io::Result<bool> {
        let mut n = 0;
        while n < header.len() {
            match self.input.read(&mut header[n..]) {
                Ok(0) => break,
                Ok(got) => n += got,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.truncated |= n > 0 && n < header.len();
        Ok(n == header.len())
    }
}

/// The bytes of the current member.
impl Read for Tar<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = usize::try_from(self.left).unwrap_or(usize::MAX).min(out.len());
        if n == 0 {
            return Ok(0);
        }
        let got = self.input.read(&mut out[..n])?;
        self.left -= got as u64;
        if got == 0 {
            self.truncated = true;
            (self.left, self.padding) = (0, 0);
        }
        Ok(got)
    }
}

fn text_until_nul(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

fn name(header: &[u8; BLOCK]) -> String {
    let name = text_until_nul(&header[..100]);
    let prefix = text_until_nul(&header[345..500]);
    let has_prefix = header[257..262] == *b"ustar" && header[262] == 0 && !prefix.is_empty();
    if has_prefix { format!("{prefix}/{name}") } else { name }
}

/// The `path` of a pax record: lines of `length key=value`.
fn pax_path(record: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(record);
    let mut values = text.lines().filter_map(|line| line.split_once(' ')?.1.strip_prefix("path="));
    values.next().map(str::to_owned)
}
