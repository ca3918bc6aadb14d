//! zstd: all frames of a stream.

use std::io::{self, BufReader, Read};

use super::{Stop, bomb, failed_below};

/// Keeps the error of the stream below apart from the decoder's own.
struct Below<'r> {
    input: &'r mut dyn Read,
    error: Option<io::Error>,
}

impl Read for Below<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.input.read(out) {
            Ok(n) => Ok(n),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                self.error = Some(error);
                Err(failed_below())
            }
        }
    }
}

/// Unpacks one or more zstd frames; ends early, with the reason in [`Unzstd::into_stop`], on
/// truncated or damaged data.
pub(crate) struct Unzstd<'r> {
    decoder: zstd::stream::read::Decoder<'static, BufReader<Below<'r>>>,
    n_out: u64,
    limit: u64,
    stop: Option<Stop>,
}

impl<'r> Unzstd<'r> {
    /// Unpacks `input` to at most `limit` bytes.
    pub(crate) fn new(input: &'r mut dyn Read, limit: u64) -> io::Result<Self> {
        let below = Below { input, error: None };
        let decoder = zstd::stream::read::Decoder::new(below)?;
        Ok(Self { decoder, n_out: 0, limit, stop: None })
    }

    /// Bytes given so far.
    pub(crate) fn n_out(&self) -> u64 {
        self.n_out
    }

    /// Why it ended.
    pub(crate) fn into_stop(self) -> Stop {
        self.stop.unwrap_or_default()
    }

    fn why(&mut self, error: io::Error) -> Stop {
        let below = self.decoder.get_mut().get_mut();
        match below.error.take() {
            Some(error) => Stop::Input(error),
            None if error.kind() == io::ErrorKind::UnexpectedEof => Stop::Truncated,
            None => Stop::Damaged(error),
        }
    }
}

impl Read for Unzstd<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_none() && !out.is_empty() {
            match self.decoder.read(out) {
                Ok(n) => {
                    self.n_out += n as u64;
                    if self.n_out <= self.limit {
                        return Ok(n);
                    }
                    self.stop = Some(Stop::Bomb);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
                Err(error) => self.stop = Some(self.why(error)),
            }
        }
        match self.stop {
            Some(Stop::Bomb) => Err(bomb()),
            Some(Stop::Input(_)) => Err(failed_below()),
            _ => Ok(0),
        }
    }
}
