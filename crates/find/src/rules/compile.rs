//! `compile`: code that is compiled, tuned or loaded inside the run, once or every step.

use std::collections::BTreeMap;

use flamelane_link::{Linked, is_compile};
use flamelane_model::{FrameKind, HostSpanId, Interval, Ns, StackId, StrId};
use rustc_hash::FxHashSet;

use crate::draft::{Draft, Drafts};
use crate::finding::{Figure, Words};
use crate::kind::Kind;
use crate::lost::DeviceLoss;
use crate::scene::Scene;
use crate::traits::Traits;
use crate::words::{of_all, time};

/// Why the linker leaves a step out that a single compile made long.
const ONE_OFF: &str = "one-off compile or module load";

/// Gives the idle time under compiles, and inside launches that load their kernel, to drafts by the
/// outermost frame that compiles; adds one for each compile that is in no kept step.
pub(crate) fn claim(scene: &Scene<'_>, lost: &mut [DeviceLoss], drafts: &mut Drafts) {
    let loads = first_launches(scene);
    for loss in lost {
        for piece in loss.pieces.iter_mut().filter(|piece| piece.is_free()) {
            let site = if scene.facts.of(piece.stack).has(Traits::COMPILE) {
                scene.facts.outermost(scene.linked, piece.stack, Traits::COMPILE)
            } else if let Some(call) = loading(&loads, piece.time) {
                call
            } else {
                continue;
            };
            let draft = drafts.of(Kind::Compile, scene.name(site).0, site);
            drafts.give(draft, piece, loss.device, scene.about(site, piece.stack));
            drafts.get(draft).host_steps.insert(scene.step_at(piece.time.from));
        }
    }
    for draft in drafts.list.iter_mut().filter(|draft| draft.kind == Kind::Compile) {
        draft.evidence.push(("steps_with_it", Figure::Count(draft.n_steps() as u64)));
        draft.evidence.push(("steps", Figure::Count(scene.kept.len() as u64)));
    }
    one_off(scene, drafts);
}

/// Launches of a kernel's name that nothing launched before and that took very long.
fn first_launches(scene: &Scene<'_>) -> Vec<(Interval, StackId)> {
    let linked = scene.linked;
    let trace = &linked.trace;
    let mut order: Vec<(Ns, u32)> = (0..trace.device.len())
        .filter(|&span| linked.origins[span].call().is_some())
        .map(|span| (linked.launched[span], span as u32))
        .collect();
    order.sort_unstable();
    let median = median_launch(linked, &order);
    let least = (median as f64 * scene.limits.first_launch_times) as Ns;
    let least = least.max(scene.limits.first_launch_ns);
    let mut seen: FxHashSet<StrId> = FxHashSet::default();
    let mut loads = Vec::new();
    for (_, span) in order {
        let is_first = seen.insert(trace.device.name[span as usize]);
        let Some(call) = linked.origins[span as usize].call().filter(|_| is_first) else {
            continue;
        };
        let host = trace.calls.span[call.index()].index();
        // A copy that takes long waits; it loads nothing.
        let launches = trace.text(trace.host.name[host]).contains("Launch");
        let time = Interval::new(trace.host.start[host], trace.host.end[host]);
        if launches && time.len() >= least {
            loads.push((time, linked.nested.call_stack[call.index()]));
        }
    }
    loads
}

fn median_launch(linked: &Linked, order: &[(Ns, u32)]) -> Ns {
    let length = |&(_, span): &(Ns, u32)| {
        let call = linked.origins[span as usize].call()?;
        let host = linked.trace.calls.span[call.index()].index();
        Some(linked.trace.host.end[host] - linked.trace.host.start[host])
    };
    let mut lengths: Vec<Ns> = order.iter().filter_map(length).collect();
    let middle = lengths.len() / 2;
    if lengths.is_empty() { 0 } else { *lengths.select_nth_unstable(middle).1 }
}

/// The call that loads while a piece lasts; `loads` are by time.
fn loading(loads: &[(Interval, StackId)], piece: Interval) -> Option<StackId> {
    let after = loads.partition_point(|(call, _)| call.from <= piece.from);
    let (call, stack) = *loads.get(after.checked_sub(1)?)?;
    // The launch latency behind the call is part of the same piece.
    (piece.from < call.to).then_some(stack)
}

