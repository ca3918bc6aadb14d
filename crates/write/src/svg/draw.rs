//! The document: head, legend, boxes, data, script.

use std::fmt::Write as _;
use std::io::{self, Write};

use flamelane_model::FrameKind;

use super::layout::{Area, Shape, drawing_width, layout};
use super::tree::Tree;
use super::xml::{escape, escaped, px};
use super::{Direction, SvgOptions, embed, style, words};
use flamelane_model::labels::{cells, fit};

/// Free space left and right, in px.
pub(super) const MARGIN: f64 = 12.0;
/// From one row to the next, in px.
const ROW: f64 = 18.0;
/// Height of a box, in px.
const BOX: f64 = 17.0;
/// Advance of a letter in a box, in px: the widest of the fixed-width fonts in the list.
const ADVANCE: f64 = 6.8;

/// One scope for all parts, so that nothing leaks into a page that holds the picture.
const SCRIPT: &str = concat!(
    "(async()=>{\"use strict\";\n",
    include_str!("page/data.js"),
    include_str!("page/words.js"),
    include_str!("page/page.js"),
    include_str!("page/facts.js"),
    include_str!("page/draw.js"),
    include_str!("page/flame.js"),
    "})();\n"
);

/// Writes the whole document.
pub(super) fn write(tree: &Tree<'_>, options: &SvgOptions, out: &mut dyn Write) -> io::Result<()> {
    let areas = layout(tree, options);
    let frame = Frame::new(tree, options, &areas);
    let mut head = String::new();
    frame.head(&mut head);
    out.write_all(head.as_bytes())?;
    let mut text = String::new();
    for area in &areas {
        text.clear();
        frame.area(area, &mut text);
        out.write_all(text.as_bytes())?;
    }
    text.clear();
    frame.foot(&mut text);
    embed::element(tree, options, frame.top, &mut text);
    let _ = write!(text, "<script><![CDATA[\n{SCRIPT}]]></script>\n</svg>\n");
    out.write_all(text.as_bytes())
}

/// Everything that is the same for all boxes.
struct Frame<'a, 'p> {
    tree: &'a Tree<'p>,
    options: &'a SvgOptions,
    /// Px for one unit of the weight.
    scale: f64,
    /// Top of the first row.
    top: f64,
    /// Rows drawn.
    n_rows: usize,
    kinds: Vec<FrameKind>,
    /// Legend: class, word, left edge, baseline.
    keys: Vec<(&'static str, &'static str, f64, f64)>,
    /// Whether anything is merged.
    merged: bool,
}

impl<'a, 'p> Frame<'a, 'p> {
    fn new(tree: &'a Tree<'p>, options: &'a SvgOptions, areas: &[Area]) -> Self {
        let n_rows = areas.iter().map(|area| area.row + 1).max().unwrap_or(1);
        let mut kinds: Vec<FrameKind> = tree.names.iter().filter_map(|name| name.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let scale = drawing_width(options) / tree.total().max(1) as f64;
        let merged = areas.iter().any(|area| matches!(area.shape, Shape::Rest { .. }));
        let baseline = if options.subtitle.is_empty() { 65.0 } else { 83.0 };
        let keys = keys(&kinds, merged, f64::from(options.width), baseline);
        let top = keys.last().map_or(baseline, |key| key.3) + 14.0;
        Self { tree, options, scale, top, n_rows, kinds, keys, merged }
    }

    fn bottom(&self) -> f64 {
        self.top + self.n_rows as f64 * ROW
    }

    fn head(&self, out: &mut String) {
        let (width, height) = (self.options.width, self.bottom() + 34.0);
        let title = escaped(&self.options.title);
        let _ = write!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flamelane\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>{title}</title>\n"
        );
        style::style(&self.kinds, out);
        out.push_str("<rect class=\"back\" width=\"100%\" height=\"100%\"/>\n");
        let _ = writeln!(out, "<text class=\"title\" x=\"{MARGIN}\" y=\"26\">{title}</text>");
        let mut y = 45.0;
        if !self.options.subtitle.is_empty() {
            let subtitle = escaped(&self.options.subtitle);
            let _ = writeln!(
                out,
                "<text class=\"note head\" x=\"{MARGIN}\" y=\"{y}\">{subtitle}</text>"
            );
            y += 18.0;
        }
        let summary = escaped(&words::summary(self.tree, self.options));
        let _ =
            writeln!(out, "<text class=\"note head\" x=\"{MARGIN}\" y=\"{y}\">{summary}</text>");
        self.legend(out);
        out.push_str("<g class=\"boxes\">\n");
    }

