//! Aligned columns that fit a width: names give way first, then whole columns, never the numbers.

use flamelane_model::FrameKind;

use super::line::{Ink, Line};
use flamelane_model::labels::{cells, fit, shorter};

/// Cells between two columns.
const GAP: usize = 2;
/// A name narrower than this says too little: a column that may go goes first.
const LEAST_NAME: usize = 18;

/// How a column behaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    head: &'static str,
    is_right: bool,
    is_name: bool,
    /// Columns with larger numbers go first where room lacks; 0 stays.
    goes: u8,
}

impl Column {
    /// Numbers and their units, aligned right.
    pub(crate) fn number(head: &'static str) -> Self {
        Self { head, is_right: true, is_name: false, goes: 0 }
    }

    /// Short words, never cut.
    pub(crate) fn word(head: &'static str) -> Self {
        Self { head, is_right: false, is_name: false, goes: 0 }
    }

    /// Names, shortened to the room there is.
    pub(crate) fn name(head: &'static str) -> Self {
        Self { head, is_right: false, is_name: true, goes: 0 }
    }

    /// May be left out where room lacks; the largest number first.
    pub(crate) fn goes(self, order: u8) -> Self {
        Self { goes: order, ..self }
    }
}

/// One cell: a text and the shorter ones that say the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    ink: Ink,
    text: String,
    shorter: Vec<String>,
}

impl Cell {
    /// A number or word.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { ink: Ink::Plain, text: text.into(), shorter: Vec::new() }
    }

    /// A frame's name. What only a compiler or a path says is left out from the start.
    pub(crate) fn frame(name: &str, kind: FrameKind) -> Self {
        let mut names = shorter(name, kind);
        let is_python = matches!(kind, FrameKind::Python | FrameKind::Module);
        if let Some(method) = built_in(name) {
            names.insert(0, method);
        }
        let is_long = (is_python || cells(name) > 40) && !names.is_empty();
        let text = if is_long { names.remove(0) } else { name.to_owned() };
        Self { ink: Ink::Plain, text, shorter: names }
    }

    /// With a shorter text for where room lacks.
    #[must_use]
    pub(crate) fn or(mut self, shorter: String) -> Self {
        self.shorter.push(shorter);
        self
    }

    /// Whether nothing is written.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The same in another ink.
    #[must_use]
    pub(crate) fn ink(self, ink: Ink) -> Self {
        Self { ink, ..self }
    }
}

/// `<built-in method decode of tokenizers.Tokenizer object at 0x…>` → `decode of
/// tokenizers.Tokenizer`: the type tells methods of one name apart.
fn built_in(name: &str) -> Option<String> {
    let words = name.strip_prefix("<built-in method ")?.strip_suffix('>')?;
    let (method, owner) = words.split_once(" of ")?;
    let owner = owner.split(" object").next().unwrap_or(owner);
    (owner != "type").then(|| format!("{method} of {owner}"))
}

/// A table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

impl Grid {
    /// A table without rows.
    pub(crate) fn new(columns: impl Into<Vec<Column>>) -> Self {
        Self { columns: columns.into(), rows: Vec::new() }
    }

