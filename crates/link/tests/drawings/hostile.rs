//! Hostile traces: times at the ends of the clock, and shapes that would cost the square.

use flamelane_link::{Choice, Rules, link};
use flamelane_model::{
    Device, DeviceId, DeviceKind, DeviceSpan, FrameKind, Lane, LaneId, LaneKind, NONE, Ns, Process,
    ProcessId, StrId, Trace,
};

/// One process with a thread (lane 0) and a stream (lane 1).
fn bare() -> Trace {
    let mut trace = Trace::new();
    let name = trace.strings.intern("main");
    trace.processes.push(Process { label: name, name });
    trace.devices.push(Device { id: 0, process: None, name, memory_bytes: 0 });
    for (kind, device) in [(LaneKind::Thread, None), (LaneKind::Stream, Some(DeviceId(0)))] {
        trace.lanes.push(Lane { kind, process: ProcessId(0), device, id: 7, name });
    }
    trace
}

fn kernel(trace: &mut Trace, name: StrId, (start, end): (Ns, Ns), correlation: i64) {
    let (lane, kind) = (LaneId(1), DeviceKind::Kernel);
    trace.device.push(DeviceSpan {
        lane,
        kind,
        name,
        start,
        end,
        correlation,
        external: NONE,
        bytes: NONE,
        graph_node: NONE,
    });
}

#[test]
fn times_at_the_ends_of_the_clock_do_not_overflow() {
    let mut trace = bare();
    let names = ["execute_context_9_generation_9", "cudaLaunchKernel", "k"];
    let [step, call, name] = names.map(|name| trace.strings.intern(name));
    for (number, span) in [(Ns::MIN, Ns::MAX), (0, Ns::MAX), (Ns::MIN, 0)].into_iter().enumerate() {
        trace.host.push(LaneId(0), FrameKind::Annotation, step, span);
        let id = trace.host.push(LaneId(0), FrameKind::Runtime, call, span);
        trace.calls.span.push(id);
        trace.calls.correlation.push(number as i64);
        trace.calls.external.push(NONE);
        trace.calls.bytes.push(NONE);
        for _ in 0..4 {
            kernel(&mut trace, name, span, number as i64);
        }
    }
    trace.extent = flamelane_model::Interval::new(Ns::MIN, Ns::MAX);
    for choice in [Choice::KeptSteps, Choice::Whole, Choice::Time(Ns::MIN, Ns::MAX)] {
        let linked = link(trace.clone(), Rules { choice, ..Rules::default() });
        assert_eq!(linked.window.wall(), Ns::MAX);
        assert!(flamelane_link::ranges(&linked).iter().all(|range| range.count > 0));
    }
}

#[test]
fn spans_that_all_cross_make_no_square_of_stacks() {
    const N_SPANS: i64 = 20_000;
    let mut trace = bare();
    for number in 0..N_SPANS {
        let name = trace.strings.intern(&format!("span {number}"));
        trace.host.push(LaneId(0), FrameKind::Op, name, (number, 1_000_000 + number));
    }
    let linked = link(trace, Rules::default());
    assert!(linked.nested.stacks.len() < 1_500_000, "{}", linked.nested.stacks.len());
    let open = &linked.nested.timelines[0];
    assert_eq!(open.stack_at(2_000_000), Some(linked.nested.thread_node[0]));
}

#[test]
fn a_stream_each_makes_no_square_of_spans() {
    const N_STREAMS: i64 = 50_000;
    let mut trace = bare();
    let name = trace.strings.intern("k");
    for number in 0..N_STREAMS {
        let lane = LaneId::new(trace.lanes.len());
        let device = Some(DeviceId::new(trace.devices.len()));
        trace.devices.push(Device { id: number, process: None, name, memory_bytes: 0 });
        let (kind, process) = (LaneKind::Stream, ProcessId(0));
        trace.lanes.push(Lane { kind, process, device, id: number, name });
        kernel(&mut trace, name, (number * 10, number * 10 + 5), NONE);
        trace.device.lane[number as usize] = lane;
        trace.host.push(LaneId(0), FrameKind::Op, name, (number * 10, number * 10 + 1));
    }
    let linked = link(trace, Rules::default());
    assert_eq!(linked.devices.len(), N_STREAMS as usize);
    let idle: Ns = linked.devices.iter().map(|device| device.partition.idle).sum();
    assert_eq!(linked.idle.by_class.iter().sum::<Ns>(), idle);
    assert_eq!(linked.idle.n_uncharged, N_STREAMS as usize - 256);
}

/// `n_steps` step markers, each with one launch and its kernel; a marker is `len` long.
fn stepped(n_steps: i64, len: Ns) -> Trace {
    let mut trace = bare();
    let names = ["ProfilerStep#1", "cudaLaunchKernel", "k"];
    let [step, call, name] = names.map(|name| trace.strings.intern(name));
    for number in 0..n_steps {
        let at = number * 10;
        trace.host.push(LaneId(0), FrameKind::Annotation, step, (at, at + len));
        let id = trace.host.push(LaneId(0), FrameKind::Runtime, call, (at + 1, at + 2));
        trace.calls.span.push(id);
        trace.calls.correlation.push(number);
        trace.calls.external.push(NONE);
        trace.calls.bytes.push(NONE);
        kernel(&mut trace, name, (at + 3, at + 7), number);
    }
    trace
}

#[test]
fn a_step_each_makes_no_square_of_spans() {
    let linked = link(stepped(200_000, 9), Rules::default());
    assert_eq!(linked.steps.n_kept(), 200_000);
    assert!(linked.window.selected.iter().all(|&selected| selected));
}

#[test]
fn annotations_that_all_overlap_make_no_square_of_launches() {
    let linked = link(stepped(100_000, 10_000_000), Rules::default());
    let ranges = flamelane_link::ranges(&linked);
    assert_eq!(ranges.len(), 1);
    assert!(ranges[0].count > 0);
}