/// Compiles of steps that were left out of the steady state: no time owned, their length told.
fn one_off(scene: &Scene<'_>, drafts: &mut Drafts) {
    let linked = scene.linked;
    for (number, longest) in longest_compiles(linked) {
        let step = &linked.steps.list[number as usize];
        let (time, site) = compiled(linked, longest);
        let key = u32::MAX - number;
        let row = drafts.of(Kind::Compile, key, site);
        let draft = drafts.get(row);
        draft.always = true;
        draft.count = 1;
        draft.longest = (time, scene.judged.first().copied().unwrap_or(0), number);
        draft.evidence.extend([
            ("compile_ns", Figure::Ns(step.compile)),
            ("step_ns", Figure::Ns(step.host.len())),
            ("median_step_ns", Figure::Ns(scene.step_ns)),
            ("step", Figure::Text(step.name.clone())),
        ]);
    }
}

/// The steps that one compile made long, each with its longest span that compiles.
fn longest_compiles(linked: &Linked) -> BTreeMap<u32, HostSpanId> {
    let (list, host) = (&linked.steps.list, &linked.trace.host);
    let mut one_off: Vec<u32> = (0..list.len() as u32).collect();
    one_off.retain(|&step| list[step as usize].left_out == Some(ONE_OFF));
    one_off.sort_by_key(|&step| list[step as usize].host.from);
    let mut longest: BTreeMap<u32, HostSpanId> = BTreeMap::new();
    if one_off.is_empty() {
        return longest;
    }
    let length = |row: usize| host.end[row].saturating_sub(host.start[row]);
    for row in 0..host.len() {
        let after = one_off.partition_point(|&s| list[s as usize].host.from <= host.start[row]);
        let Some(step) = after.checked_sub(1).map(|last| one_off[last]) else { continue };
        let compiles = list[step as usize].host.holds(host.start[row])
            && host.kind[row] != FrameKind::Thread
            && is_compile(linked.trace.text(host.name[row]), host.kind[row]);
        if compiles {
            let best = longest.entry(step).or_insert(HostSpanId::new(row));
            if length(row) > length(best.index()) {
                *best = HostSpanId::new(row);
            }
        }
    }
    longest
}

/// When a span compiled, and its stack.
fn compiled(linked: &Linked, span: HostSpanId) -> (Interval, StackId) {
    let (host, row) = (&linked.trace.host, span.index());
    let time = Interval::new(host.start[row], host.end[row]);
    let timeline = &linked.nested.timelines[host.lane[row].index()];
    let stacks = &linked.nested.stacks;
    let open = timeline.stack_at(time.to.saturating_sub(1).max(time.from));
    let Some(open) = open else { return (time, stacks.root()) };
    let name = linked.names.get(host.name[row].index()).copied();
    let own = stacks.climb(open).find(|&node| Some(stacks.frame(node).name) == name);
    (time, own.unwrap_or(open))
}

/// The sentence of a draft.
pub(crate) fn tell(scene: &Scene<'_>, draft: &Draft) -> Words {
    let what = scene.short(draft.site);
    let above = scene.linked.nested.stacks.parent(draft.site);
    let caller = scene.spot(above);
    let caller = if caller.index() == 0 || caller == above && scene.short(above).is_empty() {
        String::new()
    } else {
        format!(" under `{}`", scene.short(caller))
    };
    if draft.always {
        let length = time(draft.longest.0.len());
        let name = &scene.linked.steps.list[draft.longest.2 as usize].name;
        return Words {
            subject: format!("`{what}`{caller}"),
            sentence: format!(
                "`{what}`{caller} took {length} once, in `{name}`: first use, left out of the steady state"
            ),
            experiment:
                "nothing in the steady state; warm the shape up before serving traffic if it \
                         can come back"
                    .to_owned(),
        };
    }
    let (with, kept) = (draft.n_steps() as u64, scene.kept.len() as u64);
    let within = match kept {
        0 => String::new(),
        _ => format!(" in {}", of_all(with, kept.max(with), "step")),
    };
    let sentence = format!(
        "`{what}`{caller} compiles or loads code{within}: {} a step idle",
        time(scene.per_step(draft.owned)),
    );
    let experiment = if kept < 2 {
        "warm up before recording, where this is its first use; if it comes back in later steps, find out \
         why the cache never hits (TORCH_LOGS=recompiles)"
    } else if with * 2 > kept {
        "find out why the cache never hits: changing shapes or guards (TORCH_LOGS=recompiles), a cache \
         directory that is not kept; mark dynamic shapes or pad"
    } else {
        "warm up every shape before the steady state, or keep the compile cache between runs"
    };
    Words { subject: format!("`{what}`{caller}"), sentence, experiment: experiment.to_owned() }
}
