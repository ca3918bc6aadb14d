//! The dialect of a folded file, judged from its first lines, and how to split its lines.

use std::borrow::Cow;

use crate::{Sniff, number::Decimal};

/// Lines that are looked at.
const SAMPLE: usize = 400;

/// Who wrote the file, as far as its unit goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// A sampler: py-spy, perf.
    Samples,
    /// `torch.profiler`'s `export_stacks`: µs, spaces written as `_`.
    ExportStacks,
    /// Anybody.
    Unknown,
}

/// The dialect of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// Weights at the end of each line, 1 or 2.
    pub(super) n_weights: usize,
    /// Who wrote it.
    pub(super) voice: Voice,
}

impl Style {
    /// Judges the first lines; the last one may be cut.
    pub(super) fn of(head: &[u8]) -> Self {
        let (mut n_stacks, mut n_pairs, mut n_exported, mut n_sampled) = (0, 0, 0, 0);
        for line in sample(head) {
            let Some((stack, _)) = split_weight(line) else { continue };
            n_stacks += 1;
            n_pairs += u32::from(split_weight(stack).is_some());
            n_exported += u32::from(is_exported(stack));
            n_sampled += u32::from(is_sampled(stack));
        }
        let voice = if n_exported * 2 > n_stacks {
            Voice::ExportStacks
        } else if n_sampled > 0 {
            Voice::Samples
        } else {
            Voice::Unknown
        };
        let n_weights = if n_stacks > 0 && n_pairs == n_stacks { 2 } else { 1 };
        Self { n_weights, voice }
    }

    /// The stack and the weights of a line; `None` when it ends in no weight.
    pub(super) fn split<'l>(&self, line: &'l [u8]) -> Option<(&'l [u8], [Option<Decimal>; 2])> {
        let (stack, last) = split_weight(line)?;
        let last = if self.voice == Voice::ExportStacks { last.times(1000) } else { last };
        if self.n_weights == 1 {
            return Some((stack, [Some(last), None]));
        }
        Some(match split_weight(stack) {
            Some((stack, first)) => (stack, [Some(first), Some(last)]),
            None => (stack, [Some(last), None]),
        })
    }

    /// The name as it was before the writer changed it.
    pub(super) fn restore<'n>(&self, name: &'n str) -> Cow<'n, str> {
        match name.split_once("):_") {
            Some((place, function)) if self.voice == Voice::ExportStacks => {
                Cow::Owned(format!("{place}): {function}"))
            }
            _ => Cow::Borrowed(name),
        }
    }
}

/// Whether a line without a weight is a remark.
pub(super) fn is_comment(line: &[u8]) -> bool {
    line.starts_with(b"#") || line.starts_with(b"//")
}

/// Folded when most lines end in a weight and some join frames by `;`; one-frame stacks only when
/// every line is one.
pub(super) fn sniff(head: &[u8]) -> Sniff {
    if head.is_empty() {
        return Sniff::More;
    }
    if head.contains(&0) || head.trim_ascii_start().first() == Some(&b'{') {
        return Sniff::No;
    }
    let (mut n_good, mut n_bad, mut n_joined) = (0, 0, 0);
    for line in sample(head) {
        match split_weight(line) {
            Some((stack, _)) => {
                n_good += 1;
                n_joined += u32::from(stack.contains(&b';'));
            }
            None => n_bad += u32::from(!is_comment(line)),
        }
    }
    match (n_good, n_bad) {
        (0, 0) => Sniff::More,
        _ if n_joined > 0 && n_good >= n_bad => Sniff::Yes,
        (1.., 0) => Sniff::Yes,
        _ => Sniff::No,
    }
}

/// The first lines that are not blank; a last line without its end only when it is alone.
fn sample(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    // A cut last line would look like one without weight.
    let whole = match memchr::memrchr(b'\n', head) {
        Some(end) if head.len() >= 64 << 10 => &head[..end],
        _ => head,
    };
    let lines = whole.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    lines.filter(|line| !line.is_empty()).take(SAMPLE)
}

/// Splits the weight off the end of a line.
fn split_weight(line: &[u8]) -> Option<(&[u8], Decimal)> {
    let at = line.iter().rposition(|byte| matches!(byte, b' ' | b'\t'))?;
    let weight = Decimal::parse(&line[at + 1..])?;
    let stack = line[..at].trim_ascii();
    (!stack.is_empty()).then_some((stack, weight))
}

fn is_exported(stack: &[u8]) -> bool {
    memchr::memmem::find(stack, b"):_").is_some() && !stack.contains(&b' ')
}

fn is_sampled(stack: &[u8]) -> bool {
    let has = |needle: &[u8]| memchr::memmem::find(stack, needle).is_some();
    has(b"_[k]")
        || has(b"_[j]")
        || has(b"[unknown]")
        || stack.starts_with(b"thread (")
        || stack.starts_with(b"process ")
        || (has(b" (") && has(b".py:"))
}