    /// Appends a row of as many cells as there are columns.
    pub(crate) fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        self.rows.push(cells.into());
    }

    /// Whether there are no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The lines, heads first where any column has one, each at most `width` wide.
    pub(crate) fn lines(&self, width: usize, indent: usize) -> Vec<Line> {
        let kept = self.kept(width, indent);
        let widths = self.widths(&kept, width.saturating_sub(indent));
        let has_head = self.columns.iter().any(|column| !column.head.is_empty());
        let head = |&at: &usize| Cell::new(self.columns[at].head).ink(Ink::Faint);
        let heads: Vec<Cell> = kept.iter().map(head).collect();
        let mut lines = Vec::with_capacity(self.rows.len() + 1);
        if has_head {
            lines.push(self.line(&heads.iter().collect::<Vec<_>>(), &kept, &widths, indent));
        }
        for row in &self.rows {
            let row: Vec<&Cell> = kept.iter().map(|&at| &row[at]).collect();
            lines.push(self.line(&row, &kept, &widths, indent));
        }
        lines
    }

    /// The columns that there is room for.
    fn kept(&self, width: usize, indent: usize) -> Vec<usize> {
        let mut kept: Vec<usize> = (0..self.columns.len()).collect();
        // A column without a single entry only takes room.
        kept.retain(|&at| {
            self.rows.is_empty() || self.rows.iter().any(|row| !row[at].text.is_empty())
        });
        loop {
            let widths = self.widths(&kept, width.saturating_sub(indent));
            let is_cut = kept.iter().zip(&widths).any(|(&at, &given)| {
                self.columns[at].is_name && given < self.natural(at).min(LEAST_NAME)
            });
            let gaps = GAP * kept.len().saturating_sub(1);
            let is_tight = is_cut || indent + gaps + widths.iter().sum::<usize>() > width;
            let last = kept.iter().copied().filter(|&at| self.columns[at].goes > 0);
            let last = last.max_by_key(|&at| self.columns[at].goes);
            match last.filter(|_| is_tight) {
                Some(gone) => kept.retain(|&at| at != gone),
                None => return kept,
            }
        }
    }

    /// Cells the widest entry of a column takes, its head included.
    fn natural(&self, at: usize) -> usize {
        let entries = self.rows.iter().map(|row| cells(&row[at].text));
        entries.max().unwrap_or(0).max(cells(self.columns[at].head))
    }

    /// Cells for each kept column: numbers take what they need, names share what is left.
    fn widths(&self, kept: &[usize], width: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = kept.iter().map(|&at| self.natural(at)).collect();
        let names = || (0..kept.len()).filter(|&i| self.columns[kept[i]].is_name);
        let gaps = GAP * kept.len().saturating_sub(1);
        let fixed: usize =
            (0..kept.len()).filter(|&i| !self.columns[kept[i]].is_name).map(|i| widths[i]).sum();
        let mut room = width.saturating_sub(gaps + fixed);
        // The narrowest first: what one does not need, the others share.
        let mut order: Vec<usize> = names().collect();
        order.sort_by_key(|&i| widths[i]);
        for (served, &i) in order.iter().enumerate() {
            let fair = room / (order.len() - served);
            widths[i] = widths[i].min(fair);
            room -= widths[i];
        }
        widths
    }

    fn line(&self, row: &[&Cell], kept: &[usize], widths: &[usize], indent: usize) -> Line {
        let mut line = Line::of(Ink::Plain, " ".repeat(indent));
        for (i, (cell, &width)) in row.iter().zip(widths).enumerate() {
            let column = self.columns[kept[i]];
            let text = match fit(&cell.text, &cell.shorter, width) {
                Some(text) => text.into_owned(),
                None => String::new(),
            };
            let pad = " ".repeat(width.saturating_sub(cells(&text)));
            if i > 0 {
                line.push(Ink::Plain, " ".repeat(GAP));
            }
            if column.is_right {
                line.push(Ink::Plain, pad);
                line.push(cell.ink, text);
            } else {
                line.push(cell.ink, text);
                line.push(Ink::Plain, pad);
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::write_lines;

    fn grid() -> Grid {
        let mut grid = Grid::new([
            Column::number("time"),
            Column::word("class").goes(1),
            Column::name("frame"),
            Column::name("user frame").goes(2),
        ]);
        let python = |name: &str| Cell::frame(name, FrameKind::Python);
        let frame = python("vllm/model_executor/models/llama.py(571): forward");
        grid.row([Cell::new("1.20 ms"), Cell::new("late host"), frame, python("main.py(7): run")]);
        let frame = Cell::frame("void ns::kernel<int>(int*)", FrameKind::Kernel);
        grid.row([Cell::new("12.00 ms"), Cell::new("dispatch"), frame, Cell::new("")]);
        grid
    }

    fn drawn(width: usize) -> String {
        let mut out = Vec::new();
        write_lines(&grid().lines(width, 1), false, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn names_are_shortened_before_columns_go() {
        let wide = "     time  class      frame                       user frame\n  \
                     1.20 ms  late host  forward llama.py:571        run main.py:7\n \
                     12.00 ms  dispatch   void ns::kernel<int>(int*)\n";
        assert_eq!(drawn(80), wide);
        let narrow = "     time  class      frame\n  \
                       1.20 ms  late host  forward llama.py:5…\n \
                       12.00 ms  dispatch   ns::kernel<int>\n";
        assert_eq!(drawn(41), narrow);
        let tight = "     time  frame\n  1.20 ms  forward llama…\n 12.00 ms  ns::kernel\n";
        assert_eq!(drawn(25), tight);
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for width in 20..120 {
            assert!(grid().lines(width, 1).iter().all(|line| line.width() <= width), "{width}");
        }
    }

    #[test]
    fn a_built_in_method_keeps_its_type() {
        let name = "<built-in method decode of tokenizers.Tokenizer object at 0x7f>";
        assert_eq!(Cell::frame(name, FrameKind::Python).text, "decode of tokenizers.Tokenizer");
        let name = "<built-in method mm of type object at 0x7f>";
        assert_eq!(Cell::frame(name, FrameKind::Python).text, "mm");
    }

    #[test]
    fn a_column_without_entries_is_left_out() {
        let mut grid = Grid::new([Column::number("a"), Column::word("b")]);
        grid.row([Cell::new("1"), Cell::default()]);
        assert_eq!(grid.lines(80, 0)[0].width(), 1);
    }
}
