//! Blame: which host frame a device waited for, on whatever thread.

use flamelane_model::{FrameKind, Interval, LaneId, Ns, StackId, Trace};

use crate::launchers::Launchers;
use crate::nesting::Nested;
use crate::owners::Facts;
use crate::waiting::Role;
use crate::wakes::Wakes;

/// What a thread did for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// It, or the thread that it waited for, ran this.
    Ran(StackId),
    /// It had only this open, which explains nothing.
    Nothing(StackId),
}

/// What host stacks explain, and who waits for whom.
pub(crate) struct Blame<'a> {
    trace: &'a Trace,
    /// One a stack: the innermost stack at or below that explains what the host did, `NOTHING`
    /// where only a thread and step markers are open.
    owner: Vec<StackId>,
    /// One a stack: whether its innermost frame waits for another thread.
    waits: Vec<bool>,
    wakes: Wakes,
}

/// What one device's gaps are explained by.
#[derive(Clone, Copy)]
pub(crate) struct View<'v> {
    pub(crate) nested: &'v Nested,
    pub(crate) threads: &'v Launchers,
}

/// The root explains nothing.
const NOTHING: StackId = StackId(0);

/// Most threads looked at that wait one for the next.
const MOST_LINKS: usize = 4;

impl<'a> Blame<'a> {
    pub(crate) fn new(facts: &Facts<'a>, nested: &Nested) -> Self {
        let (stacks, wakes) = (&nested.stacks, Wakes::new(facts.trace));
        let mut owner = vec![NOTHING; stacks.len()];
        let mut waits = vec![false; stacks.len()];
        for node in stacks.nodes() {
            let frame = stacks.frame(node);
            let is_marker =
                frame.kind == FrameKind::Annotation && facts.markers.contains(&frame.name);
            let explains = !(frame.kind == FrameKind::Thread || is_marker);
            owner[node.index()] = if explains { node } else { owner[stacks.parent(node).index()] };
            let role = wakes.roles.get(frame.name.index());
            let is_call = matches!(frame.kind, FrameKind::Runtime | FrameKind::Thread);
            waits[node.index()] = !is_call && matches!(role, Some(Role::Waits(_)));
        }
        Self { trace: facts.trace, owner, waits, wakes }
    }

    /// What `lane` did during `time`, in pieces by their ends; where it had nothing open, what
    /// `other` did.
    pub(crate) fn tell(
        &self,
        view: View<'_>,
        (lane, other): (LaneId, Option<LaneId>),
        time: Interval,
        told: &mut Vec<(Ns, Doing)>,
    ) {
        let View { nested, .. } = view;
        for (from, end, stack) in nested.timelines[lane.index()].pieces(time.from, time.to) {
            let stack = stack.unwrap_or(nested.thread_node[lane.index()]);
            let time = Interval::new(from, end);
            match (self.explains(stack), other) {
                (Some(owner), _) => self.ran(view, (lane, owner), time, told),
                (None, None) => told.push((end, Doing::Nothing(stack))),
                (None, Some(other)) => {
                    let timeline = &nested.timelines[other.index()];
                    for (from, end, instead) in timeline.pieces(time.from, time.to) {
                        match instead.and_then(|stack| self.explains(stack)) {
                            Some(owner) => {
                                let time = Interval::new(from, end);
                                self.ran(view, (other, owner), time, told);
                            }
                            None => told.push((end, Doing::Nothing(stack))),
                        }
                    }
                }
            }
        }
    }

    /// `lane` had `owner` open; where that waits, whoever it waits for is why.
    fn ran(
        &self,
        view: View<'_>,
        (lane, owner): (LaneId, StackId),
        time: Interval,
        told: &mut Vec<(Ns, Doing)>,
    ) {
        if !self.sleeps(owner) {
            return told.push((time.to, Doing::Ran(owner)));
        }
        let mut left = time;
        while left.from < left.to {
            let (end, found) = match self.wakes.waker(self.trace, view.nested, lane, left.from) {
                Some(waker) => self.chain(view.nested, (lane, waker), left),
                None => self.launcher(view, lane, left),
            };
            told.push((end, Doing::Ran(found.unwrap_or(owner))));
            left.from = end;
        }
    }

    /// What the thread ran that `lane` waited for, or the one that this one waited for, and until
    /// when; nothing where that cannot be told.
    fn chain(
        &self,
        nested: &Nested,
        (lane, waker): (LaneId, LaneId),
        time: Interval,
    ) -> (Ns, Option<StackId>) {
        let mut seen = vec![lane];
        let (mut at, mut end) = (waker, time.to);
        while seen.len() <= MOST_LINKS && !seen.contains(&at) {
            let (piece_end, found) = self.open_on(nested, at, time);
            end = end.min(piece_end);
            match found {
                Some(found) if !self.sleeps(found) => return (end, Some(found)),
                None => break,
                Some(_) => seen.push(at),
            }
            match self.wakes.waker(self.trace, nested, at, time.from) {
                Some(next) => at = next,
                None => break,
            }
        }
        (end, None)
    }

    /// What the first of the device's recent launching threads ran that does not wait too: nothing
    /// says who woke `lane`, and these work for the device.
    fn launcher(&self, view: View<'_>, lane: LaneId, time: Interval) -> (Ns, Option<StackId>) {
        let mut end = time.to;
        let recent = view.threads.recent(time.from).into_iter();
        for other in recent.filter(|&other| other != lane) {
            let (piece_end, found) = self.open_on(view.nested, other, time);
            end = end.min(piece_end);
            if found.is_some_and(|found| !self.sleeps(found)) {
                return (end, found);
            }
        }
        (end, None)
    }

    /// What explains what a thread does at the beginning of `time`, and until when.
    fn open_on(&self, nested: &Nested, lane: LaneId, time: Interval) -> (Ns, Option<StackId>) {
        let piece = nested.timelines[lane.index()].pieces(time.from, time.to).next();
        let (_, end, stack) = piece.unwrap_or((time.from, time.to, None));
        (end, stack.and_then(|stack| self.explains(stack)))
    }

    fn sleeps(&self, owner: StackId) -> bool {
        self.waits.get(owner.index()).copied().unwrap_or_default()
    }

    /// The stack that explains what a thread with `stack` open did.
    fn explains(&self, stack: StackId) -> Option<StackId> {
        self.owner.get(stack.index()).copied().filter(|owner| *owner != NOTHING)
    }
}
