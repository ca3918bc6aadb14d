//! What no blocking call explains is the host's own, by shape: islands, picket fences, and the rest.

use flamelane_link::IdleClass;
use flamelane_model::{FrameKind, Interval, Ns, StackId};
use rustc_hash::FxHashMap;

use crate::draft::{Draft, Drafts};
use crate::finding::{Figure, Words};
use crate::kind::Kind;
use crate::lost::DeviceLoss;
use crate::scene::{Scene, share};
use crate::traits::Traits;
use crate::words::{percent, rate, time, times};

/// A gap with host time that nobody owns yet.
struct Gap {
    /// Its pieces: first and after last.
    pieces: (usize, usize),
    span: Interval,
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
    }
}

fn gaps(scene: &Scene<'_>, loss: &DeviceLoss) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut at = 0;
    while let Some(first) = loss.pieces.get(at) {
        let n = loss.pieces[at..].iter().take_while(|piece| piece.gap == first.gap).count();
        let span = scene.linked.devices[loss.device].gaps[first.gap as usize].span;
        let mut gap =
            Gap { pieces: (at, at + n), span, left: 0, left_late: 0, late: 0, runtime: 0 };
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
    busy: Ns,
    floor: Ns,
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
        let regions = gaps.chunk_by(|a, b| between(a, b) <= scene.limits.fence_busy_ns);
        for region in regions.filter(|region| region.len() as u64 >= scene.limits.fence_gaps) {
            self.n_regions += 1;
            self.n_gaps += region.len() as u64;
            let work = region.windows(2).map(|pair| between(&pair[0], &pair[1]));
            self.busy = work.fold(self.busy, Ns::saturating_add);
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

/// The sentence of a draft.
pub(crate) fn tell(scene: &Scene<'_>, draft: &Draft) -> Words {
    let owned = time(scene.per_step(draft.owned));
    let times = times(draft.count, scene.n_steps());
    let mean = time(draft.owned / draft.count.max(1) as Ns);
    let spot = scene.short(scene.spot(draft.site));
    let start = at_the_start(scene, draft).map_or_else(String::new, |busy| {
        format!(
            "; it comes before the first device work, after which the device is busy for {}",
            percent(busy)
        )
    });
    match draft.kind {
        Kind::PicketFence => {
            let busy = time(draft.ns("mean_busy_between_ns"));
            let gaps = rate(draft.count, scene.n_steps());
            Words {
                subject: "short kernels".to_owned(),
                sentence: format!(
                    "short kernels wait for their launches: {gaps} gaps of {mean} a step between {} of \
                     work, {owned} in all, under {}",
                    busy,
                    scene.shares(draft, 3),
                ),
                experiment:
                    "launch less often: CUDA graphs, torch.compile, fused or larger kernels, a \
                             larger batch"
                        .to_owned(),
            }
        }
        Kind::HostIsland => Words {
            subject: inside(scene, draft, &spot),
            sentence: format!(
                "the device waits while the host runs {}: {times} a step, {mean} each, {owned} a step in \
                 all; inside {}",
                inside(scene, draft, &spot),
                scene.shares(draft, 3) + &start,
            ),
            experiment: if scene.is_unrecorded(draft.site) {
                "sample the process beside the trace (py-spy --native, perf sched) to see what the \
                 thread did; record with python stacks"
            } else {
                "move it off the launching thread, do it while the device works (launch first), or put \
                 it on the device"
            }
            .to_owned(),
        },
        _ => Words {
            subject: draft.top_frames().first().map_or_else(
                || "late launches".to_owned(),
                |&(frame, _)| format!("late launches, first under `{}`", scene.short(frame)),
            ),
            sentence: format!(
                "the host is late with its launches {times} a step, {owned} in all: {}",
                scene.shares(draft, 3),
            ),
            experiment:
                "less work per launch: CUDA graphs or torch.compile, fewer python layers around \
                         small operators"
                    .to_owned(),
        },
    }
}

/// The frame that ran longest, in the frame of the user's own code.
fn inside(scene: &Scene<'_>, draft: &Draft, spot: &str) -> String {
    if scene.is_unrecorded(draft.site) {
        return "nothing that was recorded".to_owned();
    }
    let longest = draft.top_frames().first().map(|&(frame, _)| scene.short(frame));
    match longest {
        Some(frame) if frame != spot => format!("`{frame}` in `{spot}`"),
        _ => format!("`{spot}`"),
    }
}

/// Where most of a finding is one gap that begins a piece of the window: how busy the device is from
/// then on.
fn at_the_start(scene: &Scene<'_>, draft: &Draft) -> Option<f64> {
    let (gap, device, _) = draft.longest;
    let piece = scene.linked.window.pieces.iter().find(|piece| piece.holds(gap.from))?;
    let devices = scene.judged.iter().position(|&row| row == device)?;
    let early = scene.busy[devices].within(Interval::new(piece.from, gap.to)) == 0;
    if !early || gap.len().saturating_mul(2) < draft.owned {
        return None;
    }
    // Until its last work: what the host does afterwards is another matter.
    let gaps = &scene.linked.devices[device].gaps;
    let tail = gaps.iter().rfind(|gap| gap.next.is_none() && gap.span.to == piece.to);
    let rest = Interval::new(gap.to, tail.map_or(piece.to, |tail| tail.span.from));
    Some(share(scene.busy[devices].within(rest), rest.len()))
}
