//! Device streams: when launched work starts and ends, and the graphs that hold much of it.

use super::Sim;
use crate::capture::{CallFlow, DeviceKind, DeviceNote, DeviceSpan, HostIdx, HostKind};

/// Handle of a simulated stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StreamIdx(pub(super) usize);

impl StreamIdx {
    /// The stream that every run has.
    pub(crate) const MAIN: Self = Self(0);
}

/// Which call launches a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// `cudaLaunchKernel`.
    Launch,
    /// `cudaLaunchKernelExC`, after an occupancy query.
    LaunchEx,
    /// `cuLaunchKernelEx` of the driver, as Triton does.
    Driver,
}

/// A kernel that can be launched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kernel {
    pub(crate) name: &'static str,
    pub(crate) mean_ns: i64,
    pub(crate) call: Call,
    pub(crate) collective: bool,
}

impl Kernel {
    /// The same kernel on `percent` of its work.
    pub(crate) fn scaled(self, percent: i64) -> Self {
        Self { mean_ns: self.mean_ns * percent / 100, ..self }
    }
}

/// A copy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Copy {
    pub(crate) name: &'static str,
    pub(crate) bytes: u64,
    pub(crate) gigabytes_per_s: u64,
}

/// Device work with all that chance decides about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work {
    name: &'static str,
    kind: DeviceKind,
    bytes: u64,
    duration: i64,
    /// From the start of the call, when the stream is idle.
    latency: i64,
    /// After the work before it on the stream.
    spacing: i64,
    /// Starts before its predecessor ends (programmatic dependent launch).
    early: bool,
    collective: bool,
}

/// A point in a stream's order, as `cudaEventRecord` sets it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    /// When the work before it is done.
    pub(super) done: i64,
    /// The stream's number.
    pub(super) stream: u32,
    /// `correlation` of the recording call.
    pub(super) correlation: u32,
}

impl Sim {
    /// Launches a kernel from the running thread.
    pub(crate) fn launch(&mut self, kernel: &Kernel, stream: StreamIdx) {
        self.launch_stalled(kernel, stream, None);
    }

    /// Launches a kernel by a call in which the profiler stalls for a while.
    pub(crate) fn launch_stalled(
        &mut self,
        kernel: &Kernel,
        stream: StreamIdx,
        stall: Option<(&str, i64)>,
    ) {
        let mut work = self.kernel_work(kernel);
        if let Some(recorded) = &mut self.recorded {
            recorded.push(work);
            return;
        }
        if kernel.call == Call::LaunchEx {
            let query = "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags";
            let flow = if self.knobs.quirks { CallFlow::Ends } else { CallFlow::Absent };
            self.call(HostKind::Runtime, query, (600, flow));
            self.spend(300);
        }
        let (kind, name) = match kernel.call {
            Call::Launch => (HostKind::Runtime, "cudaLaunchKernel"),
            Call::LaunchEx => (HostKind::Runtime, "cudaLaunchKernelExC"),
            Call::Driver => (HostKind::Driver, "cuLaunchKernelEx"),
        };
        let call = self.call(kind, name, (3800, CallFlow::Starts));
        if let Some(stall) = stall.filter(|_| self.knobs.quirks) {
            work.latency += stall.1;
            self.stall(call, stall);
        }
        self.enqueue(&work, stream, call);
    }

    /// Copies, asynchronously to the host.
    pub(crate) fn copy(&mut self, copy: &Copy, stream: StreamIdx) {
        let mean_ns = (copy.bytes / copy.gigabytes_per_s) as i64 + 1300;
        let kernel = Kernel { name: copy.name, mean_ns, call: Call::Launch, collective: false };
        let work = self.kernel_work(&kernel);
        let work = Work { kind: DeviceKind::Copy, bytes: copy.bytes, early: false, ..work };
        if let Some(recorded) = &mut self.recorded {
            recorded.push(work);
            return;
        }
        let call = self.call(HostKind::Runtime, "cudaMemcpyAsync", (8000, CallFlow::Starts));
        self.enqueue(&work, stream, call);
    }

    /// Sets device memory.
    pub(crate) fn memset(&mut self, bytes: u64, stream: StreamIdx) {
        let name = "Memset (Device)";
        let kernel = Kernel { name, mean_ns: 1500, call: Call::Launch, collective: false };
        let work = self.kernel_work(&kernel);
        let work = Work { kind: DeviceKind::Memset, bytes, early: false, ..work };
        if let Some(recorded) = &mut self.recorded {
            recorded.push(work);
            return;
        }
        let call = self.call(HostKind::Runtime, "cudaMemsetAsync", (4500, CallFlow::Starts));
        self.enqueue(&work, stream, call);
    }

