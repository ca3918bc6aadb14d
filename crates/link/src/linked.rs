//! The linked trace: everything the other rooms read.

use flamelane_model::{
    CallId, DeviceKind, Frame, FrameKind, Interval, Ns, ProcessId, StackId, StrId, Trace,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::busy::{self, DeviceTime, Gap, Ground};
use crate::charge::Charger;
use crate::families::{self, Class, Families};
use crate::graphs::Joined;
use crate::launches::{self, Origin};
use crate::nesting::{self, Nested};
use crate::owners::{self, Buckets, Facts, IdleClass, IdlePiece, Pace};
use crate::silences::Silences;
use crate::steps::{self, NO_STEP, Steps};
use crate::trust::{self, Trust};
use crate::waits::{self, CallKinds, Wait};
use crate::window::{self, Window};
use crate::{Rules, names, threads};

/// A trace with everything that belongs together put together.
#[derive(Debug)]
pub struct Linked {
    /// The trace; names of frames were added to its strings.
    pub trace: Trace,
    /// The rules it was linked by.
    pub rules: Rules,
    /// Host stacks over time.
    pub nested: Nested,
    /// One a string of the file: the string frames are named by.
    pub names: Vec<StrId>,
    /// One a device span: its launch.
    pub origins: Vec<Origin>,
    /// One a device span: start of its launch, `Ns::MIN` when it has none in the file.
    pub launched: Vec<Ns>,
    /// Which recorded times are believed.
    pub trust: Trust,
    /// The steps.
    pub steps: Steps,
    /// The stretch of time to speak of.
    pub window: Window,
    /// What each device span is.
    pub families: Families,
    /// One a device that has spans.
    pub devices: Vec<DeviceTime>,
    /// One a device span: its share of busy time inside the window.
    pub busy_share: Vec<Ns>,
    /// One a device: its launch latency and floor.
    pub paces: Vec<Pace>,
    /// Idle time by owner.
    pub idle: Idle,
    /// One a row of [`Linked::devices`]: its time without compute, by time.
    pub exposed: Vec<Vec<Exposed>>,
    /// One a row of [`Linked::devices`]: its busy time inside the window as (step or [`NO_STEP`],
    /// ns), by time, neighbours of one step joined.
    pub busy_of_step: Vec<Vec<(u32, Ns)>>,
    /// Busy and idle time by step.
    pub per_step: PerStep,
    /// Host calls that block.
    pub waits: Vec<Wait>,
    /// One a device span, or none at all: the stack of the code that recorded it into its graph,
    /// below the replay.
    pub recorded: Vec<Option<StackId>>,
    /// How replays were joined with a recording.
    pub joined: Option<Joined>,
}

/// Idle time by owner, over all devices.
#[derive(Clone, Debug, Default)]
pub struct Idle {
    /// One a class, in the order of [`IdleClass::ALL`]: ns of the window, summed over devices.
    pub by_class: Vec<Ns>,
    /// One a row of [`Linked::devices`]: its part of [`IdleClass::NotRecorded`], in ns.
    pub not_recorded: Vec<Ns>,
    /// Devices beyond the number that is charged: their idle time is [`IdleClass::NoHostData`],
    /// whatever the host did.
    pub n_uncharged: usize,
    /// What each stack owns, by ascending stack; each stack once.
    pub owners: Vec<IdleOf>,
    /// Lengths in ns of the device's own pauses that no event wait and no graph explains, by device
    /// and time.
    pub device_gaps: Vec<Ns>,
    /// One a row of [`Linked::devices`]: every piece of every gap, by time.
    pub pieces: Vec<Vec<IdlePiece>>,
    /// One a row of [`Linked::devices`], one a gap of it: the step that it belongs to, or
    /// [`NO_STEP`].
    pub step_of_gap: Vec<Vec<u32>>,
}

/// A stretch of a device's window without compute, during which `span` communicates or copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exposed {
    /// When.
    pub time: Interval,
    /// [`Class::Comm`], or [`Class::Copy`] while nothing communicates either.
    pub class: Class,
    /// The first of the spans of that class that run.
    pub span: u32,
    /// The step that the time belongs to, or [`NO_STEP`].
    pub step: u32,
}

/// What one stack owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdleOf {
    /// The stack, in [`Nested::stacks`].
    pub stack: StackId,
    /// Why the device was idle.
    pub class: IdleClass,
    /// Idle time in ns, summed over devices.
    pub ns: Ns,
    /// Number of pieces of gaps.
    pub count: u64,
}

