//! Latency: how long work takes from its launch to its start, by the way it was launched.
//!
//! Where the stream had nothing left to do at the launch, the difference is launch latency, and
//! costs. Otherwise the work queued behind other work: that is depth of the queue, and healthy.

use flamelane_model::{DeviceKind, Ns, StackId, StrId};
use rustc_hash::FxHashMap;

use crate::charge::NOT_RECORDED_AFTER;
use crate::enqueued::{Enqueued, enqueued};
use crate::launches::call_kind;
use crate::lead::{self, BackPressure, FEW_CALLS, LONG_CALL, Lead};
use crate::linked::Linked;

/// Quantiles of some durations in ns, each the smallest value that the share reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quantiles {
    /// Number of values; the others are 0 where it is.
    pub count: u64,
    /// A tenth is at most this long.
    pub p10: Ns,
    /// Half is.
    pub p50: Ns,
    /// Nine tenths are.
    pub p90: Ns,
    /// 99 of 100 are.
    pub p99: Ns,
}

impl Quantiles {
    pub(crate) fn of(mut values: Vec<Ns>) -> Self {
        let n_values = values.len();
        let mut end = n_values;
        // From the top: what lies below one quantile holds the next.
        let mut at = |percent: usize| {
            let rank = (n_values * percent).div_ceil(100).max(1);
            let Some(below) = values.get_mut(..end).filter(|below| !below.is_empty()) else {
                return 0;
            };
            end = rank;
            *below.select_nth_unstable(rank - 1).1
        };
        let (p99, p90, p50, p10) = (at(99), at(90), at(50), at(10));
        Self { count: n_values as u64, p10, p50, p90, p99 }
    }
}

/// All launches of one kind: the same call, the same kind of work.
#[derive(Clone, Debug)]
pub struct LaunchPath {
    /// Name of the runtime or driver call.
    pub call: StrId,
    /// Whether it replays a graph.
    pub is_graph: bool,
    /// What the first span that it launched is.
    pub kind: DeviceKind,
    /// Calls.
    pub count: u64,
    /// Device spans that they launched.
    pub n_spans: u64,
    /// Sum of the calls' own lengths.
    pub call_ns: Ns,
    /// From the start of the call to the start of the work, where the stream was idle at the call.
    pub latency: Quantiles,
    /// The same where the stream was not.
    pub queueing: Quantiles,
    /// The largest part of it by function of the user's own code, most calls first.
    pub frames: Vec<LaunchFrame>,
}

/// The launches of a path below one function of the user's own code.
#[derive(Clone, Debug)]
pub struct LaunchFrame {
    /// Its name.
    pub name: String,
    /// Calls.
    pub count: u64,
    /// As in [`LaunchPath`].
    pub latency: Quantiles,
    /// As in [`LaunchPath`].
    pub queueing: Quantiles,
}

/// The launches of the window.
#[derive(Clone, Debug, Default)]
pub struct Launches {
    /// By path, most calls first.
    pub paths: Vec<LaunchPath>,
    /// How far the host is ahead.
    pub lead: Lead,
    /// Full launch queues, where there were any.
    pub back_pressure: Option<BackPressure>,
    /// Calls whose work starts before them: clocks disagree, they count for no quantile.
    pub n_negative: u64,
    /// Calls whose work is the first of its stream, long after the call: other work, which was not
    /// recorded, may have been first. They count for no quantile.
    pub n_hidden: u64,
}

/// Sorts the launches of the window.
pub fn launches(linked: &Linked) -> Launches {
    let all = enqueued(linked);
    let mut paths = Paths::default();
    for launch in all.iter().flatten().filter(|launch| in_window(linked, launch)) {
        paths.add(linked, launch);
    }
    let (n_negative, n_hidden) = (paths.n_negative, paths.n_hidden);
    let queues = lead::queues(linked, &all);
    Launches {
        lead: lead::lead(linked, &queues),
        back_pressure: lead::back_pressure(linked, &queues),
        paths: paths.finish(),
        n_negative,
        n_hidden,
    }
}

/// Full launch queues alone, for those who need nothing else of [`launches`].
pub fn full_queue(linked: &Linked) -> Option<BackPressure> {
    // Ordinary calls are short; where all are there is nothing to look for.
    let host = &linked.trace.host;
    let calls = linked.trace.calls.span.iter().map(|span| span.index());
    let long = calls.filter(|&call| host.end[call].saturating_sub(host.start[call]) >= LONG_CALL);
    if long.take(FEW_CALLS).count() < FEW_CALLS {
        return None;
    }
    let all = enqueued(linked);
    lead::back_pressure(linked, &lead::queues(linked, &all))
}

/// Whether the window speaks of the work that a call launched.
pub(crate) fn in_window(linked: &Linked, launch: &Enqueued) -> bool {
    linked.window.selected[launch.span as usize]
}

/// Delays with an idle stream, and with a busy one.
#[derive(Default)]
struct Delays {
    latency: Vec<Ns>,
    queueing: Vec<Ns>,
}

