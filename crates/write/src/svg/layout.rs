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

#[cfg(test)]
mod tests {
    use flamelane_model::{Frame, FrameKind, Profile, StackId, Weight};
    use proptest::prelude::*;

    use super::*;
    use crate::svg::Order;

    /// A random tree; small and large values side by side.
    fn any_profile() -> impl Strategy<Value = Profile> {
        let node = (any::<prop::sample::Index>(), 0..4usize, 0..1000i64);
        prop::collection::vec(node, 0..80).prop_map(|rows| {
            let mut profile = Profile::new();
            let mut made = vec![StackId(0)];
            for (parent, name, value) in rows {
                let name = profile.strings.intern(["a", "b", "c", "d"][name]);
                let frame = Frame { name, kind: FrameKind::Op };
                let node = profile.stacks.child(*parent.get(&made), frame);
                made.push(node);
                profile.add(Weight::Gpu, node, (value / 100).pow(5));
                profile.add(Weight::Launches, node, value % 7);
            }
            profile
        })
    }

    fn any_options() -> impl Strategy<Value = SvgOptions> {
        (0.1..400.0, 1..8usize, 0..60usize, any::<bool>()).prop_map(
            |(min_width, max_rows, max_frames, heavy)| SvgOptions {
                min_width,
                max_rows,
                max_frames,
                order: if heavy { Order::LeftHeavy } else { Order::Alphabetical },
                ..SvgOptions::new(Weight::Gpu)
            },
        )
    }

    /// Value that ends in a box: a frame's own, or all of a rest.
    fn ending(tree: &Tree<'_>, area: &Area) -> i64 {
        match area.shape {
            Shape::Frame(at) => tree.nodes[at].own,
            Shape::Rest { .. } => area.total,
        }
    }

    proptest! {
        #[test]
        fn every_row_adds_up_to_the_total(profile in any_profile(), options in any_options()) {
            let tree = Tree::new(&profile, &options);
            let areas = layout(&tree, &options);
            prop_assert_eq!(tree.total(), profile.sum(&Weight::Gpu));
            for row in 0..=options.max_rows {
                let here = areas.iter().filter(|area| area.row == row).map(|area| area.total);
                let above = areas.iter().filter(|area| area.row < row);
                let ended = above.map(|area| ending(&tree, area));
                prop_assert_eq!(here.sum::<i64>() + ended.sum::<i64>(), tree.total());
            }
        }

        #[test]
        fn every_frame_and_count_is_in_one_box(profile in any_profile(), options in any_options()) {
            let tree = Tree::new(&profile, &options);
            let areas = layout(&tree, &options);
            let held = |area: &Area| match area.shape {
                Shape::Frame(at) => (u64::from(at != 0), tree.nodes[at].own_count),
                Shape::Rest { n_frames, count, .. } => (n_frames, count),
            };
            let totals = profile.totals(&Weight::Gpu);
            let n_frames = totals[1..].iter().filter(|total| **total > 0).count() as u64;
            if n_frames > 0 {
                prop_assert_eq!(areas.iter().map(|area| held(area).0).sum::<u64>(), n_frames);
                let count: i64 = areas.iter().map(|area| held(area).1).sum();
                prop_assert_eq!(count, profile.sum(&Weight::Launches));
            }
        }

        #[test]
        fn boxes_of_a_row_do_not_overlap(profile in any_profile(), options in any_options()) {
            let tree = Tree::new(&profile, &options);
            let mut areas = layout(&tree, &options);
            areas.sort_by_key(|area| (area.row, area.start));
            for pair in areas.windows(2).filter(|pair| pair[0].row == pair[1].row) {
                prop_assert!(pair[0].start + pair[0].total <= pair[1].start);
            }
        }
    }
}
