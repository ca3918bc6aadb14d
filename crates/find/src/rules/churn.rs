//! `allocator-churn`: device memory allocated and freed in steady steps, where none should be.

use std::collections::BTreeMap;

use flamelane_link::NO_STEP;
use flamelane_model::{CallId, Interval, Ns, StackId};

use crate::draft::{Draft, Drafts};
use crate::finding::{Figure, Words};
use crate::kind::Kind;
use crate::lost::DeviceLoss;
use crate::scene::Scene;
use crate::traits::Traits;
use crate::words::{rate, time};

/// Parts of the names of calls that give memory back.
const FREES: [&str; 4] = ["Free", "MemRelease", "MemUnmap", "HostUnregister"];

/// The allocator's calls in the steps that count.
struct Calls {
    /// By name: lengths.
    by_name: BTreeMap<String, Vec<Ns>>,
    /// Calls that took so long that they were the first of their kind: by start, none that ends
    /// before an earlier one does.
    first_use: Vec<Interval>,
    n_steps: usize,
    count: u64,
}

/// Gives the idle time inside allocator calls to one draft.
pub(crate) fn claim(scene: &Scene<'_>, lost: &mut [DeviceLoss], drafts: &mut Drafts) {
    let calls = calls(scene);
    let limits = scene.limits;
    if (calls.n_steps as u64) < limits.churn_steps && calls.count < limits.churn_calls {
        return;
    }
    let mut number = None;
    for loss in lost {
        for piece in loss.pieces.iter_mut().filter(|piece| piece.is_free()) {
            if !scene.facts.of(piece.stack).has(Traits::CHURN) || calls.was_first(piece.time) {
                continue;
            }
            let call = scene.facts.outermost(scene.linked, piece.stack, Traits::CHURN);
            let draft = *number.get_or_insert_with(|| drafts.of(Kind::AllocatorChurn, 0, call));
            drafts.give(draft, piece, loss.device, scene.about(call, call));
        }
    }
    if let Some(number) = number {
        calls.evidence(drafts.get(number), scene.n_steps());
    }
}

impl Calls {
    fn was_first(&self, time: Interval) -> bool {
        let after = self.first_use.partition_point(|call| call.from <= time.from);
        after.checked_sub(1).is_some_and(|last| time.to <= self.first_use[last].to)
    }

    fn evidence(&self, draft: &mut Draft, n_steps: Ns) {
        draft.count = self.count;
        let names = self.by_name.iter();
        let counts: Vec<String> =
            names.clone().map(|(name, ns)| format!("{} {name}", ns.len())).collect();
        let rates: Vec<String> =
            names.map(|(name, ns)| format!("{} {name}", rate(ns.len() as u64, n_steps))).collect();
        let sum = |ns: &Vec<Ns>| ns.iter().fold(0, |sum: Ns, &ns| sum.saturating_add(ns));
        let most = self.by_name.iter().max_by_key(|(_, ns)| sum(ns));
        let all = self.by_name.values().flatten().fold(0, |sum: Ns, &ns| ns.saturating_add(sum));
        draft.evidence.extend([
            ("calls", Figure::Count(self.count)),
            ("calls_by_name", Figure::Text(counts.join(", "))),
            ("calls_per_step", Figure::Text(rates.join(", "))),
            ("calls_ns", Figure::Ns(all)),
            ("most_time_in", Figure::Text(most.map_or_else(String::new, |(name, _)| name.clone()))),
            ("steps_with_calls", Figure::Count(self.n_steps as u64)),
        ]);
    }
}

fn calls(scene: &Scene<'_>) -> Calls {
    let linked = scene.linked;
    let trace = &linked.trace;
    let mut found: BTreeMap<String, Vec<(Interval, u32)>> = BTreeMap::new();
    for (call, &span) in trace.calls.span.iter().enumerate() {
        let stack: StackId = linked.nested.call_stack[CallId::new(call).index()];
        if !scene.facts.of(stack).has(Traits::CHURN) {
            continue;
        }
        let row = span.index();
        let time = Interval::new(trace.host.start[row], trace.host.end[row]);
        let step = scene.step_at(time.from);
        let counts =
            if scene.kept.is_empty() { linked.window.holds(time.from) } else { step != NO_STEP };
        if counts {
            found
                .entry(trace.text(trace.host.name[row]).to_owned())
                .or_default()
                .push((time, step));
        }
    }
    let mut calls = Calls { by_name: BTreeMap::new(), first_use: Vec::new(), n_steps: 0, count: 0 };
    let mut steps: Vec<u32> = Vec::new();
    for (name, list) in found {
        let mut lengths: Vec<Ns> = list.iter().map(|(time, _)| time.len()).collect();
        let middle = (lengths.len() - 1) / 2;
        let median = *lengths.select_nth_unstable(middle).1;
        let most = (median.max(1) as f64 * scene.limits.first_use_times) as Ns;
        for &(time, step) in &list {
            if list.len() > 1 && time.len() >= most {
                calls.first_use.push(time);
                continue;
            }
            calls.count += 1;
            calls.by_name.entry(name.clone()).or_default().push(time.len());
            steps.push(step);
        }
    }
    calls.first_use = outermost(std::mem::take(&mut calls.first_use));
    steps.retain(|&step| step != NO_STEP);
    steps.sort_unstable();
    steps.dedup();
    calls.n_steps = steps.len();
    calls
}

/// The intervals that lie in no other, by start.
fn outermost(mut list: Vec<Interval>) -> Vec<Interval> {
    list.sort_unstable_by_key(|time| (time.from, std::cmp::Reverse(time.to)));
    let mut latest = Ns::MIN;
    list.retain(|time| {
        let reaches_further = time.to > latest;
        latest = latest.max(time.to);
        reaches_further
    });
    list
}

/// The sentence of a draft.
pub(crate) fn tell(scene: &Scene<'_>, draft: &Draft) -> Words {
    let calls = draft.text("calls_by_name");
    let bill = if FREES.iter().any(|free| calls.contains(free)) {
        "; an allocation is often the bill of an earlier free"
    } else {
        ""
    };
    let sentence = format!(
        "the allocator goes to the driver {} in steady steps, where 0 are expected ({}): {} a \
         step idle{bill}",
        scene.often(draft.count),
        draft.text("calls_per_step"),
        time(scene.per_step(draft.owned)),
    );
    let experiment = lever(draft.text("most_time_in")).to_owned();
    let subject = if draft.text("most_time_in").contains("Graph") {
        "graphs made anew"
    } else {
        "allocator calls"
    };
    Words { subject: subject.to_owned(), sentence, experiment }
}

/// What keeps a call out of the steps.
fn lever(call: &str) -> &'static str {
    if call.contains("Graph") {
        "capture each graph once and replay it; pad odd sizes to one that is captured"
    } else if call.contains("Host") {
        "keep pinned buffers and use them again (`pin_memory` with persistent workers, one staging \
         buffer) instead of pinning in every step"
    } else {
        "drop `torch.cuda.empty_cache()` from the loop, try \
         PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, and allocate buffers once"
    }
}
