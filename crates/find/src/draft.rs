//! Drafts: findings while the rules give lost time to them.

use std::collections::{BTreeMap, BTreeSet};

use flamelane_link::NO_STEP;
use flamelane_model::{Interval, Ns, StackId, StrId};
use rustc_hash::FxHashMap;

use crate::finding::Figure;
use crate::kind::Kind;
use crate::lost::Lost;

/// What a piece is about.
#[derive(Clone, Copy)]
pub(crate) struct About {
    /// What the finding points at.
    pub(crate) site: StackId,
    /// What the host ran: the innermost frame, and the one that a person would look at.
    pub(crate) inner: (StrId, StackId),
    pub(crate) spot: (StrId, StackId),
}

/// Time by the name of a frame, with one stack that ends in it.
#[derive(Debug, Default)]
struct Frames(FxHashMap<StrId, (StackId, Ns)>);

impl Frames {
    fn add(&mut self, (name, stack): (StrId, StackId), ns: Ns) {
        let frame = self.0.entry(name).or_insert((stack, 0));
        frame.1 = frame.1.saturating_add(ns);
    }

    /// Largest first.
    fn ranked(&self) -> Vec<(StackId, Ns)> {
        let mut frames: Vec<(StackId, Ns)> = self.0.values().copied().collect();
        frames.sort_unstable_by_key(|&(frame, ns)| (std::cmp::Reverse(ns), frame));
        frames
    }
}

/// Time by step. Pieces come by time, so that most are of the step of the last one.
#[derive(Debug, Default)]
pub(crate) struct BySteps {
    others: BTreeMap<u32, Ns>,
    /// The step that got time last, and its time; it is not among the others.
    last: Option<(u32, Ns)>,
}

impl BySteps {
    fn add(&mut self, step: u32, ns: Ns) {
        match &mut self.last {
            Some((last, sum)) if *last == step => *sum = sum.saturating_add(ns),
            last => {
                let sum = self.others.remove(&step).unwrap_or(0).saturating_add(ns);
                self.others.extend(last.replace((step, sum)));
            }
        }
    }

    /// The time of a step, 0 where it has none.
    pub(crate) fn of(&self, step: u32) -> Ns {
        let last = self.last.filter(|(last, _)| *last == step);
        last.map_or_else(|| self.others.get(&step).copied().unwrap_or(0), |(_, ns)| ns)
    }

    pub(crate) fn len(&self) -> usize {
        self.others.len() + usize::from(self.last.is_some())
    }

    /// Steps with time, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, Ns)> + '_ {
        let at = self.last.map_or(0, |(step, _)| step);
        let before = self.others.range(..at).map(|(&step, &ns)| (step, ns));
        before.chain(self.last).chain(self.others.range(at..).map(|(&step, &ns)| (step, ns)))
    }
}

/// Innermost frames say more than the user's own when one of them has this share, in percent.
const TELLING: Ns = 30;

/// A finding under construction.
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) kind: Kind,
    /// The stack that it points at: of the largest part of its longest stretch.
    pub(crate) site: StackId,
    /// Lost time it owns.
    pub(crate) owned: Ns,
    /// Bound of the gain; what it owns where a rule knows no better.
    pub(crate) max_gain: Option<Ns>,
    /// Gaps, calls or runs.
    pub(crate) count: u64,
    /// What it owns, by step.
    pub(crate) by_step: BySteps,
    /// The steps whose marker was open when the host did it, where a rule says so: the idle time
    /// behind it may count for the next step.
    pub(crate) host_steps: BTreeSet<u32>,
    /// Its longest stretch: when, on which device, in which step.
    pub(crate) longest: (Interval, usize, u32),
    /// What the host ran in it: the innermost frames, and those that a person would look at.
    inner: Frames,
    spots: Frames,
    pub(crate) evidence: Vec<(&'static str, Figure)>,
    /// Stacks of the calls that it is about, for blocking calls.
    pub(crate) sites: Vec<StackId>,
    /// Whether it is listed however little it owns.
    pub(crate) always: bool,
    /// The last gap it took from.
    gap: Option<Open>,
}

/// A gap from which a draft takes.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// Device and number.
    of: (usize, u32),
    /// From the first piece taken to the last.
    time: Interval,
    /// The site and length of the largest of them.
    largest: (StackId, Ns),
}

