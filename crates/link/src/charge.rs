//! Charging: each gap of a device, piece by piece, to its owner.

use flamelane_model::{
    CallId, DeviceSpanId, Frame, FrameKind, Interval, LaneId, Ns, StackId, Trace,
};
use rustc_hash::FxHashSet;

use crate::blame::{Blame, Doing, View};
use crate::busy::{DeviceTime, Gap};
use crate::launchers::Launchers;
use crate::nesting::Nested;
use crate::owners::{Facts, IdleClass, IdlePiece, Pace};

/// First work of a stream that starts more than this after its launch call ended was not first.
pub(crate) const NOT_RECORDED_AFTER: Ns = 100_000;
/// A launch is given at least this long to reach the device.
const LEAST_LATENCY: Ns = 10_000;

/// Charges the gaps of devices to owners.
pub(crate) struct Charger<'a> {
    facts: &'a Facts<'a>,
    nested: &'a mut Nested,
    blame: Blame<'a>,
    /// What a thread did in the stretch at hand.
    told: Vec<(Ns, Doing)>,
    /// Devices charged so far, and those that were not.
    n_charged: usize,
    n_uncharged: usize,
    /// Pieces handed out so far.
    n_pieces: usize,
}

/// Most devices whose gaps are split by what the host did: each costs a look at the whole host, and
/// a file holds a dozen devices unless it is hostile.
const MOST_DEVICES: usize = 256;
/// No device is charged any more after this many pieces for every span of the file: sixteen that
/// idle all the time, or a file of devices that share one host thread.
const PIECES_OF_SPAN: usize = 16;
/// And these in any case.
const LEAST_PIECES: usize = 100_000;

/// What all gaps of a device share.
struct Ways {
    pace: Pace,
    threads: Launchers,
    /// The first believed span of each stream.
    firsts: FxHashSet<DeviceSpanId>,
}

/// A device span with its launch.
#[derive(Clone, Copy)]
struct Launched {
    span: u32,
    call: CallId,
    time: Interval,
    lane: LaneId,
}

impl<'a> Charger<'a> {
    pub(crate) fn new(facts: &'a Facts<'a>, nested: &'a mut Nested) -> Self {
        let blame = Blame::new(facts, nested);
        Self { facts, nested, blame, told: Vec::new(), n_charged: 0, n_uncharged: 0, n_pieces: 0 }
    }

    /// Devices whose gaps had no owner but a bucket, since there were too many before.
    pub(crate) fn n_uncharged(&self) -> usize {
        self.n_uncharged
    }

    /// Hands out every piece of every gap of a device, in order of time.
    pub(crate) fn charge(
        &mut self,
        device: &DeviceTime,
        pace: Pace,
        each: &mut impl FnMut(&Gap, IdlePiece),
    ) {
        let ways = Ways {
            pace,
            threads: Launchers::new(self.facts, device),
            firsts: first_on_stream(self.facts.trace, device),
        };
        let mut pieces = Pieces::default();
        let n_spans = self.facts.trace.host.len() + self.facts.trace.device.len();
        let most = n_spans.saturating_mul(PIECES_OF_SPAN).max(LEAST_PIECES);
        let has_owners = self.n_charged < MOST_DEVICES && self.n_pieces < most;
        if has_owners {
            self.n_charged += 1;
        } else {
            self.n_uncharged += 1;
        }
        for (number, gap) in device.gaps.iter().enumerate() {
            pieces.begin(gap.span, number as u32);
            if has_owners {
                self.gap(gap, &ways, &mut pieces);
            } else {
                let stack = self.bucket(IdleClass::NoHostData);
                pieces.take(gap.span.to, IdleClass::NoHostData, stack);
            }
            self.n_pieces += pieces.out.len();
            for piece in &pieces.out {
                each(gap, *piece);
            }
        }
    }

