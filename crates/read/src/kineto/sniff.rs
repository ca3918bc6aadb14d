//! Telling these traces from other JSON.

use memchr::memmem;

use super::{categories::is_telling, properties::is_wanted};
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
    // A long header may stand before all that tells; its first key is one of ours then.
    let is_header = is_trace && !has(b"\"ph\"") && starts_like_ours(text);
    if is_header { Sniff::More } else { Sniff::No }
}

fn starts_like_ours(text: &[u8]) -> bool {
    let key = text[1..].trim_ascii_start();
    let key = key.strip_prefix(b"\"").unwrap_or_default();
    let key = &key[..memchr::memchr(b'"', key).unwrap_or(0)];
    key == b"metadata" || key == b"trace_id" || is_wanted(key)
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
