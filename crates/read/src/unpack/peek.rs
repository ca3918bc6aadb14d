//! A stream whose first bytes can be looked at before they are read.

use std::io::{self, Read};

/// Gives the looked-at bytes first, then the rest of the stream without another copy.
pub(crate) struct Peek<'r> {
    input: &'r mut dyn Read,
    head: Vec<u8>,
    from: usize,
    ended: bool,
}

impl<'r> Peek<'r> {
    /// Nothing is looked at yet.
    pub(crate) fn new(input: &'r mut dyn Read) -> Self {
        Self { input, head: Vec::new(), from: 0, ended: false }
    }

    /// The first `size` unread bytes, fewer only when the stream ends or fails.
    ///
    /// A failure is not lost: the stream gives it again, or ends, when it is read.
    pub(crate) fn look(&mut self, size: usize) -> io::Result<&[u8]> {
        let want = self.from + size;
        while self.head.len() < want && !self.ended {
            let had = self.head.len();
            self.head.resize(want, 0);
            let got = self.input.read(&mut self.head[had..]);
            self.head.truncate(had + got.as_ref().map_or(0, |n| *n));
            match got {
                Ok(n) => self.ended = n == 0,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if had == self.from => return Err(error),
                Err(_) => self.ended = true,
            }
        }
        let end = self.head.len().min(want);
        Ok(&self.head[self.from..end])
    }

    /// Passes over looked-at bytes.
    pub(crate) fn pass(&mut self, n: usize) {
        self.from = (self.from + n).min(self.head.len());
    }
}

impl Read for Peek<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.from < self.head.len() {
            let n = out.len().min(self.head.len() - self.from);
            out[..n].copy_from_slice(&self.head[self.from..self.from + n]);
            self.from += n;
            return Ok(n);
        }
        if self.head.capacity() > 0 {
            (self.head, self.from) = (Vec::new(), 0);
        }
        // Read on even after the end was seen: a stream that failed while looking fails here.
        self.input.read(out)
    }
}
