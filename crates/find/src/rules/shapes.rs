//! What no blocking call explains is the host's own, by shape: islands, picket fences, and the rest.

mod hole;
mod tell;

use flamelane_link::IdleClass;
use flamelane_model::{FrameKind, Interval, Ns, StackId};
use rustc_hash::FxHashMap;

use crate::draft::Drafts;
use crate::finding::Figure;
use crate::kind::Kind;
use crate::lost::DeviceLoss;
use crate::replayed;
use crate::scene::{Scene, share};
use crate::traits::Traits;

pub(crate) use tell::tell;

/// A gap with host time that nobody owns yet.
struct Gap {
    /// Its pieces: first and after last.
    pieces: (usize, usize),
    span: Interval,
    /// Whether a launch of a graph ends it.
    replays: bool,
    left: Ns,
    /// The part of that before its launch.
    left_late: Ns,
    /// Time before its launch, and the part of it inside runtime calls.
    late: Ns,
    runtime: Ns,
}

/// Gives all host time that is left to islands, fences and dispatch.
pub(crate) fn claim(scene: &Scene<'_>, lost: &mut [DeviceLoss], drafts: &mut Drafts) {
    let mut fences = Fences::default();
    for (row, loss) in lost.iter_mut().enumerate() {
        let gaps = gaps(scene, loss);
        let (islands, rest): (Vec<Gap>, Vec<Gap>) =
            gaps.into_iter().partition(|gap| is_island(scene, gap));
        for gap in &islands {
            island(scene, gap, loss, drafts);
        }
        fences.claim(scene, (row, &rest), loss, drafts);
    }
    fences.evidence(scene, drafts);
    leftovers(scene, lost, drafts);
    for draft in &mut drafts.list {
        if matches!(draft.kind, Kind::HostIsland | Kind::DispatchBound | Kind::PicketFence) {
            let mean = draft.owned / draft.count.max(1) as Ns;
            draft.evidence.push(("mean_gap_ns", Figure::Ns(mean)));
        }
        let replayed = match draft.kind {
            Kind::PicketFence => fences.replayed(),
            Kind::DispatchBound => scene.replayed.share_of(draft),
            _ => None,
        };
        draft.evidence.extend(replayed.map(|share| ("replayed_share", Figure::Number(share))));
    }
}

fn gaps(scene: &Scene<'_>, loss: &DeviceLoss) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut at = 0;
    while let Some(first) = loss.pieces.get(at) {
        let n = loss.pieces[at..].iter().take_while(|piece| piece.gap == first.gap).count();
        let whole = &scene.linked.devices[loss.device].gaps[first.gap as usize];
        let mut gap = Gap {
            pieces: (at, at + n),
            span: whole.span,
            replays: whole.next.is_some_and(|next| scene.replayed.is_replayed(next)),
            left: 0,
            left_late: 0,
            late: 0,
            runtime: 0,
        };
        for piece in &loss.pieces[at..at + n] {
            if piece.is_free() {
                gap.left += piece.ns();
            }
            if matches!(piece.class, IdleClass::LateHost | IdleClass::UnrecordedHost) {
                gap.late += piece.ns();
                gap.left_late += if piece.is_free() { piece.ns() } else { 0 };
                let in_call = scene.facts.of(piece.stack).has(Traits::RUNTIME);
                gap.runtime += if in_call { piece.ns() } else { 0 };
            }
        }
        if gap.left > 0 {
            gaps.push(gap);
        }
        at += n;
    }
    gaps
}

fn is_island(scene: &Scene<'_>, gap: &Gap) -> bool {
    let limits = scene.limits;
    let of_step = (limits.island_step_share * scene.step_ns as f64) as Ns;
    let least = limits.island_ns.min(of_step.max(limits.island_least_ns));
    gap.left_late >= least && share(gap.runtime, gap.late) < limits.island_runtime_share
}

/// An island belongs to the frame that a person would look at in most of it.
fn island(scene: &Scene<'_>, gap: &Gap, loss: &mut DeviceLoss, drafts: &mut Drafts) {
    let pieces = &mut loss.pieces[gap.pieces.0..gap.pieces.1];
    let mut by_spot: FxHashMap<StackId, (Ns, StackId)> = FxHashMap::default();
    for piece in pieces.iter().filter(|piece| piece.is_free()) {
        let sum = by_spot.entry(scene.spot(piece.stack)).or_insert((0, piece.stack));
        sum.0 += piece.ns();
    }
    let largest = by_spot.iter().max_by_key(|(spot, (ns, _))| (*ns, std::cmp::Reverse(**spot)));
    let Some((&spot, &(_, stack))) = largest else { return };
    let draft = drafts.of(Kind::HostIsland, scene.name(spot).0, stack);
    for piece in pieces.iter_mut().filter(|piece| piece.is_free()) {
        let about = scene.about(stack, piece.stack);
        drafts.give(draft, piece, loss.device, about);
    }
}

