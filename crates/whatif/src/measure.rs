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
    /// One a piece of the window.
    ends: Vec<End>,
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
                "an unchanged replay misses the measured step, it is {:.1} % {}: the capture holds delays \
                 that its causes do not explain",
                100.0 * check.error().abs(),
                if check.error() < 0.0 { "shorter" } else { "longer" },
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
        let mut script = Script::new(linked);
        if script.events.len() > MOST_EVENTS {
            return Err(Declined::TooLarge);
        }
        let constants = Constants::measure(&script, &linked.paces);
        script.submit_late(&constants);
        let ends = ends(linked, &script);
        let check = Check { measured: 0, replayed: 0 };
        let mut replay = Self { linked, script, constants, ends, check };
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
    fn inside(&self, piece: Interval) -> std::ops::Range<usize> {
        let row = |at: Ns| self.script.events.partition_point(|event| event.time.from < at);
        row(piece.from)..row(piece.to)
    }

    /// When the last work of some events was done, by times of spans.
    fn device_end(&self, events: std::ops::Range<usize>, end: impl Fn(usize) -> Ns) -> Option<Ns> {
        let work = self.script.events[events].iter().flat_map(|event| event.work.0..event.work.1);
        work.map(end).max()
    }

    /// Length of the window's pieces, each until its host and the work launched in it are done.
    fn measured(&self) -> Ns {
        let mut sum: Ns = 0;
        for (&piece, last) in self.linked.window.pieces.iter().zip(&self.ends) {
            let events = self.inside(piece);
            if !events.is_empty() {
                let device = self.device_end(events, |span| self.script.spans[span].time.to);
                let end = device.unwrap_or(piece.from).max(last.host);
                sum = sum.saturating_add(end.saturating_sub(piece.from));
            }
        }
        sum
    }

    /// The same, replayed.
    fn run(&self, edits: &Edits) -> Ns {
        let mut sum: Ns = 0;
        let mut done = 0;
        let mut run = Run::new(&self.script, &self.constants, edits);
        let pieces = self.linked.window.pieces.iter().zip(&self.ends);
        for (number, (&piece, last)) in pieces.enumerate() {
            let events = self.inside(piece);
            if events.is_empty() {
                continue;
            }
            run.measured(&self.script.events[done..events.start]);
            done = events.start;
            run.begin(number, piece.from);
            for row in events.clone() {
                run.event(row);
            }
            let host = last.thread.map_or(piece.from, |thread| run.place(thread, last.host));
            let device = self.device_end(events, |span| run.spans[span].to);
            let end = device.unwrap_or(piece.from).max(host);
            sum = sum.saturating_add(end.saturating_sub(piece.from));
        }
        sum
    }
}

/// The end of a piece of the window on the host.
#[derive(Clone, Copy, Debug)]
struct End {
    /// When the host is done with the last step that begins in it.
    host: Ns,
    /// The thread that runs it.
    thread: Option<usize>,
}

/// Threads asked whether they run a step: those that launch most.
const MOST_THREADS: usize = 16;

/// One a piece of the window.
fn ends(linked: &Linked, script: &Script) -> Vec<End> {
    let mut steps: Vec<Interval> =
        linked.steps.list.iter().filter(|step| step.is_kept()).map(|step| step.host).collect();
    steps.sort_unstable_by_key(|step| (step.from, step.to));
    let mut launches = vec![0_usize; script.threads.len()];
    for event in &script.events {
        launches[event.thread] += 1;
    }
    let mut threads: Vec<usize> = (0..launches.len()).collect();
    threads.sort_by_key(|&thread| std::cmp::Reverse(launches[thread]));
    threads.truncate(MOST_THREADS);
    let end = |piece: &Interval| {
        let row = |at: Ns| steps.partition_point(|step| step.from < at);
        let begun = &steps[row(piece.from)..row(piece.to)];
        let host = begun.iter().map(|step| step.to).max().unwrap_or(piece.from).min(piece.to);
        // Of the threads that run something when the last step begins: workers sleep then.
        let runs = |&thread: &usize| {
            let lane = script.threads[thread].index();
            let stack = linked.nested.timelines[lane].stack_at(begun.last()?.from)?;
            (stack != linked.nested.thread_node[lane]).then_some(thread)
        };
        End { host, thread: threads.iter().find_map(runs) }
    };
    linked.window.pieces.iter().map(end).collect()
}
