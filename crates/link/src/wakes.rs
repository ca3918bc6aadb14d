//! Wakes: which thread ended the wait of another.
//!
//! Said only where the file tells: both used one object, or only one thread did what wakes such a
//! wait, or only one came to its end, just before the wait ended. Else the wait stays unexplained.

use flamelane_model::{FrameKind, LaneId, LaneKind, Ns, ProcessId, Trace};
use rustc_hash::FxHashMap;

use crate::nesting::Nested;
use crate::waiting::{Kind, Object, Role, roles};

/// A thread that is woken in Python may wait this long for the interpreter (`sys.switchinterval`
/// is 5 ms).
const PYTHON_DELAY: Ns = 6_000_000;
/// A thread that the system wakes runs within this time.
const SYSTEM_DELAY: Ns = 100_000;
/// Most threads of a process looked at for one that ended.
const MOST_THREADS: usize = 64;
/// Most waits looked at that were begun and may not be over: they nest a handful deep.
const MOST_NESTED: usize = 16;
/// Most uses of an object looked at: where more are as near, nobody can tell.
const MOST_WAKES: usize = 64;

/// When and where threads wait for each other.
#[derive(Debug, Default)]
pub(crate) struct Wakes {
    /// One a string: what a frame of that name does.
    pub(crate) roles: Vec<Role>,
    /// One a lane: its waits, by start.
    waits: Vec<Vec<Wait>>,
    /// (when, by whom) each object was used to wake a thread, by time.
    uses: FxHashMap<(ProcessId, Object), Vec<(Ns, LaneId)>>,
    /// Threads by process.
    threads: FxHashMap<ProcessId, Vec<LaneId>>,
}

/// A thread sleeps.
#[derive(Clone, Copy, Debug)]
struct Wait {
    from: Ns,
    to: Ns,
    object: Object,
}

impl Wakes {
    pub(crate) fn new(trace: &Trace) -> Self {
        let roles = roles(trace);
        let mut wakes = Self { roles, ..Self::default() };
        let is_wait = |role: &Role| matches!(role, Role::Waits(_));
        if trace.lanes.len() < 2 || !wakes.roles.iter().any(is_wait) {
            return wakes;
        }
        wakes.waits = vec![Vec::new(); trace.lanes.len()];
        for span in 0..trace.host.len() {
            let role = wakes.roles[trace.host.name[span].index()];
            if role == Role::Works || trace.host.kind[span] == FrameKind::Runtime {
                continue;
            }
            let (from, to) = (trace.host.start[span], trace.host.end[span]);
            let lane = trace.host.lane[span];
            match role {
                Role::Waits(object) => wakes.waits[lane.index()].push(Wait { from, to, object }),
                Role::Wakes(object) => {
                    let process = trace.lane(lane).process;
                    wakes.uses.entry((process, object)).or_default().push((from, lane));
                }
                Role::Works => {}
            }
        }
        wakes.waits.iter_mut().for_each(|waits| waits.sort_by_key(|wait| wait.from));
        #[expect(clippy::iter_over_hash_type, reason = "each list is sorted for itself")]
        for list in wakes.uses.values_mut() {
            list.sort_unstable();
        }
        for (row, lane) in trace.lanes.iter().enumerate() {
            if lane.kind == LaneKind::Thread {
                wakes.threads.entry(lane.process).or_default().push(LaneId::new(row));
            }
        }
        wakes
    }

    /// The thread that ended the wait in which `lane` is at `at`.
    pub(crate) fn waker(
        &self,
        trace: &Trace,
        nested: &Nested,
        lane: LaneId,
        at: Ns,
    ) -> Option<LaneId> {
        let wait = self.wait_at(lane, at)?;
        let process = trace.lane(lane).process;
        match wait.object {
            Object::Known(_) => self.last_wake(process, wait, lane),
            Object::Some(kind) => {
                let delay = if kind == Kind::Python || kind == Kind::Loop {
                    PYTHON_DELAY
                } else {
                    SYSTEM_DELAY
                };
                match self.only_wake(process, wait, (lane, delay)) {
                    Found::One(waker) => Some(waker),
                    Found::None if kind != Kind::Loop => self.only_end(process, nested, wait, lane),
                    _ => None,
                }
            }
        }
    }

    fn wait_at(&self, lane: LaneId, at: Ns) -> Option<Wait> {
        let waits = self.waits.get(lane.index())?;
        let after = waits.partition_point(|wait| wait.from <= at);
        waits[..after].iter().rev().take(MOST_NESTED).find(|wait| wait.to > at).copied()
    }

    /// The last use of the wait's own object before the wait ended.
    fn last_wake(&self, process: ProcessId, wait: Wait, lane: LaneId) -> Option<LaneId> {
        let list = self.uses.get(&(process, wait.object))?;
        let upto = list.partition_point(|wake| wake.0 <= wait.to);
        let before = list[..upto].iter().rev().take(MOST_WAKES);
        before.take_while(|wake| wake.0 >= wait.from).find(|wake| wake.1 != lane).map(|wake| wake.1)
    }

    /// The only thread that used such an object shortly before the wait ended.
    fn only_wake(&self, process: ProcessId, wait: Wait, (lane, delay): (LaneId, Ns)) -> Found {
        let Some(list) = self.uses.get(&(process, wait.object)) else { return Found::None };
        let since = wait.from.max(wait.to.saturating_sub(delay));
        let upto = list.partition_point(|wake| wake.0 <= wait.to);
        let recent = &list[list[..upto].partition_point(|wake| wake.0 < since)..upto];
        if recent.len() > MOST_WAKES {
            return Found::Several;
        }
        let recent = recent.iter();
        only(recent.map(|wake| wake.1).filter(|&other| other != lane))
    }

    /// The only thread whose outermost frame ended shortly before the wait did.
    fn only_end(
        &self,
        process: ProcessId,
        nested: &Nested,
        wait: Wait,
        lane: LaneId,
    ) -> Option<LaneId> {
        let since = wait.from.max(wait.to.saturating_sub(SYSTEM_DELAY));
        let ended = |other: &LaneId| {
            let timeline = &nested.timelines[other.index()];
            let Some(row) = timeline.rank(wait.to).checked_sub(1) else { return false };
            // A thread that went back to nothing, and did something before.
            timeline.node[row] == nested.thread_node[other.index()]
                && row > 0
                && timeline.at[row] >= since
        };
        let threads = self.threads.get(&process).map_or(&[][..], Vec::as_slice);
        if threads.len() > MOST_THREADS {
            return None;
        }
        match only(threads.iter().copied().filter(|&other| other != lane).filter(ended)) {
            Found::One(waker) => Some(waker),
            _ => None,
        }
    }
}

/// How many threads fit.
enum Found {
    None,
    One(LaneId),
    Several,
}

fn only(mut threads: impl Iterator<Item = LaneId>) -> Found {
    match threads.next() {
        None => Found::None,
        Some(first) if threads.all(|other| other == first) => Found::One(first),
        Some(_) => Found::Several,
    }
}
