//! `report.html`: the viewer, the report and the profiles in one file that opens without a network.
//!
//! The page holds three things: the modules of `viewer/` behind an import map of `data:` URLs, the
//! report as JSON, and each profile and chart as blocks of columns (varint, then deflate, then base64) that
//! the viewer unpacks when a view first asks for them. Names reach the page only as JSON or inside
//! a block, so that no name can end a script element.

mod assets;
mod blocks;
mod cut;
mod encode;
mod lanes;
mod page;
#[cfg(test)]
mod tests;

use std::io;

use flamelane_model::{Chart, Profile};
use flamelane_report::Report;

/// What the page shows of one capture beside its report.
#[derive(Clone, Copy, Debug)]
pub struct CaptureData<'p> {
    /// Row of `Report::captures`.
    pub capture: usize,
    /// Its stacks and weights.
    pub profile: &'p Profile,
    /// Its lanes; a page without them has no lane view.
    pub chart: Option<&'p Chart>,
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
    captures: &[CaptureData<'_>],
    out: &mut dyn io::Write,
) -> io::Result<()> {
    write_html_with(report, captures, HtmlOptions::default(), out)
}

/// Writes the report page.
pub fn write_html_with(
    report: &Report,
    captures: &[CaptureData<'_>],
    options: HtmlOptions,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let profiles = captures.iter().enumerate();
    let profiles = profiles.map(|(index, data)| encode::pack(index, *data, options));
    let profiles: Vec<encode::Packed> = profiles.collect();
    let charts = captures.iter().zip(&profiles);
    let charts = charts.filter_map(|(data, packed)| Some((data.capture, data.chart?, packed)));
    let charts = charts.enumerate().map(|(index, (capture, chart, profile))| {
        lanes::pack(index, capture, chart, &profile.rows)
    });
    page::write(report, &profiles, &charts.collect::<Vec<_>>(), out)
}
