//! Sleepers: threads that go on when another one has come far enough.

use flamelane_link::Linked;
use flamelane_model::Ns;

use crate::events::LATE;
use crate::names::{Names, Rest};
use crate::script::{Event, Script};

/// A thread that waits in a known builtin for less than this was not woken by another.
const SLEPT: Ns = 2_000;
/// Nor one in which nothing is open for less than this: work between operators is not recorded.
const SLEPT_UNSEEN: Ns = 20_000;
/// Between threads that hand over this much may lie: an engine starts, or returns.
const HANDED: Ns = 5_000_000;
/// And this part of the sleep.
const HANDED_PART: Ns = 4;
/// Pieces of a thread's timeline looked at to find when it last ran.
const MOST_PIECES: usize = 64;
/// Threads looked at for the one that woke another: those that called last.
const MOST_THREADS: usize = 16;

/// Who called last.
#[derive(Default)]
pub(crate) struct Sleepers {
    /// One a thread: the end of its last call.
    last_end: Vec<Option<Ns>>,
    /// Threads by their last call, the latest first.
    recent: Vec<usize>,
}

/// When a thread slept before a call.
struct Sleep {
    from: Ns,
    to: Ns,
    /// In a builtin that waits for another thread; else nothing is known of that time.
    seen: bool,
}

impl Sleep {
    fn rank(&self) -> (bool, Ns) {
        (self.seen, self.to.saturating_sub(self.from))
    }

    /// Whether a thread that ran until then may have ended it.
    fn may_end_by(&self, until: Ns) -> bool {
        let between = self.to.saturating_sub(until);
        let part = self.to.saturating_sub(self.from) / HANDED_PART;
        until >= self.from
            && if self.seen {
                between <= LATE
            } else {
                until < self.to && between <= part.min(HANDED)
            }
    }
}

impl Sleepers {
    /// Which other thread woke one that slept before a call, and until when that one ran before.
    ///
    /// Where the sleep is seen it is the one that ran last, still running or not. Else another
    /// thread handed over: it ran meanwhile and stopped.
    pub(crate) fn woken(
        &mut self,
        linked: &Linked,
        names: &mut Names<'_>,
        script: &Script,
        event: &Event,
    ) -> Option<(usize, Ns)> {
        let from = self.called(event).unwrap_or(linked.trace.extent.from);
        if self.recent.len() < 2 {
            return None;
        }
        let sleep = sleep(linked, names, script, event, from)?;
        let mut best: Option<(Ns, usize)> = None;
        for &other in self.recent.iter().filter(|&&other| other != event.thread) {
            let Some(until) = awake_until(linked, names, script, (other, sleep.to)) else {
                continue;
            };
            let later = best.is_none_or(|(known, _)| until > known);
            if sleep.may_end_by(until) && later {
                best = Some((until, other));
            }
        }
        best.map(|(until, other)| (other, until))
    }

    /// Notes a call; the end of the thread's one before.
    fn called(&mut self, event: &Event) -> Option<Ns> {
        let thread = event.thread;
        if thread >= self.last_end.len() {
            self.last_end.resize(thread + 1, None);
        }
        match self.recent.iter().position(|&known| known == thread) {
            Some(place) => self.recent[..=place].rotate_right(1),
            None => {
                self.recent.truncate(MOST_THREADS - 1);
                self.recent.insert(0, thread);
            }
        }
        self.last_end[thread].replace(event.time.to)
    }
}

/// The longest sleep of a thread between an instant and a call; what is seen goes first.
fn sleep(
    linked: &Linked,
    names: &mut Names<'_>,
    script: &Script,
    event: &Event,
    from: Ns,
) -> Option<Sleep> {
    let lane = script.threads[event.thread];
    let mut longest: Option<Sleep> = None;
    for (from, to, stack) in linked.nested.timelines[lane.index()].pieces(from, event.time.from) {
        if to.saturating_sub(from) < SLEPT {
            continue;
        }
        let seen = match names.rest(stack) {
            Rest::Waits => true,
            Rest::Unseen if to.saturating_sub(from) >= SLEPT_UNSEEN => false,
            _ => continue,
        };
        let sleep = Sleep { from, to, seen };
        if longest.as_ref().is_none_or(|known| sleep.rank() > known.rank()) {
            longest = Some(sleep);
        }
    }
    longest
}

/// Until when a thread ran something before an instant.
fn awake_until(
    linked: &Linked,
    names: &mut Names<'_>,
    script: &Script,
    (thread, at): (usize, Ns),
) -> Option<Ns> {
    let timeline = &linked.nested.timelines[script.threads[thread].index()];
    let here = timeline.rank(at.saturating_sub(1)).checked_sub(1)?;
    let mut pieces = (0..=here).rev().take(MOST_PIECES);
    let piece = pieces.find(|&piece| names.rest(Some(timeline.node[piece])) == Rest::Runs)?;
    Some(timeline.at.get(piece + 1).copied().unwrap_or(at).min(at))
}
