//! Small random traces for property tests: odd in every way that real ones are, and quickly made.

use crate::capture::{
    CallFlow, Capture, DeviceKind, DeviceSpan, HostArgs, HostIdx, HostKind, HostSpan, Thread,
};
use crate::chance::Chance;
use crate::layout::Layout;
use crate::truth::Truth;

const PYTHON: [&str; 5] = [
    "serve/engine.py(88): step",
    "nn.Module: LlamaMLP_0",
    "<built-in method item of Tensor object at 0x7f00>",
    "torch/nn/modules/module.py(1747): _call_impl",
    "lambda \"quoted\"; and a \\ backslash",
];
const OPS: [&str; 4] = ["aten::mm", "aten::add", "aten::item", "aten::copy_"];
const RANGES: [&str; 3] = ["forward", "## Call CompiledFxGraph f ##", ""];
const CALLS: [&str; 4] =
    ["cudaStreamSynchronize", "cudaMalloc", "cudaEventQuery", "cudaDeviceSynchronize"];
const KERNELS: [&str; 4] =
    ["gemm_a", "void flash::fwd<64, 128>(Params)", "triton_poi_fused_0", "k"];
const STREAMS: [u32; 4] = [0, 7, 13, 20];

/// A random trace in a random layout, and what is true of it.
///
/// Totals, paths, unions, steps and launch counts hold for every seed. Owners of idle time are found
/// too, but the definitions leave room in some of the odd situations that turn up here.
pub fn trace_json(seed: u64) -> (String, Truth) {
    let capture = capture(seed);
    let layout = Layout::ALL[Chance::new(seed).at("layout", &[]).below(4) as usize];
    (capture.to_json(layout), Truth::of(&capture))
}

/// A random capture of 20 to some 300 spans.
pub fn capture(seed: u64) -> Capture {
    let mut chance = Chance::new(seed).at("random", &[]);
    let grid = [1000, 100, 10][chance.below(3) as usize];
    let from = if chance.one_in(4) { 0 } else { 2_415_995_397_190_000 };
    let capture = Capture {
        title: format!("random {seed}"),
        base_ns: 1_759_300_074_000_000_000,
        from,
        pid: 4242,
        rank: chance.one_in(4).then(|| (chance.below(4) as u32, 4)),
        ..Capture::default()
    };
    let budget = chance.between(20, 260) as usize;
    let length = chance.between(200, 2000) * grid;
    let mut maker = Maker { capture, chance, grid, budget, correlation: 100, external: 0 };
    maker.fill(length);
    maker.capture
}

struct Maker {
    capture: Capture,
    chance: Chance,
    /// All times are multiples of it, so that many are equal.
    grid: i64,
    budget: usize,
    correlation: u32,
    external: u32,
}

impl Maker {
    fn fill(&mut self, length: i64) {
        let threads = self.chance.between(1, 3) as u16;
        let window = (self.capture.from, self.capture.from + length);
        for thread in 0..threads {
            let tid = [4242, 4301, 1_391_234_560][usize::from(thread)];
            self.capture.threads.push(Thread { tid, name: "python3".to_owned() });
            let share = self.capture.hosts.len() + self.budget / usize::from(threads);
            self.nest(thread, window, (0, share));
            for _ in 0..self.chance.below(4) {
                self.crossing(thread, window);
            }
        }
        if self.chance.one_in(2) {
            self.markers(window);
        }
        self.devices();
        let last_host = self.capture.hosts.iter().map(|span| span.end).max();
        let last_device = self.capture.devices.iter().map(|span| span.end).max();
        let last = last_host.max(last_device).unwrap_or(window.1);
        self.capture.to = last.max(window.1) + 50 * self.grid;
    }

    /// Fills an interval with spans, and those with spans, until the budget is spent.
    fn nest(&mut self, thread: u16, (from, to): (i64, i64), (depth, share): (u32, usize)) {
        let mut at = from;
        while at < to && self.capture.hosts.len() < share {
            at += self.chance.between(0, 4) * self.grid;
            let reach = ((to - at) / self.grid).max(0);
            if reach == 0 {
                break;
            }
            let deep = depth < 6 && !self.chance.one_in(3);
            let longest = if deep { reach } else { reach.min(8) };
            let kind = self.kind(deep);
            // Calls last: one that starts where an empty one launched would stand on its stack.
            let shortest = i64::from(matches!(kind, HostKind::Runtime | HostKind::Driver));
            let end = at + self.chance.between(shortest, longest) * self.grid;
            let idx = self.host(kind, thread, (at, end));
            if deep {
                self.nest(thread, (at, end), (depth + 1, share));
                let last_ends = self.capture.hosts.last().map_or(at, |span| span.end);
                if last_ends == end && end > at && self.chance.one_in(4) {
                    // Its last child now ends 1 ns late.
                    self.capture.hosts[idx as usize].end -= 1;
                }
            }
            at = end;
        }
    }

    fn kind(&mut self, deep: bool) -> HostKind {
        match (deep, self.chance.below(6)) {
            (true, 0..=2) | (false, 0) => HostKind::Python,
            (true, 3) => HostKind::Annotation,
            (true, _) | (false, 1) => HostKind::Op,
            (false, 2) => HostKind::Driver,
            (false, _) => HostKind::Runtime,
        }
    }

