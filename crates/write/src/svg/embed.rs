//! The tree as data beside the picture, for zooming and for searches that count everything.
//!
//! One JSON object, `version` 1. Columns have one entry a node, in the order of the picture
//! (callers before callees), node 0 the root:
//!
//! | key | meaning |
//! |---|---|
//! | `names` | rows `[text, kind, shade, shorter…]`; the root's kind is `root` |
//! | `name` | row of `names` |
//! | `up` | steps from the node before to the caller of this one: 0 is called from the one before |
//! | `self` | own value, in `unit` / 10^`decimals` |
//! | `counts` | own count of `count`; absent when nothing is counted |
//! | `cut` | rows `[node, frames, total, count]`: frames below `node` that are not in the data |
//!
//! The weight a search matches is the sum over outermost matching frames of their totals. With
//! cuts it is a lower bound; cut frames that lie under no match make the difference to the upper.

use std::fmt::Write as _;
use std::io::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{Compression, write::DeflateEncoder};

use super::tree::{Cut, Node, Tree};
use super::xml::json_string;
use super::{Direction, SvgOptions};

/// Length of the object above which it is packed, in bytes.
const PACK_ABOVE: usize = 1 << 16;

/// Appends the `script` element that holds the object; `top` is where the first row begins, in px.
///
/// A long one is packed: raw deflate, then base64, marked by the class `packed`.
pub(super) fn element(tree: &Tree<'_>, options: &SvgOptions, top: f64, out: &mut String) {
    let mut json = String::new();
    data(tree, options, top, &mut json);
    if json.len() <= PACK_ABOVE {
        let _ = writeln!(out, "<script type=\"application/json\" class=\"data\">{json}</script>");
        return;
    }
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail; were it to, the picture would be there without its data.
    let bytes = packed.write_all(json.as_bytes()).and_then(|()| packed.finish());
    let text = STANDARD.encode(bytes.unwrap_or_default());
    let _ = writeln!(out, "<script type=\"text/plain\" class=\"data packed\">{text}</script>");
}

fn data(tree: &Tree<'_>, options: &SvgOptions, top: f64, out: &mut String) {
    out.push_str("{\"version\":1,\"weight\":");
    json_string(options.weight.name(), out);
    out.push_str(",\"unit\":");
    json_string(tree.unit.name(), out);
    let _ = write!(out, ",\"decimals\":{},\"count\":", tree.decimals);
    json_string(if tree.counted { &options.count_name } else { "" }, out);
    let direction = match options.direction {
        Direction::Icicle => "icicle",
        Direction::Flame => "flame",
    };
    let (min_width, max_rows) = (options.min_width, options.max_rows);
    let _ = write!(
        out,
        ",\"direction\":\"{direction}\",\"minWidth\":{min_width},\"maxRows\":{max_rows},\"top\":{top}"
    );
    names(tree, out);
    column("name", tree.nodes.iter().map(|node| node.name as i64), out);
    column("up", ups(&tree.nodes), out);
    column("self", tree.nodes.iter().map(|node| node.own), out);
    if tree.counted {
        column("counts", tree.nodes.iter().map(|node| node.own_count), out);
    }
    cuts(tree, out);
    out.push('}');
}

fn names(tree: &Tree<'_>, out: &mut String) {
    out.push_str(",\n\"names\":[");
    for (i, name) in tree.names.iter().enumerate() {
        out.push_str(if i == 0 { "\n[" } else { ",\n[" });
        json_string(name.text, out);
        let _ = write!(out, ",\"{}\",{}", name.class(), name.shade);
        for shorter in &name.shorter {
            out.push(',');
            json_string(shorter, out);
        }
        out.push(']');
    }
    out.push(']');
}

fn column(key: &str, values: impl Iterator<Item = i64>, out: &mut String) {
    let _ = write!(out, ",\n\"{key}\":[");
    for (i, value) in values.enumerate() {
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(out, "{comma}{value}");
    }
    out.push(']');
}

/// Steps up from each node's forerunner to its caller.
fn ups(nodes: &[Node]) -> impl Iterator<Item = i64> + '_ {
    (0..nodes.len()).map(|at| {
        let Some(mut before) = at.checked_sub(1) else { return 0 };
        let mut steps = 0;
        while before != nodes[at].parent {
            before = nodes[before].parent;
            steps += 1;
        }
        steps
    })
}

fn cuts(tree: &Tree<'_>, out: &mut String) {
    out.push_str(",\n\"cut\":[");
    let held = tree.nodes.iter().enumerate().filter(|(_, node)| node.cut != Cut::default());
    for (i, (at, node)) in held.enumerate() {
        let Cut { n_frames, total, count } = node.cut;
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(out, "{comma}[{at},{n_frames},{total},{count}]");
    }
    out.push(']');
}
