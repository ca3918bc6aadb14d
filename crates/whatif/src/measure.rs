//! Measuring a replay: does it match what was recorded, and what does a change do.

use std::fmt;

use flamelane_link::Linked;
use flamelane_model::{Interval, Ns};

use crate::change::Change;
use crate::constants::Constants;
use crate::replay::{Edits, Run};
use crate::script::Script;

/// A replay may miss the measured step by this share.
const TOLERANCE: f64 = 0.03;
/// More events than this are not replayed.
const MOST_EVENTS: usize = 4_000_000;

/// A capture that replays.
#[derive(Debug)]
pub struct Replay<'a> {
    linked: &'a Linked,
    script: Script,
    constants: Constants,
    check: Check,
}

/// The unchanged replay beside what was measured; per step, where there are steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Check {
    /// Mean length in ns, from the start of the first to the end of the last.
    pub measured: Ns,
    /// The same, replayed.
    pub replayed: Ns,
}

impl Check {
    /// Share by which the replay misses, with its sign.
    pub fn error(&self) -> f64 {
        (self.replayed - self.measured) as f64 / self.measured.max(1) as f64
    }

    /// Whether the replay is good enough to predict from.
    pub fn holds(&self) -> bool {
        self.error().abs() <= TOLERANCE
    }
}

/// Why a capture is not replayed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Declined {
    /// It holds no launches in the window.
    NothingToReplay,
    /// It holds too many.
    TooLarge,
    /// An unchanged replay misses what was measured.
    Misses(Check),
}

impl fmt::Display for Declined {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingToReplay => out.write_str("the window holds no launches to replay"),
            Self::TooLarge => write!(out, "more than {MOST_EVENTS} calls to replay"),
            Self::Misses(check) => write!(
                out,
                "an unchanged replay misses the measured step by {:+.1} %: the capture holds delays that \
                 its causes do not explain",
                100.0 * check.error()
            ),
        }
    }
}

impl std::error::Error for Declined {}

/// What a change would do, per step.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Measured length in ns.
    pub before: Ns,
    /// Predicted length: the measured one less the gain.
    pub after: Ns,
    /// Replay without the change less replay with it; negative when it would cost.
    pub gain: Ns,
    /// Calls, copies or regions that the change touches.
    pub count: usize,
    /// What it takes for granted.
    pub assumptions: Vec<String>,
}

impl<'a> Replay<'a> {
    /// Replays a capture as it is.
    ///
    /// # Errors
    ///
    /// [`Declined`] where nothing can be replayed or the replay misses what was measured by more than
    /// 3 %.
    pub fn new(linked: &'a Linked) -> Result<Self, Declined> {
        let script = Script::new(linked);
        if script.events.len() > MOST_EVENTS {
            return Err(Declined::TooLarge);
        }
        let constants = Constants::measure(&script);
        let mut replay =
            Self { linked, script, constants, check: Check { measured: 0, replayed: 0 } };
        let n_steps = linked.n_steps() as Ns;
        let measured = replay.measured();
        if measured <= 0 {
            return Err(Declined::NothingToReplay);
        }
        let replayed = replay.run(&Edits::default());
        replay.check = Check { measured: measured / n_steps, replayed: replayed / n_steps };
        if replay.check.holds() { Ok(replay) } else { Err(Declined::Misses(replay.check)) }
    }

    /// The unchanged replay beside what was measured.
    pub fn check(&self) -> Check {
        self.check
    }

    /// What the machine was measured to cost.
    pub fn constants(&self) -> Constants {
        self.constants
    }

    /// What a change would do; none where there is nothing to change.
    pub fn predict(&self, change: &Change) -> Option<Prediction> {
        let planned = change.plan(self.linked, &self.script, &self.constants)?;
        let n_steps = self.linked.n_steps() as Ns;
        let gain = self.check.replayed - self.run(&planned.edits) / n_steps;
        Some(Prediction {
            before: self.check.measured,
            after: (self.check.measured - gain).max(0),
            gain,
            count: planned.count,
            assumptions: planned.assumptions,
        })
    }

    /// Rows of the events inside a piece of the window.
    fn inside(&self, piece: Interval) -> (usize, usize) {
        let row = |at: Ns| self.script.events.partition_point(|event| event.time.from < at);
        (row(piece.from), row(piece.to))
    }

    /// When the host is done with the last step that begins in a piece: thread and instant.
    fn host_end(&self, piece: Interval) -> Ns {
        let kept = self.linked.steps.list.iter().filter(|step| step.is_kept());
        let ends = kept.filter(|step| piece.holds(step.host.from)).map(|step| step.host.to);
        ends.max().unwrap_or(piece.from).min(piece.to)
    }

    /// Length of the window's pieces, each until its host and the work launched in it are done.
    fn measured(&self) -> Ns {
        let length = |&piece: &Interval| {
            let (first, last) = self.inside(piece);
            if first == last {
                return 0;
            }
            let work = self.script.events[first..last].iter().map(|event| event.work);
            let spans = work.flat_map(|work| &self.script.spans[work.0..work.1]);
            let device = spans.map(|span| span.time.to).max().unwrap_or(piece.from);
            device.max(self.host_end(piece)) - piece.from
        };
        self.linked.window.pieces.iter().map(length).fold(0, Ns::saturating_add)
    }

    /// The same, replayed.
    fn run(&self, edits: &Edits) -> Ns {
        let mut sum: Ns = 0;
        let mut times = vec![Interval::default(); self.script.spans.len()];
        for &piece in &self.linked.window.pieces {
            let (first, last) = self.inside(piece);
            if first == last {
                continue;
            }
            let mut run = Run::new(&self.script, &self.constants, edits, &mut times, piece.from);
            for event in &self.script.events[..first] {
                run.before(event);
            }
            for row in first..last {
                run.event(row);
            }
            let end = self.host_end(piece);
            let host =
                self.marker_thread(piece).map_or(piece.from, |thread| run.place(thread, end));
            let work = self.script.events[first..last].iter().map(|event| event.work);
            let spans = work.flat_map(|work| &run.spans[work.0..work.1]);
            let device = spans.map(|span| span.to).max().unwrap_or(piece.from);
            sum = sum.saturating_add(device.max(host) - piece.from);
        }
        sum
    }

    /// Of the threads that run something when the last step of a piece begins, the one that launches
    /// most: workers sleep then.
    fn marker_thread(&self, piece: Interval) -> Option<usize> {
        let kept = self.linked.steps.list.iter().filter(|step| step.is_kept());
        let begins = kept.map(|step| step.host.from).filter(|&at| piece.holds(at)).max()?;
        let nested = &self.linked.nested;
        let runs = |&thread: &usize| {
            let lane = self.script.threads[thread];
            let stack = nested.timelines[lane.index()].stack_at(begins);
            stack.is_some_and(|stack| stack != nested.thread_node[lane.index()])
        };
        let mut launches = vec![0_usize; self.script.threads.len()];
        for event in &self.script.events {
            launches[event.thread] += 1;
        }
        let threads = (0..launches.len()).filter(runs);
        threads.max_by_key(|&thread| (launches[thread], std::cmp::Reverse(thread)))
    }
}