    /// Collects what `body` would launch, without running it.
    pub(crate) fn record_graph(&mut self, body: impl FnOnce(&mut Self)) -> Vec<Work> {
        self.recorded = Some(Vec::new());
        body(self);
        self.recorded.take().unwrap_or_default()
    }

    /// Replays a recorded graph with one call.
    pub(crate) fn replay(&mut self, works: &[Work], stream: StreamIdx) {
        let mean = 12_000 + 120 * works.len() as i64;
        let call = self.call(HostKind::Runtime, "cudaGraphLaunch", (mean, CallFlow::Starts));
        let span = self.capture.hosts[call as usize];
        let setup = (span.end - span.start) * 8 / 10;
        for (node, work) in works.iter().enumerate() {
            let apart = if node % 19 == 18 { 4 * work.spacing } else { work.spacing };
            let latency = work.latency + setup;
            let node_work = Work { latency, spacing: apart, early: false, ..*work };
            let idx = self.enqueue(&node_work, stream, call);
            let device = &mut self.capture.devices[idx];
            device.ext = None;
            device.graph_node = Some(node as u32);
        }
    }

    /// Work that was launched before the recording began.
    pub(crate) fn earlier_work(&mut self, kernel: &Kernel, count: u32, stream: StreamIdx) {
        for nr in 0..count {
            let work = self.kernel_work(kernel);
            let queue = &mut self.streams[stream.0];
            let start = queue.free + work.spacing;
            queue.free = start + work.duration;
            queue.last_start = start;
            let name = self.capture.names.intern(work.name);
            self.capture.devices.push(DeviceSpan {
                kind: work.kind,
                device: 0,
                stream: queue.id,
                name,
                start,
                end: start + work.duration,
                launch: None,
                correlation: 45_000 + nr,
                ext: None,
                bytes: 0,
                graph_node: None,
                waited: false,
                collective: false,
            });
        }
    }

    /// When all work of a stream is done.
    pub(super) fn drained(&self, stream: StreamIdx) -> i64 {
        self.streams[stream.0].free
    }

    fn kernel_work(&mut self, kernel: &Kernel) -> Work {
        let noise = self.knobs.noise_percent;
        let duration = self.device.around(kernel.mean_ns, noise).max(1000);
        let latency = self.device.around(4200, noise.min(25));
        let spacing = self.device.around(900, noise.min(40));
        let early = self.device.one_in(20) && kernel.call == Call::LaunchEx && self.knobs.quirks;
        Work {
            name: kernel.name,
            kind: DeviceKind::Kernel,
            bytes: 0,
            duration,
            latency,
            spacing,
            early,
            collective: kernel.collective,
        }
    }

    fn enqueue(&mut self, work: &Work, stream: StreamIdx, call: HostIdx) -> usize {
        let call_start = self.capture.hosts[call as usize].start;
        let name = self.capture.names.intern(work.name);
        let queue = &mut self.streams[stream.0];
        let queued = call_start + work.latency;
        let after = if work.early {
            // Not before the predecessor has run for half its time: overlap with one alone.
            queue.free - ((queue.free - queue.last_start) / 2).min(900)
        } else {
            queue.free + work.spacing
        };
        let start = queued.max(after).max(queue.not_before);
        let end = (start + work.duration).max(queue.free + 1);
        let waited = std::mem::take(&mut queue.waited);
        (queue.free, queue.last_start, queue.not_before) = (end, start, 0);
        let (ext, correlation) = self.call_ids(call);
        let span = DeviceSpan {
            kind: work.kind,
            device: 0,
            stream: self.streams[stream.0].id,
            name,
            start,
            end,
            launch: Some(call),
            correlation,
            ext,
            bytes: work.bytes,
            graph_node: None,
            waited,
            collective: work.collective,
        };
        self.extend_annotation(&span);
        self.capture.devices.push(span);
        self.capture.devices.len() - 1
    }

    fn extend_annotation(&mut self, span: &DeviceSpan) {
        for &annotation in &self.clocks[usize::from(self.on.0)].annotations {
            let extent =
                self.extents.entry((annotation, span.stream)).or_insert((span.start, span.end));
            *extent = (extent.0.min(span.start), extent.1.max(span.end));
        }
    }

    /// Turns the extents of annotations into `gpu_user_annotation` rows.
    pub(super) fn write_extents(&mut self) {
        for (&(annotation, stream), &(start, end)) in &self.extents {
            let name = self.capture.hosts[annotation as usize].name;
            let note = DeviceNote {
                name,
                device: 0,
                stream,
                start: start - 1,
                end: end + 1,
                ext: self.capture.external_id(annotation),
                correlation: None,
                waits_on: None,
            };
            self.capture.ranges.push(note);
        }
    }
}