/// Nanoseconds of the window by the step they belong to, summed over devices; `docs/concepts`,
/// "Time per step", has the rule.
#[derive(Clone, Debug, Default)]
pub struct PerStep {
    /// One a row of [`Steps::list`]: busy time of work launched in it.
    pub busy: Vec<Ns>,
    /// One a row of [`Steps::list`]: idle time that such work ends, and the tail of its run.
    pub idle: Vec<Ns>,
    /// Busy time of work launched outside all steps.
    pub between_busy: Ns,
    /// Idle time that such work ends, or that no step claims.
    pub between_idle: Ns,
    /// Busy time of work launched before the capture.
    pub before_busy: Ns,
    /// Idle time that such work ends.
    pub before_idle: Ns,
}

impl PerStep {
    fn new(n_steps: usize) -> Self {
        Self { busy: vec![0; n_steps], idle: vec![0; n_steps], ..Self::default() }
    }

    /// Everything, saturating: equals the devices' windows.
    pub fn sum(&self) -> Ns {
        let rest = [self.between_busy, self.between_idle, self.before_busy, self.before_idle];
        let steps = self.busy.iter().chain(&self.idle);
        steps.chain(&rest).fold(0, |sum, &ns| sum.saturating_add(ns))
    }

    fn add_busy(&mut self, step: u32, origin: Origin, ns: Ns) {
        let slot = match self.busy.get_mut(step as usize) {
            Some(slot) => slot,
            None if origin == Origin::BeforeCapture => &mut self.before_busy,
            None => &mut self.between_busy,
        };
        *slot = slot.saturating_add(ns);
    }

    fn add_idle(&mut self, step: u32, origin: Option<Origin>, ns: Ns) {
        let slot = match self.idle.get_mut(step as usize) {
            Some(slot) => slot,
            None if origin == Some(Origin::BeforeCapture) => &mut self.before_idle,
            None => &mut self.between_idle,
        };
        *slot = slot.saturating_add(ns);
    }
}

/// Links a trace.
pub fn link(mut trace: Trace, rules: Rules) -> Linked {
    let buckets = Buckets::intern(&mut trace);
    trace.strings.intern(nesting::BACKWARD);
    threads::tell_apart(&mut trace);
    let names = rules.naming.table(&mut trace.strings);
    let origins = launches::origins(&mut trace);
    let trust = trust::judge(&trace, &origins);
    let mut steps = steps::find(&trace, &origins, &trust.counts, &rules);
    let window = window::frame(&trace, &origins, &trust, &mut steps, &rules);
    let mut nested = nesting::nest(&trace, &names, &window.pieces, &rules);
    let families = families::sort(&trace, &origins, &nested, &rules);
    let launched = launch_times(&trace, &origins);
    let ground = Ground {
        trace: &trace,
        trust: &trust,
        window: &window,
        families: &families,
        launched: &launched,
    };
    let mut per_step = PerStep::new(steps.list.len());
    let Swept { devices, busy_share, exposed, busy_of_step } =
        sweep_devices(&ground, &origins, &steps, &mut per_step);
    let kinds = CallKinds::new(&trace);
    let waits = waits::waits(&ground, &origins, &kinds, &devices);
    let markers = marker_names(&trace, &names, &steps);
    let mut facts = Facts::new(&trace, &origins, &kinds, buckets, markers);
    facts.silences = Silences::find(&ground, &waits, &devices);
    let paces: Vec<Pace> = devices.iter().map(|device| owners::pace(&facts, device)).collect();
    let idle = charge(&facts, &mut nested, (&devices, &paces), &steps, &mut per_step);
    Linked {
        trace,
        rules,
        nested,
        names,
        origins,
        launched,
        trust,
        steps,
        window,
        families,
        devices,
        busy_share,
        paces,
        idle,
        exposed,
        busy_of_step,
        per_step,
        waits,
        recorded: Vec::new(),
        joined: None,
    }
}

fn launch_times(trace: &Trace, origins: &[Origin]) -> Vec<Ns> {
    let at = |call: CallId| trace.host.start[trace.calls.span[call.index()].index()];
    origins.iter().map(|origin| origin.call().map_or(Ns::MIN, at)).collect()
}

/// Names that frames of step markers carry.
fn marker_names(trace: &Trace, names: &[StrId], steps: &Steps) -> FxHashSet<StrId> {
    if steps.kind != "annotation" {
        return FxHashSet::default();
    }
    let shown = |name: &str| {
        trace.strings.lookup(name).map(|id| names.get(id.index()).copied().unwrap_or(id))
    };
    steps.list.iter().filter_map(|step| shown(&step.name)).collect()
}

