//! A slow and obvious twin of the reader on top of `serde_json`, and real files through both.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use flamelane_model::NONE;
use serde_json::value::RawValue;

use super::{
    super::{
        KINETO,
        categories::{self, Class},
    },
    WAYS, assert_same,
    model::Expected,
    mutate::found,
    read,
};
use crate::Sniff;

type Object<'t> = BTreeMap<String, &'t RawValue>;

/// The events of a sound document, by the plainest means.
fn expected(text: &str) -> (Vec<Expected>, Vec<Expected>) {
    let list = match serde_json::from_str::<Object<'_>>(text) {
        Ok(object) => object["traceEvents"].get(),
        Err(_) => text,
    };
    let events: Vec<Object<'_>> = serde_json::from_str(list).unwrap();
    let all = events.iter().filter_map(event);
    all.partition(|event| !event.is_device)
}

fn event(event: &Object<'_>) -> Option<Expected> {
    let text = |key: &str| -> Option<String> { serde_json::from_str(event.get(key)?.get()).ok() };
    if text("ph")? != "X" {
        return None;
    }
    let args: Object<'_> = event
        .get("args")
        .and_then(|args| serde_json::from_str(args.get()).ok())
        .unwrap_or_default();
    let integer = |value: Option<&&RawValue>| {
        value.and_then(|raw| raw.get().trim_matches('"').parse::<i64>().ok()).unwrap_or(NONE)
    };
    let arg = |key: &str| integer(args.get(key));
    let is_device = match categories::class(&text("cat").unwrap_or_default()) {
        Class::Device(_) => true,
        Class::Host(_) | Class::Python | Class::Runtime => false,
        _ => return None,
    };
    let is_python = text("cat")? == "python_function";
    let external = arg("External id").max(arg("external id"));
    let correlation = arg("correlation");
    let is_linked = is_device || categories::class(&text("cat")?) == Class::Runtime;
    let tid = integer(event.get("tid"));
    let stream = arg("stream");
    Some(Expected {
        is_device,
        name: text("name")?,
        ts: ns(event.get("ts")?.get()),
        dur: ns(event.get("dur")?.get()).max(0),
        lane: if is_device && stream != NONE { stream } else { tid },
        correlation: if is_linked && correlation > 0 { correlation } else { NONE },
        external: if is_python { NONE } else { external },
    })
}

/// Exact for at most three decimals, and by rounding the fourth.
fn ns(text: &str) -> i64 {
    let text = text.trim_matches('"');
    let (whole, below) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{below:0<4}");
    let round = i64::from(digits.as_bytes()[3] >= b'5');
    format!("{whole}{}", &digits[..3]).parse::<i64>().unwrap() + round
}

fn files() -> Vec<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus");
    let root = std::env::var_os("FLAMELANE_CORPUS").map_or_else(|| beside.into(), PathBuf::from);
    let Ok(entries) = std::fs::read_dir(root.join("kineto")) else {
        println!("skipped: no corpus at `{}` (set FLAMELANE_CORPUS)", root.display());
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[expect(clippy::disallowed_methods, reason = "a test opens its own inputs")]
fn unpacked(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    let mut out = Vec::new();
    let mut gz = flate2::read::GzDecoder::new(&bytes[..]);
    if std::io::Read::read_to_end(&mut gz, &mut out).is_ok() { out } else { bytes }
}

#[test]
fn real_files_are_the_same_by_guessing_without_and_through_serde() {
    for path in files() {
        let name = path.display();
        let bytes = unpacked(&path);
        if name.to_string().contains("memory_timeline") {
            assert!(read(&bytes, WAYS[0]).is_err());
            assert_eq!((KINETO.sniff)(&bytes[..bytes.len().min(1 << 14)]), Sniff::No);
            continue;
        }
        let heads = [1 << 14, 1 << 16, 1 << 18, 1 << 20];
        let told = heads.map(|n| (KINETO.sniff)(&bytes[..bytes.len().min(n)]));
        assert!(!told.contains(&Sniff::No) && told.contains(&Sniff::Yes), "{name}");
        let (trace, notes) = read(&bytes, WAYS[0]).unwrap();
        if bytes.len() > 12 << 20 {
            continue;
        }
        let (general, general_notes) = read(&bytes, (false, 4093, 512 << 10)).unwrap();
        assert_same(&trace, &general, &name.to_string());
        assert_eq!(notes, general_notes, "{name}");
        // Files whose accelerators need more than the category have no twin here.
        let text = String::from_utf8(bytes).unwrap();
        if name.to_string().contains("mtia") || name.to_string().contains("msinsight") {
            continue;
        }
        let mut trace = trace;
        let base = text.find("\"baseTimeNanoseconds\": ").map_or(0, |at| {
            let digits = text[at + 23..].bytes().take_while(u8::is_ascii_digit).count();
            text[at + 23..at + 23 + digits].parse().unwrap()
        });
        trace.origin -= base;
        let (host, device) = found(&trace);
        let (their_host, their_device) = expected(&text);
        assert_eq!((host.len(), device.len()), (their_host.len(), their_device.len()), "{name}");
        for (ours, theirs) in host.iter().zip(&their_host).chain(device.iter().zip(&their_device)) {
            assert_eq!(ours, theirs, "{name}");
        }
    }
}
