//! From a stream of any packing to the right reader.

use std::io;

use flamelane_model::Notes;

use crate::{
    Limits, Read, ReadError, Reader, readers, sniff,
    unpack::{Gunzip, Layer, MAGIC, Peek, Stop, Tar, Unzstd, Utf16, layer},
};

/// Most layers of packing that are followed.
const MAX_LAYERS: usize = 8;

/// Reads a profile of any known format: unpacks gzip, zstd and tar on the way, tells the format by
/// its first bytes, and hands the stream to its reader.
///
/// `wanted` names a reader and skips the telling. Notes of unpacking come with those of reading.
pub fn open(
    input: &mut dyn io::Read,
    limits: &Limits,
    wanted: Option<&str>,
) -> Result<Read, ReadError> {
    let wanted = match wanted {
        None => None,
        Some(name) => match readers().iter().find(|reader| reader.name == name) {
            Some(reader) => Some(reader),
            None => return Err(ReadError::NoSuchFormat { wanted: name.to_owned() }),
        },
    };
    Opener { limits, wanted }.open(input, 0)
}

/// What stays the same from layer to layer.
struct Opener<'o> {
    limits: &'o Limits,
    wanted: Option<&'static Reader>,
}

impl Opener<'_> {
    fn open(&self, input: &mut dyn io::Read, depth: usize) -> Result<Read, ReadError> {
        if depth > MAX_LAYERS {
            return Err(ReadError::TooManyLayers { limit: MAX_LAYERS });
        }
        let mut peek = Peek::new(input);
        let head = peek.look(MAGIC).map_err(|source| ReadError::Input { at: 0, source })?;
        match layer(head) {
            Layer::Gzip => self.gzip(&mut peek, depth),
            Layer::Zstd => self.zstd(&mut peek, depth),
            Layer::Tar => self.tar(&mut peek, depth),
            Layer::Bom => {
                peek.pass(3);
                self.open(&mut peek, depth + 1)
            }
            Layer::Utf16 { little_endian } => {
                peek.pass(2);
                self.open(&mut Utf16::new(&mut peek, little_endian), depth + 1)
            }
            Layer::None => self.plain(peek),
        }
    }

    fn gzip(&self, input: &mut Peek<'_>, depth: usize) -> Result<Read, ReadError> {
        let mut gunzip = Gunzip::new(input, self.limits.max_unpacked);
        let result = self.open(&mut gunzip, depth + 1);
        drain(&mut gunzip, &result);
        let at = gunzip.n_out();
        self.unpacked("gzip", gunzip.into_stop(), at, result)
    }

    fn zstd(&self, input: &mut Peek<'_>, depth: usize) -> Result<Read, ReadError> {
        let mut unzstd = Unzstd::new(input, self.limits.max_unpacked)
            .map_err(|source| ReadError::Unpack { layer: "zstd", source })?;
        let result = self.open(&mut unzstd, depth + 1);
        drain(&mut unzstd, &result);
        let at = unzstd.n_out();
        self.unpacked("zstd", unzstd.into_stop(), at, result)
    }

    /// Joins what the layer met with what the reader above made of its bytes.
    fn unpacked(
        &self,
        layer: &'static str,
        stop: Stop,
        at: u64,
        result: Result<Read, ReadError>,
    ) -> Result<Read, ReadError> {
        match stop {
            Stop::Bomb => Err(ReadError::TooLarge { layer, limit: self.limits.max_unpacked }),
            Stop::Input(source) => Err(ReadError::Input { at, source }),
            Stop::Damaged(source) if at == 0 => Err(ReadError::Unpack { layer, source }),
            Stop::Truncated if at == 0 => {
                let source = io::Error::from(io::ErrorKind::UnexpectedEof);
                Err(ReadError::Unpack { layer, source })
            }
            stop => result.map(|mut read| {
                stop.note(layer, at, &mut read.notes);
                read
            }),
        }
    }

    /// Reads the first member that is a profile and counts the others.
    fn tar(&self, input: &mut Peek<'_>, depth: usize) -> Result<Read, ReadError> {
        let mut tar = Tar::new(input);
        let (mut found, mut first_error, mut first_name) = (None, None, None);
        let (mut n_members, mut left_out) = (0_u64, Notes::new());
        loop {
            let name = match tar.next() {
                Ok(Some(name)) => name,
                Ok(None) => break,
                // What was read is whole; the layer below says what went wrong.
                Err(_) if found.is_some() => break,
                Err(source) => return Err(ReadError::Input { at: 0, source }),
            };
            n_members += 1;
            first_name.get_or_insert_with(|| name.clone());
            if found.is_none() {
                match self.open(&mut tar, depth + 1) {
                    Ok(read) => found = Some(read),
                    Err(error @ (ReadError::Input { .. } | ReadError::TooLarge { .. })) => {
                        return Err(error);
                    }
                    Err(error) => {
                        first_error.get_or_insert(error);
                    }
                }
                if found.is_some() {
                    continue;
                }
            }
            left_out.add("other-members", "other files of the archive were left out", || name);
        }
        let Some(mut read) = found else {
            let first = first_name.unwrap_or_default();
            return Err(ReadError::NoMember {
                n_members,
                first,
                source: first_error.map(Box::new),
            });
        };
        merge(&mut read.notes, &left_out);
        if tar.is_truncated() {
            Stop::Truncated.note("tar", 0, &mut read.notes);
        }
        Ok(read)
    }

    fn plain(&self, mut peek: Peek<'_>) -> Result<Read, ReadError> {
        let reader = match self.wanted {
            Some(reader) => reader,
            None => sniff::choose(&mut peek)?,
        };
        (reader.read)(&mut peek, self.limits)
    }
}

/// Reads a layer to its end, so that its checksum is checked and its damage told, also where the
/// reader stopped early.
fn drain(layer: &mut dyn io::Read, result: &Result<Read, ReadError>) {
    // An error leaves nothing to vouch for; a failure of the layer is kept by the layer.
    if result.is_ok() {
        let _ = io::copy(layer, &mut io::sink());
    }
}

fn merge(notes: &mut Notes, more: &Notes) {
    for note in more.iter() {
        notes.add_many(note.code, note.message, note.count, || note.first.clone());
    }
}
