//! Charging: each gap of a device, piece by piece, to its owner.

use flamelane_model::{
    CallId, DeviceSpanId, Frame, FrameKind, Interval, LaneId, Ns, StackId, Trace,
};
use rustc_hash::FxHashSet;

use crate::busy::{DeviceTime, Gap};
use crate::nesting::Nested;
use crate::owners::{Facts, IdleClass, IdlePiece, Pace};

/// First work of a stream that starts more than this after its launch call ended was not first.
const NOT_RECORDED_AFTER: Ns = 100_000;
/// A launch is given at least this long to reach the device.
const LEAST_LATENCY: Ns = 10_000;

/// Charges the gaps of devices to owners.
pub(crate) struct Charger<'a> {
    facts: &'a Facts<'a>,
    nested: &'a mut Nested,
    /// One a stack: whether it holds more than a thread and step markers.
    explains: Vec<bool>,
}

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
        let stacks = &nested.stacks;
        let mut explains = vec![false; stacks.len()];
        for node in stacks.nodes() {
            let frame = stacks.frame(node);
            let is_marker =
                frame.kind == FrameKind::Annotation && facts.markers.contains(&frame.name);
            explains[node.index()] = explains[stacks.parent(node).index()]
                || !(frame.kind == FrameKind::Thread || is_marker);
        }
        Self { facts, nested, explains }
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
        for gap in &device.gaps {
            pieces.begin(gap.span);
            self.gap(gap, &ways, &mut pieces);
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
        let replays = self.facts.kinds.of(self.facts.trace, call.index()).replays;
        let since_launch = gap.span.to.saturating_sub(time.from);
        let was_queued = time.from <= gap.span.from;
        let is_latency = !replays && since_launch <= pace.launch_latency.saturating_mul(3) / 2;
        if was_queued && unrecorded {
            self.not_recorded(gap.span.to, pieces);
        } else if was_queued && !is_latency {
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
            Some((lane, other)) => self.host(lane, other, until, pieces),
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
        self.host(launched.lane, other, launched.time.from, pieces);
        let call_end = launched.time.to.min(gap.to);
        let stack = self.nested.call_stack[launched.call.index()];
        let facts = self.facts;
        let in_call = Interval::new(pieces.left.from, call_end);
        let upto = facts.overheads.partition_point(|(stall, _)| stall.from < in_call.to);
        let reach = upto.saturating_sub(MOST_STALLS);
        for &(stall, name) in &facts.overheads[reach..upto] {
            let stall = stall.clip(in_call);
            if stall.is_empty() {
                continue;
            }
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
        } else if call.is_some() && before == call {
            IdleClass::InsideGraph
        } else if gap.next.is_some_and(|next| self.facts.waited(next, call, gap.span)) {
            IdleClass::StreamWait
        } else {
            IdleClass::DeviceOther
        };
        let stack = self.bucket(class);
        pieces.take(gap.span.to, class, stack);
    }

    /// What `lane` ran until `until`; where it had nothing open, what `other` ran.
    fn host(&mut self, lane: LaneId, other: Option<LaneId>, until: Ns, pieces: &mut Pieces) {
        let Interval { from, to } = pieces.left;
        let until = until.min(to);
        let mut at = from;
        let timeline = std::mem::take(&mut self.nested.timelines[lane.index()]);
        for (_, end, stack) in timeline.pieces(from, until) {
            let stack = stack.unwrap_or(self.nested.thread_node[lane.index()]);
            if self.explains(stack) {
                pieces.take(end, IdleClass::LateHost, stack);
            } else {
                self.unexplained(other, stack, Interval::new(at, end), pieces);
            }
            at = end;
        }
        self.nested.timelines[lane.index()] = timeline;
    }

    /// The launching thread has nothing open: the device's previous launching thread may have.
    fn unexplained(
        &mut self,
        other: Option<LaneId>,
        stack: StackId,
        time: Interval,
        pieces: &mut Pieces,
    ) {
        let unrecorded = self.below(stack, IdleClass::UnrecordedHost);
        let timeline = other.map(|lane| std::mem::take(&mut self.nested.timelines[lane.index()]));
        if let Some(timeline) = &timeline {
            for (_, end, stack) in timeline.pieces(time.from, time.to) {
                match stack.filter(|stack| self.explains(*stack)) {
                    Some(stack) => pieces.take(end, IdleClass::LateHost, stack),
                    None => pieces.take(end, IdleClass::UnrecordedHost, unrecorded),
                }
            }
        }
        if let (Some(lane), Some(timeline)) = (other, timeline) {
            self.nested.timelines[lane.index()] = timeline;
        }
        pieces.take(time.to, IdleClass::UnrecordedHost, unrecorded);
    }

    fn explains(&self, stack: StackId) -> bool {
        self.explains.get(stack.index()).copied().unwrap_or(false)
    }
}

/// Most stalls looked at inside one call.
const MOST_STALLS: usize = 64;

/// The part of a gap that has no owner yet, and the pieces that have.
#[derive(Default)]
struct Pieces {
    left: Interval,
    out: Vec<IdlePiece>,
}

impl Pieces {
    fn begin(&mut self, gap: Interval) {
        self.left = gap;
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
            _ => self.out.push(IdlePiece { time, class, stack }),
        }
        self.left.from = until;
    }
}

/// The launches of one device in order of time, and their threads.
struct Launchers {
    at: Vec<Ns>,
    lane: Vec<LaneId>,
    /// The last thread before this launch that is not this launch's.
    other: Vec<Option<LaneId>>,
}

impl Launchers {
    fn new(facts: &Facts<'_>, device: &DeviceTime) -> Self {
        let calls = device.order.iter().filter_map(|&span| facts.call(span));
        let mut launches: Vec<(Ns, LaneId)> =
            calls.map(|(_, time, lane)| (time.from, lane)).collect();
        launches.sort_unstable();
        launches.dedup();
        let (mut at, mut lanes, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (time, lane) in launches {
            let other = match (lanes.last(), others.last()) {
                (Some(&last), _) if last != lane => Some(last),
                (_, Some(&other)) => other,
                _ => None,
            };
            at.push(time);
            lanes.push(lane);
            others.push(other);
        }
        Self { at, lane: lanes, other: others }
    }

    /// The thread of the last launch before `at`, else of the first after, and the one before it.
    fn last_before(&self, at: Ns) -> Option<(LaneId, Option<LaneId>)> {
        let row = self.at.partition_point(|&time| time < at).saturating_sub(1);
        Some((*self.lane.get(row)?, self.other[row]))
    }

    /// The last thread other than `lane` that launched before `at`.
    fn other_before(&self, at: Ns, lane: LaneId) -> Option<LaneId> {
        let row = self.at.partition_point(|&time| time <= at).checked_sub(1)?;
        if self.lane[row] == lane { self.other[row] } else { Some(self.lane[row]) }
    }
}

/// The first believed device span of each stream of a device.
fn first_on_stream(trace: &Trace, device: &DeviceTime) -> FxHashSet<DeviceSpanId> {
    let mut seen = FxHashSet::default();
    let fresh = device.order.iter().filter(|&&span| seen.insert(trace.device.lane[span as usize]));
    fresh.map(|&span| DeviceSpanId(span)).collect()
}
