//! Constants of a replay: what the machine costs, measured on the capture itself.

use flamelane_model::{DeviceKind, Ns};

use crate::script::{Event, Script};

/// Times in ns that the replay uses; each a median over the capture, or a default where the capture
/// has too few cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constants {
    /// From the start of a kernel's launch to its start on an idle stream.
    pub kernel_latency: Ns,
    /// The same for copies and fills.
    pub copy_latency: Ns,
    /// The same for the first work of a graph; none where the capture has no graph.
    pub graph_latency: Option<Ns>,
    /// Between two spans of a stream when the second is queued.
    pub spacing: Ns,
    /// From the end of what a stream waits for to its next work.
    pub event_delay: Ns,
    /// From the end of the work to the return of the call that waits for it.
    pub wake_up: Ns,
    /// A blocking call with nothing to wait for.
    pub idle_wait: Ns,
    /// A graph launch; without one in the capture [`Constants::GRAPH_LAUNCH`] and a tenth of a
    /// microsecond a kernel.
    pub graph_launch: Option<Ns>,
}

impl Constants {
    /// What a graph launch is taken to cost where the capture has none.
    pub const GRAPH_LAUNCH: Ns = 10_000;
    /// And each of its kernels.
    pub const GRAPH_KERNEL: Ns = 100;

    pub(crate) fn measure(script: &Script) -> Self {
        let mut cases = Cases::default();
        let mut last: Vec<Option<Ns>> = vec![None; script.streams.len()];
        for event in &script.events {
            cases.event(script, event, &last);
            for span in &script.spans[event.work.0..event.work.1] {
                let end = last[span.stream].map_or(span.time.to, |end| end.max(span.time.to));
                last[span.stream] = Some(end);
            }
        }
        let kernel_latency = median(cases.kernel).unwrap_or(5_000);
        Self {
            kernel_latency,
            copy_latency: median(cases.copy).unwrap_or(kernel_latency),
            graph_latency: median(cases.graph),
            spacing: median(cases.spacing).unwrap_or(1_000).clamp(0, 20_000),
            event_delay: median(cases.event).unwrap_or(2_000),
            wake_up: median(cases.wake_up).unwrap_or(5_000),
            idle_wait: median(cases.idle_wait).unwrap_or(3_000),
            graph_launch: median(cases.graph_launch),
        }
    }

    /// What replaces the launches of a region of that many kernels costs.
    pub(crate) fn one_graph(&self, n_kernels: usize) -> Ns {
        let default = Self::GRAPH_LAUNCH + Self::GRAPH_KERNEL.saturating_mul(n_kernels as Ns);
        self.graph_launch.unwrap_or(default)
    }

    /// From the start of a graph launch of that many kernels to its first work: without one in the
    /// capture the first kernel is ready when the call returns, one kernel's latency later.
    pub(crate) fn graph_start(&self, n_kernels: usize) -> Ns {
        let default = self.kernel_latency.saturating_add(self.one_graph(n_kernels));
        self.graph_latency.unwrap_or(default)
    }
}

/// Latencies longer than this are waits.
const LONGEST: Ns = 200_000;

#[derive(Default)]
struct Cases {
    kernel: Vec<Ns>,
    copy: Vec<Ns>,
    graph: Vec<Ns>,
    spacing: Vec<Ns>,
    event: Vec<Ns>,
    wake_up: Vec<Ns>,
    idle_wait: Vec<Ns>,
    graph_launch: Vec<Ns>,
}

impl Cases {
    fn event(&mut self, script: &Script, event: &Event, last: &[Option<Ns>]) {
        if let Some(wait) = &event.wait {
            match wait.back {
                Some(back) => self.wake_up.push(back),
                None if event.work.0 == event.work.1 => self.idle_wait.push(event.time.len()),
                None => {}
            }
        }
        let Some(first) = event.first() else { return };
        if event.kind.replays {
            self.graph_launch.push(event.time.len());
        }
        let span = &script.spans[first];
        let before = last[span.stream].unwrap_or(Ns::MIN);
        let latency = span.time.from - event.time.from;
        if let Some(other) = span.after {
            let end = script.spans[other].time.to;
            if end > before && end > event.time.from {
                self.event.push((span.time.from - end).clamp(0, LONGEST));
            }
        } else if before <= event.time.from && (0..LONGEST).contains(&latency) {
            match (event.kind.replays, span.kind) {
                (true, _) => self.graph.push(latency),
                (false, DeviceKind::Kernel) => self.kernel.push(latency),
                (false, _) => self.copy.push(latency),
            }
        } else if before > event.time.to {
            self.spacing.push((span.time.from - before).clamp(0, LONGEST));
        }
    }
}

fn median(mut values: Vec<Ns>) -> Option<Ns> {
    let middle = values.len() / 2;
    if values.is_empty() { None } else { Some(*values.select_nth_unstable(middle).1) }
}
