//! Layers around a profile: gzip, zstd, tar, UTF-16 and byte-order marks, undone while reading.

mod gz;
mod peek;
mod tar;
mod utf16;
mod zst;

pub(crate) use self::{gz::Gunzip, peek::Peek, tar::Tar, utf16::Utf16, zst::Unzstd};

use std::io;

use flamelane_model::Notes;

/// Bytes that tell which layer comes next: enough for a tar header.
pub(crate) const MAGIC: usize = 512;

/// What wraps the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    Gzip,
    Zstd,
    Tar,
    /// UTF-8 after a byte-order mark.
    Bom,
    /// UTF-16 after its byte-order mark.
    Utf16 {
        little_endian: bool,
    },
    /// Nothing: the file itself.
    None,
}

/// Tells the outermost layer by its first bytes.
pub(crate) fn layer(head: &[u8]) -> Layer {
    match head {
        [0x1f, 0x8b, 8, ..] => Layer::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Layer::Zstd,
        [0xef, 0xbb, 0xbf, ..] => Layer::Bom,
        [0xff, 0xfe, ..] => Layer::Utf16 { little_endian: true },
        [0xfe, 0xff, ..] => Layer::Utf16 { little_endian: false },
        _ if tar::is_header(head) => Layer::Tar,
        _ => Layer::None,
    }
}

/// What stopped an unpacking layer before its end, told once the reader above is done.
#[derive(Debug, Default)]
pub(crate) enum Stop {
    /// Nothing: the end was the end.
    #[default]
    End,
    /// The input ends inside the packed data.
    Truncated,
    /// The packed data is wrong.
    Damaged(io::Error),
    /// The limit on unpacked bytes was met.
    Bomb,
    /// The stream below failed.
    Input(io::Error),
    /// Bytes follow that belong to nothing.
    Trailing,
}

impl Stop {
    /// Remarks what the layer met, if the result could be used all the same.
    pub(crate) fn note(&self, layer: &'static str, at: u64, notes: &mut Notes) {
        let first = || format!("{layer}, after {at} unpacked bytes");
        match self {
            Self::Truncated => notes.add(
                "truncated-input",
                "inputs ended inside their packed data; what was there is used",
                first,
            ),
            Self::Damaged(error) => notes.add(
                "damaged-input",
                "inputs have damaged packed data; what came before is used",
                || format!("{}: {error}", first()),
            ),
            Self::Trailing => notes.add(
                "trailing-bytes",
                "inputs have other bytes after their packed data, left out",
                first,
            ),
            Self::End | Self::Bomb | Self::Input(_) => {}
        }
    }
}

/// The error that a layer gives its reader when it stops at the limit; the cause is in [`Stop`].
fn bomb() -> io::Error {
    io::Error::other("the limit on unpacked bytes was met")
}

/// The error that a layer gives its reader when the stream below failed; the cause is in [`Stop`].
fn failed_below() -> io::Error {
    io::Error::other("the stream below failed")
}
