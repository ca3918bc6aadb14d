//! The messages of `profile.proto` that we read, and a walk over the fields of the outermost one.
//!
//! The outermost message is walked by hand: decoding it whole would hold every sample at once.

use prost::Message;

/// What a column measures: rows of the string table.
#[derive(Clone, PartialEq, Message)]
pub(super) struct ValueType {
    #[prost(int64, tag = "1")]
    pub(super) kind: i64,
    #[prost(int64, tag = "2")]
    pub(super) unit: i64,
}

/// A stack, leaf first, with one value a sample type.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Sample {
    #[prost(uint64, repeated, tag = "1")]
    pub(super) location: Vec<u64>,
    #[prost(int64, repeated, tag = "2")]
    pub(super) value: Vec<i64>,
    #[prost(message, repeated, tag = "3")]
    pub(super) label: Vec<Label>,
}

/// A label, of which only the presence matters.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Label {}

/// A place in the program, with its inlined calls, innermost first.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Location {
    #[prost(uint64, tag = "1")]
    pub(super) id: u64,
    #[prost(uint64, tag = "3")]
    pub(super) address: u64,
    #[prost(message, repeated, tag = "4")]
    pub(super) line: Vec<Line>,
}

/// One call of a place.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Line {
    #[prost(uint64, tag = "1")]
    pub(super) function: u64,
}

/// A function: rows of the string table.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Function {
    #[prost(uint64, tag = "1")]
    pub(super) id: u64,
    #[prost(int64, tag = "2")]
    pub(super) name: i64,
    #[prost(int64, tag = "4")]
    pub(super) filename: i64,
    #[prost(int64, tag = "5")]
    pub(super) start_line: i64,
}

/// One field of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'b> {
    /// A varint.
    Number(u64),
    /// A string or message.
    Bytes(&'b [u8]),
    /// A fixed number, which profiles do not use.
    Fixed,
}

/// The fields of a message, until its end or the first that is broken.
pub(super) struct Fields<'b> {
    bytes: &'b [u8],
    rest: &'b [u8],
}

impl<'b> Fields<'b> {
    /// The fields of the message `bytes`.
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, rest: bytes }
    }

    /// Where the next field begins.
    pub(super) fn at(&self) -> usize {
        self.bytes.len() - self.rest.len()
    }

    /// Whether bytes are left that are no field.
    pub(super) fn is_broken(&self) -> bool {
        !self.rest.is_empty()
    }

    fn field(bytes: &mut &'b [u8]) -> Option<(u64, Value<'b>)> {
        let key = varint(bytes)?;
        let value = match key & 7 {
            0 => Value::Number(varint(bytes)?),
            1 => take(bytes, 8).map(|_| Value::Fixed)?,
            2 => {
                let size = usize::try_from(varint(bytes)?).ok()?;
                Value::Bytes(take(bytes, size)?)
            }
            5 => take(bytes, 4).map(|_| Value::Fixed)?,
            _ => return None,
        };
        Some((key >> 3, value))
    }
}

impl<'b> Iterator for Fields<'b> {
    type Item = (u64, Value<'b>);

    fn next(&mut self) -> Option<Self::Item> {
        let mut rest = self.rest;
        let field = Self::field(&mut rest)?;
        self.rest = rest;
        Some(field)
    }
}

/// The numbers of a packed field, or the single one of an unpacked field.
pub(super) fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for (i, byte) in bytes.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * i).min(63);
        if byte & 0x80 == 0 {
            *bytes = &bytes[i + 1..];
            return Some(value);
        }
    }
    None
}

fn take<'b>(bytes: &mut &'b [u8], size: usize) -> Option<&'b [u8]> {
    let (taken, rest) = bytes.split_at_checked(size)?;
    *bytes = rest;
    Some(taken)
}

/// Whether the bytes begin a profile: only its fields, and a sample or period type that is one.
pub(super) fn is_profile(head: &[u8]) -> bool {
    let mut fields = Fields::new(head);
    let (mut n_fields, mut n_types) = (0, 0);
    for (number, value) in fields.by_ref() {
        let fits = match (number, value) {
            (1 | 11, Value::Bytes(bytes)) => {
                n_types += 1;
                is_value_type(bytes)
            }
            (2..=6, Value::Bytes(_)) | (7..=10 | 12 | 14 | 15, Value::Number(_)) | (13, _) => true,
            _ => false,
        };
        n_fields += 1;
        if !fits {
            return false;
        }
        if n_fields > 50 && n_types > 0 {
            return true;
        }
    }
    // A field that the end of the bytes cuts must begin like one.
    let next = head.get(fields.at()).map_or(1, |key| key >> 3);
    n_types > 0 && (1..=15).contains(&next)
}

fn is_value_type(bytes: &[u8]) -> bool {
    let mut fields = Fields::new(bytes);
    let fits = fields.all(|field| matches!(field, (1 | 2, Value::Number(0..=0xffff_ffff))));
    fits && !fields.is_broken()
}
