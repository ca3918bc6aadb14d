//! `reference-fold.json`: what a slow, obvious fold found.

use std::collections::BTreeMap;

use flamelane_model::{FrameKind, Profile, Weight};

use crate::{corpus, json, linked, whole};

/// The fold of a whole file as the reference writes it: no threads, no buckets but its own, raw
/// names.
fn folded(profile: &Profile) -> BTreeMap<Vec<String>, i64> {
    let selves = profile.selves(&Weight::Gpu);
    let mut stacks: BTreeMap<Vec<String>, i64> = BTreeMap::new();
    for node in profile.stacks.nodes().filter(|node| selves[node.index()] != 0) {
        let frames = profile.stacks.path(node).into_iter();
        let frames = frames.filter(|frame| frame.kind != FrameKind::Thread);
        let names = frames.filter_map(|frame| match profile.strings.text(frame.name) {
            "[graph]" => None,
            "[launched before capture]" | "[unattributed]" => {
                Some("[no launch in window]".to_owned())
            }
            name => Some(name.replace(';', ":")),
        });
        *stacks.entry(names.collect()).or_default() += selves[node.index()];
    }
    stacks
}

/// Device time below each frame name, each stack counted once a name.
fn inclusive(stacks: &BTreeMap<Vec<String>, i64>) -> BTreeMap<&str, i64> {
    let mut sums = BTreeMap::new();
    for (names, ns) in stacks {
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            *sums.entry(name).or_default() += ns;
        }
    }
    sums
}

#[test]
fn stacks_agree_with_the_slow_fold() {
    let Some(corpus) = corpus() else { return };
    let reference = json(&corpus.join("reference-fold.json"));
    let mut n_checked = 0;
    for (file, wanted) in reference.as_object().unwrap() {
        let path = corpus.join("kineto").join(file);
        let Some(linked) = linked(&path, whole()) else { continue };
        if file.contains("msinsight") || file.contains("mtia") {
            continue;
        }
        let stacks = folded(&flamelane_fold::fold(&linked));
        let total: i64 = stacks.values().sum();
        assert_eq!(total, wanted["folded_ns"].as_i64().unwrap(), "{file}: folded time");
        let zero = wanted["stacks"].as_u64().unwrap() as usize;
        assert!(stacks.len() <= zero, "{file}: {} stacks against {zero}", stacks.len());
        let depth = stacks.keys().map(Vec::len).max().unwrap_or(0) as u64;
        assert_eq!(depth, wanted["max_depth"].as_u64().unwrap(), "{file}: depth");
        let sums = inclusive(&stacks);
        for row in wanted["top_inclusive"].as_array().unwrap() {
            let (name, ns) = (row[0].as_str().unwrap(), row[1].as_i64().unwrap());
            assert_eq!(sums.get(name), Some(&ns), "{file}: `{name}`");
        }
        n_checked += 1;
    }
    assert!(n_checked >= 45, "only {n_checked} files checked");
}