/// What the sweeps over all devices find.
struct Swept {
    devices: Vec<DeviceTime>,
    busy_share: Vec<Ns>,
    exposed: Vec<Vec<Exposed>>,
    busy_of_step: Vec<Vec<(u32, Ns)>>,
}

fn sweep_devices(
    ground: &Ground<'_>,
    origins: &[Origin],
    steps: &Steps,
    per_step: &mut PerStep,
) -> Swept {
    let mut share: Vec<Ns> = vec![0; ground.trace.device.len()];
    let mut exposed: Vec<Vec<Exposed>> = Vec::new();
    let mut busy_of_step: Vec<Vec<(u32, Ns)>> = Vec::new();
    let sweep = |(device, order)| {
        let mut bare: Vec<Exposed> = Vec::new();
        let mut by_step: Vec<(u32, Ns)> = Vec::new();
        let time = busy::sweep(ground, device, order, |piece| {
            let n_running = piece.running.len() as Ns;
            let (each, rest) = (piece.span.len() / n_running, piece.span.len() % n_running);
            for (position, &span) in piece.running.iter().enumerate() {
                let share = &mut share[span as usize];
                *share = share.saturating_add(each + Ns::from((position as Ns) < rest));
            }
            let first = piece.running.iter().min_by_key(|&&s| (ground.launched[s as usize], s));
            let Some(&span) = first else { return };
            let step = steps.of_span[span as usize];
            per_step.add_busy(step, origins[span as usize], piece.span.len());
            match by_step.last_mut() {
                Some((last, ns)) if *last == step => *ns = ns.saturating_add(piece.span.len()),
                _ => by_step.push((step, piece.span.len())),
            }
            expose(ground.families, piece, step, &mut bare);
        });
        exposed.push(bare);
        busy_of_step.push(by_step);
        time
    };
    let devices = busy::orders(ground).into_iter().map(sweep).collect();
    Swept { devices, busy_share: share, exposed, busy_of_step }
}

/// Keeps a piece in which nothing computes.
fn expose(families: &Families, piece: &busy::Piece<'_>, step: u32, bare: &mut Vec<Exposed>) {
    let runs = |class| piece.running.iter().find(|&&s| families.class[s as usize] == class);
    if runs(Class::Compute).is_some() {
        return;
    }
    let comm = runs(Class::Comm).map(|&span| (Class::Comm, span));
    let Some((class, span)) = comm.or_else(|| Some((Class::Copy, *runs(Class::Copy)?))) else {
        return;
    };
    let next = Exposed { time: piece.span, class, span, step };
    match bare.last_mut() {
        Some(last)
            if (last.class, last.span, last.step) == (class, span, step)
                && last.time.to == piece.span.from =>
        {
            last.time.to = piece.span.to;
        }
        _ => bare.push(next),
    }
}

fn charge(
    facts: &Facts<'_>,
    nested: &mut Nested,
    (devices, paces): (&[DeviceTime], &[Pace]),
    steps: &Steps,
    per_step: &mut PerStep,
) -> Idle {
    let mut by_class = vec![0; IdleClass::ALL.len()];
    let mut not_recorded = vec![0; devices.len()];
    let mut owners: Vec<(Ns, u64)> = Vec::new();
    let mut class_of: Vec<IdleClass> = Vec::new();
    let mut device_gaps = Vec::new();
    let mut pieces: Vec<Vec<IdlePiece>> = Vec::new();
    let mut step_of_gap: Vec<Vec<u32>> = Vec::new();
    let mut charger = Charger::new(facts, nested);
    let last_kept = LastKept::new(facts.trace, steps);
    for (number, (device, pace)) in devices.iter().zip(paces).enumerate() {
        let process = facts.trace.devices[device.device.index()].process;
        let step = |gap: &Gap| {
            let last = || last_kept.before(gap.span.to, process);
            gap.next.map_or_else(last, |next| steps.of_span[next as usize])
        };
        step_of_gap.push(device.gaps.iter().map(step).collect());
        // Room for most gaps in pieces: pages never written cost nothing, growing copies.
        let mut all: Vec<IdlePiece> = Vec::with_capacity(device.gaps.len().saturating_mul(2));
        device_gaps.reserve(device.gaps.len());
        charger.charge(device, *pace, &mut |gap: &Gap, piece: IdlePiece| {
            all.push(piece);
            let ns = piece.time.len();
            let row = piece.stack.index();
            if owners.len() <= row {
                owners.resize(row + 1, (0, 0));
                class_of.resize(row + 1, IdleClass::LateHost);
            }
            owners[row].0 = ns.saturating_add(owners[row].0);
            owners[row].1 += 1;
            class_of[row] = piece.class;
            let sum = &mut by_class[piece.class as usize];
            *sum = ns.saturating_add(*sum);
            match piece.class {
                IdleClass::DeviceOther => device_gaps.push(ns),
                IdleClass::NotRecorded => {
                    not_recorded[number] = ns.saturating_add(not_recorded[number]);
                }
                _ => {}
            }
            let step = step_of_gap[number][piece.gap as usize];
            let origin = gap.next.map(|next| facts.origins[next as usize]);
            per_step.add_idle(step, origin, ns);
        });
        pieces.push(all);
    }
    let rows = owners.iter().zip(class_of).enumerate().filter(|(_, (of, _))| of.1 > 0);
    let owners = rows.map(|(row, (&(ns, count), class))| IdleOf {
        stack: StackId::new(row),
        class,
        ns,
        count,
    });
    let owners = owners.collect();
    let n_uncharged = charger.n_uncharged();
    Idle { by_class, not_recorded, n_uncharged, owners, device_gaps, pieces, step_of_gap }
}

