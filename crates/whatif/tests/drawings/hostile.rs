//! Hostile traces: shapes that would cost the square, and times at the ends of the clock.
//!
//! In each a rule that looks at everything for everything would take minutes.

use flamelane_link::{Choice, Rules, link};
use flamelane_model::{
    Device, DeviceId, DeviceKind, DeviceSpan, FrameKind, Lane, LaneId, LaneKind, NONE, Ns, Process,
    ProcessId, Trace,
};
use flamelane_whatif::{Change, Replay};

/// A trace under construction.
struct Tape {
    trace: Trace,
    correlation: i64,
}

impl Tape {
    fn new() -> Self {
        let mut trace = Trace::new();
        let name = trace.strings.intern("main");
        trace.processes.push(Process { label: name, name });
        trace.devices.push(Device { id: 0, process: None, name, memory_bytes: 0 });
        Self { trace, correlation: 0 }
    }

    fn lane(&mut self, kind: LaneKind) -> LaneId {
        let lane = LaneId::new(self.trace.lanes.len());
        let name = self.trace.strings.intern("lane");
        let device = (kind == LaneKind::Stream).then_some(DeviceId(0));
        let id = lane.0.into();
        self.trace.lanes.push(Lane { kind, process: ProcessId(0), device, id, name });
        lane
    }

    fn call(&mut self, lane: LaneId, name: &str, span: (Ns, Ns)) {
        self.correlation += 1;
        let name = self.trace.strings.intern(name);
        let id = self.trace.host.push(lane, FrameKind::Runtime, name, span);
        self.trace.calls.span.push(id);
        self.trace.calls.correlation.push(self.correlation);
        self.trace.calls.external.push(NONE);
        self.trace.calls.bytes.push(NONE);
    }

    /// A kernel of the last call.
    fn kernel(&mut self, lane: LaneId, (start, end): (Ns, Ns)) {
        self.trace.device.push(DeviceSpan {
            lane,
            kind: DeviceKind::Kernel,
            name: self.trace.strings.intern("k"),
            start,
            end,
            correlation: self.correlation,
            external: NONE,
            bytes: NONE,
            graph_node: NONE,
        });
    }

    fn replays(self, choice: Choice) {
        let linked = link(self.trace, Rules { choice, ..Rules::default() });
        let stacks = linked.waits.iter().map(|wait| linked.nested.call_stack[wait.call.index()]);
        let all = Change::DropSync(stacks.collect());
        let replay = match Replay::new(&linked) {
            Ok(replay) => replay,
            Err(declined) => panic!("{declined}"),
        };
        assert!(replay.check().error().abs() < 0.01, "{:?}", replay.check());
        for change in [all, Change::OverlapCopies, Change::Graph(None)] {
            let said = replay.predict(&change);
            assert!(said.is_none_or(|said| said.after <= said.before), "{change:?}");
        }
    }
}

const MANY: i64 = 100_000;
const MICRO: Ns = 1_000;

#[test]
fn a_stream_each_and_waits_for_all_of_them() {
    let mut tape = Tape::new();
    let main = tape.lane(LaneKind::Thread);
    for number in 0..MANY {
        let at = number * 20 * MICRO;
        let stream = tape.lane(LaneKind::Stream);
        tape.call(main, "cudaLaunchKernel", (at, at + 4 * MICRO));
        tape.kernel(stream, (at + 6 * MICRO, at + 11 * MICRO));
        tape.call(main, "cudaDeviceSynchronize", (at + 5 * MICRO, at + 13 * MICRO));
    }
    tape.replays(Choice::KeptSteps);
}

#[test]
fn an_event_recorded_and_awaited_each() {
    let mut tape = Tape::new();
    let (main, stream) = (tape.lane(LaneKind::Thread), tape.lane(LaneKind::Stream));
    for number in 0..MANY {
        let at = number * 50 * MICRO;
        tape.call(main, "cudaLaunchKernel", (at, at + 4 * MICRO));
        tape.kernel(stream, (at + 6 * MICRO, at + 40 * MICRO));
        tape.call(main, "cudaEventRecord", (at + 5 * MICRO, at + 6 * MICRO));
        tape.call(main, "cudaEventSynchronize", (at + 7 * MICRO, at + 42 * MICRO));
    }
    tape.replays(Choice::KeptSteps);
}

