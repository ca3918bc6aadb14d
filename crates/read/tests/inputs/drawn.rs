//! What was read, as text: for snapshots, and for comparing two ways of reading.

use std::{
    fmt::Write,
    path::{Path, PathBuf},
};

use flamelane_model::{Profile, Trace};
use flamelane_read::{Content, Read, ReadError};

/// The bytes of a file.
#[track_caller]
#[expect(clippy::disallowed_methods, reason = "a test opens its own files")]
pub(crate) fn file(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The repository's fixtures of these formats, by path.
pub(crate) fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut paths = Vec::new();
    for folder in ["chrome", "folded", "node-stacks", "pprof", "speedscope"] {
        let entries = std::fs::read_dir(root.join(folder)).unwrap();
        paths.extend(entries.map(|entry| entry.unwrap().path()));
    }
    paths.retain(|path| path.extension().is_some_and(|end| end != "md"));
    paths.sort();
    paths
}

/// Everything in a file: its spans or stacks, and the notes.
pub(crate) fn whole(read: &Read) -> String {
    let mut out = format!("{}\n", read.format);
    match &read.content {
        Content::Trace(trace) => spans(trace, &mut out),
        Content::Profile(profile) => stacks(profile, &mut out),
    }
    for note in read.notes.iter() {
        let first = if note.first.is_empty() { "" } else { " — " };
        writeln!(out, "note: {} {}: {}{first}{}", note.count, note.code, note.message, note.first)
            .unwrap();
    }
    out
}

fn spans(trace: &Trace, out: &mut String) {
    writeln!(out, "origin {} extent {}", trace.origin, trace.extent.to).unwrap();
    for row in 0..trace.host.len() {
        let lane = trace.lane(trace.host.lane[row]);
        let process = trace.process(lane.process);
        writeln!(
            out,
            "{}/{} | {} [{}..{}] {}",
            trace.text(if process.name.0 == 0 { process.label } else { process.name }),
            trace.text(lane.name),
            trace.text(trace.host.name[row]),
            trace.host.start[row],
            trace.host.end[row],
            trace.host.kind[row].name(),
        )
        .unwrap();
    }
    for &(id, row) in &trace.graph_nodes.recorded {
        let frames = &trace.graph_nodes.stacks[row as usize];
        let names: Vec<&str> = frames.iter().map(|&name| trace.text(name)).collect();
        writeln!(out, "node {}+{}: {}", id >> 32, id & 0xFFFF_FFFF, names.join(";")).unwrap();
    }
    for ((phase, category), count) in &trace.census {
        writeln!(out, "census: {count} {phase} {category}").unwrap();
    }
}

fn stacks(profile: &Profile, out: &mut String) {
    for column in &profile.columns {
        let (name, unit) = (column.weight.name(), column.unit.name());
        writeln!(out, "column: {name} in {unit:?} / 10^{}", column.decimals).unwrap();
    }
    let columns: Vec<_> = profile.columns.iter().map(|c| profile.selves(&c.weight)).collect();
    for node in profile.stacks.nodes() {
        let values: Vec<String> = columns.iter().map(|c| c[node.index()].to_string()).collect();
        if values.iter().all(|value| value == "0") {
            continue;
        }
        let frames =
            profile.stacks.path(node).into_iter().map(|frame| {
                format!("{}<{}>", profile.strings.text(frame.name), frame.kind.name())
            });
        let frames: Vec<String> = frames.collect();
        writeln!(out, "{} {}", frames.join(" ; "), values.join(" ")).unwrap();
    }
}

/// One line a file, for the log of the corpus.
pub(crate) fn line(result: &Result<Read, ReadError>) -> String {
    let read = match result {
        Ok(read) => read,
        Err(error) => return format!("{error}; hint: {:?}", error.hint()),
    };
    let what = match &read.content {
        Content::Trace(trace) => {
            format!("{} lanes, {} spans", trace.lanes.len(), trace.host.len())
        }
        Content::Profile(profile) => {
            let columns = profile.columns.iter().map(|column| {
                let (sum, decimals) = (profile.sum(&column.weight), column.decimals);
                format!("{} {sum}e-{decimals} {}", column.weight.name(), column.unit.name())
            });
            format!("{} nodes, {:?}", profile.stacks.len(), columns.collect::<Vec<_>>())
        }
    };
    let notes: Vec<String> = read
        .notes
        .iter()
        .map(|note| format!("{} {} ({})", note.count, note.code, note.first))
        .collect();
    format!("{} {what} {notes:?}", read.format)
}
