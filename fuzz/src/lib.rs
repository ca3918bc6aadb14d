//! What the targets ask: of a reader no panic, and the same answer however the bytes arrive; of the
//! analysis no panic, and no time owned twice.

use std::io::{self, Read};

use flamelane_find::{Thresholds, find, health};
use flamelane_link::{Rules, join, link, recording};
use flamelane_read::{Content, Limits, open, readers};
use flamelane_whatif::{Change, Replay};

/// Reads `data` with the reader of that name, or with whichever knows it, whole and in small pieces.
pub fn check(format: Option<&str>, data: &[u8]) {
    if let Some(name) = format {
        assert!(readers().iter().any(|reader| reader.name == name), "no reader is called `{name}`");
    }
    let limits = Limits { max_unpacked: 16 << 20, max_event: 1 << 20, max_lanes: 64 };
    let whole = open(&mut &data[..], &limits, format);
    let pieces = open(&mut Pieces { data, n: 0 }, &limits, format);
    compare(&format!("{whole:?}"), &format!("{pieces:?}"));
}

/// Takes a trace through everything that the report is made of; what findings own is disjoint and
/// part of what was lost.
pub fn analyse(data: &[u8]) {
    let limits = Limits { max_unpacked: 16 << 20, max_event: 1 << 20, max_lanes: 64 };
    let Ok(opened) = open(&mut &data[..], &limits, Some("kineto")) else { return };
    let Content::Trace(trace) = opened.content else { return };
    let mut linked = link(*trace, Rules::default());
    let own = recording(&linked, "this capture");
    join(&mut linked, &[&own]);
    flamelane_fold::fold(&linked);
    let checks = health(&linked);
    let answer = find(&linked, &checks, &Thresholds::default());
    if let Ok(replay) = Replay::new(&linked) {
        let stacks = linked.waits.iter().map(|wait| linked.nested.call_stack[wait.call.index()]);
        for change in
            [Change::DropSync(stacks.collect()), Change::OverlapCopies, Change::Graph(None)]
        {
            replay.predict(&change);
        }
    }
    let owned = answer.findings.iter().fold(0_i64, |sum, found| sum.saturating_add(found.owned));
    assert!(owned <= answer.tally().whole(), "findings own more than there is");
    assert!(answer.unexplained >= 0, "the rest is negative");
}

/// Fails where two answers part, showing only the places: whole answers are long.
fn compare(whole: &str, pieces: &str) {
    let parts = whole.bytes().zip(pieces.bytes()).position(|(one, other)| one != other);
    let Some(at) = parts.or((whole.len() != pieces.len()).then_some(whole.len().min(pieces.len())))
    else {
        return;
    };
    let near = |text: &str| {
        let bytes = &text.as_bytes()[at.saturating_sub(200)..text.len().min(at + 200)];
        String::from_utf8_lossy(bytes).into_owned()
    };
    panic!("the pieces changed the answer\n whole: {}\npieces: {}", near(whole), near(pieces));
}

/// Hands out 1 to 7 bytes at a time.
struct Pieces<'a> {
    data: &'a [u8],
    n: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.n = self.n % 7 + 1;
        let n = self.n.min(out.len()).min(self.data.len());
        let (piece, rest) = self.data.split_at(n);
        out[..n].copy_from_slice(piece);
        self.data = rest;
        Ok(n)
    }
}