/// Regions of many short gaps.
#[derive(Default)]
struct Fences {
    n_regions: u64,
    n_gaps: u64,
    /// Gaps that a launch of a graph ends.
    n_replays: u64,
    busy: Ns,
    floor: Ns,
}

/// Runs of gaps with at most `most` between one and the next, each with all that is between its gaps.
fn regions(gaps: &[Gap], most: Ns, between: impl Fn(&Gap, &Gap) -> Ns) -> Vec<(&[Gap], Ns)> {
    let (mut regions, mut first, mut work) = (Vec::new(), 0, 0);
    for (at, pair) in gaps.windows(2).enumerate() {
        let apart = between(&pair[0], &pair[1]);
        if apart <= most {
            work = apart.saturating_add(work);
        } else {
            regions.push((&gaps[first..=at], work));
            (first, work) = (at + 1, 0);
        }
    }
    regions.extend((!gaps.is_empty()).then(|| (&gaps[first..], work)));
    regions
}

impl Fences {
    fn claim(
        &mut self,
        scene: &Scene<'_>,
        (row, gaps): (usize, &[Gap]),
        loss: &mut DeviceLoss,
        drafts: &mut Drafts,
    ) {
        let busy = &scene.busy[row];
        let between = |a: &Gap, b: &Gap| busy.within(Interval::new(a.span.to, b.span.from));
        let least = scene.limits.fence_gaps;
        for (region, work) in regions(gaps, scene.limits.fence_busy_ns, between) {
            if (region.len() as u64) < least {
                continue;
            }
            self.n_regions += 1;
            self.n_gaps += region.len() as u64;
            self.n_replays += region.iter().filter(|gap| gap.replays).count() as u64;
            self.busy = self.busy.saturating_add(work);
            let floor = scene.linked.paces[loss.device].floor;
            self.floor = self.floor.saturating_add(floor.saturating_mul(region.len() as Ns));
            for gap in region {
                for piece in &mut loss.pieces[gap.pieces.0..gap.pieces.1] {
                    if !piece.is_free() {
                        continue;
                    }
                    let draft = drafts.of(Kind::PicketFence, 0, piece.stack);
                    drafts.give(draft, piece, loss.device, scene.about(piece.stack, piece.stack));
                }
            }
        }
    }

    /// The share of the gaps that launches of graphs end, where it is most.
    fn replayed(&self) -> Option<f64> {
        replayed::most(self.n_replays as f64 / self.n_gaps.max(1) as f64)
    }

    fn evidence(&self, scene: &Scene<'_>, drafts: &mut Drafts) {
        let Some(draft) = drafts.list.iter_mut().find(|draft| draft.kind == Kind::PicketFence)
        else {
            return;
        };
        draft.max_gain = Some((draft.owned - self.floor).max(0));
        draft.count = self.n_gaps;
        let busy = self.busy / (self.n_gaps - self.n_regions).max(1) as Ns;
        draft.evidence.extend([
            ("regions", Figure::Count(self.n_regions)),
            ("gaps", Figure::Count(self.n_gaps)),
            ("mean_busy_between_ns", Figure::Ns(busy)),
            ("gaps_per_step", Figure::Number(self.n_gaps as f64 / scene.n_steps() as f64)),
        ]);
    }
}

/// Frames of people's own code with 1 % of the step are islands too; framework and runtime is
/// dispatch.
fn leftovers(scene: &Scene<'_>, lost: &mut [DeviceLoss], drafts: &mut Drafts) {
    let mut own: FxHashMap<u32, Ns> = FxHashMap::default();
    let free = lost.iter().flat_map(|loss| &loss.pieces).filter(|piece| piece.is_free());
    for piece in free {
        if let Some(spot) = own_code(scene, piece.stack) {
            let sum = own.entry(scene.name(spot).0).or_insert(0);
            *sum = sum.saturating_add(piece.ns());
        }
    }
    let is_large = |key: u32| {
        own.get(&key).is_some_and(|&ns| scene.share_of_step(ns) >= scene.limits.headline_share)
    };
    for loss in lost {
        for piece in loss.pieces.iter_mut().filter(|piece| piece.is_free()) {
            let large = own_code(scene, piece.stack).filter(|&spot| is_large(scene.name(spot).0));
            let (kind, key) = match large {
                Some(spot) => (Kind::HostIsland, scene.name(spot).0),
                None => (Kind::DispatchBound, 0),
            };
            let draft = drafts.of(kind, key, piece.stack);
            drafts.give(draft, piece, loss.device, scene.about(piece.stack, piece.stack));
        }
    }
}

/// The frame, where the host ran a person's own code or a named range itself.
fn own_code(scene: &Scene<'_>, stack: StackId) -> Option<StackId> {
    let real = scene.facts.real(stack);
    let frame = scene.linked.nested.stacks.frame(stack);
    if frame.kind == FrameKind::Synthetic {
        return None;
    }
    let is_own = match frame.kind {
        FrameKind::Python => scene.facts.user(stack) == Some(real),
        FrameKind::Annotation => true,
        _ => false,
    };
    is_own.then_some(real)
}
