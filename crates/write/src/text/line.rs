//! Lines of painted text. Width is counted before paint, so that colour never moves a column.

use std::io;

use flamelane_model::labels::cells;

/// What a piece of text means; each has one colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ink {
    /// As the terminal writes.
    #[default]
    Plain,
    /// What the eye should find first.
    Strong,
    /// What it may pass over.
    Faint,
    /// A path or command to copy.
    Code,
    /// All is well.
    Good,
    /// Part of the story is missing.
    Warn,
    /// Do not trust.
    Bad,
    /// Compute in the partition.
    Compute,
    /// Exposed communication.
    Comm,
    /// Exposed copies.
    Copy,
    /// Idle time.
    Idle,
}

impl Ink {
    /// Parameters of the escape code: the sixteen colours that every theme defines.
    fn code(self) -> Option<&'static str> {
        Some(match self {
            Self::Plain => return None,
            Self::Strong => "1",
            Self::Faint => "2",
            Self::Code => "36",
            Self::Good | Self::Compute => "32",
            Self::Warn | Self::Copy => "33",
            Self::Bad => "1;31",
            Self::Comm => "35",
            Self::Idle => "34",
        })
    }
}

/// One line of pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    pieces: Vec<(Ink, String)>,
}

impl Line {
    /// An empty line.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A line of one piece.
    pub(crate) fn of(ink: Ink, text: impl Into<String>) -> Self {
        Self::new().with(ink, text)
    }

    /// The line with one more piece.
    #[must_use]
    pub(crate) fn with(mut self, ink: Ink, text: impl Into<String>) -> Self {
        self.push(ink, text);
        self
    }

    /// Appends a piece.
    pub(crate) fn push(&mut self, ink: Ink, text: impl Into<String>) {
        self.pieces.push((ink, text.into()));
    }

    /// Appends the pieces of another line.
    pub(crate) fn append(&mut self, other: Self) {
        self.pieces.extend(other.pieces);
    }

    /// Cells the line takes.
    pub(crate) fn width(&self) -> usize {
        self.pieces.iter().map(|(_, text)| cells(text)).sum()
    }

    /// Breaks between words so that no line is wider than `width`; what follows the first line is
    /// indented by `indent`. A single word that is too wide is cut.
    pub(crate) fn wrapped(self, width: usize, indent: usize) -> Vec<Self> {
        if self.width() <= width {
            return vec![self];
        }
        let mut lines = vec![Self::new()];
        let (mut at, mut is_fresh) = (0, true);
        for (ink, text) in self.pieces {
            for word in glued(&text).split_inclusive(' ') {
                let mut word = word;
                let bare = cells(word.trim_end());
                if !is_fresh && bare > 0 && at + bare > width {
                    lines.push(Self::of(Ink::Plain, " ".repeat(indent)));
                    (at, is_fresh) = (indent, true);
                }
                let cut = if at + bare > width {
                    clipped(word, width - at.min(width))
                } else {
                    String::new()
                };
                if !cut.is_empty() {
                    word = &cut;
                }
                at += cells(word);
                is_fresh &= word.trim().is_empty();
                if let Some(line) = lines.last_mut() {
                    line.push(ink, word);
                }
            }
        }
        lines
    }

    fn write(&self, color: bool, out: &mut dyn io::Write) -> io::Result<()> {
        let last = self.pieces.iter().rposition(|(_, text)| !text.trim_end().is_empty());
        let kept = last.map_or(0, |last| last + 1);
        for (at, (ink, text)) in self.pieces[..kept].iter().enumerate() {
            let text = if at + 1 == kept { text.trim_end() } else { text };
            match ink.code().filter(|_| color && !text.trim().is_empty()) {
                Some(code) => write!(out, "\u{1b}[{code}m{}\u{1b}[0m", clean(text))?,
                None => write!(out, "{}", clean(text))?,
            }
        }
        writeln!(out)
    }
}

/// Names come from files: none may steer the terminal.
fn clean(text: &str) -> String {
    let safe = |c: char| match c {
        GLUE => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    text.chars().map(safe).collect()
}

/// A space that no line breaks at.
const GLUE: char = '\u{a0}';

/// Text whose words stay on one line.
pub(crate) fn together(text: &str) -> String {
    text.replace(' ', "\u{a0}")
}

/// Numbers stay with their units: `12.3 %`, `4 × Linear`.
fn glued(text: &str) -> String {
    const UNITS: [&str; 11] = ["%", "×", "s", "ms", "µs", "ns", "B", "KiB", "MiB", "GiB", "·"];
    let mut out = String::with_capacity(text.len());
    let mut before = "";
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end_matches([' ', '.', ',', ':', ';', ')']);
        let is_number = |word: &str| word.ends_with(|c: char| c.is_ascii_digit());
        let unit = UNITS.contains(&bare) && (bare == "·" || is_number(before.trim_end()));
        let factor = before.trim_end() == "×";
        if (unit || factor) && out.ends_with(' ') {
            out.pop();
            out.push(GLUE);
        }
        out.push_str(word);
        before = word;
    }
    out
}

/// The start of a text, ending in `…`, in `room` cells.
pub(crate) fn clipped(text: &str, room: usize) -> String {
    let mut kept = String::new();
    for c in text.trim_end().chars() {
        if cells(&kept) + 1 + cells(c.encode_utf8(&mut [0; 4])) > room {
            kept.push('…');
            break;
        }
        kept.push(c);
    }
    kept
}

/// Writes lines, painted or not, without spaces at their ends.
pub(crate) fn write_lines(lines: &[Line], color: bool, out: &mut dyn io::Write) -> io::Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 14, out);
    for line in lines {
        line.write(color, &mut out)?;
    }
    io::Write::flush(&mut out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[Line], color: bool) -> String {
        let mut out = Vec::new();
        write_lines(lines, color, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn words_wrap_under_an_indent_and_spaces_at_ends_vanish() {
        let line = Line::of(Ink::Strong, "fix: ").with(Ink::Plain, "record a shorter region ");
        assert_eq!(text(&line.wrapped(16, 5), false), "fix: record a\n     shorter\n     region\n");
    }

    #[test]
    fn numbers_stay_with_their_units() {
        let line = Line::of(Ink::Plain, "idle for 12.3 % of 4 × `Linear`, 5 ms each");
        let wrapped = "idle for\n  12.3 %\n  of\n  4 × `Linear`,\n  5 ms\n  each\n";
        assert_eq!(text(&line.clone().wrapped(9, 2), false).lines().count(), 6, "{wrapped}");
        assert_eq!(
            text(&line.wrapped(24, 2), false),
            "idle for 12.3 % of\n  4 × `Linear`, 5 ms\n  each\n"
        );
    }

    #[test]
    fn a_word_wider_than_the_line_is_cut() {
        let line = Line::of(Ink::Plain, "see ").with(Ink::Plain, "abcdefghijkl now");
        assert_eq!(text(&line.wrapped(8, 2), false), "see\n  abcde…\n  now\n");
    }

    #[test]
    fn paint_does_not_count_and_control_characters_do_not_pass() {
        let line = Line::of(Ink::Bad, "a\u{1b}[2Jb");
        assert_eq!(line.width(), 6);
        assert_eq!(text(&[line], true), "\u{1b}[1;31ma\u{fffd}[2Jb\u{1b}[0m\n");
    }
}
