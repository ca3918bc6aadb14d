//! Columns: every weight of a linked trace over one set of stacks.

use flamelane_link::{Linked, NO_STEP, Origin, Window};
use flamelane_model::{
    DeviceKind, Frame, FrameKind, Interval, NONE, Nodes, Profile, StackId, Stacks, Strings, Weight,
};

/// Frames that are neither in the file nor charged by the linker.
struct Buckets {
    graph: Frame,
    before: Frame,
    unattributed: Frame,
    other_step: Frame,
    between_steps: Frame,
    unrecorded: Frame,
}

impl Buckets {
    fn intern(strings: &mut Strings) -> Self {
        let mut frame = |name| Frame { name: strings.intern(name), kind: FrameKind::Synthetic };
        Self {
            graph: frame("[graph]"),
            before: frame("[launched before capture]"),
            unattributed: frame("[unattributed]"),
            other_step: frame("[other step]"),
            between_steps: frame("[between steps]"),
            unrecorded: frame("[unrecorded host time]"),
        }
    }
}

/// Folds a linked trace: all weights of its window.
///
/// Σ `gpu` = durations of the device spans that the window selects; Σ `gpu-busy` = Σ devices' busy
/// time; Σ `idle` = Σ devices' idle time; Σ `wall` of each thread = the window.
pub fn fold(linked: &Linked) -> Profile {
    fold_placed(linked).0
}

/// Folds a linked trace, and says where it put device spans and threads.
pub fn fold_placed(linked: &Linked) -> (Profile, Nodes) {
    let mut profile = Profile {
        strings: linked.trace.strings.clone(),
        stacks: linked.nested.stacks.clone(),
        columns: Vec::new(),
    };
    let buckets = Buckets::intern(&mut profile.strings);
    let mut device = Device::new(linked, &buckets);
    device.add(linked, &mut profile.stacks);
    let mut host = Host::default();
    host.add(linked, &buckets, &mut profile.stacks);
    let mut put = |weight: Weight, mut values: Vec<i64>| {
        values.resize(profile.stacks.len(), 0);
        profile.column_mut(weight).self_values = values;
    };
    put(Weight::Gpu, device.gpu);
    put(Weight::GpuBusy, device.busy);
    put(Weight::Idle, idle(linked));
    put(Weight::Wall, host.wall);
    put(Weight::Cpu, host.cpu);
    put(Weight::SyncAbsorbed, host.absorbed);
    put(Weight::SyncExposed, host.exposed);
    put(Weight::Launches, device.launches);
    put(Weight::Copies, device.copies);
    put(Weight::CopyBytes, device.bytes);
    put(Weight::Calls, linked.nested.entered.iter().map(|&n| i64::from(n)).collect());
    (profile, Nodes { of_device: device.nodes, unrecorded: host.unrecorded })
}

fn add(values: &mut Vec<i64>, node: StackId, value: i64) {
    if values.len() <= node.index() {
        values.resize(node.index() + 1, 0);
    }
    values[node.index()] = values[node.index()].saturating_add(value);
}

fn idle(linked: &Linked) -> Vec<i64> {
    let mut values = Vec::new();
    for owner in &linked.idle.owners {
        add(&mut values, owner.stack, owner.ns);
    }
    values
}

/// The weights of device spans.
struct Device<'b> {
    buckets: &'b Buckets,
    gpu: Vec<i64>,
    busy: Vec<i64>,
    launches: Vec<i64>,
    copies: Vec<i64>,
    bytes: Vec<i64>,
    /// One a device span, as in [`Nodes`].
    nodes: Vec<StackId>,
    /// One a string of the trace: whether a call of that name replays a graph.
    replays: Vec<bool>,
}

impl<'b> Device<'b> {
    fn new(linked: &Linked, buckets: &'b Buckets) -> Self {
        let names = linked.trace.strings.iter();
        let replays = names.map(|(_, name)| name.contains("GraphLaunch")).collect();
        Self {
            buckets,
            replays,
            gpu: Vec::new(),
            busy: Vec::new(),
            launches: Vec::new(),
            copies: Vec::new(),
            bytes: Vec::new(),
            nodes: vec![linked.nested.stacks.root(); linked.trace.device.len()],
        }
    }

    fn add(&mut self, linked: &Linked, stacks: &mut Stacks) {
        let device = &linked.trace.device;
        for span in 0..device.len() {
            let selected = linked.window.selected[span];
            let share = linked.busy_share[span];
            if !selected && share == 0 {
                continue;
            }
            let frame = linked.device_frame(span);
            if selected {
                let node = self.place(linked, span, stacks);
                let node = stacks.child(node, frame);
                add(&mut self.gpu, node, device.duration(span));
                add(&mut self.busy, node, share);
                self.nodes[span] = node;
                self.count(linked, span, node);
            } else {
                let bucket = self.outside(linked, span);
                let node = stacks.child(stacks.root(), bucket);
                let node = stacks.child(node, frame);
                add(&mut self.busy, node, share);
            }
        }
    }

