//! Replays in the document: simulated gains beside findings, and answers to "what if".

use std::collections::BTreeMap;

use flamelane_find::{Finding, Kind};
use flamelane_link::Linked;
use flamelane_model::Ns;
use flamelane_whatif::{self as whatif, Constants, Declined, Replay};

use crate::document as doc;

/// Findings for which a replay is made: each costs a walk over all calls.
const MOST_REPLAYS: usize = 4;

/// Simulated gains, each change replayed once.
pub(crate) struct Gains<'a> {
    replay: Option<&'a Replay<'a>>,
    /// Gains of changes to the whole capture, by their word.
    known: BTreeMap<&'static str, Option<Ns>>,
    n_syncs: usize,
    n_steps: Ns,
}

impl<'a> Gains<'a> {
    pub(crate) fn new(replay: Option<&'a Replay<'a>>, n_steps: Ns) -> Self {
        Self { replay, known: BTreeMap::new(), n_syncs: 0, n_steps }
    }

    /// The gain per step of curing a finding, where a change of the replay is its cure.
    pub(crate) fn of(&mut self, finding: &Finding) -> Option<Ns> {
        let replay = self.replay.filter(|_| finding.headline)?;
        let most = finding.max_gain / self.n_steps.max(1);
        // A change may cure more than this finding.
        let gain = |change: &whatif::Change| Some(replay.predict(change)?.gain);
        let gain = match finding.kind {
            Kind::SyncCliff | Kind::PageableCopy if self.n_syncs < MOST_REPLAYS => {
                self.n_syncs += 1;
                gain(&whatif::Change::DropSync(finding.sites.clone()))
            }
            Kind::CopyOnCriticalPath => {
                *self.known.entry("copies").or_insert_with(|| gain(&whatif::Change::OverlapCopies))
            }
            Kind::PicketFence | Kind::DispatchBound if finding.is_replayed => None,
            Kind::PicketFence | Kind::DispatchBound | Kind::GraphFallback => {
                *self.known.entry("graph").or_insert_with(|| gain(&whatif::Change::Graph(None)))
            }
            _ => None,
        };
        gain.map(|gain| gain.clamp(0, most))
    }
}

/// Whether a capture replays.
pub(crate) fn self_check(replay: &Result<Replay<'_>, Declined>) -> doc::SelfCheck {
    let (check, reason) = match replay {
        Ok(replay) => (Some(replay.check()), String::new()),
        Err(declined @ Declined::Misses(check)) => (Some(*check), declined.to_string()),
        Err(declined) => (None, declined.to_string()),
    };
    doc::SelfCheck {
        holds: reason.is_empty(),
        measured_ns: check.map_or(0, |check| check.measured),
        replayed_ns: check.map_or(0, |check| check.replayed),
        error: check.map_or(0.0, |check| (check.error() * 1e6).round() / 1e6),
        reason,
    }
}

/// What to answer.
#[derive(Debug)]
pub struct WhatIfSource<'a> {
    /// The file's name without its folder.
    pub file: &'a str,
    /// The capture.
    pub linked: &'a Linked,
    /// Experiments in the order asked for, with what each changes in words.
    pub changes: &'a [(whatif::Change, String)],
}

/// Replays a capture and answers each question.
pub fn what_if(source: &WhatIfSource<'_>) -> doc::WhatIf {
    let replay = Replay::new(source.linked);
    let constants = replay.as_ref().ok().map(Replay::constants);
    let row =
        |(change, what): &(whatif::Change, String)| answer(replay.as_ref().ok(), change, what);
    doc::WhatIf {
        schema: "flamelane.whatif/1",
        file: source.file.to_owned(),
        steps: source.linked.steps.n_kept() as u64,
        replay: self_check(&replay),
        constants_ns: constants.map(constants_ns).unwrap_or_default(),
        changes: source.changes.iter().map(row).collect(),
    }
}

fn answer(replay: Option<&Replay<'_>>, change: &whatif::Change, what: &str) -> doc::Change {
    let word = match change {
        whatif::Change::DropSync(_) => "drop-sync",
        whatif::Change::OverlapCopies => "overlap-copies",
        whatif::Change::Graph(_) => "graph",
    };
    let before = replay.map_or(0, |replay| replay.check().measured);
    let empty = doc::Change {
        change: word.to_owned(),
        what: what.to_owned(),
        before_ns: before,
        after_ns: before,
        ..doc::Change::default()
    };
    match replay.and_then(|replay| replay.predict(change)) {
        None => empty,
        Some(said) => doc::Change {
            count: said.count as u64,
            before_ns: said.before,
            after_ns: said.after,
            gain_ns: said.gain,
            assumptions: said.assumptions,
            ..empty
        },
    }
}

fn constants_ns(constants: Constants) -> BTreeMap<String, Option<Ns>> {
    let rows = [
        ("launch", Some(constants.launch)),
        ("kernel_latency", Some(constants.kernel_latency)),
        ("copy_latency", Some(constants.copy_latency)),
        ("graph_latency", constants.graph_latency),
        ("spacing", Some(constants.spacing)),
        ("event_delay", Some(constants.event_delay)),
        ("wake_up", Some(constants.wake_up)),
        ("idle_wait", Some(constants.idle_wait)),
        ("graph_launch", constants.graph_launch),
    ];
    rows.into_iter().map(|(name, ns)| (name.to_owned(), ns)).collect()
}
