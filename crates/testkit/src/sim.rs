//! The simulator: host threads that run code and device streams that run what was launched.
//!
//! Each thread has its own clock; a stream runs its work in order, as early as launch, order and
//! event waits allow. Causes are written into the [`Capture`] as they happen.

mod calls;
mod device;
mod host;

use std::collections::BTreeMap;

use crate::capture::{Capture, HostIdx, Thread};
use crate::chance::Chance;

pub(crate) use device::{Call, Copy, Event, Kernel, StreamIdx, Work};

/// Where the recordings of the generator begin, in ns after their base: as large as in real files.
const RECORDING_STARTS: i64 = 2_415_995_397_190_650;
const BASE: i64 = 1_759_300_074_000_000_000;
const PID: i64 = 4242;

/// Handle of a simulated thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ThreadIdx(u16);

/// What one run is like, apart from what it does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Knobs {
    pub(crate) seed: u64,
    pub(crate) noise_percent: u32,
    pub(crate) quirks: bool,
}

struct Clock {
    now: i64,
    /// Open Python frames with their Python ids.
    python: Vec<(HostIdx, u32)>,
    /// External ids of open operators and annotations.
    ops: Vec<u32>,
    annotations: Vec<HostIdx>,
    last_closed: Option<HostIdx>,
}

struct Stream {
    id: u32,
    /// When the work queued so far ends.
    free: i64,
    /// Start of the last work.
    last_start: i64,
    /// Work may not start before, because of an event wait.
    not_before: i64,
    /// An event wait was queued since the last work.
    waited: bool,
}

#[derive(Default)]
struct Ids {
    external: u32,
    correlation: u32,
    python: u32,
    sequence: u32,
    address: u64,
}

/// A run in progress.
pub(crate) struct Sim {
    capture: Capture,
    knobs: Knobs,
    clocks: Vec<Clock>,
    streams: Vec<Stream>,
    on: ThreadIdx,
    run: Chance,
    host: Chance,
    device: Chance,
    ids: Ids,
    /// Work collected while a graph is recorded; host time stands still meanwhile.
    recorded: Option<Vec<Work>>,
    /// Device extent of each annotation: (annotation, stream) to (start, end).
    extents: BTreeMap<(HostIdx, u32), (i64, i64)>,
}

impl Sim {
    /// A run with one thread and one stream (number 7), 200 µs into the recording.
    pub(crate) fn new(title: &str, knobs: Knobs) -> Self {
        let capture = Capture {
            title: title.to_owned(),
            base_ns: BASE,
            from: RECORDING_STARTS,
            pid: PID,
            ..Capture::default()
        };
        let run = Chance::new(knobs.seed);
        let mut sim = Self {
            capture,
            knobs,
            clocks: Vec::new(),
            streams: Vec::new(),
            on: ThreadIdx(0),
            run,
            host: run.at("host", &[]),
            device: run.at("device", &[]),
            ids: Ids { external: 1024, correlation: 50_000, ..Ids::default() },
            recorded: None,
            extents: BTreeMap::new(),
        };
        sim.thread(PID, "python3");
        sim.stream(7);
        sim
    }

    /// The thread that is running.
    pub(crate) fn current(&self) -> ThreadIdx {
        self.on
    }

    /// Adds a thread.
    pub(crate) fn thread(&mut self, tid: i64, name: &str) -> ThreadIdx {
        self.capture.threads.push(Thread { tid, name: name.to_owned() });
        self.clocks.push(Clock {
            now: RECORDING_STARTS + 200_000,
            python: Vec::new(),
            ops: Vec::new(),
            annotations: Vec::new(),
            last_closed: None,
        });
        ThreadIdx(self.clocks.len() as u16 - 1)
    }

    /// Adds a stream of device 0.
    pub(crate) fn stream(&mut self, id: u32) -> StreamIdx {
        self.streams.push(Stream {
            id,
            free: RECORDING_STARTS,
            last_start: RECORDING_STARTS,
            not_before: 0,
            waited: false,
        });
        StreamIdx(self.streams.len() - 1)
    }

    /// Names the rank of the process.
    pub(crate) fn rank(&mut self, rank: u32, world: u32) {
        self.capture.rank = Some((rank, world));
    }

    /// Begins a place of the program: draws from here depend on its name and numbers alone.
    pub(crate) fn place(&mut self, name: &str, numbers: &[u64]) {
        self.host = self.run.at("host", &[]).at(name, numbers);
        self.device = self.run.at("device", &[]).at(name, numbers);
    }

    /// Lets host time pass, `mean` ns give or take the noise.
    pub(crate) fn spend(&mut self, mean: i64) {
        let spent = self.host.around(mean, self.knobs.noise_percent);
        self.pass(spent);
    }

    /// Runs `body` on another thread, which takes over now.
    pub(crate) fn on<R>(&mut self, thread: ThreadIdx, body: impl FnOnce(&mut Self) -> R) -> R {
        let (before, now) = (self.on, self.now());
        self.on = thread;
        let clock = self.clock();
        clock.now = clock.now.max(now);
        let result = body(self);
        self.on = before;
        result
    }

    /// Lets the running thread wait until another one has come as far as it has.
    pub(crate) fn join(&mut self, thread: ThreadIdx) {
        let other = self.clocks[usize::from(thread.0)].now;
        let clock = self.clock();
        clock.now = clock.now.max(other);
    }

    /// Ends the run.
    pub(crate) fn finish(mut self) -> Capture {
        self.write_extents();
        let clocks = self.clocks.iter().map(|clock| clock.now);
        let streams = self.streams.iter().map(|stream| stream.free);
        let last = clocks.chain(streams).max().unwrap_or(RECORDING_STARTS);
        self.capture.to = last + 50_000;
        self.capture
    }

    fn clock(&mut self) -> &mut Clock {
        &mut self.clocks[usize::from(self.on.0)]
    }

    fn now(&self) -> i64 {
        self.clocks[usize::from(self.on.0)].now
    }

    fn pass(&mut self, ns: i64) {
        if self.recorded.is_none() {
            self.clock().now += ns;
        }
    }
}
