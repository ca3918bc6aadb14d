//! gzip: all members of a stream, inflated straight into the reader's buffer.

use std::io::{self, Read};

use flate2::{Decompress, FlushDecompress, Status};

use super::{Stop, bomb, failed_below};

const BUFFER: usize = 128 << 10;
/// 32 KiB, the largest window there is.
const WINDOW_BITS: u8 = 15;

/// Inflates one or more gzip members; ends early, with the reason in [`Gunzip::into_stop`], on
/// truncated or damaged data.
pub(crate) struct Gunzip<'r> {
    input: &'r mut dyn Read,
    buffer: Box<[u8]>,
    from: usize,
    to: usize,
    state: Decompress,
    /// Whether bytes of the current member were consumed.
    inside: bool,
    n_members: u64,
    n_out: u64,
    limit: u64,
    stop: Option<Stop>,
}

impl<'r> Gunzip<'r> {
    /// Inflates `input` to at most `limit` bytes.
    pub(crate) fn new(input: &'r mut dyn Read, limit: u64) -> Self {
        Self {
            input,
            buffer: vec![0; BUFFER].into_boxed_slice(),
            from: 0,
            to: 0,
            state: Decompress::new_gzip(WINDOW_BITS),
            inside: false,
            n_members: 0,
            n_out: 0,
            limit,
            stop: None,
        }
    }

    /// Bytes given so far.
    pub(crate) fn n_out(&self) -> u64 {
        self.n_out
    }

    /// Why it ended.
    pub(crate) fn into_stop(self) -> Stop {
        self.stop.unwrap_or_default()
    }

    /// Makes at least `n` packed bytes available, or as many as there are.
    fn fill(&mut self, n: usize) -> io::Result<usize> {
        if self.from == self.to {
            (self.from, self.to) = (0, 0);
        }
        while self.to - self.from < n && self.to < self.buffer.len() {
            match self.input.read(&mut self.buffer[self.to..]) {
                Ok(0) => break,
                Ok(got) => self.to += got,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(self.to - self.from)
    }

    /// Looks for another member behind the last.
    fn next_member(&mut self) -> io::Result<Option<Stop>> {
        // Two bytes may lie across the end of the buffer.
        self.buffer.copy_within(self.from..self.to, 0);
        (self.from, self.to) = (0, self.to - self.from);
        let n = self.fill(2)?;
        match &self.buffer[..n.min(2)] {
            [0x1f, 0x8b] => {
                self.state = Decompress::new_gzip(WINDOW_BITS);
                self.inside = true;
                Ok(None)
            }
            [] => Ok(Some(Stop::End)),
            // Tapes and block devices pad with zeros.
            [0, ..] if self.buffer[..n].iter().all(|byte| *byte == 0) => Ok(Some(Stop::End)),
            _ => Ok(Some(Stop::Trailing)),
        }
    }

    /// One step of inflating: bytes made, or why there are no more.
    fn step(&mut self, out: &mut [u8]) -> io::Result<Result<usize, Stop>> {
        if !self.inside {
            if self.n_members > 0
                && let Some(stop) = self.next_member()?
            {
                return Ok(Err(stop));
            }
            self.inside = true;
        }
        let n_packed = self.fill(1)?;
        let (had_in, had_out) = (self.state.total_in(), self.state.total_out());
        let packed = &self.buffer[self.from..self.to];
        let result = self.state.decompress(packed, out, FlushDecompress::None);
        let made = (self.state.total_out() - had_out) as usize;
        let used = (self.state.total_in() - had_in) as usize;
        self.from += used.min(n_packed);
        self.n_out += made as u64;
        match result {
            Ok(Status::StreamEnd) => {
                self.n_members += 1;
                self.inside = false;
            }
            Ok(_) if made > 0 || used > 0 => {}
            Ok(_) if n_packed == 0 => return Ok(Err(Stop::Truncated)),
            Ok(_) => return Ok(Err(Stop::Damaged(io::ErrorKind::InvalidData.into()))),
            // The library's own words depend on how the bytes arrived: it may say only that it failed before.
            Err(_) => self.stop = Some(Stop::Damaged(io::ErrorKind::InvalidData.into())),
        }
        Ok(Ok(made))
    }
}

impl Read for Gunzip<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.stop.is_none() && !out.is_empty() {
            match self.step(out) {
                Ok(Ok(_)) if self.n_out > self.limit => self.stop = Some(Stop::Bomb),
                Ok(Ok(0)) => {}
                Ok(Ok(made)) => return Ok(made),
                Ok(Err(stop)) => self.stop = Some(stop),
                Err(error) => self.stop = Some(Stop::Input(error)),
            }
        }
        match self.stop {
            Some(Stop::Bomb) => Err(bomb()),
            Some(Stop::Input(_)) => Err(failed_below()),
            _ => Ok(0),
        }
    }
}
