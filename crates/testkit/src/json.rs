//! Writes a capture as the Kineto JSON that the PyTorch profiler would have written.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::capture::{
    CallFlow, Capture, DeviceKind, DeviceSpan, HostArgs, HostIdx, HostKind, HostSpan, Memory,
};
use crate::event_text::{EventText, Lane};
use crate::layout::{Layout, Relayout};

const MATRIX: &str = "\"Concrete Inputs\": [\"\", \"\"], \"Input type\": [\"c10::BFloat16\", \
    \"c10::BFloat16\"], \"Input Strides\": [[4096, 1], [1, 4096]], \"Input Dims\": [[32, 4096], \
    [4096, 4096]], ";
const VECTOR: &str = "\"Concrete Inputs\": [\"\", \"1\", \"[]\"], \"Input type\": \
    [\"c10::BFloat16\", \"Scalar\", \"ScalarList\"], \"Input Strides\": [[4096, 1], [], []], \
    \"Input Dims\": [[32, 4096], [], []], ";
const COLLECTIVE: &str = ", \"Collective name\": \"allreduce\", \"In msg nelems\": 131072, \
    \"Out msg nelems\": 131072, \"Group size\": 8, \"dtype\": \"BFloat16\", \"In split size\": \
    \"[]\", \"Out split size\": \"[]\", \"Process Group Name\": \"0\", \"Process Group \
    Description\": \"default_pg\", \"Process Group Ranks\": \"[0, 1, 2, 3, 4, 5, 6, 7]\"";

impl Capture {
    /// Writes the trace, streaming: nothing of the text is kept.
    pub fn write_json(&self, layout: Layout, out: &mut dyn Write) -> io::Result<()> {
        match layout {
            Layout::Kineto => self.write_text(EventText::lines(out)),
            Layout::Keys => self.write_text(EventText::keys(out)),
            Layout::Minified => {
                let mut relayout = Relayout::minified(out);
                self.write_text(EventText::lines(&mut relayout))?;
                relayout.flush()
            }
            Layout::Indent2 => {
                let mut relayout = Relayout::indented(out, usize::MAX);
                self.write_text(EventText::lines(&mut relayout))?;
                relayout.flush()
            }
        }
    }

    /// The trace as one string.
    pub fn to_json(&self, layout: Layout) -> String {
        let mut bytes = Vec::new();
        self.write_json(layout, &mut bytes).expect("invariant: memory takes every write");
        String::from_utf8(bytes).expect("invariant: names and numbers are UTF-8")
    }

    /// Bytes of the trace in a layout, without keeping them.
    pub fn json_bytes(&self, layout: Layout) -> u64 {
        let mut count = ByteCount(0);
        self.write_json(layout, &mut count).expect("invariant: counting takes every write");
        count.0
    }

