//! Telling these traces from other JSON.

use memchr::memmem;

use super::categories::is_telling;
use crate::Sniff;

/// Keys at the top that only these profilers write.
const KEYS: &[&[u8]] = &[
    b"\"deviceProperties\"",
    b"\"computeProperties\"",
    b"\"distributedInfo\"",
    b"\"baseTimeNanoseconds\"",
    b"\"cupti_version\"",
    b"\"roctracer_version\"",
];

/// Looks at the first bytes of a file.
pub(super) fn sniff(head: &[u8]) -> Sniff {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    if !matches!(text.first(), None | Some(b'{' | b'[')) {
        return Sniff::No;
    }
    let has = |word: &[u8]| memmem::find(text, word).is_some();
    let is_ours = KEYS.iter().any(|key| has(key)) || has_telling_category(text);
    let is_trace = text.first() == Some(&b'{') || has(b"\"ph\"");
    if is_ours && is_trace {
        return Sniff::Yes;
    }
    // One event more may show a category; a file of other events shows enough of them soon.
    let n_events = memmem::find_iter(text, b"\"ph\"").take(200).count();
    if n_events >= 200 { Sniff::No } else { Sniff::More }
}

fn has_telling_category(text: &[u8]) -> bool {
    memmem::find_iter(text, b"\"cat\"").any(|at| {
        let value = text[at + 5..].trim_ascii_start();
        let value = value.strip_prefix(b":").unwrap_or_default().trim_ascii_start();
        let value = value.strip_prefix(b"\"").unwrap_or_default();
        let end = memchr::memchr(b'"', value).unwrap_or(0);
        is_telling(&value[..end])
    })
}
