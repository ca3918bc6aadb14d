//! Why nothing useful could be read, and what to do about it.

use std::io;

use crate::refuse::Foreign;

/// Why nothing useful could be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The stream failed.
    #[error("the input ended with an error after {at} bytes")]
    Input {
        /// Bytes read before.
        at: u64,
        /// What the stream said.
        #[source]
        source: io::Error,
    },
    /// There are no bytes at all.
    #[error("the input is empty")]
    Empty,
    /// A compressed input grew past [`Limits::max_unpacked`](crate::Limits).
    #[error("the {layer} input unpacks to more than {limit} bytes, the limit of `--max-unpacked`")]
    TooLarge {
        /// Which layer: `gzip`, `zstd`, `tar`.
        layer: &'static str,
        /// The limit, in bytes.
        limit: u64,
    },
    /// A format that must be held whole is larger than what we hold.
    #[error("the {format} input is larger than {limit} bytes, the most that is held at once")]
    TooLargeToHold {
        /// Word for the format.
        format: &'static str,
        /// The limit, in bytes.
        limit: u64,
    },
    /// A compressed input is broken before its first byte.
    #[error("the {layer} input is damaged from the start")]
    Unpack {
        /// Which layer: `gzip`, `zstd`.
        layer: &'static str,
        /// What the decoder said.
        #[source]
        source: io::Error,
    },
    /// Layers of compression and archives without end.
    #[error("the input is packed more than {limit} times")]
    TooManyLayers {
        /// Most layers that are followed.
        limit: usize,
    },
    /// An archive without a profile.
    #[error("the archive holds no profile: {n_members} files, the first is `{first}`")]
    NoMember {
        /// Number of files in it.
        n_members: u64,
        /// Name of the first, or empty.
        first: String,
        /// Why the first is no profile.
        #[source]
        source: Option<Box<Self>>,
    },
    /// A kind of file that we know and do not read.
    #[error("the input is {}", kind.what())]
    Foreign {
        /// Which.
        kind: Foreign,
    },
    /// A kind of file that we know and do not read, with the version its header tells.
    #[error("the input is {} written by version `{version}`", kind.what())]
    ForeignVersion {
        /// Which.
        kind: Foreign,
        /// As the file says it.
        version: String,
    },
    /// JSON that no reader knows.
    #[error("the input is JSON of an unknown shape: {shape}")]
    UnknownJson {
        /// Its outermost keys or elements, as a phrase.
        shape: String,
    },
    /// Text that no reader knows.
    #[error("the input is text without stacks or events; it begins with `{first}`")]
    UnknownText {
        /// Its first line, cut to a few words.
        first: String,
    },
    /// Bytes that no reader knows.
    #[error("the input is binary data of an unknown kind; it begins with `{first}`")]
    UnknownBinary {
        /// Its first bytes in hexadecimal.
        first: String,
    },
    /// Nothing of the format could be used.
    #[error("the {format} input holds nothing that can be used: {what}")]
    Damaged {
        /// Word for the format.
        format: &'static str,
        /// What was met and where, as a phrase.
        what: String,
    },
    /// The caller asked for a reader that does not exist.
    #[error("there is no input format `{wanted}`")]
    NoSuchFormat {
        /// The word that was asked for.
        wanted: String,
    },
}

impl ReadError {
    /// What the user can do about it, where we know.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Foreign { kind } | Self::ForeignVersion { kind, .. } => {
                Some(kind.hint().to_owned())
            }
            Self::Empty => Some(EMPTY.to_owned()),
            Self::TooLarge { limit, .. } => Some(format!(
                "if you trust the file, allow more: `--max-unpacked {}`",
                limit.saturating_mul(4)
            )),
            Self::NoMember { source: Some(source), .. } => source.hint(),
            Self::NoSuchFormat { .. } => Some(formats()),
            Self::UnknownJson { .. } | Self::UnknownText { .. } | Self::UnknownBinary { .. } => {
                Some(formats())
            }
            Self::Unpack { .. } => Some("copy or export the file again".to_owned()),
            _ => None,
        }
    }
}

const EMPTY: &str = "`torch.profiler`'s `export_stacks` writes an empty file when the profile has \
no stacks, as most do; export the trace instead (`export_chrome_trace`) and make the stacks with \
`flamelane fold TRACE`; a profiler killed before it wrote also leaves an empty file";

fn formats() -> String {
    let names: Vec<&str> = crate::readers().iter().map(|reader| reader.name).collect();
    format!("these are read: {}; choose one with `--input-format`", names.join(", "))
}