    /// One file of several captures, as tools make it that put the files of all ranks together:
    /// the events of each in turn, ids as they are.
    pub fn joined_json(captures: &[Self]) -> String {
        let mut bytes = Vec::new();
        let mut text = EventText::lines(&mut bytes);
        let write = |text: &mut EventText<'_>| {
            captures.iter().try_for_each(|capture| capture.write_events(text))
        };
        if let Some(first) = captures.first() {
            first.write_header(&mut text);
            write(&mut text).expect("invariant: memory takes every write");
            first.write_footer(&mut text);
        }
        text.finish().expect("invariant: memory takes every write");
        String::from_utf8(bytes).expect("invariant: names and numbers are UTF-8")
    }

    fn write_text(&self, mut text: EventText<'_>) -> io::Result<()> {
        self.write_header(&mut text);
        self.write_events(&mut text)?;
        self.write_footer(&mut text);
        text.finish()
    }

    fn write_events(&self, text: &mut EventText<'_>) -> io::Result<()> {
        if text.metadata_first() {
            self.write_metadata(text)?;
        }
        self.write_ops(text)?;
        self.write_python(text)?;
        self.write_autograd(text)?;
        self.write_activities(text)?;
        if !text.metadata_first() {
            self.write_metadata(text)?;
        }
        Ok(())
    }

    pub(crate) fn lane(&self, thread: u16) -> Lane {
        Lane { pid: self.pid, tid: self.threads[usize::from(thread)].tid }
    }

    fn write_ops(&self, text: &mut EventText<'_>) -> io::Result<()> {
        let mut memory = self.memory.iter().peekable();
        for (idx, span) in self.hosts.iter().enumerate() {
            let HostArgs::Op { ext, sequence, backward } = span.args else { continue };
            while let Some(instant) = memory.next_if(|m| m.at < span.start) {
                self.write_memory(text, instant);
            }
            text.args(|args| {
                _ = write!(args, "\"External id\": {ext},\"Record function id\": 0, ");
                if let Some(sequence) = sequence {
                    let fwd = u32::from(backward);
                    _ = write!(args, "\"Sequence number\": {sequence}, \"Fwd thread id\": {fwd}, ");
                }
                if span.kind == HostKind::Op {
                    args.push_str(shapes(self.names.text(span.name)));
                }
                _ = write!(args, "\"Ev Idx\": {idx}");
            });
            let cat = if span.kind == HostKind::Op { "cpu_op" } else { "user_annotation" };
            self.write_host(text, cat, span);
            text.spill()?;
        }
        for instant in memory {
            self.write_memory(text, instant);
        }
        Ok(())
    }

    fn write_host(&self, text: &mut EventText<'_>, cat: &str, span: &HostSpan) {
        let name = self.names.text(span.name);
        text.complete(cat, name, self.lane(span.thread), (span.start, span.end));
    }

    fn write_memory(&self, text: &mut EventText<'_>, memory: &Memory) {
        text.args(|args| {
            _ = write!(
                args,
                "\"Total Reserved\": 68719476736, \"Total Allocated\": {}, \"Bytes\": {}, \
                 \"Addr\": {}, \"Device Id\": 0, \"Device Type\": 1, \"Ev Idx\": 0",
                memory.total, memory.bytes, memory.address
            );
        });
        text.memory(self.lane(memory.thread), memory.at);
    }

    fn write_python(&self, text: &mut EventText<'_>) -> io::Result<()> {
        for (idx, span) in self.hosts.iter().enumerate() {
            let HostArgs::Python { id, parent, module } = span.args else { continue };
            text.args(|args| {
                if let Some(module) = module {
                    _ = write!(args, "\"Python module id\": {module}, ");
                }
                match parent {
                    Some(parent) => _ = write!(args, "\"Python parent id\": {parent}, "),
                    None => args.push_str("\"Python parent id\": null, "),
                }
                _ = write!(args, "\"Python id\": {id}, \"Ev Idx\": {idx}");
            });
            self.write_host(text, "python_function", span);
            text.spill()?;
        }
        Ok(())
    }

    fn write_autograd(&self, text: &mut EventText<'_>) -> io::Result<()> {
        for (nr, &(forward, backward)) in self.autograd.iter().enumerate() {
            for (phase, idx) in [("s", forward), ("f", backward)] {
                let span = &self.hosts[idx as usize];
                let lane = self.lane(span.thread);
                text.flow((phase, "fwdbwd"), nr as u64 + 1, lane, span.start);
            }
            text.spill()?;
        }
        Ok(())
    }

    /// Runtime calls, each followed by what it launched; device rows without a launch come first.
    fn write_activities(&self, text: &mut EventText<'_>) -> io::Result<()> {
        for span in self.devices.iter().filter(|span| span.launch.is_none()) {
            self.write_device(text, span);
        }
        let mut launched: Vec<&DeviceSpan> =
            self.devices.iter().filter(|span| span.launch.is_some()).collect();
        launched.sort_by_key(|span| span.launch);
        let mut launched = launched.into_iter().peekable();
        for (idx, span) in self.hosts.iter().enumerate() {
            let HostArgs::Call { ext, correlation, flow } = span.args else { continue };
            self.write_call(text, span, (ext, correlation, flow));
            while let Some(device) = launched.next_if(|d| d.launch == Some(idx as HostIdx)) {
                self.write_device(text, device);
                text.spill()?;
            }
            text.spill()?;
        }
        self.write_device_notes(text)
    }

    fn write_call(
        &self,
        text: &mut EventText<'_>,
        span: &HostSpan,
        (ext, correlation, flow): (Option<u32>, u32, CallFlow),
    ) {
        text.args(|args| {
            if let Some(ext) = ext {
                _ = write!(args, "\"External id\": {ext},");
            }
            let cbid = callback_id(self.names.text(span.name));
            _ = write!(args, "\"cbid\": {cbid}, \"correlation\": {correlation}");
        });
        let cat = if span.kind == HostKind::Driver { "cuda_driver" } else { "cuda_runtime" };
        self.write_host(text, cat, span);
        let phase = match flow {
            CallFlow::Starts => "s",
            CallFlow::Ends => "f",
            CallFlow::Absent => return,
        };
        text.flow((phase, "ac2g"), u64::from(correlation), self.lane(span.thread), span.start);
    }

    fn write_device(&self, text: &mut EventText<'_>, span: &DeviceSpan) {
        let name = self.names.text(span.name);
        let lane = Lane { pid: i64::from(span.device), tid: i64::from(span.stream) };
        text.args(|args| device_args(args, name, span));
        let cat = match span.kind {
            DeviceKind::Kernel => "kernel",
            DeviceKind::Copy => "gpu_memcpy",
            DeviceKind::Memset => "gpu_memset",
        };
        text.complete(cat, name, lane, (span.start, span.end));
        text.flow(("f", "ac2g"), u64::from(span.correlation), lane, span.start);
    }

    fn write_device_notes(&self, text: &mut EventText<'_>) -> io::Result<()> {
        for note in self.syncs.iter().chain(&self.ranges) {
            let name = self.names.text(note.name);
            text.args(|args| {
                if let Some(ext) = note.ext {
                    _ = write!(args, "\"External id\": {ext}");
                }
                if let Some(correlation) = note.correlation {
                    let separator = if note.ext.is_some() { "," } else { "" };
                    _ = write!(
                        args,
                        "{separator}\"cuda_sync_kind\": \"{name}\", \"stream\": {}, \
                         \"correlation\": {correlation}, \"device\": {}, \"context\": 1",
                        note.stream, note.device
                    );
                }
            });
            if let Some((stream, record)) = note.waits_on {
                text.more_args(|args| {
                    _ = write!(
                        args,
                        ", \"wait_on_stream\": {stream}, \
                         \"wait_on_cuda_event_record_corr_id\": {record}, \
                         \"wait_on_cuda_event_id\": 3"
                    );
                });
            }
            let cat = if note.correlation.is_some() { "cuda_sync" } else { "gpu_user_annotation" };
            let lane = Lane { pid: i64::from(note.device), tid: i64::from(note.stream) };
            text.complete(cat, name, lane, (note.start, note.end));
            text.spill()?;
        }
        for overhead in &self.overheads {
            text.args(|_| {});
            let name = self.names.text(overhead.name);
            let lane = Lane { pid: -1, tid: 0 };
            text.complete("overhead", name, lane, (overhead.start, overhead.end));
        }
        Ok(())
    }
}

