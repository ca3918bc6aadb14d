//! Real files: every figure of the corpus's reference, to the nanosecond.

use std::{collections::BTreeMap, path::PathBuf};

use flamelane_model::{DeviceKind, FrameKind, Trace};
use serde_json::Value;

use super::read_all;

/// Where the shared corpus lies, if it is there.
pub(crate) fn corpus() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus");
    let path = std::env::var_os("FLAMELANE_CORPUS").map_or_else(|| beside.into(), PathBuf::from);
    if path.join("reference.json").exists() {
        return Some(path);
    }
    println!("skipped: no corpus at `{}` (set FLAMELANE_CORPUS)", path.display());
    None
}

/// The unpacked bytes of a file of the corpus.
pub(crate) fn unpacked(path: &std::path::Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return bytes;
    }
    let mut out = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&bytes[..]), &mut out).unwrap();
    out
}

/// The Kineto files of the corpus, by name.
pub(crate) fn files() -> Vec<(String, PathBuf)> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let mut files: Vec<_> = std::fs::read_dir(corpus.join("kineto"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path))
        .filter(|(name, _)| !name.contains("memory_timeline"))
        .collect();
    files.sort();
    files
}

/// The figures of a trace that the reference has, in its units.
fn figures(trace: &Trace) -> BTreeMap<&'static str, i64> {
    let device = &trace.device;
    let kernels = || (0..device.len()).filter(|i| device.kind[*i] == DeviceKind::Kernel);
    let host = &trace.host;
    let calls = || {
        (0..host.len())
            .filter(|i| host.kind[*i] == FrameKind::Runtime)
            .map(|i| (trace.text(host.name[i]), host.end[i] - host.start[i]))
    };
    let is_sync = |name: &str| {
        let tail = name.strip_prefix("cuda").or(name.strip_prefix("hip")).is_some_and(|t| {
            ["DeviceSynchronize", "StreamSynchronize", "EventSynchronize"].contains(&t)
        });
        tail || ["cuStreamSynchronize", "cuCtxSynchronize", "cuEventSynchronize"].contains(&name)
    };
    BTreeMap::from([
        ("kernels", kernels().count() as i64),
        ("kernel_sum_us", kernels().map(|i| device.duration(i)).sum()),
        ("span_us", trace.extent.len()),
        ("launch_calls", calls().filter(|call| call.0.contains("Launch")).count() as i64),
        ("copies", (device.len() - kernels().count()) as i64),
        ("sync_calls", calls().filter(|call| is_sync(call.0)).count() as i64),
        ("sync_us", calls().filter(|call| is_sync(call.0)).map(|call| call.1).sum()),
        (
            "aten_item",
            (0..host.len()).filter(|i| trace.text(host.name[*i]) == "aten::item").count() as i64,
        ),
    ])
}

/// A figure of the reference as an integer: microseconds become nanoseconds by their text.
fn reference(value: &Value, key: &str) -> i64 {
    let text = value.to_string();
    if !key.ends_with("_us") {
        return text.parse().unwrap();
    }
    let (whole, below) = text.split_once('.').unwrap_or((&text, ""));
    format!("{whole}{below:0<3}").parse().unwrap()
}

#[test]
fn every_figure_of_the_reference_is_met_to_the_nanosecond() {
    let Some(corpus) = corpus() else { return };
    let text = std::fs::read_to_string(corpus.join("reference.json")).unwrap();
    let table: BTreeMap<String, BTreeMap<String, Value>> = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    for (name, path) in files() {
        let Some(row) = table.get(&format!("kineto/{name}")) else { continue };
        let (trace, notes) = read_all(&unpacked(&path));
        if std::env::var_os("SHOW_NOTES").is_some() {
            println!("{name}: {} {:?}", trace.origin, notes);
        }
        for (key, ours) in figures(&trace) {
            let theirs = reference(&row[key], key);
            // The reference counts the category `kernel` alone; these have others for the same.
            let other_words = name.contains("mtia") || name.starts_with("msinsight");
            let is_device = ["kernels", "kernel_sum_us", "copies"].contains(&key);
            if ours != theirs && !(other_words && is_device && theirs == 0) {
                wrong.push(format!("{name}: {key} is {ours}, reference {theirs}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