#[test]
fn a_thread_each() {
    let mut tape = Tape::new();
    let stream = tape.lane(LaneKind::Stream);
    let threads: Vec<LaneId> = (0..5_000).map(|_| tape.lane(LaneKind::Thread)).collect();
    for number in 0..MANY {
        let at = number * 20 * MICRO;
        tape.call(threads[number as usize % threads.len()], "cudaLaunchKernel", (at, at + MICRO));
        tape.kernel(stream, (at + 6 * MICRO, at + 11 * MICRO));
    }
    tape.replays(Choice::KeptSteps);
}

#[test]
fn one_graph_over_all_streams() {
    let mut tape = Tape::new();
    let main = tape.lane(LaneKind::Thread);
    tape.call(main, "cudaGraphLaunch", (0, 4 * MICRO));
    for number in 0..MANY {
        let stream = tape.lane(LaneKind::Stream);
        tape.kernel(stream, ((6 + number) * MICRO, (8 + number) * MICRO));
    }
    tape.replays(Choice::KeptSteps);
}

#[test]
fn a_piece_of_the_window_each() {
    let mut tape = Tape::new();
    let (main, stream) = (tape.lane(LaneKind::Thread), tape.lane(LaneKind::Stream));
    let names = ["prefill", "decode"].map(|name| tape.trace.strings.intern(name));
    for number in 0..MANY {
        let at = number * 100 * MICRO;
        let name = names[number as usize % 2];
        tape.trace.host.push(main, FrameKind::Annotation, name, (at, at + 90 * MICRO));
        tape.call(main, "cudaLaunchKernel", (at + MICRO, at + 5 * MICRO));
        tape.kernel(stream, (at + 8 * MICRO, at + 60 * MICRO));
    }
    tape.replays(Choice::Range("decode".to_owned()));
}

#[test]
fn a_full_queue_at_every_launch() {
    let mut tape = Tape::new();
    let (main, stream) = (tape.lane(LaneKind::Thread), tape.lane(LaneKind::Stream));
    for number in 0..MANY {
        let at = number * 100 * MICRO;
        let length = if number % 3 == 0 { 4 } else { 98 };
        tape.call(main, "cudaLaunchKernel", (at, at + length * MICRO));
        tape.kernel(stream, (at + 95 * MICRO, at + 195 * MICRO));
    }
    tape.replays(Choice::KeptSteps);
}

#[test]
fn times_at_the_ends_of_the_clock_do_not_overflow() {
    let mut tape = Tape::new();
    let threads = [tape.lane(LaneKind::Thread), tape.lane(LaneKind::Thread)];
    let streams = [tape.lane(LaneKind::Stream), tape.lane(LaneKind::Stream)];
    let spans = [(Ns::MIN, Ns::MAX), (Ns::MIN, 0), (0, Ns::MAX), (Ns::MAX, Ns::MAX)];
    let names = [
        "cudaLaunchKernel",
        "cudaGraphLaunch",
        "cudaMemcpy",
        "cudaStreamWaitEvent",
        "cudaEventRecord",
        "cudaEventSynchronize",
        "cudaDeviceSynchronize",
    ];
    for span in spans {
        for (number, name) in names.into_iter().enumerate() {
            tape.call(threads[number % 2], name, span);
            for other in spans {
                tape.kernel(streams[number % 2], other);
            }
        }
    }
    tape.trace.extent = flamelane_model::Interval::new(Ns::MIN, Ns::MAX);
    for choice in [Choice::KeptSteps, Choice::Whole, Choice::Time(Ns::MIN, Ns::MAX)] {
        let linked = link(tape.trace.clone(), Rules { choice, ..Rules::default() });
        let waits = linked.waits.iter().map(|wait| linked.nested.call_stack[wait.call.index()]);
        let all = Change::DropSync(waits.collect());
        let Ok(replay) = Replay::new(&linked) else { continue };
        for change in [all, Change::OverlapCopies, Change::Graph(None)] {
            assert!(replay.predict(&change).is_none_or(|said| said.after >= 0));
        }
    }
}
