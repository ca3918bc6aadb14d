//! The page for a server: the same viewer, which asks for each block when a view first needs it.

use std::borrow::Cow;
use std::io;

use flamelane_report::Report;
use rustc_hash::FxHashMap;

use super::lanes::Part;
use super::{CaptureData, HtmlOptions, charts, contents, encode, pack, page};

/// A page and its blocks. Those of profiles are packed once, those of lanes each time that they are
/// asked for: lanes are large, and most are looked at once.
#[derive(Debug)]
pub struct ServedPage<'a> {
    captures: &'a [CaptureData<'a>],
    profiles: Vec<encode::Packed>,
    page: Vec<u8>,
    /// By the name of the block.
    places: FxHashMap<String, Place>,
}

/// Where a block comes from.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Profile and block.
    Profile(usize, usize),
    /// Chart and part.
    Chart(usize, Part),
}

impl<'a> ServedPage<'a> {
    /// Prepares the page of a report.
    pub fn new(
        report: &Report,
        captures: &'a [CaptureData<'a>],
        options: HtmlOptions,
    ) -> io::Result<Self> {
        let profiles = pack(captures, options);
        let (mut page, mut places) = (Vec::new(), FxHashMap::default());
        for (row, profile) in profiles.iter().enumerate() {
            let names = profile.blocks.iter().map(|(name, _)| name.clone());
            places.extend(names.enumerate().map(|(i, name)| (name, Place::Profile(row, i))));
        }
        let charts = charts(captures, &profiles, usize::MAX);
        for (row, chart) in charts.iter().enumerate() {
            let parts = chart.parts().map(|part| (chart.name(part), Place::Chart(row, part)));
            places.extend(parts);
        }
        page::write(report, &contents(&profiles, &charts), page::Blocks::Served, &mut page)?;
        Ok(Self { captures, profiles, page, places })
    }

    /// The page itself, as HTML.
    pub fn page(&self) -> &[u8] {
        &self.page
    }

    /// The bytes of a block, deflated; nothing where there is none of that name.
    pub fn block(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        match *self.places.get(name)? {
            Place::Profile(row, i) => Some(Cow::Borrowed(&self.profiles[row].blocks[i].1)),
            Place::Chart(row, part) => {
                Some(Cow::Owned(charts(self.captures, &self.profiles, usize::MAX)[row].block(part)))
            }
        }
    }
}