    /// The stack that a device span hangs below.
    fn place(&self, linked: &Linked, span: usize, stacks: &mut Stacks) -> StackId {
        let bucket = match linked.origins[span] {
            Origin::Call(call) => {
                if let Some(Some(recorded)) = linked.recorded.get(span) {
                    return *recorded;
                }
                let stack = linked.nested.call_stack[call.index()];
                let host = linked.trace.calls.span[call.index()].index();
                let replays = self.replays[linked.trace.host.name[host].index()];
                return if replays { stacks.child(stack, self.buckets.graph) } else { stack };
            }
            Origin::BeforeCapture => self.buckets.before,
            Origin::Unattributed => self.buckets.unattributed,
        };
        stacks.child(stacks.root(), bucket)
    }

    /// The bucket of busy time inside the window whose work the window does not select.
    fn outside(&self, linked: &Linked, span: usize) -> Frame {
        match linked.origins[span] {
            Origin::BeforeCapture => self.buckets.before,
            Origin::Unattributed => self.buckets.unattributed,
            Origin::Call(_) if linked.steps.of_span[span] == NO_STEP => self.buckets.between_steps,
            Origin::Call(_) => self.buckets.other_step,
        }
    }

    fn count(&mut self, linked: &Linked, span: usize, node: StackId) {
        match linked.trace.device.kind[span] {
            DeviceKind::Kernel | DeviceKind::Graph => add(&mut self.launches, node, 1),
            DeviceKind::Copy | DeviceKind::Memset => {
                add(&mut self.copies, node, 1);
                let own = linked.trace.device.bytes[span];
                let call = linked.origins[span].call();
                let of_call = call.map_or(NONE, |call| linked.trace.calls.bytes[call.index()]);
                let bytes = if own == NONE { of_call } else { own };
                if bytes != NONE && linked.trace.device.kind[span] == DeviceKind::Copy {
                    add(&mut self.bytes, node, bytes);
                }
            }
        }
    }
}

/// The weights of host time.
#[derive(Default)]
struct Host {
    wall: Vec<i64>,
    cpu: Vec<i64>,
    absorbed: Vec<i64>,
    exposed: Vec<i64>,
    /// One a lane, as in [`Nodes`].
    unrecorded: Vec<StackId>,
}

impl Host {
    fn add(&mut self, linked: &Linked, buckets: &Buckets, stacks: &mut Stacks) {
        for (lane, timeline) in linked.nested.timelines.iter().enumerate() {
            self.unrecorded.push(stacks.root());
            let thread = linked.nested.thread_node[lane];
            let seen = |piece: &Interval| shows_up(timeline, *piece, thread);
            if linked.window.pieces.iter().any(seen) {
                let unrecorded = stacks.child(thread, buckets.unrecorded);
                self.unrecorded[lane] = unrecorded;
                self.thread(timeline, &linked.window, (thread, unrecorded));
            }
        }
        self.cpu = self.wall.clone();
        self.block(linked, stacks);
        for wait in linked.waits.iter().filter(|wait| wait.inside > 0) {
            let node = linked.nested.call_stack[wait.call.index()];
            add(&mut self.absorbed, node, wait.absorbed_inside);
            add(&mut self.exposed, node, wait.inside - wait.absorbed_inside);
        }
    }

    /// Wall time of one thread: every nanosecond of the window to the innermost frame.
    fn thread(
        &mut self,
        timeline: &flamelane_link::Timeline,
        window: &Window,
        (thread, unrecorded): (StackId, StackId),
    ) {
        for piece in &window.pieces {
            for (from, to, stack) in timeline.pieces(piece.from, piece.to) {
                let node = stack.filter(|stack| *stack != thread).unwrap_or(unrecorded);
                add(&mut self.wall, node, to.saturating_sub(from));
            }
        }
    }

    /// Takes the known blocking calls, and time without any record, out of `cpu`.
    fn block(&mut self, linked: &Linked, stacks: &Stacks) {
        self.cpu.resize(stacks.len(), 0);
        let trace = &linked.trace;
        for node in stacks.nodes() {
            let frame = stacks.frame(node);
            let blocks = match frame.kind {
                FrameKind::Synthetic => true,
                FrameKind::Runtime => {
                    let kind = flamelane_link::call_kind(trace.strings.text(frame.name));
                    kind.syncs || kind.copies_blocking
                }
                FrameKind::Python if frame.name.index() < trace.strings.len() => {
                    is_python_wait(trace.strings.text(frame.name))
                }
                _ => false,
            };
            if blocks {
                self.cpu[node.index()] = 0;
            }
        }
    }
}

