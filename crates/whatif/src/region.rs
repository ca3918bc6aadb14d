//! Regions: stretches of a thread's launches that could be one graph.

use std::cmp::Reverse;

use flamelane_link::{Linked, Timeline};
use flamelane_model::{FrameKind, Ns, StackId};

use crate::names::{Names, Rest};
use crate::script::Script;

/// A run of launches below one frame, and when the frame was open.
#[derive(Debug)]
pub(crate) struct Region {
    /// Its events, in order.
    pub(crate) events: Vec<usize>,
    pub(crate) from: Ns,
    pub(crate) to: Ns,
}

/// A region launches at least this often a step to be worth a graph.
const LEAST_LAUNCHES: usize = 8;

/// The frame below which most is launched, nothing waits, also not for another thread that launches;
/// or the outermost such frame whose name holds `wanted`.
pub(crate) fn frame(linked: &Linked, script: &Script, wanted: Option<&str>) -> Option<StackId> {
    let stacks = &linked.nested.stacks;
    let mut launches = vec![0_i64; stacks.len()];
    let mut waits = vec![0_i64; stacks.len()];
    for event in &script.events {
        let row = event.stack.index();
        launches[row] += i64::from(event.work.0 < event.work.1);
        waits[row] += i64::from(event.wait.is_some());
    }
    for other in foreign(linked, script) {
        waits[other.index()] += 1;
    }
    stacks.accumulate(&mut launches);
    stacks.accumulate(&mut waits);
    let is_frame = |node: &StackId| {
        let frame = stacks.frame(*node);
        !matches!(frame.kind, FrameKind::Thread | FrameKind::Runtime | FrameKind::Synthetic)
    };
    let n_steps = linked.n_steps();
    let fits = |node: &StackId| {
        let row = node.index();
        let named =
            wanted.is_none_or(|name| linked.trace.text(stacks.frame(*node).name).contains(name));
        named && waits[row] == 0 && launches[row] as usize >= LEAST_LAUNCHES * n_steps
    };
    let fitting = stacks.nodes().filter(is_frame).filter(fits);
    match wanted {
        Some(_) => fitting.min_by_key(|node| stacks.climb(*node).count()),
        None => {
            let mut frames: Vec<StackId> = fitting.collect();
            let depth = |node: StackId| stacks.climb(node).count();
            frames.sort_by_key(|&node| Reverse((launches[node.index()], depth(node), node)));
            let most = launches[frames.first()?.index()];
            let near = frames.iter().filter(|node| launches[node.index()] * 10 >= most * 9);
            let mut near = near.copied().take(MOST_FRAMES);
            // An operator below which all is launched, one a call, makes no graph.
            let often = |&node: &StackId| launches_often(linked, script, node);
            near.find(often).or_else(|| frames.first().copied())
        }
    }
}

/// Frames looked at for one that launches often each time it is open.
const MOST_FRAMES: usize = 64;

/// Whether most of what is launched below a frame are many launches each time that it is open.
fn launches_often(linked: &Linked, script: &Script, frame: StackId) -> bool {
    let launches = |region: &Region| {
        let events = region.events.iter().map(|&row| script.events[row].work);
        events.filter(|work| work.0 < work.1).count()
    };
    let counts: Vec<usize> = regions(linked, script, frame).iter().map(launches).collect();
    let often: usize = counts.iter().filter(|&&count| count >= LEAST_LAUNCHES).sum();
    let all: usize = counts.iter().sum();
    all > 0 && often * 2 > all
}

/// What is open on threads that wait, or of which nothing is recorded, when another one launches; of
/// the few threads that launch most.
fn foreign(linked: &Linked, script: &Script) -> Vec<StackId> {
    let mut launches = vec![0_usize; script.threads.len()];
    let launching = || script.events.iter().filter(|event| event.work.0 < event.work.1);
    for event in launching() {
        launches[event.thread] += 1;
    }
    let least = launches.iter().sum::<usize>() / LEAST_SHARE;
    let mut threads: Vec<usize> = (0..launches.len()).filter(|&t| launches[t] > least).collect();
    threads.sort_by_key(|&thread| Reverse(launches[thread]));
    threads.truncate(MOST_THREADS);
    let mut open = Vec::new();
    let mut names = Names::new(linked);
    if threads.len() < 2 {
        return open;
    }
    for event in launching().filter(|event| threads.contains(&event.thread)) {
        for &other in threads.iter().filter(|&&other| other != event.thread) {
            let timeline = &linked.nested.timelines[script.threads[other].index()];
            let stack = timeline.stack_at(event.time.from);
            open.extend(stack.filter(|_| names.rest(stack) != Rest::Runs));
        }
    }
    open
}

/// Threads with less than this part of all launches are no matter.
const LEAST_SHARE: usize = 20;
/// Threads looked at.
const MOST_THREADS: usize = 4;

/// The runs of launches below `frame`.
pub(crate) fn regions(linked: &Linked, script: &Script, frame: StackId) -> Vec<Region> {
    let stacks = &linked.nested.stacks;
    let mut below = vec![false; stacks.len()];
    for node in stacks.nodes() {
        below[node.index()] = node == frame || below[stacks.parent(node).index()];
    }
    let mut regions: Vec<Region> = Vec::new();
    let mut open: Vec<Option<usize>> = vec![None; script.threads.len()];
    for (row, event) in script.events.iter().enumerate() {
        if !below[event.stack.index()] {
            open[event.thread] = None;
            continue;
        }
        let lane = script.threads[event.thread];
        let timeline = &linked.nested.timelines[lane.index()];
        // The frame may have closed and opened again in between.
        let same = open[event.thread].filter(|&last| regions[last].to > event.time.from);
        let number = match same {
            Some(number) => number,
            None => {
                let (from, to) = extent(timeline, &below, event.time.from);
                regions.push(Region { events: Vec::new(), from, to });
                regions.len() - 1
            }
        };
        regions[number].events.push(row);
        open[event.thread] = Some(number);
    }
    regions.retain(|region| region.events.len() > 1);
    regions
}

/// From when until when a thread was below the frame around an instant.
fn extent(timeline: &Timeline, below: &[bool], at: Ns) -> (Ns, Ns) {
    let is_below = |piece: usize| {
        timeline.node.get(piece).is_some_and(|node| below.get(node.index()) == Some(&true))
    };
    let here = timeline.rank(at).saturating_sub(1);
    let first = (0..=here).rev().take_while(|&piece| is_below(piece)).last().unwrap_or(here);
    let after = (here..timeline.at.len()).find(|&piece| !is_below(piece));
    let from = timeline.at.get(first).copied().unwrap_or(at).min(at);
    (from, after.map_or(at, |piece| timeline.at[piece]).max(at))
}
