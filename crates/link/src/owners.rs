//! Owners: whose fault each idle nanosecond of a device is.
//!
//! A gap that ends with work launched only after the gap began is the host's, piece by piece, by
//! what the launching thread ran. One whose work was already launched is the device's.

use flamelane_model::{
    CallId, DeviceSpanId, Frame, FrameKind, Interval, LaneId, Ns, StackId, StrId, SyncKind, Trace,
};
use rustc_hash::FxHashSet;

use crate::busy::{DeviceTime, Gap};
use crate::charge::{NOT_RECORDED_AFTER, first_on_stream};
use crate::launches::{Origin, call_kind};
use crate::silences::Silences;
use crate::waits::CallKinds;

/// Kinds of idle time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IdleClass {
    /// The launching thread had not launched yet; the stack says what it ran instead.
    LateHost,
    /// The same, with nothing on the thread that explains it.
    UnrecordedHost,
    /// Between the launch call and the start of the work.
    LaunchLatency,
    /// Inside the copy call that launched the work.
    CopyCall,
    /// Inside the launch call, a stall that the profiler reports (module load, buffer flush).
    Overhead,
    /// The device's own pause between queued work.
    Dispatch,
    /// Between two spans of one graph replay.
    InsideGraph,
    /// The stream waited for an event.
    StreamWait,
    /// Queued work that did not start, for a reason the capture does not hold.
    DeviceOther,
    /// The first work of a stream long after its launch: something ran that was not recorded.
    NotRecorded,
    /// The capture holds no host spans.
    NoHostData,
}

impl IdleClass {
    /// All classes.
    pub const ALL: [Self; 11] = [
        Self::LateHost,
        Self::UnrecordedHost,
        Self::LaunchLatency,
        Self::CopyCall,
        Self::Overhead,
        Self::Dispatch,
        Self::InsideGraph,
        Self::StreamWait,
        Self::DeviceOther,
        Self::NotRecorded,
        Self::NoHostData,
    ];

    /// The word used in output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::LateHost => "late host",
            Self::UnrecordedHost => "unrecorded host time",
            Self::LaunchLatency => "launch latency",
            Self::CopyCall => "copy call",
            Self::Overhead => "overhead",
            Self::Dispatch => "dispatch",
            Self::InsideGraph => "inside graph",
            Self::StreamWait => "stream-wait",
            Self::DeviceOther => "device other",
            Self::NotRecorded => "device work not recorded",
            Self::NoHostData => "no host data",
        }
    }
}

/// A piece of a gap and its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdlePiece {
    /// When.
    pub time: Interval,
    /// What kind.
    pub class: IdleClass,
    /// The stack that owns it.
    pub stack: StackId,
    /// The gap it is a piece of, in [`DeviceTime::gaps`].
    pub gap: u32,
}

/// Names of the bucket frames, interned before the sweep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buckets([StrId; IdleClass::ALL.len()]);

impl Buckets {
    pub(crate) fn intern(trace: &mut Trace) -> Self {
        Self(IdleClass::ALL.map(|class| trace.strings.intern(&format!("[{}]", class.name()))))
    }

    pub(crate) fn frame(self, class: IdleClass) -> Frame {
        let row = IdleClass::ALL.iter().position(|known| *known == class).unwrap_or(0);
        Frame { name: self.0[row], kind: FrameKind::Synthetic }
    }
}

/// What the rules of all devices share.
pub(crate) struct Facts<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) origins: &'a [Origin],
    pub(crate) kinds: &'a CallKinds,
    pub(crate) buckets: Buckets,
    /// Step markers by the names their frames carry.
    pub(crate) markers: FxHashSet<StrId>,
    /// One a call: an event wait stands between this launch and the thread's previous one.
    pub(crate) after_wait: Vec<bool>,
    /// Waits for a device that shows no work.
    pub(crate) silences: Silences,
    /// Stalls by start.
    pub(crate) overheads: Vec<(Interval, StrId)>,
    /// Recorded event waits as (device, stream, interval), sorted.
    stream_waits: Vec<(i64, i64, Interval)>,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(
        trace: &'a Trace,
        origins: &'a [Origin],
        kinds: &'a CallKinds,
        buckets: Buckets,
        markers: FxHashSet<StrId>,
    ) -> Self {
        let spans = trace.overheads.span.iter().map(|&(from, to)| Interval::new(from, to));
        let mut overheads: Vec<_> = spans.zip(trace.overheads.name.iter().copied()).collect();
        overheads.sort_unstable();
        let waits = trace.syncs.iter().filter(|sync| sync.kind == SyncKind::StreamWait);
        let mut stream_waits: Vec<_> = waits
            .map(|sync| (sync.device, sync.stream, Interval::new(sync.span.0, sync.span.1)))
            .collect();
        stream_waits.sort_unstable();
        let after_wait = after_wait(trace, origins, kinds);
        Self {
            trace,
            origins,
            kinds,
            buckets,
            markers,
            after_wait,
            silences: Silences::default(),
            overheads,
            stream_waits,
        }
    }

    /// Whether a frame is a call that does nothing but wait for the device.
    pub(crate) fn syncs(&self, frame: Frame) -> bool {
        frame.kind == FrameKind::Runtime && call_kind(self.trace.text(frame.name)).syncs
    }

    /// The launch of a device span: the call, when it ran, and its thread.
    pub(crate) fn call(&self, span: u32) -> Option<(CallId, Interval, LaneId)> {
        let call = self.origins[span as usize].call()?;
        let host = self.trace.calls.span[call.index()].index();
        let time = Interval::new(self.trace.host.start[host], self.trace.host.end[host]);
        Some((call, time, self.trace.host.lane[host]))
    }
}

