//! `input-wait`: the launching thread waits for data or requests that others prepare.

use crate::draft::{Draft, Drafts};
use crate::finding::Words;
use crate::kind::Kind;
use crate::lost::DeviceLoss;
use crate::scene::Scene;
use crate::series;
use crate::traits::Traits;
use crate::words::{percent, time};

/// Gives the idle time under such waits to drafts by the frame that waits.
pub(crate) fn claim(scene: &Scene<'_>, lost: &mut [DeviceLoss], drafts: &mut Drafts) {
    for loss in lost {
        for piece in loss.pieces.iter_mut().filter(|piece| piece.is_free()) {
            if !scene.facts.of(piece.stack).awaits_input() {
                continue;
            }
            let spot = scene.spot(piece.stack);
            let draft = drafts.of(Kind::InputWait, scene.name(spot).0, piece.stack);
            drafts.give(draft, piece, loss.device, scene.about(piece.stack, piece.stack));
        }
    }
}

/// The sentence of a draft.
pub(crate) fn tell(scene: &Scene<'_>, draft: &Draft) -> Words {
    let period = series::of(scene, draft).period();
    let rhythm = period.map_or_else(String::new, |period| {
        format!(
            "; every {period} steps it repeats, as {period} workers do that each need {}",
            time(scene.step_ns.saturating_mul(period as i64)),
        )
    });
    // What a step would take without the wait, on one device: the owned time is a sum over them.
    let waits = scene.per_step(draft.owned) / scene.judged.len().max(1) as i64;
    let busy = (scene.step_ns - waits).max(1);
    let faster = scene.step_ns as f64 / busy as f64;
    let sentence = format!(
        "the thread waits in `{}` for {} a step ({}){rhythm}",
        scene.short(draft.site),
        time(waits),
        percent(scene.share_of_step(draft.owned)),
    );
    let experiment = match period {
        Some(period) => format!(
            "at least {} workers, or batches prepared {faster:.1} × as fast, would keep up; else \
             prefetch further ahead",
            (faster * period as f64).ceil()
        ),
        None if scene.facts.of(draft.site).has(Traits::LOADER) => {
            "more workers (num_workers), batches further ahead (prefetch_factor), workers that stay \
             (persistent_workers=True), pin_memory=True, or cheaper preparation"
                .to_owned()
        }
        None => {
            "more workers, prefetching, or cheaper preparation; for a server: it had no requests"
                .to_owned()
        }
    };
    Words { subject: format!("`{}`", scene.short(draft.site)), sentence, experiment }
}