    fn gap(&mut self, gap: &Gap, ways: &Ways, pieces: &mut Pieces) {
        let pace = ways.pace;
        if self.facts.trace.host.is_empty() {
            let stack = self.bucket(IdleClass::NoHostData);
            return pieces.take(gap.span.to, IdleClass::NoHostData, stack);
        }
        let Some(next) = gap.next else { return self.tail(&ways.threads, pieces) };
        let Some((call, time, lane)) = self.facts.call(next) else {
            return self.device_side(gap, None, pace, pieces);
        };
        let launched = Launched { span: next, call, time, lane };
        let is_first = ways.firsts.contains(&DeviceSpanId(next));
        let unrecorded = is_first && gap.span.to.saturating_sub(time.to) > NOT_RECORDED_AFTER;
        let replays = self.replays(call);
        let since_launch = gap.span.to.saturating_sub(time.from);
        let was_queued = time.from <= gap.span.from;
        let is_latency = !replays && since_launch <= pace.launch_latency.saturating_mul(3) / 2;
        if was_queued && unrecorded {
            self.not_recorded(gap.span.to, pieces);
        } else if was_queued && !is_latency && !self.facts.stalled(time, gap.span) {
            self.device_side(gap, Some(call), pace, pieces);
        } else {
            self.late(launched, gap.span, &ways.threads, pieces);
            if unrecorded {
                self.not_recorded(gap.span.to, pieces);
            } else {
                self.after_call(launched, gap.span, pace, pieces);
            }
        }
    }

    fn bucket(&mut self, class: IdleClass) -> StackId {
        let root = self.nested.stacks.root();
        self.nested.stacks.child(root, self.facts.buckets.frame(class))
    }

    fn below(&mut self, stack: StackId, class: IdleClass) -> StackId {
        self.nested.stacks.child(stack, self.facts.buckets.frame(class))
    }

    fn not_recorded(&mut self, until: Ns, pieces: &mut Pieces) {
        let stack = self.bucket(IdleClass::NotRecorded);
        pieces.take(until, IdleClass::NotRecorded, stack);
    }

    /// No work ends the gap: the thread of the device's last launch did not launch any more.
    fn tail(&mut self, threads: &Launchers, pieces: &mut Pieces) {
        let until = pieces.left.to;
        match threads.last_before(until) {
            Some(launcher) => self.host(launcher, until, threads, pieces),
            None => {
                let stack = self.bucket(IdleClass::NoHostData);
                pieces.take(until, IdleClass::NoHostData, stack);
            }
        }
    }

    /// The host came late: what it did until it launched, and then the launch call itself.
    fn late(
        &mut self,
        launched: Launched,
        gap: Interval,
        threads: &Launchers,
        pieces: &mut Pieces,
    ) {
        let other = threads.other_before(launched.time.from, launched.lane);
        self.host((launched.lane, other), launched.time.from, threads, pieces);
        let call_end = launched.time.to.min(gap.to);
        let stack = self.nested.call_stack[launched.call.index()];
        let in_call = Interval::new(pieces.left.from, call_end);
        let facts = self.facts;
        for (stall, name) in facts.stalls(launched.time, in_call) {
            self.inside_call(launched.call, stack, stall.from, pieces);
            let frame = Frame { name, kind: FrameKind::Runtime };
            let stalled = self.nested.stacks.child(stack, frame);
            pieces.take(stall.to, IdleClass::Overhead, stalled);
        }
        self.inside_call(launched.call, stack, call_end, pieces);
    }

    fn inside_call(&mut self, call: CallId, stack: StackId, until: Ns, pieces: &mut Pieces) {
        let copies = self.facts.kinds.of(self.facts.trace, call.index()).copies;
        let class = if copies { IdleClass::CopyCall } else { IdleClass::LaunchLatency };
        let stack = self.below(stack, class);
        pieces.take(until, class, stack);
    }