impl Facts<'_> {
    /// The stalls inside a launch call, in order, cut to `time`.
    pub(crate) fn stalls(
        &self,
        call: Interval,
        time: Interval,
    ) -> impl Iterator<Item = (Interval, StrId)> + '_ {
        let upto = self.overheads.partition_point(|(stall, _)| stall.from < time.to);
        let reach = upto.saturating_sub(MOST_STALLS);
        // A stall of another thread's call may overlap this one: only one inside is ours.
        let inside = move |stall: Interval| call.from <= stall.from && stall.to <= call.to;
        let ours = self.overheads[reach..upto].iter().filter(move |(stall, _)| inside(*stall));
        let cut = ours.map(move |&(stall, name)| (stall.clip(time), name));
        cut.filter(|(stall, _)| !stall.is_empty())
    }

    /// Whether a launch call was held up by a stall while the device was idle: the work was on its
    /// way when the gap began, and the host still came late.
    pub(crate) fn stalled(&self, call: Interval, gap: Interval) -> bool {
        self.stalls(call, gap.clip(call)).next().is_some()
    }

    /// Whether the stream of a device span waited for an event during its gap.
    pub(crate) fn waited(&self, span: u32, call: Option<CallId>, gap: Interval) -> bool {
        if call.is_some_and(|call| self.after_wait[call.index()]) {
            return true;
        }
        if self.stream_waits.is_empty() {
            return false;
        }
        let lane = self.trace.lane(self.trace.device.lane[span as usize]);
        let device = lane.device.map_or(0, |id| self.trace.devices[id.index()].id);
        let key = (device, lane.id, Interval::new(gap.to, Ns::MAX));
        let before = self.stream_waits.partition_point(|wait| *wait < key);
        before
            .checked_sub(1)
            .map(|last| self.stream_waits[last])
            .is_some_and(|(d, s, wait)| (d, s) == (device, lane.id) && !wait.clip(gap).is_empty())
    }
}

/// Most stalls looked at inside one call.
const MOST_STALLS: usize = 64;

/// For each call that launched device work: whether its thread waited for an event since its
/// previous launch.
fn after_wait(trace: &Trace, origins: &[Origin], kinds: &CallKinds) -> Vec<bool> {
    let n_calls = trace.calls.len();
    let mut after = vec![false; n_calls];
    if (0..n_calls).all(|call| !kinds.of(trace, call).waits_event) {
        return after;
    }
    let mut launched = vec![false; n_calls];
    for call in origins.iter().filter_map(|origin| origin.call()) {
        launched[call.index()] = true;
    }
    let mut order: Vec<usize> = (0..n_calls).collect();
    let host = |call: usize| trace.calls.span[call].index();
    order.sort_by_key(|&call| (trace.host.lane[host(call)], trace.host.start[host(call)]));
    let (mut lane, mut waiting) = (None, false);
    for call in order {
        let here = trace.host.lane[host(call)];
        if lane.replace(here) != Some(here) {
            waiting = false;
        }
        if kinds.of(trace, call).waits_event {
            waiting = true;
        } else if launched[call] {
            after[call] = std::mem::take(&mut waiting);
        }
    }
    after
}

/// What one device's gaps have in common.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// Median of start minus launch over work launched after its gap began (λ).
    pub launch_latency: Ns,
    /// Median of the device's own pauses, between 0.5 and 5 µs.
    pub floor: Ns,
}

/// A floor is measured only on at least this many gaps.
const FEW_GAPS: usize = 32;

/// Measures a device's launch latency and its floor.
pub(crate) fn pace(facts: &Facts<'_>, device: &DeviceTime) -> Pace {
    let call = |gap: &Gap| gap.next.and_then(|next| facts.call(next));
    let late = |gap: &&Gap| call(gap).is_some_and(|(_, time, _)| time.from > gap.span.from);
    let latencies = device.gaps.iter().filter(late).filter_map(|gap| {
        let (_, time, _) = call(gap)?;
        Some(gap.span.to.saturating_sub(time.from))
    });
    // Clocks that disagree make work start before its launch: no latency.
    let latencies = latencies.filter(|&ns| ns >= 0);
    let launch_latency = upper_median(latencies.collect());
    let first = first_on_stream(facts.trace, device);
    let own = |gap: &&Gap| match (gap.next, call(gap)) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(next), Some((call, time, _))) => {
            let late = time.from > gap.span.from;
            let replays = facts.kinds.of(facts.trace, call.index()).replays;
            let after = gap.span.to.saturating_sub(time.from);
            let quick = !replays && after <= launch_latency.saturating_mul(3) / 2;
            let hidden = first.contains(&DeviceSpanId(next))
                && gap.span.to.saturating_sub(time.to) > NOT_RECORDED_AFTER;
            !late && !quick && !hidden && !facts.stalled(time, gap.span)
        }
    };
    let own: Vec<Ns> = device.gaps.iter().filter(own).map(|gap| gap.span.len()).collect();
    let floor = if own.len() < FEW_GAPS { 1_500 } else { upper_median(own).clamp(500, 5_000) };
    Pace { launch_latency, floor }
}

/// The middle value, the upper one of two; 0 for none.
fn upper_median(mut values: Vec<Ns>) -> Ns {
    let middle = values.len() / 2;
    if values.is_empty() { 0 } else { *values.select_nth_unstable(middle).1 }
}