    fn host(&mut self, kind: HostKind, thread: u16, (start, end): (i64, i64)) -> HostIdx {
        let (name, args) = match kind {
            HostKind::Python => {
                let id = self.capture.hosts.len() as u32;
                (self.pick(&PYTHON), HostArgs::Python { id, parent: None, module: None })
            }
            HostKind::Op => (self.pick(&OPS), self.op_args()),
            HostKind::Annotation => (self.pick(&RANGES), self.op_args()),
            HostKind::Driver => ("cuLaunchKernelEx", self.call_args()),
            HostKind::Runtime => {
                let name = match self.chance.below(8) {
                    0..=2 => "cudaLaunchKernel",
                    3 => "cudaMemcpyAsync",
                    4 => "cudaMemsetAsync",
                    5 => "cudaGraphLaunch",
                    _ => self.pick(&CALLS),
                };
                (name, self.call_args())
            }
        };
        let name = self.capture.names.intern(name);
        let span =
            HostSpan { kind, thread, name, start, end, args, marker: false, waits_for: None };
        self.capture.hosts.push(span);
        self.capture.hosts.len() as HostIdx - 1
    }

    fn pick(&mut self, names: &[&'static str]) -> &'static str {
        names[self.chance.below(names.len() as u64) as usize]
    }

    fn op_args(&mut self) -> HostArgs {
        self.external += 1;
        HostArgs::Op { ext: self.external, sequence: None, backward: false }
    }

    fn call_args(&mut self) -> HostArgs {
        self.correlation += 1 + self.chance.below(3) as u32;
        let ext = self.chance.one_in(2).then_some(self.external);
        HostArgs::Call { ext, correlation: self.correlation, flow: CallFlow::Starts }
    }

    /// A range that crosses whatever is there.
    fn crossing(&mut self, thread: u16, (from, to): (i64, i64)) {
        let reach = (to - from) / self.grid;
        let start = from + self.chance.between(0, reach) * self.grid;
        let end = start + self.chance.between(0, (to - start) / self.grid) * self.grid;
        let kind = if self.chance.one_in(3) { HostKind::Python } else { HostKind::Annotation };
        self.host(kind, thread, (start, end));
    }

    fn markers(&mut self, (from, to): (i64, i64)) {
        let count = self.chance.between(2, 6);
        let each = (to - from) / self.grid / count * self.grid;
        for step in 0..count {
            let start = from + step * each + self.chance.between(0, 2) * self.grid;
            let end = from + (step + 1) * each - self.chance.between(0, 2) * self.grid;
            let idx = self.host(HostKind::Annotation, 0, (start, end.max(start + self.grid)));
            let name = self.capture.names.intern(&format!("ProfilerStep#{step}"));
            let span = &mut self.capture.hosts[idx as usize];
            span.name = name;
            span.marker = true;
        }
    }

    /// Device work for the launching calls, in order of their starts.
    fn devices(&mut self) {
        let n_devices = self.chance.between(1, 2) as u16;
        let n_streams = self.chance.between(1, 3) as usize;
        let mut free = vec![self.capture.from; usize::from(n_devices) * n_streams];
        for _ in 0..self.chance.below(5) {
            let lane = self.chance.below(free.len() as u64) as usize;
            self.device_span((lane, n_streams), &mut free, None);
        }
        let mut calls: Vec<HostIdx> = (0..self.capture.hosts.len() as HostIdx)
            .filter(|&idx| self.capture.hosts[idx as usize].is_call())
            .collect();
        calls.sort_by_key(|&idx| (self.capture.hosts[idx as usize].start, idx));
        for call in calls {
            let name = self.capture.host_name(call);
            let spans = match name {
                "cudaGraphLaunch" => 1 + self.chance.below(9),
                "cudaMemcpyAsync" | "cudaMemsetAsync" => 1,
                // Some kernels vanish from recordings.
                _ if name.contains("Launch") => u64::from(!self.chance.one_in(12)),
                _ => 0,
            };
            let lane = self.chance.below(free.len() as u64) as usize;
            for _ in 0..spans {
                self.device_span((lane, n_streams), &mut free, Some(call));
            }
        }
    }

    fn device_span(
        &mut self,
        (lane, n_streams): (usize, usize),
        free: &mut [i64],
        launch: Option<HostIdx>,
    ) {
        let called = launch.map(|call| self.capture.hosts[call as usize]);
        let queued = called.map_or(self.capture.from, |call| call.start);
        let apart = self.chance.between(0, 3) * self.grid;
        let overlaps = self.chance.one_in(10);
        let ready = if overlaps { free[lane] - self.grid } else { free[lane] + apart };
        let start = (queued + self.chance.between(0, 6) * self.grid).max(ready);
        let end = start + self.chance.between(0, 25) * self.grid;
        free[lane] = free[lane].max(end);
        let (kind, name) = match called.map(|call| self.capture.names.text(call.name)) {
            Some("cudaMemcpyAsync") => (DeviceKind::Copy, "Memcpy HtoD (Pageable -> Device)"),
            Some("cudaMemsetAsync") => (DeviceKind::Memset, "Memset (Device)"),
            _ => (DeviceKind::Kernel, self.pick(&KERNELS)),
        };
        let (ext, correlation) = match called.map(|call| call.args) {
            Some(HostArgs::Call { ext, correlation, .. }) => (ext, correlation),
            _ => (None, self.chance.below(90) as u32),
        };
        let span = DeviceSpan {
            kind,
            device: (lane / n_streams) as u16,
            stream: STREAMS[lane % n_streams],
            name: self.capture.names.intern(name),
            start,
            end,
            launch,
            correlation,
            ext,
            bytes: if kind == DeviceKind::Kernel { 0 } else { 4096 },
            graph_node: None,
            waited: false,
            collective: false,
        };
        self.capture.devices.push(span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_traces_are_json_and_obey_the_laws() {
        for seed in 0..300 {
            let (json, truth) = trace_json(seed);
            let _: serde_json::Value = serde_json::from_str(&json).expect("a random trace is JSON");
            crate::laws::check(&truth);
        }
    }
}