    /// After the launch call: a wait for an event, else latency up to a bound, else the device.
    fn after_call(&mut self, launched: Launched, gap: Interval, pace: Pace, pieces: &mut Pieces) {
        if pieces.left.is_empty() {
            return;
        }
        if self.facts.waited(launched.span, Some(launched.call), gap) {
            let stack = self.bucket(IdleClass::StreamWait);
            return pieces.take(gap.to, IdleClass::StreamWait, stack);
        }
        let bound = LEAST_LATENCY.max(pace.launch_latency.saturating_mul(3) / 2);
        let stack = self.nested.call_stack[launched.call.index()];
        let stack = self.below(stack, IdleClass::LaunchLatency);
        let until = launched.time.to.saturating_add(bound).min(gap.to);
        pieces.take(until, IdleClass::LaunchLatency, stack);
        let stack = self.bucket(IdleClass::DeviceOther);
        pieces.take(gap.to, IdleClass::DeviceOther, stack);
    }

    /// The work was queued when the gap began.
    fn device_side(&mut self, gap: &Gap, call: Option<CallId>, pace: Pace, pieces: &mut Pieces) {
        let before = gap.previous.and_then(|span| self.facts.origins[span as usize].call());
        let class = if gap.span.len() <= pace.floor.saturating_mul(3) {
            IdleClass::Dispatch
        } else if before == call && call.is_some_and(|call| self.replays(call)) {
            IdleClass::InsideGraph
        } else if gap.next.is_some_and(|next| self.facts.waited(next, call, gap.span)) {
            IdleClass::StreamWait
        } else {
            IdleClass::DeviceOther
        };
        let stack = self.bucket(class);
        pieces.take(gap.span.to, class, stack);
    }

    fn replays(&self, call: CallId) -> bool {
        self.facts.kinds.of(self.facts.trace, call.index()).replays
    }

    /// What the thread ran until `until`; where it waited for another, what that ran; where it had
    /// nothing open, what the device's previous launching thread ran.
    fn host(
        &mut self,
        launcher: (LaneId, Option<LaneId>),
        until: Ns,
        threads: &Launchers,
        pieces: &mut Pieces,
    ) {
        let time = Interval::new(pieces.left.from, until.min(pieces.left.to));
        let mut told = std::mem::take(&mut self.told);
        told.clear();
        let view = View { nested: self.nested, threads };
        self.blame.tell(view, launcher, time, &mut told);
        for &(end, doing) in &told {
            match doing {
                Doing::Ran(owner) => {
                    for silence in self.facts.silences.inside(pieces.left.from, end) {
                        if !self.facts.syncs(self.nested.stacks.frame(owner)) {
                            break;
                        }
                        pieces.take(silence.from, IdleClass::LateHost, owner);
                        self.not_recorded(silence.to.min(end), pieces);
                    }
                    pieces.take(end, IdleClass::LateHost, owner);
                }
                Doing::Nothing(stack) => {
                    let unrecorded = self.below(stack, IdleClass::UnrecordedHost);
                    pieces.take(end, IdleClass::UnrecordedHost, unrecorded);
                }
            }
        }
        self.told = told;
    }
}

/// The part of a gap that has no owner yet, and the pieces that have.
#[derive(Default)]
struct Pieces {
    left: Interval,
    gap: u32,
    out: Vec<IdlePiece>,
}

impl Pieces {
    fn begin(&mut self, gap: Interval, number: u32) {
        self.left = gap;
        self.gap = number;
        self.out.clear();
    }

    /// Gives everything left before `until` to one owner.
    fn take(&mut self, until: Ns, class: IdleClass, stack: StackId) {
        let until = until.min(self.left.to);
        if until <= self.left.from {
            return;
        }
        let time = Interval::new(self.left.from, until);
        match self.out.last_mut() {
            Some(last) if (last.class, last.stack) == (class, stack) => last.time.to = until,
            _ => self.out.push(IdlePiece { time, class, stack, gap: self.gap }),
        }
        self.left.from = until;
    }
}

/// The first believed device span of each stream of a device.
pub(crate) fn first_on_stream(trace: &Trace, device: &DeviceTime) -> FxHashSet<DeviceSpanId> {
    let mut seen = FxHashSet::default();
    let fresh = device.order.iter().filter(|&&span| seen.insert(trace.device.lane[span as usize]));
    fresh.map(|&span| DeviceSpanId(span)).collect()
}
