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
mod served;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;

pub use served::ServedPage;

use lanes::ChartPage;

use flamelane_model::{Chart, Frame, Notes, Profile};
use flamelane_report::Report;

/// What the page shows of one capture beside its report.
#[derive(Clone, Copy, Debug)]
pub struct CaptureData<'p> {
    /// Where the page says what the capture is.
    pub about: About<'p>,
    /// Its stacks and weights.
    pub profile: &'p Profile,
    /// Its lanes; a page without them has no lane view.
    pub chart: Option<&'p Chart>,
    /// The families of device frames; those that are not named belong to none.
    pub families: &'p BTreeMap<Frame, String>,
}

/// What the page says of a capture beside its profile.
#[derive(Clone, Copy, Debug)]
pub enum About<'p> {
    /// A row of `Report::captures`.
    Report(usize),
    /// A file of finished stacks: without a timeline there is nothing to report on.
    Stacks(StacksFile<'p>),
}

/// A file of finished stacks.
#[derive(Clone, Copy, Debug)]
pub struct StacksFile<'p> {
    /// Its name.
    pub file: &'p str,
    /// The word for its format.
    pub format: &'p str,
    /// The reader's remarks.
    pub notes: &'p Notes,
}

/// What the page may be told.
#[derive(Clone, Copy, Debug)]
pub struct HtmlOptions {
    /// The most frames that a profile shows by name; the smallest beyond that are folded into one
    /// frame a parent, so that every sum stays exact.
    pub max_nodes: usize,
    /// The most stretches of all threads' courses through the profile that a file holds. Beyond that
    /// they are left out, and host time cannot be narrowed to a part of the window; a served page,
    /// which is asked for them one thread at a time, always has them.
    pub max_stretches: usize,
}

impl Default for HtmlOptions {
    fn default() -> Self {
        Self { max_nodes: 1_000_000, max_stretches: 2_000_000 }
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
    let mut profiles = pack(captures, options);
    let of_profiles: Vec<(String, Vec<u8>)> =
        profiles.iter_mut().flat_map(|profile| std::mem::take(&mut profile.blocks)).collect();
    let charts = charts(captures, &profiles, options.max_stretches);
    let of_charts = charts
        .iter()
        .flat_map(|chart| chart.parts().map(move |part| (chart.name(part), chart.block(part))));
    let mut blocks = of_profiles.into_iter().chain(of_charts);
    page::write(report, &contents(&profiles, &charts), page::Blocks::Inside(&mut blocks), out)
}

fn pack(captures: &[CaptureData<'_>], options: HtmlOptions) -> Vec<encode::Packed> {
    let captures = captures.iter().enumerate();
    captures.map(|(index, data)| encode::pack(index, *data, options)).collect()
}

fn charts<'c>(
    captures: &'c [CaptureData<'c>],
    profiles: &'c [encode::Packed],
    max_stretches: usize,
) -> Vec<ChartPage<'c>> {
    let of_lane = |chart: &Chart| chart.lanes.iter().map(|lane| lane.course.len()).sum::<usize>();
    let stretches: usize = captures.iter().filter_map(|data| data.chart).map(of_lane).sum();
    let has_courses = stretches <= max_stretches;
    let with_chart = captures.iter().zip(profiles).filter_map(|(data, packed)| {
        let About::Report(capture) = data.about else { return None };
        data.chart.map(|chart| (capture, chart, packed.rows.as_slice()))
    });
    let page =
        |(number, (capture, chart, rows))| ChartPage { number, capture, chart, rows, has_courses };
    with_chart.enumerate().map(page).collect()
}

fn contents<'p>(profiles: &'p [encode::Packed], charts: &[ChartPage<'_>]) -> page::Contents<'p> {
    let profiles = profiles.iter().map(|profile| &profile.index).collect();
    page::Contents::new(profiles, charts.iter().map(ChartPage::index).collect())
}
