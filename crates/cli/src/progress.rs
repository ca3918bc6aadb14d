//! Progress: how far the reading of a file is, on a terminal, when it takes more than a second.

use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};

/// Reading faster than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two pictures.
const REFRESH: Duration = Duration::from_millis(100);
/// Cells of the bar.
const CELLS: u64 = 30;

/// A reader that draws a bar on standard error while it is read.
pub(crate) struct Progress<R> {
    inner: R,
    name: String,
    /// Bytes in all; 0 when unknown.
    total: u64,
    done: u64,
    began: Instant,
    /// When the bar was last drawn.
    drawn: Option<Instant>,
    wanted: bool,
}

impl<R> Progress<R> {
    /// Wraps a reader of `total` bytes.
    pub(crate) fn new(inner: R, name: String, total: u64) -> Self {
        let wanted = total > 0 && io::stderr().is_terminal() && !crate::terminal::quiet();
        Self { inner, name, total, done: 0, began: Instant::now(), drawn: None, wanted }
    }

    fn draw(&mut self) {
        let now = Instant::now();
        let recent = self.drawn.is_some_and(|drawn| now - drawn < REFRESH);
        if recent || now - self.began < PATIENCE {
            return;
        }
        self.drawn = Some(now);
        let filled = (self.done * CELLS / self.total).min(CELLS) as usize;
        let bar = format!("{}{}", "█".repeat(filled), "░".repeat(CELLS as usize - filled));
        let percent = (self.done * 100 / self.total).min(100);
        crate::terminal::progress(&format!("{bar} {percent:>3} %  {}", self.name));
    }
}

impl<R: Read> Read for Progress<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.inner.read(buffer)?;
        self.done += n_bytes as u64;
        if self.wanted {
            self.draw();
        }
        Ok(n_bytes)
    }
}

impl<R> Drop for Progress<R> {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            crate::terminal::progress("");
        }
    }
}
