//! What the shapes say of themselves.

use flamelane_model::{Interval, Ns};

use super::hole;
use crate::draft::Draft;
use crate::finding::Words;
use crate::kind::Kind;
use crate::replayed;
use crate::scene::{Scene, share};
use crate::traits::Traits;
use crate::words::{percent, rate, time};

/// The sentence of a draft.
pub(crate) fn tell(scene: &Scene<'_>, draft: &Draft) -> Words {
    match draft.kind {
        Kind::PicketFence => fence(scene, draft),
        Kind::HostIsland => island(scene, draft),
        _ => dispatch(scene, draft),
    }
}

fn fence(scene: &Scene<'_>, draft: &Draft) -> Words {
    let sentence = format!(
        "short kernels wait for their launches: {} gaps of {} a step between {} of work, {} in all, under {}",
        rate(draft.count, scene.n_steps()),
        time(draft.owned / draft.count.max(1) as Ns),
        time(draft.ns("mean_busy_between_ns")),
        time(scene.per_step(draft.owned)),
        scene.shares(draft, 3),
    );
    let experiment = if draft.is_replayed() {
        "most of these launches replay a graph already: fewer, larger graphs (one for the whole step \
         rather than one a piece), a larger batch"
    } else {
        "launch less often: CUDA graphs, torch.compile, fused or larger kernels, a larger batch"
    };
    Words { subject: "short kernels".to_owned(), sentence, experiment: experiment.to_owned() }
}

fn island(scene: &Scene<'_>, draft: &Draft) -> Words {
    let what = inside(scene, draft);
    let runs = match &what {
        Some(what) => format!("while the host runs {what}"),
        None => format!("and nothing was recorded of {}", hole::told(scene, draft)),
    };
    let start = at_the_start(scene, draft).map_or_else(String::new, |busy| {
        let busy = percent(busy);
        format!(
            "; it comes before the first device work, after which the device is busy for {busy}"
        )
    });
    let mean = time(draft.owned / draft.count.max(1) as Ns);
    let length = match draft.count {
        n if n == scene.n_steps() as u64 => mean,
        _ => format!("{mean} each, {} a step in all", time(scene.per_step(draft.owned))),
    };
    let sentence = format!(
        "the device waits {runs}: {}, {length}; inside {}{start}",
        scene.often(draft.count),
        scene.shares(draft, 3),
    );
    let facts = scene.facts.of(draft.site);
    let experiment = if what.is_none() {
        "sample the process beside the trace (py-spy --native, perf sched) to see what the thread did; \
         record with python stacks"
    } else if facts.has(Traits::LOADER) {
        "keep the loader's workers (persistent_workers=True) and give it more of them (num_workers, \
         prefetch_factor), with pin_memory=True"
    } else if facts.has(Traits::LOADING) {
        "make batches in worker processes, not in the launching thread: DataLoader with num_workers \
         above 0, pin_memory=True, prefetch_factor and persistent_workers=True"
    } else {
        "move it off the launching thread, do it while the device works (launch first), or put it on \
         the device"
    };
    let subject =
        what.unwrap_or_else(|| format!("nothing recorded of {}", hole::told(scene, draft)));
    Words { subject, sentence, experiment: experiment.to_owned() }
}

fn dispatch(scene: &Scene<'_>, draft: &Draft) -> Words {
    let first = draft.top_frames().first().map(|&(frame, _)| scene.short(frame));
    let subject = match first {
        Some(first) => format!("late launches, first under `{first}`"),
        None => "late launches".to_owned(),
    };
    let replayed = match draft.number("replayed_share") {
        0.0 => String::new(),
        share => format!("; graphs launch {} of the device work there", percent(share)),
    };
    let sentence = format!(
        "the host is late with its launches {}, {}{} in all: {}{replayed}",
        scene.often(draft.count),
        time(scene.per_step(draft.owned)),
        if draft.count < scene.n_steps() as u64 { " a step" } else { "" },
        scene.shares(draft, 3),
    );
    let experiment = if draft.is_replayed() {
        beside_graphs(scene, draft)
    } else {
        "less work per launch: CUDA graphs or torch.compile, fewer python layers around small operators"
            .to_owned()
    };
    Words { subject, sentence, experiment }
}

/// From this share on the launch of the graph itself is what takes long.
const SLOW_LAUNCH: f64 = 0.25;

/// What helps where the work is replayed already.
fn beside_graphs(scene: &Scene<'_>, draft: &Draft) -> String {
    let ahead = "prepare inputs and metadata of the next step before waiting for this one (overlap \
                 scheduling), with fewer small launches before the replay";
    let (share, call) = replayed::launching(scene, draft);
    let Some(call) = call.filter(|_| share >= SLOW_LAUNCH) else {
        return format!("the step is a graph already: {ahead}");
    };
    let is_cuda = scene.short(call).starts_with("cu");
    let driver = if is_cuda { " (constant-time launch since CUDA 12.6)" } else { "" };
    format!(
        "the step is a graph already, and {} of this is its launch: fewer or larger graphs, a newer \
         driver{driver}; {ahead}",
        percent(share)
    )
}

/// The frame that ran longest, in the frame of the user's own code; none where nothing was recorded.
fn inside(scene: &Scene<'_>, draft: &Draft) -> Option<String> {
    if scene.is_unrecorded(draft.site) {
        return None;
    }
    let spot = scene.short(scene.spot(draft.site));
    let longest = draft.top_frames().first().map(|&(frame, _)| scene.short(frame));
    Some(match longest {
        Some(frame) if frame != spot => format!("`{frame}` in `{spot}`"),
        _ => format!("`{spot}`"),
    })
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
