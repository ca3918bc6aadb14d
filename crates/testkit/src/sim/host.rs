//! Host code: Python frames, modules, annotations and operators as nested closures.

use super::{Sim, ThreadIdx};
use crate::capture::{HostArgs, HostIdx, HostKind, HostSpan, Memory};

const ENTER: &str = "torch/autograd/profiler.py(789): __enter__";
const ENTER_CALL: &str = "<built-in method _record_function_enter_new of \
    pybind11_builtins.pybind11_detail_function_record object at 0x7fae95908430>";
const EXIT: &str = "torch/autograd/profiler.py(795): __exit__";

/// Short frames that every module call is full of.
const LEAVES: [&str; 6] = [
    "torch/nn/modules/module.py(1915): __getattr__",
    "<built-in function _get_tracing_state>",
    "<built-in function isinstance>",
    "<built-in method get of dict object at 0x7fe02c8ba290>",
    "<built-in function len>",
    "<built-in function getattr>",
];

impl Sim {
    /// Runs `body` inside a Python frame.
    pub(crate) fn python<R>(&mut self, name: &str, body: impl FnOnce(&mut Self) -> R) -> R {
        self.frame(name, None, body)
    }

    /// Runs `body` inside the call of an `nn.Module`: three frames, as PyTorch shows them.
    pub(crate) fn module<R>(
        &mut self,
        class: &str,
        number: u32,
        body: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.frame(&format!("nn.Module: {class}_{number}"), Some(number), |s| {
            s.python("torch/nn/modules/module.py(1747): _call_impl", |s| {
                s.leaves(1);
                body(s)
            })
        })
    }

    /// Runs a few short frames.
    pub(crate) fn leaves(&mut self, count: usize) {
        for leaf in LEAVES.iter().cycle().take(count) {
            if let Some(idx) = self.open_python(leaf, None) {
                self.spend(120);
                self.close_python(idx);
            }
            self.spend(150);
        }
    }

    /// Waits in a Python frame for what another recorded thread does meanwhile.
    pub(crate) fn wait_in<R>(
        &mut self,
        name: &str,
        other: ThreadIdx,
        body: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let me = usize::from(self.on.0);
        self.python(name, |s| {
            let open = s.clocks[me].python.last().map(|&(idx, _)| idx);
            if let Some(idx) = open {
                s.capture.hosts[idx as usize].waits_for = Some(other.0);
            }
            body(s)
        })
    }

    /// Lets another thread, asleep in a Python frame since it last ran, wake up and run `body`.
    pub(crate) fn wake<R>(
        &mut self,
        thread: ThreadIdx,
        asleep_in: &str,
        body: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let (waker, now) = (self.on, self.now());
        self.on = thread;
        self.wait_in(asleep_in, waker, |s| {
            let clock = s.clock();
            clock.now = clock.now.max(now);
            s.spend(25_000);
        });
        let result = body(self);
        self.on = waker;
        result
    }

    /// Runs `body` inside a `record_function` range.
    pub(crate) fn annotate<R>(&mut self, name: &str, body: impl FnOnce(&mut Self) -> R) -> R {
        self.record_function(name, body).0
    }

    /// Runs `body` inside the marker of a step.
    pub(crate) fn step<R>(&mut self, name: &str, body: impl FnOnce(&mut Self) -> R) -> R {
        let (result, idx) = self.record_function(name, body);
        if let Some(idx) = idx {
            self.capture.hosts[idx as usize].marker = true;
        }
        result
    }

    /// Runs `body` inside an operator.
    pub(crate) fn op<R>(&mut self, name: &str, body: impl FnOnce(&mut Self) -> R) -> R {
        self.autograd_op(name, None, body).0
    }

    /// Runs `body` inside an operator that autograd knows by its sequence number.
    pub(crate) fn autograd_op<R>(
        &mut self,
        name: &str,
        sequence: Option<(u32, bool)>,
        body: impl FnOnce(&mut Self) -> R,
    ) -> (R, Option<HostIdx>) {
        self.spend(150);
        let idx = self.open_op(HostKind::Op, name, sequence);
        self.spend(500);
        let result = body(self);
        self.spend(300);
        self.close_op(idx);
        (result, idx)
    }

    /// The next sequence number of autograd.
    pub(crate) fn next_sequence(&mut self) -> u32 {
        self.ids.sequence += 1;
        self.ids.sequence
    }

    /// Draws the flow from a forward operator to its backward.
    pub(crate) fn link_autograd(&mut self, forward: Option<HostIdx>, backward: Option<HostIdx>) {
        if let (Some(forward), Some(backward)) = (forward, backward) {
            self.capture.autograd.push((forward, backward));
        }
    }

