//! Markers: the spans that say where a step begins and ends.

use std::collections::BTreeMap;

use flamelane_model::{FrameKind, Interval, LaneId, Ns, Trace, union};

use crate::launches::Origin;
use crate::{Rules, names};

/// One occurrence of a step marker.
#[derive(Clone, Debug)]
pub(crate) struct Marker {
    pub(crate) name: String,
    pub(crate) lane: LaneId,
    pub(crate) span: Interval,
}

/// The markers chosen, by start.
#[derive(Clone, Debug, Default)]
pub(crate) struct Markers {
    pub(crate) name: Option<String>,
    pub(crate) kind: &'static str,
    pub(crate) list: Vec<Marker>,
}

/// Annotations of one kind.
struct Group {
    name: String,
    /// Rows of the host spans.
    spans: Vec<usize>,
    /// Known to be a step marker by its name alone.
    is_known: bool,
    host: Ns,
    /// Enqueuing calls inside.
    launches: usize,
}

impl Markers {
    pub(crate) fn find(trace: &Trace, origins: &[Origin], rules: &Rules) -> Self {
        let enqueues = enqueue_times(trace, origins);
        let mut groups = groups(trace, rules);
        for group in &mut groups {
            let pieces = group.spans.iter().map(|&span| interval(trace, span)).collect();
            let pieces = union(pieces);
            group.host = pieces.iter().map(|piece| piece.len()).sum();
            group.launches = pieces.iter().map(|piece| count_in(&enqueues, *piece)).sum();
        }
        let chosen = known(&groups).or_else(|| repeated(&groups, enqueues.len()));
        if let Some(group) = chosen {
            return Self {
                name: Some(group.name.clone()),
                kind: "annotation",
                list: outermost(trace, &group.spans),
            };
        }
        between_optimizers(trace)
            .or_else(|| graph_launches(trace, origins))
            .unwrap_or(Self { kind: "none", ..Self::default() })
    }
}

/// Starts of the calls that enqueue device work; of all operators where there is no device work.
fn enqueue_times(trace: &Trace, origins: &[Origin]) -> Vec<Ns> {
    let mut calls: Vec<u32> = origins.iter().filter_map(|o| o.call()).map(|call| call.0).collect();
    calls.sort_unstable();
    calls.dedup();
    let start = |call: u32| trace.host.start[trace.calls.span[call as usize].index()];
    let mut times: Vec<Ns> = calls.into_iter().map(start).collect();
    if times.is_empty() {
        let ops = (0..trace.host.len()).filter(|&i| trace.host.kind[i] == FrameKind::Op);
        times = ops.map(|i| trace.host.start[i]).collect();
    }
    times.sort_unstable();
    times
}

fn count_in(times: &[Ns], piece: Interval) -> usize {
    times.partition_point(|&t| t < piece.to) - times.partition_point(|&t| t < piece.from)
}

fn interval(trace: &Trace, span: usize) -> Interval {
    Interval::new(trace.host.start[span], trace.host.end[span])
}

/// Annotations that are never steps.
fn is_denied(name: &str) -> bool {
    const PREFIXES: [&str; 6] = [
        "nccl:",
        "gloo:",
        "Optimizer.",
        "enumerate(DataLoader)",
        "DistributedDataParallel.",
        "PyTorch Profiler",
    ];
    name.is_empty()
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || ["CompiledFxGraph", "DataLoader", "Torch-Compiled Region", "Pregraph bytecode"]
            .iter()
            .any(|part| name.contains(part))
}

/// The family of a name that is a step marker by itself.
fn known_family(name: &str, rules: &Rules) -> Option<String> {
    if let Some(prefix) = rules.step_prefixes.iter().find(|p| name.starts_with(p.as_str())) {
        return Some(prefix.clone());
    }
    if name.strip_prefix("ProfilerStep#").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) {
        return Some("ProfilerStep".to_owned());
    }
    if name.starts_with("step[") {
        return Some("step[…]".to_owned());
    }
    let executes = name.starts_with("execute_") && name.contains("generation_");
    (executes && name.contains("context_")).then(|| "execute_…_context_…_generation_…".to_owned())
}

fn groups(trace: &Trace, rules: &Rules) -> Vec<Group> {
    let mut by_name: BTreeMap<(bool, String), Group> = BTreeMap::new();
    let annotations =
        (0..trace.host.len()).filter(|&i| trace.host.kind[i] == FrameKind::Annotation);
    for span in annotations {
        let name = trace.text(trace.host.name[span]);
        let family = known_family(name, rules);
        if family.is_none() && is_denied(name) {
            continue;
        }
        let is_known = family.is_some();
        let name = family.unwrap_or_else(|| names::pattern(name));
        let group = by_name.entry((is_known, name)).or_insert_with_key(|(_, name)| Group {
            name: name.clone(),
            spans: Vec::new(),
            is_known,
            host: 0,
            launches: 0,
        });
        group.spans.push(span);
    }
    by_name.into_values().collect()
}

