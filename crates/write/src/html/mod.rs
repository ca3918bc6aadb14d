//! `report.html`: the viewer, the report and the profiles in one file that opens without a network.
//!
//! The page holds three things: the modules of `viewer/` behind an import map of `data:` URLs, the
//! report as JSON, and each profile as blocks of columns (varint, then deflate, then base64) that
//! the viewer unpacks when a view first asks for them. Names reach the page only as JSON or inside
//! a block, so that no name can end a script element.

mod assets;
mod cut;
mod encode;
mod page;
#[cfg(test)]
mod tests;

use std::io;

use flamelane_model::Profile;
use flamelane_report::Report;

/// The profile behind one capture of a report.
#[derive(Clone, Copy, Debug)]
pub struct CaptureProfile<'p> {
    /// Row of `Report::captures`.
    pub capture: usize,
    /// Its stacks and weights.
    pub profile: &'p Profile,
}

/// What the page may be told.
#[derive(Clone, Copy, Debug)]
pub struct HtmlOptions {
    /// The most frames that a profile shows by name; the smallest beyond that are folded into one
    /// frame a parent, so that every sum stays exact.
    pub max_nodes: usize,
}

impl Default for HtmlOptions {
    fn default() -> Self {
        Self { max_nodes: 1_000_000 }
    }
}

/// Writes the report page with the default options.
pub fn write_html(
    report: &Report,
    profiles: &[CaptureProfile<'_>],
    out: &mut dyn io::Write,
) -> io::Result<()> {
    write_html_with(report, profiles, HtmlOptions::default(), out)
}

/// Writes the report page.
pub fn write_html_with(
    report: &Report,
    profiles: &[CaptureProfile<'_>],
    options: HtmlOptions,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let packed: Vec<encode::Packed> = profiles
        .iter()
        .enumerate()
        .map(|(index, capture)| encode::pack(index, *capture, options))
        .collect();
    page::write(report, &packed, out)
}
