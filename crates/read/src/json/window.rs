//! The piece of the stream that is in memory: refilled, shifted, and grown for one large event.

use std::io;

use crate::ReadError;

/// Bytes of quotes behind the text, so that searches for the end of a string stop there and
/// wide loads need no second check.
const PADDING: usize = 256;
/// Text held when no event needs more.
pub(super) const CAPACITY: usize = 512 << 10;

/// A window over a stream.
pub(super) struct Window<'r> {
    input: &'r mut dyn io::Read,
    bytes: Vec<u8>,
    /// End of the text in `bytes`; padding follows.
    end: usize,
    /// Place in the stream of `bytes[0]`.
    base: u64,
    over: bool,
    failed: Option<io::Error>,
}

impl<'r> Window<'r> {
    /// An empty window of `capacity` bytes, not 0; the first `fill` reads.
    pub(super) fn new(input: &'r mut dyn io::Read, capacity: usize) -> Self {
        // Zeros cost nothing until they are read over; what is padding becomes quotes then.
        let bytes = vec![0; capacity + PADDING];
        Self { input, bytes, end: 0, base: 0, over: false, failed: None }
    }

    /// The text with its padding.
    pub(super) fn text(&self) -> &[u8] {
        &self.bytes
    }

    /// Where the text ends and the padding begins.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// Place in the stream of the window's first byte.
    pub(super) fn base(&self) -> u64 {
        self.base
    }

    /// Whether the stream has no more bytes than those in the window.
    pub(super) fn is_last(&self) -> bool {
        self.over
    }

    /// Whether the window holds nothing but what starts at `from`, so that only growing helps.
    pub(super) fn is_full(&self, from: usize) -> bool {
        from == 0 && self.end + PADDING >= self.bytes.len()
    }

    /// The error that ended the stream, if one did.
    pub(super) fn take_error(&mut self) -> Option<ReadError> {
        let at = self.base + self.end as u64;
        self.failed.take().map(|source| ReadError::Input { at, source })
    }

    /// Forgets what lies before `from`, which becomes position 0, and reads on until the window
    /// is full or the stream is over. A window that is full already doubles.
    pub(super) fn fill(&mut self, from: usize) {
        if self.is_full(from) {
            let size = (self.bytes.len() - PADDING) * 2 + PADDING;
            self.bytes.resize(size, b'"');
        }
        let from = from.min(self.end);
        self.bytes.copy_within(from..self.end, 0);
        self.end -= from;
        self.base += from as u64;
        let capacity = self.bytes.len() - PADDING;
        while !self.over && self.end < capacity {
            match self.input.read(&mut self.bytes[self.end..capacity]) {
                Ok(0) => self.over = true,
                Ok(n) => self.end += n.min(capacity - self.end),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.over = true;
                    self.failed = Some(error);
                }
            }
        }
        self.bytes[self.end..self.end + PADDING].fill(b'"');
    }
}
