//! Time of which nothing was recorded: on which thread, and what it ran before and after.

use flamelane_link::{IdleClass, Timeline};
use flamelane_model::{FrameKind, Interval, StackId};

use crate::draft::Draft;
use crate::scene::Scene;

/// Pieces of a timeline looked at on either side: beyond so many that say nothing, nothing is said.
const MOST_LOOKED: usize = 256;

/// The thread of a draft of which nothing was recorded, and the neighbours of the longest such time.
pub(super) fn told(scene: &Scene<'_>, draft: &Draft) -> String {
    let linked = scene.linked;
    let stacks = &linked.nested.stacks;
    let Some(thread) = stacks.climb(draft.site).filter(|&node| is_thread(scene, node)).last()
    else {
        return "the host".to_owned();
    };
    let name = linked.trace.text(stacks.frame(thread).name);
    let noun = if name.starts_with("thread") { "" } else { "thread " };
    let name = format!("{noun}`{name}`");
    let lane = linked.nested.thread_node.iter().position(|&node| node == thread);
    let Some((lane, time)) = lane.zip(longest(scene, draft)) else { return name };
    let timeline = &linked.nested.timelines[lane];
    // A call right below a step's marker goes by its own name.
    let short = |stack: StackId| {
        let spot = Some(scene.spot(stack)).filter(|&spot| tells(scene, spot));
        scene.short(spot.unwrap_or_else(|| scene.facts.real(stack)))
    };
    let before = before(scene, timeline, time).map(short);
    let after = after(scene, timeline, time).map(short);
    let neighbours = match (before, after) {
        (Some(before), Some(after)) if before == after => {
            format!("between one `{before}` and the next")
        }
        (Some(before), Some(after)) => format!("between `{before}` and `{after}`"),
        (Some(before), None) => format!("after `{before}`"),
        (None, Some(after)) => format!("before `{after}`"),
        (None, None) => return name,
    };
    let longest = if draft.count > 1 { ", at its longest" } else { "" };
    format!("{name}{longest} {neighbours}")
}

/// The longest time of which nothing was recorded in the longest stretch of a draft.
fn longest(scene: &Scene<'_>, draft: &Draft) -> Option<Interval> {
    let (stretch, device, _) = draft.longest;
    let pieces = scene.linked.idle.pieces.get(device)?;
    let first = pieces.partition_point(|piece| piece.time.to <= stretch.from);
    let inside = pieces[first..].iter().take_while(|piece| piece.time.from < stretch.to);
    let dark = inside.filter(|piece| piece.class == IdleClass::UnrecordedHost);
    dark.map(|piece| piece.time).max_by_key(|time| (time.len(), std::cmp::Reverse(time.from)))
}

fn before(scene: &Scene<'_>, timeline: &Timeline, time: Interval) -> Option<StackId> {
    let known = &timeline.node[..timeline.rank(time.from)];
    known.iter().rev().take(MOST_LOOKED).copied().find(|&stack| tells(scene, stack))
}

fn after(scene: &Scene<'_>, timeline: &Timeline, time: Interval) -> Option<StackId> {
    let known = &timeline.node[timeline.rank(time.to.saturating_sub(1))..];
    known.iter().take(MOST_LOOKED).copied().find(|&stack| tells(scene, stack))
}

/// Whether something is open that is neither the thread nor a step's marker.
fn tells(scene: &Scene<'_>, stack: StackId) -> bool {
    let frame = scene.linked.nested.stacks.frame(stack);
    let is_marker = || {
        let text = flamelane_link::comparison(scene.linked.trace.text(frame.name));
        scene.linked.steps.marker.as_deref() == Some(&*text)
    };
    match frame.kind {
        FrameKind::Thread | FrameKind::Synthetic => false,
        FrameKind::Annotation => !is_marker(),
        _ => true,
    }
}

fn is_thread(scene: &Scene<'_>, stack: StackId) -> bool {
    scene.linked.nested.stacks.frame(stack).kind == FrameKind::Thread
}
