//! Findings: the rules in order, then the list that people see.

use std::collections::BTreeSet;

use flamelane_link::Linked;
use flamelane_model::{FrameKind, Ns};

use crate::draft::{Draft, Drafts};
use crate::finding::{Figure, Finding, Where};
use crate::health::{Check, Status};
use crate::kind::{Bound, Kind};
use crate::lost::{self, DeviceLoss};
use crate::rhythm::{self, Pattern};
use crate::scene::Scene;
use crate::tally::{Judgement, Tally, tallies};
use crate::{Thresholds, rules, series};

/// What the findings say of a capture.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Findings by what they own, largest first; none where a health check failed.
    pub findings: Vec<Finding>,
    /// One a step, and what counts outside the steps last; see [`Answer::tally`].
    pub tallies: Vec<Tally>,
    /// Kept steps, 1 where there are none: what "per step" divides by.
    pub n_steps: Ns,
    /// Lost time (idle, exposed communication, exposed copies) that no listed finding owns.
    pub unexplained: Ns,
    /// Time that counts, summed over the devices in the verdict.
    pub counted: Ns,
    /// How the kept steps differ.
    pub patterns: Vec<Pattern>,
}

impl Answer {
    /// All of the time that counts.
    pub fn tally(&self) -> Tally {
        let mut sum = Tally::default();
        for tally in &self.tallies {
            sum.add(tally);
        }
        sum
    }

    /// Whether launches as one graph are worth a try: not where all that wait for launches replay
    /// graphs already.
    pub fn graphs_help(&self) -> bool {
        let is_late = |found: &&Finding| found.kind.bound() == Some(Bound::Launch);
        let late: Vec<&Finding> = self.findings.iter().filter(is_late).collect();
        late.is_empty() || late.iter().any(|found| !found.is_replayed)
    }

    /// The first finding of the class that a verdict names.
    pub fn headline(&self, judgement: Judgement) -> Option<&Finding> {
        let of_class = |finding: &&Finding| {
            finding.headline
                && match judgement {
                    Judgement::Bound(bound) => finding.kind.bound() == Some(bound),
                    _ => true,
                }
        };
        self.findings.iter().find(of_class)
    }
}

/// Finds what is wrong with a run. Where a check of `health` failed nothing is found: it would be
/// unsound.
pub fn find(linked: &Linked, health: &[Check], limits: &Thresholds) -> Answer {
    let scene = Scene::new(linked, limits);
    let mut lost = lost::collect(linked, &scene.judged, |step| scene.counts(step));
    let drafts = rules::claim(&scene, &mut lost);
    let tallies = tallies(&scene, &lost, &drafts);
    let mut answer = Answer {
        tallies,
        n_steps: scene.n_steps(),
        counted: scene.counted_ns,
        patterns: rhythm::patterns(&scene),
        ..Answer::default()
    };
    if health.iter().all(|check| check.status != Status::Fail) {
        answer.findings = list(&scene, &lost, &drafts, health);
    }
    let whole = answer.tally();
    let owned = answer.findings.iter().fold(0, |sum: Ns, f| sum.saturating_add(f.owned));
    // Sums of hostile times saturate: then the rest is not known.
    answer.unexplained = whole.whole().saturating_sub(whole.compute).saturating_sub(owned).max(0);
    answer
}

fn list(scene: &Scene<'_>, lost: &[DeviceLoss], drafts: &Drafts, health: &[Check]) -> Vec<Finding> {
    let shared = shared(lost, drafts);
    let mut findings = Vec::new();
    for (number, draft) in drafts.list.iter().enumerate() {
        let gain = draft.max_gain.unwrap_or(draft.owned);
        let is_small = scene.share_of_step(draft.owned) < scene.limits.listed_share;
        if !draft.always && (is_small || scene.per_step(gain) == 0) {
            continue;
        }
        let words = rules::tell(scene, draft);
        findings.push(Finding {
            kind: draft.kind,
            stack: draft.site,
            sites: draft.sites.clone(),
            place: place(scene, draft),
            count: draft.count,
            owned: draft.owned,
            max_gain: gain,
            is_replayed: draft.is_replayed(),
            headline: scene.share_of_step(steady(scene, draft)) >= scene.limits.headline_share,
            evidence: evidence(scene, draft),
            shares_with: shared[number].iter().copied().collect(),
            confidence: confidence(scene, draft, health),
            subject: words.subject,
            sentence: with_moves(scene, draft, &words.sentence),
            experiment: words.experiment,
        });
    }
    findings.sort_by_key(|f| (std::cmp::Reverse(f.owned), f.kind, f.place.time.from, f.stack));
    findings
}

