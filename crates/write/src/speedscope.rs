//! speedscope's JSON: one sampled profile a weight over shared frames.
//!
//! Format: <https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts>.

use std::io::{self, BufWriter, Write};

use flamelane_model::{Column, Profile, StackId, Unit};
use serde::Serialize;

use crate::units::decimal;
use flamelane_model::source::source;

/// Writes every weight as a sampled profile; `name` is what the tab says.
///
/// A frame's `file` is the Python file where its name tells one, else the word of its kind, by
/// which speedscope then groups colours. Negative values are left out: speedscope refuses a file
/// that holds one.
pub fn write_speedscope(profile: &Profile, name: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let (frames, frame_of) = frames(profile);
    out.write_all(b"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",")?;
    out.write_all(b"\"exporter\":\"flamelane\",\"name\":")?;
    serde_json::to_writer(&mut out, name)?;
    out.write_all(b",\"activeProfileIndex\":0,\"shared\":{\"frames\":")?;
    serde_json::to_writer(&mut out, &frames)?;
    out.write_all(b"},\"profiles\":[")?;
    for (i, column) in profile.columns.iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        write_column(profile, column, &frame_of, &mut out)?;
    }
    out.write_all(b"]}\n")?;
    out.flush()
}

/// A row of the shared table.
#[derive(Serialize)]
struct SharedFrame<'a> {
    name: &'a str,
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

/// The shared table in order of first use, and its row for each node.
fn frames(profile: &Profile) -> (Vec<SharedFrame<'_>>, Vec<u32>) {
    let mut rows = rustc_hash::FxHashMap::default();
    let mut frames = Vec::new();
    let mut frame_of = vec![0; profile.stacks.len()];
    for node in profile.stacks.nodes() {
        let frame = profile.stacks.frame(node);
        frame_of[node.index()] = *rows.entry(frame).or_insert_with(|| {
            let name = profile.strings.text(frame.name);
            let place = source(name);
            let file = place.map_or(frame.kind.name(), |place| place.file);
            frames.push(SharedFrame { name, file, line: place.map(|place| place.line) });
            frames.len() as u32 - 1
        });
    }
    (frames, frame_of)
}

fn write_column(
    profile: &Profile,
    column: &Column,
    frame_of: &[u32],
    out: &mut dyn Write,
) -> io::Result<()> {
    let held = || column.self_values.iter().enumerate().filter(|(_, value)| **value > 0);
    let sum = held().map(|(_, value)| *value).fold(0, i64::saturating_add);
    out.write_all(b"{\"type\":\"sampled\",\"name\":")?;
    serde_json::to_writer(&mut *out, column.weight.name())?;
    let unit = unit(&column.unit);
    let end = decimal(sum, column.decimals);
    write!(out, ",\"unit\":\"{unit}\",\"startValue\":0,\"endValue\":{end},\"samples\":[")?;
    for (i, (node, _)) in held().enumerate() {
        out.write_all(if i == 0 { b"[" } else { b",[" })?;
        let mut path: Vec<u32> =
            profile.stacks.climb(StackId::new(node)).map(|node| frame_of[node.index()]).collect();
        path.reverse();
        for (depth, frame) in path.iter().enumerate() {
            let comma = if depth == 0 { "" } else { "," };
            write!(out, "{comma}{frame}")?;
        }
        out.write_all(b"]")?;
    }
    out.write_all(b"],\"weights\":[")?;
    for (i, (_, value)) in held().enumerate() {
        let comma = if i == 0 { "" } else { "," };
        write!(out, "{comma}{}", decimal(*value, column.decimals))?;
    }
    out.write_all(b"]}")
}

/// The word of the format for a unit; `none` for what it cannot say.
fn unit(unit: &Unit) -> &'static str {
    match unit {
        Unit::Ns => "nanoseconds",
        Unit::Bytes => "bytes",
        Unit::Count | Unit::Samples => "none",
        Unit::Other(word) => match word.as_str() {
            "us" | "µs" | "microseconds" => "microseconds",
            "ms" | "milliseconds" => "milliseconds",
            "s" | "seconds" => "seconds",
            _ => "none",
        },
    }
}