impl Draft {
    pub(crate) fn new(kind: Kind, site: StackId) -> Self {
        Self {
            kind,
            site,
            owned: 0,
            max_gain: None,
            count: 0,
            by_step: BySteps::default(),
            host_steps: BTreeSet::new(),
            longest: (Interval::default(), 0, NO_STEP),
            inner: Frames::default(),
            spots: Frames::default(),
            evidence: Vec::new(),
            sites: Vec::new(),
            always: false,
            gap: None,
        }
    }

    /// Adds time that is not one of the lost pieces, or a part of one.
    pub(crate) fn add(&mut self, site: StackId, time: Interval, device: usize, step: u32) {
        self.own(time.len(), step);
        self.stretch(site, (time, device, step));
    }

    fn own(&mut self, ns: Ns, step: u32) {
        self.owned = self.owned.saturating_add(ns);
        self.by_step.add(step, ns);
    }

    /// Where it shows is where it is longest, and the stack is one from there.
    fn stretch(&mut self, site: StackId, place: (Interval, usize, u32)) {
        if place.0.len() > self.longest.0.len() {
            (self.site, self.longest) = (site, place);
        }
    }

    /// Takes a piece.
    fn take(&mut self, piece: &Lost, device: usize, about: About) {
        self.own(piece.ns(), piece.step);
        self.inner.add(about.inner, piece.ns());
        self.spots.add(about.spot, piece.ns());
        let of = (device, piece.gap);
        let fresh = Open { of, time: piece.time, largest: (about.site, piece.ns()) };
        let mut gap = self.gap.filter(|gap| gap.of == of).unwrap_or_else(|| {
            self.count += 1;
            fresh
        });
        gap.time.to = piece.time.to;
        if piece.ns() > gap.largest.1 {
            gap.largest = fresh.largest;
        }
        self.gap = Some(gap);
        self.stretch(gap.largest.0, (gap.time, device, piece.step));
    }

    /// Number of steps in which the host did it.
    pub(crate) fn n_steps(&self) -> usize {
        let marked = self.host_steps.iter().filter(|&&step| step != NO_STEP).count();
        if marked == 0 { self.by_step.len() } else { marked }
    }

    fn figure(&self, name: &str) -> Option<&Figure> {
        self.evidence.iter().find(|(key, _)| *key == name).map(|(_, figure)| figure)
    }

    /// A time of the evidence, 0 where it is not there.
    pub(crate) fn ns(&self, name: &str) -> Ns {
        if let Some(Figure::Ns(ns)) = self.figure(name) { *ns } else { 0 }
    }

    /// A count of the evidence.
    pub(crate) fn count_of(&self, name: &str) -> u64 {
        if let Some(Figure::Count(n)) = self.figure(name) { *n } else { 0 }
    }

    /// A number of the evidence.
    pub(crate) fn number(&self, name: &str) -> f64 {
        if let Some(Figure::Number(number)) = self.figure(name) { *number } else { 0.0 }
    }

    /// Whether most of what it is about comes from launches of graphs.
    pub(crate) fn is_replayed(&self) -> bool {
        self.number("replayed_share") > 0.0
    }

    /// Words of the evidence.
    pub(crate) fn text(&self, name: &str) -> &str {
        if let Some(Figure::Text(text)) = self.figure(name) { text } else { "" }
    }

    /// What the host ran, largest first.
    pub(crate) fn top_frames(&self) -> Vec<(StackId, Ns)> {
        let inner = self.inner.ranked();
        let most = inner.first().map_or(0, |&(_, ns)| ns);
        if most.saturating_mul(100) >= self.owned.saturating_mul(TELLING) {
            return inner;
        }
        self.spots.ranked()
    }
}

/// All drafts; one a kind and key.
#[derive(Debug, Default)]
pub(crate) struct Drafts {
    pub(crate) list: Vec<Draft>,
    by_key: FxHashMap<(Kind, u32), u32>,
}

impl Drafts {
    /// The number of the draft of that kind and key; `site` is where a new one points.
    pub(crate) fn of(&mut self, kind: Kind, key: u32, site: StackId) -> u32 {
        let fresh = self.list.len() as u32;
        let number = *self.by_key.entry((kind, key)).or_insert(fresh);
        if number == fresh {
            self.list.push(Draft::new(kind, site));
        }
        number
    }

    pub(crate) fn get(&mut self, number: u32) -> &mut Draft {
        &mut self.list[number as usize]
    }

    /// Gives a piece to a draft.
    pub(crate) fn give(&mut self, number: u32, piece: &mut Lost, device: usize, about: About) {
        piece.owner = Some(number);
        self.get(number).take(piece, device, about);
    }
}
