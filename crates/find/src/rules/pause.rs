//! `pause`: garbage collection, or a host thread that ran nothing for long.

use std::collections::BTreeSet;

use flamelane_link::IdleClass;
use flamelane_model::{LaneId, Ns};

use crate::draft::{Draft, Drafts};
use crate::finding::{Figure, Words};
use crate::kind::Kind;
use crate::lost::{DeviceLoss, Lost};
use crate::scene::Scene;
use crate::traits::Traits;
use crate::words::{many, time};

/// The key of holes, which have no frame.
const HOLE: u32 = u32::MAX;

/// Gives the idle time under collections, and long holes that few steps have, to drafts.
pub(crate) fn claim(scene: &Scene<'_>, lost: &mut [DeviceLoss], drafts: &mut Drafts) {
    let instants = Instants::new(scene);
    let is_hole = |device: usize, piece: &Lost| is_hole(scene, &instants, device, piece);
    let holes_count = few_steps_have_holes(scene, lost, &is_hole);
    for loss in lost {
        let device = loss.device;
        for piece in loss.pieces.iter_mut().filter(|piece| piece.is_free()) {
            if scene.facts.of(piece.stack).has(Traits::GC) {
                let site = scene.facts.outermost(scene.linked, piece.stack, Traits::GC);
                let draft = drafts.of(Kind::Pause, scene.name(site).0, site);
                drafts.give(draft, piece, loss.device, scene.about(site, site));
                drafts.get(draft).host_steps.insert(scene.step_at(piece.time.from));
            } else if holes_count && is_hole(device, piece) {
                let draft = drafts.of(Kind::Pause, HOLE, piece.stack);
                drafts.give(draft, piece, loss.device, scene.about(piece.stack, piece.stack));
                drafts.get(draft).host_steps.insert(scene.step_at(piece.time.from));
            }
        }
    }
    for draft in drafts.list.iter_mut().filter(|draft| draft.kind == Kind::Pause) {
        let longest = draft.longest.0.len();
        draft.evidence.extend([
            ("longest_ns", Figure::Ns(longest)),
            ("steps_with_it", Figure::Count(draft.n_steps() as u64)),
        ]);
    }
}

/// Long, and nothing was recorded in it: neither what lasts nor what lasts no time.
fn is_hole(scene: &Scene<'_>, instants: &Instants, device: usize, piece: &Lost) -> bool {
    let least = scene.limits.pause_ns;
    piece.class == IdleClass::UnrecordedHost
        && piece.ns() >= least
        && instants.longest_without(scene, device, piece) >= least
}

/// Host spans that last no time: no stack holds them, but their thread did something.
struct Instants(Vec<(LaneId, Ns)>);

impl Instants {
    fn new(scene: &Scene<'_>) -> Self {
        let host = &scene.linked.trace.host;
        let instants = (0..host.len()).filter(|&span| host.start[span] == host.end[span]);
        let mut instants: Vec<_> =
            instants.map(|span| (host.lane[span], host.start[span])).collect();
        instants.sort_unstable();
        Self(instants)
    }

    /// The longest part of a piece that none lies in, on the thread whose launch ends its gap.
    fn longest_without(&self, scene: &Scene<'_>, device: usize, piece: &Lost) -> Ns {
        let linked = scene.linked;
        let next = linked.devices[device].gaps[piece.gap as usize].next;
        let call = next.and_then(|next| linked.origins[next as usize].call());
        let Some(call) = call else { return piece.ns() };
        let lane = linked.trace.host.lane[linked.trace.calls.span[call.index()].index()];
        let first = self.0.partition_point(|&instant| instant < (lane, piece.time.from));
        let inside = self.0[first..].iter().take_while(|&&instant| instant < (lane, piece.time.to));
        let mut longest = 0;
        let mut last = piece.time.from;
        for &(_, at) in inside {
            longest = longest.max(at.saturating_sub(last));
            last = at;
        }
        longest.max(piece.time.to.saturating_sub(last))
    }
}

fn few_steps_have_holes(
    scene: &Scene<'_>,
    lost: &[DeviceLoss],
    is_hole: &impl Fn(usize, &Lost) -> bool,
) -> bool {
    let n_steps = scene.kept.len();
    if (n_steps as u64) < scene.limits.pause_steps {
        return false;
    }
    let pieces = lost.iter().flat_map(|loss| loss.pieces.iter().map(|piece| (loss.device, piece)));
    let holes = pieces.filter(|(device, piece)| is_hole(*device, piece));
    let with: BTreeSet<u32> = holes.map(|(_, piece)| piece.step).collect();
    with.len() as f64 <= scene.limits.pause_step_share * n_steps as f64
}

/// The sentence of a draft.
pub(crate) fn tell(scene: &Scene<'_>, draft: &Draft) -> Words {
    let n_steps = many(draft.n_steps() as u64, "step");
    let longest: Ns = draft.longest.0.len();
    let is_gc = scene.facts.of(draft.site).has(Traits::GC);
    if is_gc {
        return Words {
            subject: format!("`{}`", scene.short(draft.site)),
            sentence: format!(
                "garbage collection (`{}`) in {n_steps}: {} a step idle, {} at most at once",
                scene.short(draft.site),
                time(scene.per_step(draft.owned)),
                time(longest),
            ),
            experiment: "gc.freeze() after start-up, collect by hand between requests or every n \
                         steps, raise gc.set_threshold"
                .to_owned(),
        };
    }
    Words {
        subject: "holes in the host thread".to_owned(),
        sentence: format!(
            "the host thread ran nothing that was recorded for {} at once in {n_steps}: {} a step idle; \
             garbage collection, descheduling or code outside the profiler's sight",
            time(longest),
            time(scene.per_step(draft.owned)),
        ),
        experiment:
            "sample the process beside the trace (py-spy --native, perf sched) to see what it \
                     did; try gc.freeze() and pinned cores"
                .to_owned(),
    }
}