/// Where a draft is longest.
fn place(scene: &Scene<'_>, draft: &Draft) -> Where {
    let (time, device, step) = draft.longest;
    let (linked, stacks) = (scene.linked, &scene.linked.nested.stacks);
    let is_above = |step: &u32| {
        let marker = linked.steps.list.get(*step as usize).map(|step| step.name.as_str());
        let mut names = stacks.climb(draft.site).map(|node| stacks.frame(node).name);
        marker.is_some_and(|marker| names.any(|name| linked.trace.text(name) == marker))
    };
    let beside = [step, scene.step_at(time.from), scene.step_at(time.to)];
    let host_step = beside.into_iter().find(is_above).unwrap_or(step);
    Where { time, device, step, host_step }
}

/// One a draft: the other kinds that own pieces of the gaps in which it owns one.
fn shared(lost: &[DeviceLoss], drafts: &Drafts) -> Vec<BTreeSet<Kind>> {
    let mut shared = vec![BTreeSet::new(); drafts.list.len()];
    for gap in lost.iter().flat_map(|loss| loss.pieces.chunk_by(|a, b| a.gap == b.gap)) {
        let of_gap = || gap.iter().filter_map(|piece| piece.owner);
        // Nearly all gaps have one owner at most.
        if of_gap().all(|owner| Some(owner) == of_gap().next()) {
            continue;
        }
        let owners: BTreeSet<usize> = of_gap().map(|owner| owner as usize).collect();
        let kinds: BTreeSet<Kind> = owners.iter().map(|&owner| drafts.list[owner].kind).collect();
        for owner in owners {
            let own = drafts.list[owner].kind;
            shared[owner].extend(kinds.iter().filter(|&&kind| kind != own));
        }
    }
    shared
}

/// What a draft owns in the steady state: where there are several steps, the first one, in which the
/// pipeline fills, counts as the mean of the others.
fn steady(scene: &Scene<'_>, draft: &Draft) -> Ns {
    let n_steps = scene.n_steps();
    let first = scene.kept.first().map_or(0, |&step| draft.by_step.of(step));
    if n_steps < FEW_STEPS {
        return draft.owned;
    }
    let others = draft.owned.saturating_sub(first);
    draft.owned.min(others.saturating_add(others / (n_steps - 1)))
}

/// Of fewer steps, all count alike.
const FEW_STEPS: Ns = 4;

/// The sentence, with how its time moves over the steps. Two populations are no trend.
fn with_moves(scene: &Scene<'_>, draft: &Draft, sentence: &str) -> String {
    let moves = series::of(scene, draft).moves().filter(|_| draft.kind != Kind::GraphFallback);
    moves.map_or_else(|| sentence.to_owned(), |moves| format!("{sentence}; {moves}"))
}

/// Most frames listed in the evidence.
const MOST_FRAMES: usize = 8;

fn evidence(scene: &Scene<'_>, draft: &Draft) -> Vec<(&'static str, Figure)> {
    let mut rows = draft.evidence.clone();
    // Two populations are no trend.
    if draft.kind != Kind::GraphFallback {
        rows.extend(series::of(scene, draft).evidence());
    }
    let frames = scene.named(&draft.top_frames(), MOST_FRAMES).into_iter();
    let frames: Vec<(String, Ns)> = frames.map(|(name, ns)| (name, scene.per_step(ns))).collect();
    if !frames.is_empty() {
        rows.push(("frames_ns_per_step", Figure::Frames(frames)));
    }
    rows
}

/// How sure the evidence makes it.
fn confidence(scene: &Scene<'_>, draft: &Draft, health: &[Check]) -> String {
    let warns = |name: &str| health.iter().any(|c| c.check == name && c.status != Status::Ok);
    if draft.kind == Kind::Loop {
        return "medium: whether the rounds depend on each other is not in the capture".to_owned();
    }
    if draft.kind == Kind::ExposedComm {
        return "medium: one rank alone does not show who came late".to_owned();
    }
    if draft.always && draft.kind == Kind::SyncCliff {
        return "none: the work that it waits for was not recorded".to_owned();
    }
    if draft.kind.bound() == Some(Bound::Copy) || draft.owned == 0 {
        return "high: both ends are recorded".to_owned();
    }
    let named = draft
        .top_frames()
        .iter()
        .filter(|(frame, _)| {
            let kind = scene.linked.nested.stacks.frame(*frame).kind;
            !matches!(kind, FrameKind::Synthetic | FrameKind::Thread)
        })
        .fold(0, |sum: Ns, (_, ns)| sum.saturating_add(*ns));
    let named = crate::scene::share(named, draft.owned);
    if named < 0.5 {
        return "low: the host thread ran nothing that was recorded for most of it".to_owned();
    }
    if warns("not-recorded") {
        return "medium: some device work was not recorded".to_owned();
    }
    if warns("attributed") {
        return "medium: some device work has no launch in the file".to_owned();
    }
    if warns("host-stacks") {
        return "medium: the launching thread is recorded, without python stacks".to_owned();
    }
    "high: the launching thread is recorded while the device waits".to_owned()
}
