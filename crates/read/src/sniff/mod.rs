//! Which reader a file is for: by its content, never by its name.

mod binary;
mod json;
mod text;

use crate::{ReadError, Reader, Sniff, readers, unpack::Peek};

pub(crate) use self::json::{Json, Outer};

/// Most bytes that are looked at.
const MOST: usize = 1 << 20;
/// Bytes that are looked at first: enough for most files, and soon there on a pipe.
const FIRST: usize = 16 << 10;

/// Looks at more and more of the stream until a reader knows it, or none does.
pub(crate) fn choose(peek: &mut Peek<'_>) -> Result<&'static Reader, ReadError> {
    let mut size = FIRST;
    loop {
        let head = peek.look(size).map_err(|source| ReadError::Input { at: 0, source })?;
        let n = head.len();
        if head.iter().all(u8::is_ascii_whitespace) && n < size {
            return Err(ReadError::Empty);
        }
        if size < MOST && binary::is_spread(head) {
            size = MOST;
            continue;
        }
        if let Some(error) = foreign(head) {
            return Err(error);
        }
        let is_whole = n < size;
        match ask(head, is_whole || size >= MOST) {
            Answer::Reader(reader) => return Ok(reader),
            Answer::More => size *= 4,
            // The outermost value is too long to see past it: its reader will tell.
            Answer::Perhaps(reader) if !is_whole => return Ok(reader),
            Answer::Perhaps(_) | Answer::Nobody => return Err(unknown(head)),
        }
    }
}

enum Answer {
    Reader(&'static Reader),
    Perhaps(&'static Reader),
    More,
    Nobody,
}

/// Asks the readers in order; one that wants more is waited for, unless these bytes are the last.
fn ask(head: &[u8], last: bool) -> Answer {
    let mut answer = Answer::Nobody;
    for reader in readers() {
        match (reader.sniff)(head) {
            Sniff::Yes => return Answer::Reader(reader),
            Sniff::More if !last => return Answer::More,
            Sniff::More if matches!(answer, Answer::Nobody) => answer = Answer::Perhaps(reader),
            Sniff::More | Sniff::No => {}
        }
    }
    answer
}

/// The error for a wrong kind that we know.
fn foreign(head: &[u8]) -> Option<ReadError> {
    if let Some(version) = binary::nsys_version(head) {
        let kind = crate::Foreign::NsysReport;
        return Some(ReadError::ForeignVersion { kind, version });
    }
    let kind = binary::foreign(head).or_else(|| text::foreign(head));
    let kind = kind.or_else(|| Json::of(head).and_then(|json| json.foreign()));
    kind.map(|kind| ReadError::Foreign { kind })
}

/// The error for what nobody knows.
fn unknown(head: &[u8]) -> ReadError {
    if let Some(json) = Json::of(head) {
        return ReadError::UnknownJson { shape: json.shape() };
    }
    match text::first_line(head) {
        Some(first) => ReadError::UnknownText { first },
        None => {
            let bytes: Vec<String> = head.iter().take(16).map(|b| format!("{b:02x}")).collect();
            ReadError::UnknownBinary { first: bytes.join(" ") }
        }
    }
}