    /// A swatch and a word for every kind there is.
    fn legend(&self, out: &mut String) {
        out.push_str("<g class=\"legend\">\n");
        for &(class, word, x, y) in &self.keys {
            let _ = writeln!(
                out,
                "<g class=\"key {class}\" data-kind=\"{class}\" data-y=\"{y}\" \
                 transform=\"translate({x} {y})\"><rect y=\"-9\" width=\"11\" height=\"11\"/>\
                 <text class=\"note\" x=\"15\">{word}</text></g>"
            );
        }
        out.push_str("</g>\n");
    }

    fn area(&self, area: &Area, out: &mut String) {
        let row = match self.options.direction {
            Direction::Icicle => area.row,
            Direction::Flame => self.n_rows - 1 - area.row,
        };
        let y = self.top + row as f64 * ROW;
        let x = MARGIN + area.start as f64 * self.scale;
        let width = area.total as f64 * self.scale;
        let title = words::title(self.tree, self.options, area);
        // A gap between neighbours, smaller where there is little to see.
        let drawn = (width - 1.0).max(width * 0.75);
        match area.shape {
            Shape::Frame(at) => {
                let name = self.tree.name(at);
                let _ = write!(out, "<g class=\"box {} s{}\">", name.class(), name.shade);
            }
            Shape::Rest { .. } => out.push_str("<g class=\"box rest\">"),
        }
        out.push_str("<title>");
        for (i, line) in title.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { "\n" });
            escape(line, out);
        }
        let _ = write!(
            out,
            "</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{BOX}\"/>",
            px(x),
            px(y),
            px(drawn)
        );
        if let Some(label) = self.label(area, width) {
            let _ = write!(out, "<text x=\"{}\" y=\"{}\">", px(x + 4.0), px(y + 12.5));
            escape(&label, out);
            out.push_str("</text>");
        }
        out.push_str("</g>\n");
    }

    fn label(&self, area: &Area, width: f64) -> Option<String> {
        let room = ((width - 8.0) / ADVANCE).max(0.0) as usize;
        match area.shape {
            Shape::Frame(at) => {
                let name = self.tree.name(at);
                fit(name.text, &name.shorter, room).map(std::borrow::Cow::into_owned)
            }
            Shape::Rest { n_frames, .. } => {
                let labels = words::rest_labels(self.tree, area.total, n_frames);
                labels.into_iter().find(|label| cells(label) <= room)
            }
        }
    }

    fn foot(&self, out: &mut String) {
        out.push_str("</g>\n");
        let y = self.bottom() + 18.0;
        let text = words::foot(self.tree, self.options, self.merged);
        let _ = write!(out, "<text class=\"note foot\" x=\"{MARGIN}\" y=\"{}\">", px(y));
        escape(&text, out);
        out.push_str("</text>\n");
    }
}

/// Places the legend, in as many lines as it needs.
fn keys(
    kinds: &[FrameKind],
    merged: bool,
    width: f64,
    baseline: f64,
) -> Vec<(&'static str, &'static str, f64, f64)> {
    let words = kinds.iter().map(|kind| (kind.name(), kind.name()));
    let (mut x, mut y) = (MARGIN, baseline);
    let mut keys = Vec::new();
    for (class, word) in words.chain(merged.then_some(("rest", "merged"))) {
        let size = 31.0 + word.len() as f64 * 7.0;
        if x + size > width && x > MARGIN {
            (x, y) = (MARGIN, y + 18.0);
        }
        keys.push((class, word, x.round(), y));
        x += size;
    }
    keys
}
