//! The verdict on each phase: the reading protocol of the steps that share it.

use std::collections::BTreeMap;

use flamelane_find::{Check, Tally};
use flamelane_link::{IdleClass, Linked};
use flamelane_model::labels::shortest;
use flamelane_model::{Ns, StrId};

use crate::document::phases::PhaseOf;
use crate::{Found, steps, verdict};

/// One a phase of the kept steps, by its first step; none where all are of one.
pub(crate) fn phases(linked: &Linked, found: Found<'_>, failed: &[&Check]) -> Vec<PhaseOf> {
    let mut by_phase: Vec<(Option<&str>, Vec<usize>)> = Vec::new();
    for (number, step) in linked.steps.list.iter().enumerate().filter(|(_, s)| s.is_kept()) {
        let phase = step.phase.as_deref();
        match by_phase.iter_mut().find(|(known, _)| *known == phase) {
            Some((_, numbers)) => numbers.push(number),
            None => by_phase.push((phase, vec![number])),
        }
    }
    if by_phase.len() < 2 || by_phase.len() > MOST_PHASES {
        return Vec::new();
    }
    let of = |(phase, numbers): (Option<&str>, Vec<usize>)| {
        let mut one = phase_of(linked, found, failed, &numbers);
        one.phase = phase.map(str::to_owned);
        one
    };
    by_phase.into_iter().map(of).collect()
}

/// More phases than this are names of something else.
const MOST_PHASES: usize = 16;

fn phase_of(linked: &Linked, found: Found<'_>, failed: &[&Check], numbers: &[usize]) -> PhaseOf {
    let per_step = &linked.per_step;
    let sum = |column: &[Ns]| numbers.iter().fold(0, |sum: Ns, &n| sum.saturating_add(column[n]));
    let (busy, idle) = (sum(&per_step.busy), sum(&per_step.idle));
    let wall = |&n: &usize| linked.per_device(per_step.busy[n].saturating_add(per_step.idle[n]));
    let walls = numbers.iter().map(wall);
    let mut tally = Tally::default();
    for &number in numbers {
        if let Some(of_step) = found.answer.tallies.get(number) {
            tally.add(of_step);
        }
    }
    let blanks = Blanks::new(linked, numbers);
    let whole = linked.per_step.sum();
    let part = verdict::share(busy, busy.saturating_add(idle));
    let dense = if part >= 85.0 { "dense" } else { "waiting" };
    let verdict = verdict::of_steps(found, failed, &tally, numbers);
    PhaseOf {
        phase: None,
        count: numbers.len() as u64,
        wall_ns: steps::spread(walls.collect()),
        busy_ns: busy,
        idle_ns: idle,
        share: verdict::share(busy.saturating_add(idle), whole) / 100.0,
        dense: format!("{dense}: busy {part:.1} % of these steps"),
        blank: blanks.largest(linked),
        explanation: blanks.explanation(idle),
        experiment: verdict::experiment_of(found, failed, &verdict, numbers, blanks.class()),
        verdict,
    }
}

/// Idle time of some steps, by owner and by class; work that was not recorded left out.
struct Blanks {
    by_owner: BTreeMap<StrId, (Ns, flamelane_model::FrameKind)>,
    by_class: BTreeMap<IdleClass, Ns>,
}

impl Blanks {
    fn new(linked: &Linked, numbers: &[usize]) -> Self {
        let mut mine = vec![false; linked.steps.list.len()];
        for &number in numbers {
            mine[number] = true;
        }
        let mut blanks = Self { by_owner: BTreeMap::new(), by_class: BTreeMap::new() };
        for (pieces, steps) in linked.idle.pieces.iter().zip(&linked.idle.step_of_gap) {
            let counts = |step: u32| mine.get(step as usize).copied().unwrap_or(false);
            for piece in pieces.iter().filter(|piece| counts(steps[piece.gap as usize])) {
                if piece.class == IdleClass::NotRecorded {
                    continue;
                }
                let frame = linked.nested.stacks.frame(piece.stack);
                let owner = blanks.by_owner.entry(frame.name).or_insert((0, frame.kind));
                owner.0 = owner.0.saturating_add(piece.time.len());
                let class = blanks.by_class.entry(piece.class).or_insert(0);
                *class = class.saturating_add(piece.time.len());
            }
        }
        blanks
    }

    fn largest(&self, linked: &Linked) -> String {
        let most =
            self.by_owner.iter().max_by_key(|(name, (ns, _))| (*ns, std::cmp::Reverse(**name)));
        most.map_or_else(
            || "no idle time".to_owned(),
            |(&name, &(ns, kind))| {
                let name = shortest(&flamelane_link::display(linked.trace.text(name)), kind);
                format!("{} under `{name}`", verdict::ms(ns))
            },
        )
    }

    fn most(&self) -> Option<(IdleClass, Ns)> {
        let most =
            self.by_class.iter().max_by_key(|(class, ns)| (**ns, std::cmp::Reverse(**class)));
        most.map(|(&class, &ns)| (class, ns))
    }

    fn class(&self) -> &'static str {
        self.most().map_or("", |(class, _)| class.name())
    }

    fn explanation(&self, idle: Ns) -> String {
        self.most().map_or_else(
            || "the device never waits".to_owned(),
            |(class, ns)| {
                let part = verdict::share(ns, idle);
                format!("{part:.0} % of idle time is {}", class.name())
            },
        )
    }
}
