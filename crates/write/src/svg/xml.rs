//! Text that is valid XML whatever a name holds.

use std::fmt::Write as _;

/// Appends `text` for use in an element or a quoted attribute.
///
/// What XML cannot hold is shown instead of lost: a control character by its picture (`␛`), the
/// non-characters by U+FFFD.
pub(super) fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\u{7f}' => out.push('\u{2421}'),
            c if c < ' ' => out.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}')),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

/// `text`, escaped.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    escape(text, &mut out);
    out
}

/// Appends `text` as a JSON string that may stand in XML and in HTML: what either would read as
/// markup or refuse is written `\uXXXX`.
pub(super) fn json_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' || matches!(c, '<' | '>' | '&' | '\u{7f}' | '\u{2028}' | '\u{2029}') => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A length in px: at most two places, none for whole numbers.
pub(super) fn px(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_is_markup_or_forbidden() {
        assert_eq!(escaped("a<b>&\"']]>"), "a&lt;b&gt;&amp;&quot;&#39;]]&gt;");
        assert_eq!(escaped("\u{0}\u{1b}\u{7f}\u{ffff}"), "␀␛␡\u{fffd}");
    }

    #[test]
    fn json_holds_every_name_as_it_is() {
        let name = "a<b>&\"\\]]>\u{0}\n\u{7f}\u{ffff}\u{2028}ü";
        let mut text = String::new();
        json_string(name, &mut text);
        assert!(!text.contains(['<', '>', '&', '\u{ffff}', '\n']));
        assert_eq!(serde_json::from_str::<String>(&text).unwrap(), name);
    }

    #[test]
    fn lengths_are_short() {
        assert_eq!([px(1.0), px(1.256), px(0.0), px(10.5)], ["1", "1.26", "0", "10.5"]);
    }
}