    /// Notes an allocation of the caching allocator.
    pub(crate) fn allocate(&mut self, bytes: i64) {
        if self.recorded.is_some() {
            return;
        }
        self.ids.address = (self.ids.address + 1) % 4096;
        let memory = Memory {
            thread: self.on.0,
            at: self.now(),
            bytes,
            address: 139_000_000_000_000 + self.ids.address * bytes as u64,
            total: 40_000_000_000 + self.ids.address as i64 * bytes,
        };
        self.capture.memory.push(memory);
    }

    fn frame<R>(
        &mut self,
        name: &str,
        module: Option<u32>,
        body: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let idx = self.open_python(name, module);
        self.spend(350);
        let result = body(self);
        // Drawn even when nothing is recorded, so that a graph leaves later draws where they were.
        let late = self.host.one_in(120) && self.knobs.quirks;
        if let Some(idx) = idx
            && !(late && self.end_under_late_child(idx))
        {
            self.spend(220);
            self.close_python(idx);
        }
        result
    }

    /// Ends a frame 1 ns before the child that was just closed; false when there is none.
    fn end_under_late_child(&mut self, idx: HostIdx) -> bool {
        let now = self.now();
        let Some(child) = self.clock().last_closed else { return false };
        let child = self.capture.hosts[child as usize];
        let frame = &mut self.capture.hosts[idx as usize];
        if child.end != now || child.start <= frame.start || child.end - child.start < 10 {
            return false;
        }
        frame.end = now - 1;
        self.clock().python.pop();
        self.clock().last_closed = Some(idx);
        true
    }

    fn record_function<R>(
        &mut self,
        name: &str,
        body: impl FnOnce(&mut Self) -> R,
    ) -> (R, Option<HostIdx>) {
        if !self.knobs.quirks {
            self.spend(2000);
            let idx = self.open_op(HostKind::Annotation, name, None);
            let result = body(self);
            self.close_op(idx);
            return (result, idx);
        }
        let idx = self.python(ENTER, |s| {
            s.python(ENTER_CALL, |s| {
                s.spend(4000);
                let idx = s.open_op(HostKind::Annotation, name, None);
                s.spend(400);
                idx
            })
        });
        let result = body(self);
        self.python(EXIT, |s| {
            s.spend(1000);
            s.close_op(idx);
            s.spend(5000);
        });
        (result, idx)
    }

    pub(super) fn open_python(&mut self, name: &str, module: Option<u32>) -> Option<HostIdx> {
        if self.recorded.is_some() {
            return None;
        }
        self.ids.python += 1;
        let id = self.ids.python;
        let parent = self.clock().python.last().map(|&(_, id)| id);
        let args = HostArgs::Python { id, parent, module };
        let idx = self.open(HostKind::Python, name, args);
        self.clock().python.push((idx, id));
        Some(idx)
    }

    pub(super) fn close_python(&mut self, idx: HostIdx) {
        self.close(idx);
        self.clock().python.pop();
    }

    fn open_op(
        &mut self,
        kind: HostKind,
        name: &str,
        sequence: Option<(u32, bool)>,
    ) -> Option<HostIdx> {
        if self.recorded.is_some() {
            return None;
        }
        self.ids.external += 1;
        let ext = self.ids.external;
        let args = HostArgs::Op {
            ext,
            sequence: sequence.map(|(number, _)| number),
            backward: sequence.is_some_and(|(_, backward)| backward),
        };
        let idx = self.open(kind, name, args);
        self.clock().ops.push(ext);
        if kind == HostKind::Annotation {
            self.clock().annotations.push(idx);
        }
        Some(idx)
    }

    fn close_op(&mut self, idx: Option<HostIdx>) {
        let Some(idx) = idx else { return };
        self.close(idx);
        self.clock().ops.pop();
        if self.capture.hosts[idx as usize].kind == HostKind::Annotation {
            self.clock().annotations.pop();
        }
    }

    pub(super) fn open(&mut self, kind: HostKind, name: &str, args: HostArgs) -> HostIdx {
        let now = self.now();
        let span = HostSpan {
            kind,
            thread: self.on.0,
            name: self.capture.names.intern(name),
            start: now,
            end: now,
            args,
            marker: false,
            waits_for: None,
        };
        self.capture.hosts.push(span);
        self.capture.hosts.len() as HostIdx - 1
    }

    pub(super) fn close(&mut self, idx: HostIdx) {
        self.capture.hosts[idx as usize].end = self.now();
        self.clock().last_closed = Some(idx);
    }
}
