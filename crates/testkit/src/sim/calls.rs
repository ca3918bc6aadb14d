//! Runtime calls of the host that launch nothing: synchronisation, events, and all others by name.

use super::{Event, Sim, StreamIdx};
use crate::capture::{CallFlow, Capture, DeviceNote, HostArgs, HostIdx, HostKind, Overhead};

/// What a synchronise call costs when there is nothing to wait for.
const SYNC_CALL: i64 = 3000;
/// From the end of the device work to the return of the call that waits for it.
const WAKE_UP: i64 = 4000;

impl Sim {
    /// Waits for a stream.
    pub(crate) fn synchronize(&mut self, stream: StreamIdx) {
        self.wait_call("cudaStreamSynchronize", self.drained(stream));
    }

    /// Waits for the whole device.
    pub(crate) fn synchronize_device(&mut self) {
        let drained = self.streams.iter().map(|stream| stream.free).max().unwrap_or(0);
        self.wait_call("cudaDeviceSynchronize", drained);
    }

    /// Waits for an event.
    pub(crate) fn synchronize_event(&mut self, event: Event) {
        self.wait_call("cudaEventSynchronize", event.done);
    }

    /// Records an event behind the work of a stream.
    pub(crate) fn record_event(&mut self, stream: StreamIdx) -> Event {
        let flow = if self.knobs.quirks { CallFlow::Ends } else { CallFlow::Absent };
        let call = self.call(HostKind::Runtime, "cudaEventRecord", (900, flow));
        let correlation = if self.recorded.is_some() { 0 } else { self.call_ids(call).1 };
        let done = self.drained(stream).max(self.now());
        Event { done, stream: self.streams[stream.0].id, correlation }
    }

    /// Lets a stream wait for an event; the host goes on.
    pub(crate) fn wait_event(&mut self, stream: StreamIdx, event: Event) {
        let call = self.call(HostKind::Runtime, "cudaStreamWaitEvent", (1200, CallFlow::Starts));
        if self.recorded.is_some() {
            return;
        }
        let delay = self.device.around(5000, self.knobs.noise_percent);
        let queue = &mut self.streams[stream.0];
        queue.not_before = queue.not_before.max(event.done + delay);
        queue.waited = true;
        let stream_id = queue.id;
        let (ext, correlation) = self.call_ids(call);
        let span = self.capture.hosts[call as usize];
        let note = DeviceNote {
            name: self.capture.names.intern("Stream Wait Event"),
            device: 0,
            stream: stream_id,
            start: span.start + 200,
            end: span.start + 400,
            ext,
            correlation: Some(correlation),
            waits_on: Some((event.stream, event.correlation)),
        };
        self.capture.syncs.push(note);
    }

    /// Makes the call that just ended longer by an overhead of the profiler in its middle.
    pub(super) fn stall(&mut self, call: HostIdx, (name, ns): (&str, i64)) {
        let name = self.capture.names.intern(name);
        let span = &mut self.capture.hosts[call as usize];
        let start = i64::midpoint(span.start, span.end);
        span.end += ns;
        self.capture.overheads.push(Overhead { name, start, end: start + ns });
        self.pass(ns);
    }

    /// A call that launches nothing and takes about `mean` ns.
    pub(super) fn call(
        &mut self,
        kind: HostKind,
        name: &str,
        (mean, flow): (i64, CallFlow),
    ) -> HostIdx {
        self.spend(200);
        let ns = self.host.around(mean, self.knobs.noise_percent);
        self.timed_call(kind, name, (ns, flow))
    }

    fn wait_call(&mut self, name: &str, done: i64) {
        let wake_up = self.host.around(WAKE_UP, self.knobs.noise_percent);
        let now = self.now();
        let ns = (done + wake_up - now).max(SYNC_CALL);
        let waits_on_event = name == "cudaEventSynchronize";
        let flow = if waits_on_event { CallFlow::Ends } else { CallFlow::Starts };
        self.timed_call(HostKind::Runtime, name, (ns, flow));
    }

    fn timed_call(&mut self, kind: HostKind, name: &str, (ns, flow): (i64, CallFlow)) -> HostIdx {
        if self.recorded.is_some() {
            return 0;
        }
        self.ids.correlation += 1;
        let args = HostArgs::Call {
            ext: self.clock().ops.last().copied(),
            correlation: self.ids.correlation,
            flow,
        };
        let idx = self.open(kind, name, args);
        self.pass(ns);
        self.close(idx);
        idx
    }

    pub(super) fn call_ids(&self, idx: HostIdx) -> (Option<u32>, u32) {
        match self.capture.hosts[idx as usize].args {
            HostArgs::Call { ext, correlation, .. } => (ext, correlation),
            HostArgs::Op { .. } | HostArgs::Python { .. } => (None, 0),
        }
    }
}

impl Capture {
    /// `External id` of an operator, annotation or call.
    pub(crate) fn external_id(&self, idx: HostIdx) -> Option<u32> {
        match self.hosts[idx as usize].args {
            HostArgs::Op { ext, .. } => Some(ext),
            HostArgs::Call { ext, .. } => ext,
            HostArgs::Python { .. } => None,
        }
    }
}
