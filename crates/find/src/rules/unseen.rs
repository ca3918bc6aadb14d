//! Blocking calls while the device may have run work that was not recorded: what they cost cannot be
//! told, but they are where the host was.

use std::collections::BTreeMap;

use flamelane_link::{IdleClass, IdlePiece, Sites};
use flamelane_model::{Interval, Ns, StackId};

use super::lead;
use crate::draft::{Draft, Drafts};
use crate::finding::{Figure, Words};
use crate::kind::Kind;
use crate::scene::Scene;
use crate::words::{many, time};

/// What one call site blocked while nothing was recorded.
struct Blind {
    stack: StackId,
    n_calls: u64,
    blocked: Ns,
    unseen: Ns,
    longest: (Interval, usize, u32),
}

/// One draft a call site that blocks for 1 % of the step without recorded work; it owns nothing.
pub(crate) fn claim(scene: &Scene<'_>, drafts: &mut Drafts) {
    let mut sites = Sites::default();
    let mut blind: BTreeMap<u32, Blind> = BTreeMap::new();
    let not_recorded = |piece: &IdlePiece| piece.class == IdleClass::NotRecorded;
    let hides_work = |&&device: &&usize| scene.linked.idle.pieces[device].iter().any(not_recorded);
    for &device in scene.judged.iter().filter(hides_work) {
        for wait in &scene.linked.waits {
            let (unseen, step) = unseen(scene, device, wait.time);
            if unseen == 0 {
                continue;
            }
            let stack = scene.linked.nested.call_stack[wait.call.index()];
            let fresh = Blind {
                stack,
                n_calls: 0,
                blocked: 0,
                unseen: 0,
                longest: (Interval::default(), device, step),
            };
            let site = blind.entry(sites.of(scene.linked, stack)).or_insert(fresh);
            site.n_calls += 1;
            site.blocked = site.blocked.saturating_add(wait.time.len());
            site.unseen = site.unseen.saturating_add(unseen);
            if wait.time.len() > site.longest.0.len() {
                site.longest = (wait.time, device, step);
            }
        }
    }
    for (key, site) in blind {
        if scene.share_of_step(site.unseen) < scene.limits.headline_share {
            continue;
        }
        let number = drafts.of(Kind::SyncCliff, u32::MAX - key, site.stack);
        let draft = drafts.get(number);
        draft.always = true;
        draft.count = site.n_calls;
        draft.longest = site.longest;
        draft.evidence.extend([
            ("calls", Figure::Count(site.n_calls)),
            ("blocked_ns", Figure::Ns(site.blocked)),
            ("not_recorded_ns", Figure::Ns(site.unseen)),
            ("call", Figure::Text(scene.short(site.stack))),
        ]);
    }
}

/// How long a device showed no work that must have run, during a stretch, and the step.
fn unseen(scene: &Scene<'_>, device: usize, time: Interval) -> (Ns, u32) {
    let pieces = &scene.linked.idle.pieces[device];
    let steps = &scene.linked.idle.step_of_gap[device];
    let first = pieces.partition_point(|piece| piece.time.to <= time.from);
    let inside = pieces[first..].iter().take_while(|piece| piece.time.from < time.to);
    let unseen = inside.filter(|piece| piece.class == IdleClass::NotRecorded);
    let counted = unseen.filter(|piece| scene.counts(steps[piece.gap as usize]));
    counted.fold((0, flamelane_link::NO_STEP), |(sum, _), piece| {
        (piece.time.clip(time).len().saturating_add(sum), steps[piece.gap as usize])
    })
}

/// The sentence of a draft.
pub(crate) fn tell(scene: &Scene<'_>, draft: &Draft) -> Words {
    let what = lead::site(scene, draft.site);
    let sentence = format!(
        "{what} blocks for {} in {} of `{}`, {} of it while the device ran nothing that was recorded: no cost \
         can be put on it",
        time(draft.ns("blocked_ns")),
        many(draft.count, "call"),
        scene.short(draft.site),
        time(draft.ns("not_recorded_ns")),
    );
    Words {
        subject: what,
        sentence,
        experiment:
            "record again from before the first launch, so that the work it waits for is in the \
                     capture"
                .to_owned(),
    }
}
