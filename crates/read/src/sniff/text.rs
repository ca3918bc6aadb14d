//! Text that is known and not read.

use crate::Foreign;

/// A known kind of text, if it is one.
pub(super) fn foreign(head: &[u8]) -> Option<Foreign> {
    let text = head.trim_ascii_start();
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let lower: Vec<u8> = text.iter().take(1024).map(u8::to_ascii_lowercase).collect();
    let has = |needle: &str| memchr::memmem::find(&lower, needle.as_bytes()).is_some();
    if lower.starts_with(b"<?xml") || lower.starts_with(b"<svg") || lower.starts_with(b"<!doctype")
    {
        return Some(match () {
            () if has("<svg") || has("doctype svg") => Foreign::Svg,
            () if has("<html") || has("doctype html") => Foreign::Html,
            () => Foreign::Xml,
        });
    }
    if lower.starts_with(b"<html") || lower.starts_with(b"<head") || lower.starts_with(b"<!--") {
        return Some(Foreign::Html);
    }
    if text.starts_with(b"version https://git-lfs") {
        return Some(Foreign::GitLfsPointer);
    }
    if is_torch_table(text) {
        return Some(Foreign::TorchTable);
    }
    table(first).or_else(|| is_perf_script(text).then_some(Foreign::PerfScript))
}

/// The first line, cut to what a message can hold; `None` when the bytes are no text.
pub(super) fn first_line(head: &[u8]) -> Option<String> {
    let start = &head[..head.len().min(4096)];
    let odd = |byte: &&u8| **byte < 32 && !matches!(**byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b);
    if start.iter().any(|byte| odd(&byte)) {
        return None;
    }
    let cut_char = start.len() < head.len() || start.len() == 4096;
    match str::from_utf8(start) {
        Ok(_) => {}
        Err(error) if cut_char && error.error_len().is_none() => {}
        Err(_) => return None,
    }
    let text = String::from_utf8_lossy(start);
    let line = text.trim_start().lines().next().unwrap_or_default();
    let short: String = line.chars().take(60).collect();
    let more = if short.len() < line.len() { "…" } else { "" };
    Some(format!("{}{more}", short.trim_end()))
}

/// `key_averages().table()`: a line of dashes, then the heads of the columns.
fn is_torch_table(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let rule = lines.next().unwrap_or_default();
    let heads = lines.next().unwrap_or_default();
    rule.len() > 20
        && rule.iter().all(|byte| matches!(byte, b'-' | b' '))
        && heads.starts_with(b"Name")
        && (memchr::memmem::find(heads, b"# of Calls").is_some()
            || memchr::memmem::find(heads, b"CPU").is_some())
}

/// CSV tables of the vendors' tools, by the heads of their columns.
fn table(first: &[u8]) -> Option<Foreign> {
    let has = |needle: &str| memchr::memmem::find(first, needle.as_bytes()).is_some();
    if !first.contains(&b',') {
        return None;
    }
    let rocm = has("Start_Timestamp") || has("BeginNs") || has("AverageNs") || has("Agent_Id");
    let nsight = has("Time (%)") || has("Total Time (ns)") || has("CorrId");
    match (rocm, nsight) {
        (true, _) => Some(Foreign::RocprofCsv),
        (false, true) => Some(Foreign::NsysCsv),
        (false, false) => None,
    }
}

/// `perf script`: a header line that ends in a colon over indented `address symbol (object)`.
fn is_perf_script(text: &[u8]) -> bool {
    let mut header = false;
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.starts_with(b"#"));
    for line in lines.take(500) {
        let indented = line.first().is_some_and(u8::is_ascii_whitespace);
        let line = line.trim_ascii();
        if indented && header && is_perf_frame(line) {
            return true;
        }
        if !indented && !line.is_empty() {
            header = is_perf_header(line);
        }
    }
    false
}

/// `comm 27409/28744 [000] 441995.133575: cpu-clock:`, more or less of it.
fn is_perf_header(line: &[u8]) -> bool {
    let mut words = line.split(|byte| *byte == b' ');
    let number = |word: &[u8]| word.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'/'));
    line.ends_with(b":") && words.any(|word| !word.is_empty() && number(word))
}

fn is_perf_frame(line: &[u8]) -> bool {
    let n_hex = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    n_hex > 0 && line.get(n_hex) == Some(&b' ') && line.ends_with(b")")
}
