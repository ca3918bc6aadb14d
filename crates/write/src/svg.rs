//! A flame graph or icicle as one SVG file: readable without scripts, searchable with them.
//!
//! What is too narrow to draw is merged into hatched boxes of exact width, and the tree goes
//! along as data, so that zooming shows the merged frames and a search counts them.

mod draw;
mod embed;
mod layout;
mod style;
mod tree;
mod words;
mod xml;

use std::io;

use flamelane_model::{Profile, Weight};

use self::tree::Tree;

/// Where the root is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Root on top, callees hang below.
    Icicle,
    /// Root at the bottom, callees stand on it.
    Flame,
}

/// Order of frames called from the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Heaviest first.
    LeftHeavy,
    /// By name: the same place in two files that are compared.
    Alphabetical,
}

/// What to draw and how.
#[derive(Clone, Debug)]
pub struct SvgOptions {
    /// What widths mean.
    pub weight: Weight,
    /// Weights that, added, count what happened: for the mean. Missing ones are left out.
    pub count: Vec<Weight>,
    /// What is counted, in the plural: `launches`.
    pub count_name: String,
    /// First line.
    pub title: String,
    /// Second line, smaller; may be empty.
    pub subtitle: String,
    /// Width in px without scripts; with them the window's width is used.
    pub width: u32,
    /// Frames narrower than this many px are merged into the rest of their caller.
    pub min_width: f64,
    /// Rows below which everything is merged into the rest.
    pub max_rows: usize,
    /// Root on top or at the bottom.
    pub direction: Direction,
    /// Order of siblings.
    pub order: Order,
    /// At most so many frames go along as data, the heaviest; a search then says `≥`.
    pub max_frames: usize,
}

impl SvgOptions {
    /// Sensible choices for `weight`: icicle, left heavy, 1200 px, frames from 1 px, 256 rows,
    /// 500,000 frames as data (packed to 1 to 4 bytes each, and every name once).
    pub fn new(weight: Weight) -> Self {
        let (count, count_name) = match weight {
            Weight::Gpu | Weight::GpuBusy => {
                (vec![Weight::Launches, Weight::Copies], "launches and copies")
            }
            Weight::CopyBytes => (vec![Weight::Copies], "copies"),
            Weight::Launches | Weight::Copies | Weight::Calls => (Vec::new(), ""),
            _ => (vec![Weight::Calls], "calls"),
        };
        Self {
            title: format!("Flame graph: {}", weight.name()),
            weight,
            count,
            count_name: count_name.to_owned(),
            subtitle: String::new(),
            width: 1200,
            min_width: 1.0,
            max_rows: 256,
            direction: Direction::Icicle,
            order: Order::LeftHeavy,
            max_frames: 500_000,
        }
    }
}

/// Writes the picture.
///
/// Negative values have no width: they are taken as 0, and the picture says so. Bytes depend on
/// nothing but the arguments.
pub fn write_svg(
    profile: &Profile,
    options: &SvgOptions,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let tree = Tree::new(profile, options);
    let mut out = io::BufWriter::with_capacity(1 << 16, out);
    draw::write(&tree, options, &mut out)?;
    io::Write::flush(&mut out)
}
