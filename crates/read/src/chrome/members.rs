//! Members of an event that the scanner does not parse, found in its text when they are needed.

use std::borrow::Cow;

use crate::json::unescape;

/// The raw value of the member `name` of the object `text`; strings without their quotes.
pub(super) fn member<'t>(text: &'t [u8], name: &[u8]) -> Option<&'t [u8]> {
    let (mut at, mut depth, mut is_key) = (0, 0_u32, true);
    while at < text.len() {
        match text[at] {
            b'"' => {
                let end = string_end(text, at + 1);
                let string = &text[at + 1..end];
                at = end + 1;
                if depth == 1 && is_key && string == name {
                    return Some(value(&text[at.min(text.len())..]));
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b':' if depth == 1 => is_key = false,
            b',' if depth == 1 => is_key = true,
            _ => {}
        }
        at += 1;
    }
    None
}

/// A member as text.
pub(super) fn text<'t>(object: &'t [u8], name: &[u8]) -> Cow<'t, str> {
    match unescape(member(object, name).unwrap_or_default()) {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// The value behind a key.
fn value(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    let text = text.strip_prefix(b":").unwrap_or(text).trim_ascii_start();
    match text.first() {
        Some(b'"') => &text[1..string_end(text, 1)],
        Some(b'{' | b'[') => &text[..bracket_end(text)],
        _ => {
            let end = text.iter().position(|byte| matches!(byte, b',' | b'}' | b']'));
            text[..end.unwrap_or(text.len())].trim_ascii_end()
        }
    }
}

/// The closing quote of the string whose content begins at `at`, or the end.
fn string_end(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        match text[at] {
            b'"' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

fn bracket_end(text: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_u32);
    while at < text.len() {
        match text[at] {
            b'"' => at = string_end(text, at + 1),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return at.min(text.len());
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_at_their_own_level() {
        let object =
            br#"{"a": {"line": 1, "f": "}"}, "line": 12 , "args":{"filename":"x\"y"},"s":"v"}"#;
        assert_eq!(member(object, b"line"), Some(&b"12"[..]));
        assert_eq!(member(object, b"s"), Some(&b"v"[..]));
        assert_eq!(text(member(object, b"args").unwrap(), b"filename"), "x\"y");
        assert_eq!(member(object, b"v"), None);
        for n in 0..object.len() {
            let _ = member(&object[..n], b"s");
        }
    }
}
