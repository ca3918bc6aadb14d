//! The content of a JSON string, as forgiving as it gets.

use std::borrow::Cow;

/// The bytes a string stands for; escapes that JSON does not know stay as they are.
pub(crate) fn unescape(text: &[u8]) -> Cow<'_, [u8]> {
    if memchr::memchr(b'\\', text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(slash) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..slash]);
        rest = &rest[slash + 1..];
        let simple = match rest.first() {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(same @ (b'"' | b'\\' | b'/')) => *same,
            Some(b'u') => {
                rest = unicode(rest, &mut out);
                continue;
            }
            _ => {
                out.push(b'\\');
                continue;
            }
        };
        out.push(simple);
        rest = &rest[1..];
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

/// Decodes `uXXXX` at the start of `rest`, with its second half when it has one; gives what is
/// left.
fn unicode<'t>(rest: &'t [u8], out: &mut Vec<u8>) -> &'t [u8] {
    let Some(first) = hex(rest.get(1..5)) else {
        out.push(b'\\');
        out.push(b'u');
        return &rest[1..];
    };
    let second = match rest.get(5..7) {
        Some(b"\\u") => hex(rest.get(7..11)),
        _ => None,
    };
    let units = [first, second.unwrap_or(0)];
    let n_units = if second.is_some() { 2 } else { 1 };
    let decoded = char::decode_utf16(units[..n_units].iter().copied()).next();
    let (character, used) = match decoded {
        Some(Ok(character)) => (character, if character.len_utf16() == 2 { 11 } else { 5 }),
        _ => (char::REPLACEMENT_CHARACTER, 5),
    };
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    &rest[used..]
}

fn hex(digits: Option<&[u8]>) -> Option<u16> {
    let digits = digits?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(String::from_utf8_lossy(&unescape(text.as_bytes())), expected, "{text}");
    }

    #[test]
    fn escapes_become_what_they_stand_for() {
        check(r#"a\"b\\c\/d\n\t"#, "a\"b\\c/d\n\t");
        check(r"\u00e9\u20ac", "é€");
        check(r"\ud834\udd1e", "𝄞");
    }

    #[test]
    fn what_is_no_escape_stays() {
        check(r"C:\qux\", r"C:\qux\");
        check(r"\u12", r"\u12");
        check(r"\ud834", "\u{fffd}");
        check(r"\ud834\u0041", "\u{fffd}A");
        check(r"\u+123", r"\u+123");
    }
}