/// A path under construction.
struct Open {
    path: LaunchPath,
    delays: Delays,
    /// Calls and delays by function of the user's own code.
    frames: FxHashMap<StackId, (u64, Delays)>,
}

#[derive(Default)]
struct Paths {
    list: Vec<Open>,
    by_key: FxHashMap<(StrId, DeviceKindKey), usize>,
    /// One a stack seen: the stack that ends in its user frame.
    user: FxHashMap<StackId, Option<StackId>>,
    /// User frames by name.
    by_name: FxHashMap<String, StackId>,
    names: FxHashMap<StackId, String>,
    n_negative: u64,
    n_hidden: u64,
}

/// A kind as a key of a hash.
type DeviceKindKey = u8;

/// Functions listed below a path.
const MOST_FRAMES: usize = 3;

impl Paths {
    fn add(&mut self, linked: &Linked, launch: &Enqueued) {
        let trace = &linked.trace;
        let host = trace.calls.span[launch.call.index()].index();
        let name = trace.host.name[host];
        let kind = trace.device.kind[launch.span as usize];
        let fresh = self.list.len();
        let at = *self.by_key.entry((name, kind as DeviceKindKey)).or_insert(fresh);
        if at == fresh {
            let is_graph = call_kind(trace.text(name)).replays;
            self.list.push(Open::new(name, is_graph, kind));
        }
        let stack = linked.nested.call_stack[launch.call.index()];
        let frame = self.user_frame(linked, stack);
        let open = &mut self.list[at];
        open.path.count += 1;
        open.path.n_spans += u64::from(launch.n_spans);
        open.path.call_ns = open.path.call_ns.saturating_add(launch.time.len());
        let delay = launch.delay(linked);
        let after = linked.trace.device.start[launch.span as usize].saturating_sub(launch.time.to);
        let of_frame = frame.map(|frame| open.frames.entry(frame).or_default());
        if delay < 0 {
            self.n_negative += 1;
        } else if launch.is_first && after > NOT_RECORDED_AFTER {
            self.n_hidden += 1;
        } else {
            open.delays.push(launch.was_idle, delay);
            if let Some((_, delays)) = of_frame {
                delays.push(launch.was_idle, delay);
            }
        }
        if let Some(frame) = frame
            && let Some((count, _)) = self.list[at].frames.get_mut(&frame)
        {
            *count += 1;
        }
    }

    /// One stack for all that share the name of their user frame.
    fn user_frame(&mut self, linked: &Linked, stack: StackId) -> Option<StackId> {
        if let Some(&known) = self.user.get(&stack) {
            return known;
        }
        let found = linked.user_frame(stack).map(|name| {
            let one = *self.by_name.entry(name.to_owned()).or_insert(stack);
            self.names.entry(one).or_insert_with(|| name.to_owned());
            one
        });
        self.user.insert(stack, found);
        found
    }

    fn finish(self) -> Vec<LaunchPath> {
        let names = self.names;
        let finish = |open: Open| {
            let mut path = open.path;
            (path.latency, path.queueing) = open.delays.quantiles();
            let mut frames: Vec<(u64, String, Delays)> = open
                .frames
                .into_iter()
                .map(|(frame, (count, delays))| (count, names[&frame].clone(), delays))
                .collect();
            frames.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
            frames.truncate(MOST_FRAMES);
            path.frames = frames
                .into_iter()
                .map(|(count, name, delays)| {
                    let (latency, queueing) = delays.quantiles();
                    LaunchFrame { name, count, latency, queueing }
                })
                .collect();
            path
        };
        let mut paths: Vec<LaunchPath> = self.list.into_iter().map(finish).collect();
        paths.sort_by_key(|path| (std::cmp::Reverse(path.count), path.call, path.kind as u8));
        paths
    }
}

impl Delays {
    fn push(&mut self, was_idle: bool, delay: Ns) {
        if was_idle { self.latency.push(delay) } else { self.queueing.push(delay) }
    }

    fn quantiles(self) -> (Quantiles, Quantiles) {
        (Quantiles::of(self.latency), Quantiles::of(self.queueing))
    }
}

impl Open {
    fn new(call: StrId, is_graph: bool, kind: DeviceKind) -> Self {
        let path = LaunchPath {
            call,
            is_graph,
            kind,
            count: 0,
            n_spans: 0,
            call_ns: 0,
            latency: Quantiles::default(),
            queueing: Quantiles::default(),
            frames: Vec::new(),
        };
        Self { path, delays: Delays::default(), frames: FxHashMap::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_the_smallest_value_that_its_share_reaches() {
        let of = |n: i64| Quantiles::of((1..=n).rev().collect());
        assert_eq!(of(0), Quantiles::default());
        assert_eq!((of(1).p10, of(1).p50, of(1).p99), (1, 1, 1));
        assert_eq!((of(4).p10, of(4).p50, of(4).p90), (1, 2, 4));
        assert_eq!((of(100).p10, of(100).p50, of(100).p90, of(100).p99), (10, 50, 90, 99));
        assert_eq!((of(101).p50, of(101).p99), (51, 100));
    }
}
