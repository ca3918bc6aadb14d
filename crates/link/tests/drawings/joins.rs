//! Random replays, captures and ids of nodes: joining never panics, counts what it did, and keeps
//! what is above a replay above it.

use flamelane_link::{Linked, Rules, join, link, recording};
use flamelane_model::{
    Device, DeviceId, DeviceKind, DeviceSpan, FrameKind, Lane, LaneId, LaneKind, NONE, Process,
    ProcessId, Trace, node_id,
};

/// Numbers that look random and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> i64 {
        let step = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = step.wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n) as i64
    }
}

const CALLS: [&str; 7] = [
    "cudaLaunchKernel",
    "cudaGraphLaunch",
    "cudaStreamBeginCapture",
    "cudaStreamEndCapture",
    "cudaMemcpyAsync",
    "cudaMemsetAsync",
    "hipModuleLaunchKernel",
];
const KERNELS: [&str; 5] = ["gemm_a", "gemm_b", "softmax", "", "copy_kernel_at 0x12"];

/// Two threads, two streams, calls of all kinds in any order, with a few spans each or many.
fn trace(chance: &mut Chance, n_calls: i64) -> Trace {
    let mut trace = Trace::new();
    let name = trace.strings.intern("main");
    trace.processes.push(Process { label: name, name });
    trace.devices.push(Device { id: 0, process: None, name, memory_bytes: 0 });
    for (id, device) in [(1, None), (2, None), (7, Some(DeviceId(0))), (8, Some(DeviceId(0)))] {
        let kind = if device.is_some() { LaneKind::Stream } else { LaneKind::Thread };
        trace.lanes.push(Lane { kind, process: ProcessId(0), device, id, name });
    }
    for module in 0..4 {
        let name = trace.strings.intern(&format!("nn.Module: M_{module}"));
        let from = chance.below(1000);
        let time = (from, from + chance.below(2000));
        trace.host.push(LaneId(chance.below(2) as u32), FrameKind::Module, name, time);
    }
    for at in 0..n_calls {
        let name = CALLS[chance.below(CALLS.len() as u64) as usize];
        let text = trace.strings.intern(name);
        let lane = LaneId(chance.below(2) as u32);
        let span = trace.host.push(lane, FrameKind::Runtime, text, (10 * at, 10 * at + 5));
        trace.calls.push(span, at, NONE, NONE);
        let n_spans = match name {
            "cudaGraphLaunch" => chance.below(60),
            "cudaStreamBeginCapture" | "cudaStreamEndCapture" => 0,
            _ => chance.below(2),
        };
        for _ in 0..n_spans {
            kernel(&mut trace, chance, at);
        }
        if chance.below(3) == 0 {
            let name = trace.strings.intern(KERNELS[chance.below(5) as usize]);
            trace.launched_names.push((at, name));
        }
    }
    let stack = vec![name, name];
    trace.graph_nodes.stacks.push(stack);
    let known = chance.below(60);
    trace.graph_nodes.recorded = (0..known).map(|node| (node_id(5, node), 0)).collect();
    trace
}

fn kernel(trace: &mut Trace, chance: &mut Chance, correlation: i64) {
    let name = trace.strings.intern(KERNELS[chance.below(5) as usize]);
    let kinds = [DeviceKind::Kernel, DeviceKind::Kernel, DeviceKind::Copy, DeviceKind::Memset];
    let start = 10 * correlation + chance.below(100);
    let nodes = [NONE, node_id(5, chance.below(80)), chance.below(3), i64::MAX];
    if chance.below(9) == 0 {
        trace.graph_nodes.regions.push((trace.device.len() as u32, name));
    }
    trace.device.push(DeviceSpan {
        lane: LaneId(2 + chance.below(2) as u32),
        kind: kinds[chance.below(4) as usize],
        name,
        start,
        end: start + chance.below(20),
        correlation,
        external: NONE,
        bytes: NONE,
        graph_node: nodes[chance.below(4) as usize],
    });
}

/// What was joined is counted, and hangs below its replay.
fn check(linked: &Linked, seed: u64) {
    let stacks = &linked.nested.stacks;
    let mut n_kernels = 0;
    for (span, recorded) in linked.recorded.iter().enumerate() {
        let Some(recorded) = recorded else { continue };
        let launch = linked.launch_stack(span).unwrap();
        assert!(stacks.climb(*recorded).any(|above| above == launch), "seed {seed}");
        n_kernels += u64::from(linked.trace.device.kind[span] == DeviceKind::Kernel);
    }
    let joined = linked.joined.clone().unwrap_or_default();
    let ways = joined.by_node + joined.by_name + joined.by_place + joined.by_order;
    assert_eq!((joined.joined, ways + joined.by_region), (n_kernels, n_kernels), "seed {seed}");
    assert!(joined.joined <= joined.kernels && joined.ratio <= 1.0, "seed {seed}: {joined:?}");
}

#[test]
fn random_joins_count_what_they_did() {
    let mut n_joined = 0;
    for seed in 0..1_500 {
        let mut chance = Chance(seed);
        let n_calls = 1 + chance.below(120);
        let mut linked = link(trace(&mut chance, n_calls), Rules::default());
        let own = recording(&linked, "own");
        let other = recording(&link(trace(&mut chance, 200), Rules::default()), "other");
        for recordings in [&[&own][..], &[&other, &own], &[]] {
            join(&mut linked, recordings);
            check(&linked, seed);
            n_joined += linked.joined.as_ref().map_or(0, |joined| joined.joined);
        }
    }
    assert!(n_joined > 1_000, "{n_joined}: nothing to check");
}

#[test]
fn long_replays_of_two_names_in_any_order_end() {
    let mut chance = Chance(3);
    let mut long = |n: i64, is_graph: bool| {
        let mut trace = trace(&mut chance, 1);
        let name = if is_graph { "cudaGraphLaunch" } else { "cudaLaunchKernel" };
        let call = trace.strings.intern(name);
        for at in 1..=n {
            let correlation = if is_graph { 1 } else { at };
            if !is_graph || at == 1 {
                let time = (10 * at, 10 * at + 5);
                let span = trace.host.push(LaneId(0), FrameKind::Runtime, call, time);
                trace.calls.push(span, correlation, NONE, NONE);
            }
            let name = trace.strings.intern(KERNELS[chance.below(2) as usize]);
            trace.device.push(DeviceSpan {
                lane: LaneId(2),
                kind: DeviceKind::Kernel,
                name,
                start: 10 * at + 6,
                end: 10 * at + 9,
                correlation,
                external: NONE,
                bytes: NONE,
                graph_node: NONE,
            });
        }
        link(trace, Rules::default())
    };
    let (mut replay, eager) = (long(20_000, true), long(21_000, false));
    let found = join(&mut replay, &[&recording(&eager, "eager")]);
    assert_eq!(found.joined, 0, "too much work, or too many edits: {found:?}");
}
