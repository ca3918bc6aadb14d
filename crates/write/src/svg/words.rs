//! The sentences of the picture: summary, tooltips, what was merged or left out.

use std::fmt::Write as _;

use super::SvgOptions;
use super::layout::{Area, Shape};
use super::tree::Tree;
use crate::units::{grouped, human, human_f64, percent};

/// One line over the whole: `gpu 3.21 s · 12,345 launches, mean 260 µs`.
pub(super) fn summary(tree: &Tree<'_>, options: &SvgOptions) -> String {
    let root = tree.nodes[0];
    if root.total == 0 {
        return format!("{}: nothing measured", options.weight.name());
    }
    let mut text = format!("{} {}", options.weight.name(), value(tree, root.total));
    if let Some(count) = counted(tree, options, root.total, root.count) {
        text.push_str(" · ");
        text.push_str(&count);
    }
    let _ = write!(text, " · {} frames", grouped(root.n_frames as i64));
    text
}

/// The tooltip of a box, one fact a line.
pub(super) fn title(tree: &Tree<'_>, options: &SvgOptions, area: &Area) -> Vec<String> {
    let all = percent(area.total, tree.total());
    let (mut lines, count) = match area.shape {
        Shape::Frame(at) => (frame_title(tree, at, &all), tree.nodes[at].count),
        Shape::Rest { n_frames, count, .. } => {
            let total = value(tree, area.total);
            (vec![format!("{} merged, {all}", frames(n_frames)), format!("total {total}")], count)
        }
    };
    lines.extend(counted(tree, options, area.total, count));
    lines
}

fn frame_title(tree: &Tree<'_>, at: usize, all: &str) -> Vec<String> {
    let (node, name) = (tree.nodes[at], tree.name(at));
    let mut total = format!("total {}, {all}", value(tree, node.total));
    if node.parent != 0 {
        let caller = tree.nodes[node.parent].total;
        let _ = write!(total, ", {} of its caller", percent(node.total, caller));
    }
    let own = format!("self {}, {}", value(tree, node.own), percent(node.own, tree.total()));
    let mut lines = vec![name.text.to_owned(), total, own];
    lines.extend(name.kind.map(|kind| kind.name().to_owned()));
    lines
}

/// Labels for a box of merged frames, longest first.
pub(super) fn rest_labels(tree: &Tree<'_>, total: i64, n_frames: u64) -> Vec<String> {
    let frames = frames(n_frames);
    vec![format!("{frames}, {}", percent(total, tree.total())), frames]
}

/// The small print: what is merged, cut or left out.
pub(super) fn foot(tree: &Tree<'_>, options: &SvgOptions, merged: bool) -> String {
    let mut parts = Vec::new();
    if merged {
        parts.push(format!(
            "Hatched: frames narrower than {} px, merged; widths stay exact.",
            options.min_width
        ));
    }
    let cut = tree.cut();
    if cut.n_frames > 0 {
        parts.push(format!(
            "The lightest {} ({}) have no names in this file.",
            frames(cut.n_frames),
            percent(cut.total, tree.total())
        ));
    }
    if tree.n_negative > 0 {
        let n = grouped(tree.n_negative as i64);
        parts.push(format!("{n} negative values are taken as 0."));
    }
    parts.join(" ")
}

fn frames(n: u64) -> String {
    let word = if n == 1 { "frame" } else { "frames" };
    format!("{} {word}", grouped(n as i64))
}

fn value(tree: &Tree<'_>, value: i64) -> String {
    human(value, tree.decimals, &tree.unit)
}

/// `12,345 launches, mean 260 µs`; nothing without counts.
fn counted(tree: &Tree<'_>, options: &SvgOptions, total: i64, count: i64) -> Option<String> {
    if !tree.counted || count <= 0 {
        return None;
    }
    let mean = total as f64 / 10f64.powi(i32::from(tree.decimals)) / count as f64;
    let mean = human_f64(mean, &tree.unit);
    Some(format!("{} {}, mean {mean}", grouped(count), options.count_name))
}