/// The kept steps as (start of the marker, number): the tail of each piece of the window belongs
/// to the last one of the device's process that began before it ended.
struct LastKept {
    all: Vec<(Ns, u32)>,
    by_process: FxHashMap<ProcessId, Vec<(Ns, u32)>>,
}

impl LastKept {
    fn new(trace: &Trace, steps: &Steps) -> Self {
        let kept = steps.list.iter().enumerate().filter(|(_, step)| step.is_kept());
        let mut last = Self { all: Vec::new(), by_process: FxHashMap::default() };
        for (number, step) in kept {
            let began = (step.host.from, number as u32);
            last.all.push(began);
            last.by_process.entry(trace.lane(step.lane).process).or_default().push(began);
        }
        last
    }

    fn before(&self, at: Ns, process: Option<ProcessId>) -> u32 {
        let own = process.and_then(|process| self.by_process.get(&process));
        let list = own.unwrap_or(&self.all);
        let after = list.partition_point(|(from, _)| *from < at);
        after.checked_sub(1).map_or(NO_STEP, |last| list[last].1)
    }
}

impl Linked {
    /// Number of kept steps, or 1 where there are none: what "per step" divides by.
    pub fn n_steps(&self) -> usize {
        self.steps.n_kept().max(1)
    }

    /// What a sum over devices is on each of them, on average: a step is as long as its devices are
    /// busy or idle in it, however many there are.
    pub fn per_device(&self, ns: Ns) -> Ns {
        ns / (self.devices.len().max(1) as Ns)
    }

    /// Sum of the devices' own unexplained pauses of at least `least`, in ns.
    pub fn device_gaps_longer_than(&self, least: Ns) -> Ns {
        let long = self.idle.device_gaps.iter().filter(|&&ns| ns >= least);
        long.fold(0, |sum, &ns| ns.saturating_add(sum))
    }

    /// What a device span is called, and what it is: communication is told from other kernels.
    pub fn device_frame(&self, span: usize) -> Frame {
        let device = &self.trace.device;
        let kind = match device.kind[span] {
            DeviceKind::Kernel if self.families.class[span] == Class::Comm => FrameKind::Comm,
            DeviceKind::Kernel => FrameKind::Kernel,
            DeviceKind::Copy => FrameKind::Copy,
            DeviceKind::Memset => FrameKind::Memset,
            DeviceKind::Graph => FrameKind::Graph,
        };
        Frame { name: self.names[device.name[span].index()], kind }
    }

    /// The stack that holds a device span's launch: what was open, then the call.
    pub fn launch_stack(&self, span: usize) -> Option<StackId> {
        self.origins[span].call().map(|call| self.nested.call_stack[call.index()])
    }

    /// The innermost frame of a stack that is the user's own code, else an engine's.
    pub fn user_frame(&self, stack: StackId) -> Option<&str> {
        let mut engine = None;
        for node in self.nested.stacks.climb(stack) {
            let frame = self.nested.stacks.frame(node);
            if frame.kind != FrameKind::Python {
                continue;
            }
            let name = self.trace.text(frame.name);
            match names::nearness(name, &self.rules) {
                names::Nearness::User => return Some(name),
                names::Nearness::Engine => engine = engine.or(Some(name)),
                names::Nearness::Library => {}
            }
        }
        engine
    }
}
