//! Where the boxes are: each a row and an exact piece `[start, start + total)` of the whole.

use super::SvgOptions;
use super::tree::Tree;

/// What a box stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// The frame at this place of the tree.
    Frame(usize),
    /// The callees of the frame at this place that are too narrow, cut or too deep, merged.
    Rest {
        /// Their caller.
        of: usize,
        /// How many frames are merged, with all below them.
        n_frames: u64,
        /// Their count.
        count: i64,
    },
}

/// A box of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) shape: Shape,
    /// 0 is the root's row.
    pub(super) row: usize,
    /// Left edge, in the weight.
    pub(super) start: i64,
    /// Width, in the weight; never 0.
    pub(super) total: i64,
}

/// Lays out all boxes, callers before callees.
///
/// In every row, the boxes, the own values of frames in rows above and the rests in rows above
/// add up to the total.
pub(super) fn layout(tree: &Tree<'_>, options: &SvgOptions) -> Vec<Area> {
    let mut areas = Vec::new();
    if tree.total() == 0 {
        return areas;
    }
    let floor = (options.min_width / drawing_width(options) * tree.total() as f64).ceil() as i64;
    areas.push(Area { shape: Shape::Frame(0), row: 0, start: 0, total: tree.total() });
    let mut next = 0;
    while let Some(&Area { shape, row, start, .. }) = areas.get(next) {
        next += 1;
        if let Shape::Frame(at) = shape {
            place_callees(tree, at, (row + 1, start), Limits { floor, options }, &mut areas);
        }
    }
    areas
}

/// Px for the whole weight.
pub(super) fn drawing_width(options: &SvgOptions) -> f64 {
    (f64::from(options.width) - 2.0 * super::draw::MARGIN).max(1.0)
}

#[derive(Clone, Copy)]
struct Limits<'o> {
    /// The least total that is drawn.
    floor: i64,
    options: &'o SvgOptions,
}

fn place_callees(
    tree: &Tree<'_>,
    at: usize,
    (row, mut start): (usize, i64),
    limits: Limits<'_>,
    areas: &mut Vec<Area>,
) {
    let cut = tree.nodes[at].cut;
    let (mut total, mut n_frames, mut count) = (cut.total, cut.n_frames, cut.count);
    for callee in tree.callees(at) {
        let node = &tree.nodes[callee];
        if node.total >= limits.floor && row < limits.options.max_rows {
            areas.push(Area { shape: Shape::Frame(callee), row, start, total: node.total });
            start = start.saturating_add(node.total);
        } else {
            total = total.saturating_add(node.total);
            n_frames += node.n_frames;
            count = count.saturating_add(node.count);
        }
    }
    if total > 0 {
        areas.push(Area { shape: Shape::Rest { of: at, n_frames, count }, row, start, total });
    }
}
