//! One capture and the screen it is shown on.

use flamelane_model::Ns;
use flamelane_report::Capture;

use super::Screen;
use crate::text::{Ink, Line, shell_word};

/// Cells of the words at the left that say what a line is about.
const KEY: usize = 10;

/// What every block of the screen needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    /// The capture.
    pub(crate) capture: &'a Capture,
    /// Columns.
    pub(crate) width: usize,
    /// Name of the HTML report written beside.
    pub(crate) report: Option<&'a str>,
    path: &'a str,
}

impl<'a> View<'a> {
    /// The capture in row `index` of the report.
    pub(crate) fn new(capture: &'a Capture, index: usize, screen: &'a Screen) -> Self {
        let path = screen.paths.get(index).map_or(capture.file.as_str(), String::as_str);
        Self { capture, width: screen.columns(), report: screen.report.as_deref(), path }
    }

    /// The capture's path as a word of a shell.
    pub(crate) fn file(&self) -> String {
        shell_word(self.path)
    }

    /// Number by which sums become figures per step; 1 where there are no steps.
    pub(crate) fn n_steps(&self) -> Ns {
        Ns::try_from(self.capture.steps.count).unwrap_or(1).max(1)
    }

    /// `per step`, or `total` where no steps were found.
    pub(crate) fn per(&self) -> &'static str {
        if self.capture.steps.count == 0 { "total" } else { "per step" }
    }

    /// Whether the capture holds device work at all.
    pub(crate) fn has_device_work(&self) -> bool {
        self.capture.totals.device_spans > 0
    }

    /// A block's title and what to know of its figures.
    pub(crate) fn section(&self, title: &str, about: impl Into<String>) -> Vec<Line> {
        let line = Line::of(Ink::Strong, title).with(Ink::Plain, "  ");
        line.with(Ink::Faint, about).wrapped(self.width, 2)
    }

    /// A line with a word at its left that says what it is about, wrapped below itself.
    pub(crate) fn keyed(&self, key: &str, line: Line) -> Vec<Line> {
        let mut whole = Line::of(Ink::Faint, format!("{key:<KEY$}"));
        whole.append(line);
        whole.wrapped(self.width, KEY)
    }
}