fn device_args(args: &mut String, name: &str, span: &DeviceSpan) {
    if let Some(ext) = span.ext {
        _ = write!(args, "\"External id\": {ext},");
    }
    let (device, stream, correlation) = (span.device, span.stream, span.correlation);
    if span.kind == DeviceKind::Kernel {
        let look = name.len() as u32;
        _ = write!(
            args,
            "\"queued\": 0, \"device\": {device}, \"context\": 1, \"stream\": {stream}, \
             \"correlation\": {correlation}, \"registers per thread\": {}, \"shared memory\": {}, \
             \"blocks per SM\": {}.{:06}, \"warps per SM\": {}, \"grid\": [{}, 1, 1], \"block\": \
             [128, 1, 1], \"est. achieved occupancy %\": {}",
            32 + look % 7 * 32,
            look % 4 * 16384,
            1 + look % 8,
            look * 7919 % 1_000_000,
            4 + look % 8 * 4,
            132 * (1 + look % 16),
            6 + look * 7 % 90
        );
        if span.collective {
            args.push_str(COLLECTIVE);
        }
    } else {
        let nanos = span.end - span.start;
        _ = write!(
            args,
            "\"device\": {device}, \"context\": 1, \"stream\": {stream}, \"correlation\": \
             {correlation}, \"bytes\": {}",
            span.bytes
        );
        if nanos > 0 {
            let rate = span.bytes as f64 / nanos as f64;
            _ = write!(args, ", \"memory bandwidth (GB/s)\": {rate:.6}");
        }
    }
    if let Some(node) = span.graph_node {
        let id = 21_474_836_480_u64 + u64::from(node);
        _ = write!(args, ", \"graph id\": 5, \"graph node id\": {id}");
    }
}

fn shapes(op: &str) -> &'static str {
    match op {
        "aten::linear" | "aten::matmul" | "aten::mm" | "aten::addmm" | "MmBackward0" => MATRIX,
        "aten::item" | "aten::_local_scalar_dense" | "aten::empty" | "aten::detach" => "",
        _ => VECTOR,
    }
}

/// CUPTI's number of a call; 0 for those we do not know.
fn callback_id(call: &str) -> u32 {
    match call {
        "cudaLaunchKernel" => 211,
        "cudaLaunchKernelExC" => 430,
        "cudaMemcpyAsync" => 41,
        "cudaMemsetAsync" => 51,
        "cudaStreamSynchronize" => 131,
        "cudaEventRecord" => 135,
        "cudaEventQuery" => 136,
        "cudaEventSynchronize" => 137,
        "cudaStreamWaitEvent" => 147,
        "cudaDeviceSynchronize" => 165,
        "cudaGraphLaunch" => 311,
        "cuLaunchKernel" => 307,
        "cuLaunchKernelEx" => 652,
        "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags" => 250,
        _ => 0,
    }
}

struct ByteCount(u64);

impl Write for ByteCount {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
