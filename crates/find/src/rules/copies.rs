//! `copy-on-critical-path`: copies that nothing hides, though there was compute to hide them behind.

use flamelane_link::{Class, Exposed, Sites};
use flamelane_model::{Interval, Ns, StrId};
use rustc_hash::FxHashMap;

use crate::draft::{Draft, Drafts};
use crate::finding::{Figure, Words};
use crate::kind::Kind;
use crate::scene::{Scene, share};
use crate::words::{percent, time};

/// Copies back to back with no kernel running.
struct Run<'a> {
    parts: &'a [Exposed],
    time: Interval,
    /// What could hide it: compute since the run before.
    compute: Ns,
}

/// Sums of the runs of one direction and call site.
#[derive(Default)]
struct Sum {
    gain: Ns,
    bytes: u64,
    n_runs: u64,
    spans: Vec<u32>,
}

/// One draft a direction and call site whose copies compute could have hidden.
pub(crate) fn claim(scene: &Scene<'_>, drafts: &mut Drafts) {
    let mut sites = Sites::default();
    let mut sums: FxHashMap<u32, Sum> = FxHashMap::default();
    let mut found = Drafts::default();
    for (row, &device) in scene.judged.iter().enumerate() {
        for run in runs(scene, row, device) {
            let first = run.parts[0].span;
            let site = site(scene, first);
            let name = scene.linked.trace.device.name[first as usize];
            let key = sites.of(scene.linked, site).rotate_left(12) ^ name.0;
            let number = found.of(Kind::CopyOnCriticalPath, key, site);
            let draft = found.get(number);
            draft.count += 1;
            let sum = sums.entry(number).or_default();
            for part in run.parts.iter().filter(|part| scene.counts(part.step)) {
                draft.add(site, part.time, device, part.step);
                sum.spans.push(part.span);
            }
            sum.gain = sum.gain.saturating_add(run.time.len().min(run.compute));
            sum.n_runs += 1;
        }
    }
    let both_ways = both_ways(scene, &sums);
    for (number, mut draft) in found.list.into_iter().enumerate() {
        let Some(mut sum) = sums.remove(&(number as u32)) else { continue };
        if sum.gain == 0 {
            continue;
        }
        sum.spans.sort_unstable();
        sum.spans.dedup();
        sum.bytes = bytes(scene, &sum.spans);
        draft.max_gain = Some(sum.gain.min(draft.owned));
        draft.evidence = evidence(scene, &sum, both_ways);
        drafts.list.push(draft);
    }
}

/// The runs of a device that are long enough, in steps that count.
fn runs<'s>(scene: &'s Scene<'_>, row: usize, device: usize) -> Vec<Run<'s>> {
    let bare = &scene.linked.exposed[device];
    let least_share = (scene.limits.copy_run_share * scene.counted_ns as f64) as Ns;
    let least = scene.limits.copy_run_ns.min(least_share);
    let mut runs = Vec::new();
    let (mut since, mut not_compute) = (None, 0);
    for parts in bare.chunk_by(|a, b| a.class == b.class && a.time.to == b.time.from) {
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { continue };
        let time = Interval::new(first.time.from, last.time.to);
        let is_run = first.class == Class::Copy && time.len() >= least;
        if !is_run {
            not_compute = time.len().saturating_add(not_compute);
            continue;
        }
        // The first run has only what ran in the window before it.
        let begin = since.unwrap_or_else(|| scene.linked.window.hull().from);
        let busy = scene.busy[row].within(Interval::new(begin, time.from.max(begin)));
        let compute = (busy - not_compute).max(0);
        (since, not_compute) = (Some(time.to), 0);
        if scene.counts(first.step) {
            runs.push(Run { parts, time, compute });
        }
    }
    runs
}

/// The call site of a copy, or the root.
fn site(scene: &Scene<'_>, span: u32) -> flamelane_model::StackId {
    let root = scene.linked.nested.stacks.root();
    scene.linked.launch_stack(span as usize).unwrap_or(root)
}

fn bytes(scene: &Scene<'_>, spans: &[u32]) -> u64 {
    let bytes = |&span: &u32| u64::try_from(scene.linked.trace.device.bytes[span as usize]).ok();
    spans.iter().filter_map(bytes).fold(0, u64::saturating_add)
}

fn evidence(scene: &Scene<'_>, sum: &Sum, both_ways: bool) -> Vec<(&'static str, Figure)> {
    let device = &scene.linked.trace.device;
    let name = scene.linked.trace.text(device.name[sum.spans[0] as usize]);
    let length =
        sum.spans.iter().fold(0, |sum: Ns, &s| sum.saturating_add(device.duration(s as usize)));
    let mut rows = vec![
        ("copy", Figure::Text(name.to_owned())),
        ("runs", Figure::Count(sum.n_runs)),
        ("copies", Figure::Count(sum.spans.len() as u64)),
        ("moved_bytes", Figure::Bytes(sum.bytes)),
    ];
    if length > 0 && sum.bytes > 0 {
        rows.push(("gb_per_s", Figure::Number(sum.bytes as f64 / length as f64)));
    }
    if let Some(memory) = ["Pageable", "Pinned"].into_iter().find(|word| name.contains(word)) {
        rows.push(("memory", Figure::Text(memory.to_lowercase())));
    }
    if both_ways {
        rows.push(("same_bytes_return", Figure::Text("yes".to_owned())));
    }
    rows
}

/// Whether as many bytes leave the device as come to it, within 1 %: the same data goes back and
/// forth.
fn both_ways(scene: &Scene<'_>, sums: &FxHashMap<u32, Sum>) -> bool {
    let device = &scene.linked.trace.device;
    let (mut there, mut back) = (0_u64, 0_u64);
    for &span in sums.values().flat_map(|sum| &sum.spans) {
        let name: StrId = device.name[span as usize];
        let bytes = u64::try_from(device.bytes[span as usize]).unwrap_or(0);
        let text = scene.linked.trace.text(name);
        if text.contains("HtoD") || text.contains("HostToDevice") {
            there = there.saturating_add(bytes);
        } else if text.contains("DtoH") || text.contains("DeviceToHost") {
            back = back.saturating_add(bytes);
        }
    }
    there.min(back) >= 1 << 20 && there.abs_diff(back).saturating_mul(100) <= there.max(back)
}

/// The sentence of a draft.
pub(crate) fn tell(scene: &Scene<'_>, draft: &Draft) -> Words {
    let speed = match draft.number("gb_per_s") {
        0.0 => String::new(),
        speed => format!(" at {speed:.1} GB/s"),
    };
    let gain = draft.max_gain.unwrap_or(draft.owned);
    let sentence = format!(
        "`{}`{speed} runs {} with no kernel beside it: {} a step ({}), of which {} could hide \
         behind compute",
        draft.text("copy"),
        scene.often(draft.count),
        time(scene.per_step(draft.owned)),
        percent(scene.share_of_step(draft.owned)),
        percent(share(gain, draft.owned)),
    );
    let is_pageable = draft.text("memory") == "pageable";
    let experiment = if is_pageable {
        "pin the memory first (pageable copies cannot overlap), then start the copy on a stream of its \
         own, one step ahead"
    } else {
        "start the next copy on a stream of its own while the device computes (prefetch one step ahead)"
    };
    let subject = format!("`{}`", draft.text("copy"));
    Words { subject, sentence, experiment: experiment.to_owned() }
}