/// The known marker that holds nearly the most launches; of several the most frequent.
fn known(groups: &[Group]) -> Option<&Group> {
    let most = groups.iter().filter(|g| g.is_known).map(|g| g.launches).max()?;
    let near = groups.iter().filter(|g| g.is_known && g.launches * 10 >= most * 9);
    near.max_by_key(|g| (g.spans.len(), g.launches))
}

/// The outermost repeated annotation that holds at least half of the launches.
fn repeated(groups: &[Group], n_launches: usize) -> Option<&Group> {
    let holds = |g: &&Group| g.spans.len() >= 2 && g.launches > 0 && g.launches * 2 >= n_launches;
    groups.iter().filter(holds).max_by_key(|g| (g.host, g.launches))
}

/// The spans that no other of the same lane encloses, by start.
fn outermost(trace: &Trace, spans: &[usize]) -> Vec<Marker> {
    let mut spans: Vec<usize> = spans.to_vec();
    let key = |&span: &usize| (trace.host.start[span], std::cmp::Reverse(trace.host.end[span]));
    spans.sort_by_key(key);
    let mut open_until = vec![Ns::MIN; trace.lanes.len()];
    let mut markers = Vec::with_capacity(spans.len());
    for span in spans {
        let lane = trace.host.lane[span];
        let until = &mut open_until[lane.index()];
        if trace.host.end[span] <= *until && trace.host.start[span] < *until {
            continue;
        }
        *until = trace.host.end[span];
        let name = trace.text(trace.host.name[span]).to_owned();
        markers.push(Marker { name, lane, span: interval(trace, span) });
    }
    markers
}

/// Steps end with each optimizer step; the first begins with the first span of the thread.
fn between_optimizers(trace: &Trace) -> Option<Markers> {
    let mut spans: Vec<usize> = (0..trace.host.len())
        .filter(|&i| trace.host.kind[i] == FrameKind::Annotation)
        .filter(|&i| trace.text(trace.host.name[i]).starts_with("Optimizer.step#"))
        .collect();
    spans.sort_by_key(|&span| trace.host.start[span]);
    let lane = trace.host.lane[*spans.first()?];
    spans.retain(|&span| trace.host.lane[span] == lane);
    if spans.len() < 2 {
        return None;
    }
    let on_lane = (0..trace.host.len()).filter(|&i| trace.host.lane[i] == lane);
    let mut from = on_lane.map(|i| trace.host.start[i]).min()?;
    let mut list = Vec::with_capacity(spans.len());
    for (number, &span) in spans.iter().enumerate() {
        let to = trace.host.end[span];
        list.push(Marker { name: format!("step {number}"), lane, span: Interval::new(from, to) });
        from = to;
    }
    let name = trace.text(trace.host.name[spans[0]]).to_owned();
    Some(Markers { name: Some(name), kind: "optimizer", list })
}

/// Each replay of a graph of the same size begins a step, when replays hold most of the work.
fn graph_launches(trace: &Trace, origins: &[Origin]) -> Option<Markers> {
    let mut n_spans = BTreeMap::new();
    for call in origins.iter().filter_map(|origin| origin.call()) {
        let name = trace.text(trace.host.name[trace.calls.span[call.index()].index()]);
        if name.contains("GraphLaunch") {
            *n_spans.entry(call).or_insert(0_usize) += 1;
        }
    }
    let n_inside: usize = n_spans.values().sum();
    let mut sizes: Vec<usize> = n_spans.values().copied().collect();
    sizes.sort_unstable();
    let usual = *sizes.get(sizes.len() / 2)?;
    let n_usual = sizes.iter().filter(|&&size| size == usual).count();
    if n_usual < 4 || n_inside * 2 < origins.len() || n_usual * 10 < sizes.len() * 9 {
        return None;
    }
    let mut begins: Vec<(Ns, LaneId)> = n_spans
        .keys()
        .map(|call| trace.calls.span[call.index()].index())
        .map(|host| (trace.host.start[host], trace.host.lane[host]))
        .collect();
    begins.sort_unstable();
    let last = trace.host.end.iter().copied().max()?;
    let ends = begins.iter().skip(1).map(|begin| begin.0).chain([last]);
    let list = begins.iter().zip(ends).enumerate().map(|(number, (&(from, lane), to))| Marker {
        name: format!("replay {number}"),
        lane,
        span: Interval::new(from, to),
    });
    Some(Markers {
        name: Some("graph launch".to_owned()),
        kind: "graph launch",
        list: list.collect(),
    })
}