/// Whether a thread has anything open in a stretch of time.
fn shows_up(timeline: &flamelane_link::Timeline, piece: Interval, thread: StackId) -> bool {
    timeline.pieces(piece.from, piece.to).any(|(_, _, stack)| stack.is_some_and(|s| s != thread))
}

/// Builtins of the interpreter that only wait.
fn is_python_wait(name: &str) -> bool {
    const WAITS: [&str; 7] = [
        "method acquire of _thread.lock",
        "method acquire of _thread.RLock",
        "built-in function sleep",
        "method poll of select.",
        "built-in method select",
        "method recv of _socket",
        "built-in method poll",
    ];
    name.starts_with("<built-in") && WAITS.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use flamelane_link::{Choice, Rules, link};
    use flamelane_model::Trace;
    use flamelane_read::{Content, Limits};
    use flamelane_testkit::draw;

    use super::*;

    fn linked(drawing: &str, choice: Choice) -> Linked {
        let json = draw::json(drawing);
        let read = flamelane_read::open(&mut json.as_bytes(), &Limits::default(), Some("kineto"));
        match read.unwrap().content {
            Content::Trace(trace) => link(*trace, Rules { choice, ..Rules::default() }),
            Content::Profile(_) => panic!("a trace"),
        }
    }

    /// Stacks of one weight as `value names`, threads left out.
    fn lines(linked: &Linked, weight: &Weight) -> Vec<String> {
        let profile = fold(linked);
        let selves = profile.selves(weight);
        let line = |node: StackId| {
            let frames = profile.stacks.path(node).into_iter();
            let frames = frames.filter(|frame| frame.kind != FrameKind::Thread);
            let names: Vec<&str> = frames.map(|frame| profile.strings.text(frame.name)).collect();
            format!("{} {}", selves[node.index()], names.join(";"))
        };
        profile.stacks.nodes().filter(|node| selves[node.index()] != 0).map(line).collect()
    }

    const TWO_STEPS: &str = "
        main | {step[DECODE]  }{step[EXTEND]  } [end]
             |  aa   <sync    >  bb
        gpu  |     aaaaaa           bbbbbbb
        ";

    #[test]
    fn an_empty_trace_folds_to_nothing() {
        let profile = fold(&link(Trace::new(), Rules::default()));
        assert!(profile.columns.iter().all(|column| profile.sum(&column.weight) == 0));
    }

    #[test]
    fn device_weights_hang_below_the_launch() {
        let linked = linked(TWO_STEPS, Choice::Whole);
        let wanted =
            ["6000 step[DECODE];cudaLaunchKernel;a", "7000 step[EXTEND];cudaLaunchKernel;b"];
        assert_eq!(lines(&linked, &Weight::Gpu), wanted);
        assert_eq!(lines(&linked, &Weight::GpuBusy), wanted);
    }

    #[test]
    fn a_blocking_call_is_wall_time_and_no_cpu_time() {
        let linked = linked(TWO_STEPS, Choice::Steps(0, 0));
        let wait = |weight| {
            let lines = lines(&linked, &weight);
            lines.into_iter().filter(|line| line.contains("Synchronize")).collect::<Vec<_>>()
        };
        let name = "step[DECODE];cudaStreamSynchronize";
        assert_eq!(wait(Weight::Wall), [format!("10000 {name}")]);
        assert!(wait(Weight::Cpu).is_empty());
        assert_eq!(wait(Weight::SyncAbsorbed), [format!("4000 {name}")]);
        assert_eq!(wait(Weight::SyncExposed), [format!("6000 {name}")]);
    }

    #[test]
    fn work_of_a_step_that_was_not_chosen_is_busy_under_a_bucket() {
        let linked = linked(
            "
            main | {step[DECODE]  }{step[EXTEND]  } [end]
                 |  aa              bb
            gpu  | ##        aaaaaaaaaa bbb
            ",
            Choice::Steps(1, 1),
        );
        assert_eq!(
            lines(&linked, &Weight::GpuBusy),
            ["4000 [other step];a", "3000 step[EXTEND];cudaLaunchKernel;b"]
        );
        assert_eq!(fold(&linked).sum(&Weight::GpuBusy), linked.devices[0].busy_ns());
    }

    #[test]
    fn kernels_of_a_replay_hang_below_a_graph() {
        let linked = linked(
            "
            main | gg          [end]
            gpu  |   g g g
            ",
            Choice::Whole,
        );
        assert_eq!(lines(&linked, &Weight::Launches), ["3 cudaGraphLaunch;[graph];g"]);
    }
}
