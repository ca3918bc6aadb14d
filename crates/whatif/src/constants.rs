//! Constants of a replay: what the machine costs, measured on the capture itself.

use flamelane_link::Pace;
use flamelane_model::{DeviceKind, Ns};

use crate::events::LATE;
use crate::script::{Event, Script, Span};

/// Times in ns that the replay uses; each a median over the capture, or a default where the capture
/// has no case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constants {
    /// A call that launches one kernel or copy.
    pub launch: Ns,
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

/// Latencies and delays longer than this are waits for something unknown.
const LONGEST: Ns = 200_000;
/// Work that is ready before its stream is free starts within this.
const LONGEST_SPACING: Ns = 20_000;

impl Constants {
    /// What a graph launch is taken to cost where the capture has none.
    pub const GRAPH_LAUNCH: Ns = 10_000;
    /// And each of its kernels.
    pub const GRAPH_KERNEL: Ns = 100;

    /// Measures a script; `paces` are what linking found on its devices, for want of cases.
    pub(crate) fn measure(script: &Script, paces: &[Pace]) -> Self {
        let mut cases = Cases::default();
        let mut last: Vec<Ns> = vec![Ns::MIN; script.streams.len()];
        for event in &script.events {
            cases.event(script, event, &last);
            for span in &script.spans[event.work.0..event.work.1] {
                last[span.stream] = last[span.stream].max(span.time.to);
            }
        }
        let paces = || paces.iter().filter(|pace| (1..LONGEST).contains(&pace.launch_latency));
        let default = paces().map(|pace| pace.launch_latency).max();
        let kernel_latency = median(cases.kernel).or(default).unwrap_or(5_000);
        // Work that was launched just before its stream was free shows latency, not spacing.
        let ahead = kernel_latency.saturating_mul(3) / 2;
        let queued = cases.spacing.into_iter().filter(|&(lead, _)| lead > ahead);
        let floor = paces().map(|pace| pace.floor).max().unwrap_or(1_000);
        Self {
            launch: median(cases.launch).unwrap_or(5_000),
            kernel_latency,
            copy_latency: median(cases.copy).unwrap_or(kernel_latency),
            graph_latency: median(cases.graph),
            spacing: median(queued.map(|(_, gap)| gap).collect()).unwrap_or(floor),
            event_delay: median(cases.event).unwrap_or(2_000),
            wake_up: median(cases.wake_up).unwrap_or(5_000),
            idle_wait: median(cases.idle_wait).unwrap_or(3_000),
            graph_launch: median(cases.graph_launch),
        }
    }

    /// What a launch usually takes, and how long its work is on the way.
    pub(crate) fn of_launch(&self, event: &Event, first: &Span) -> (Ns, Ns) {
        let one = match first.kind {
            DeviceKind::Kernel => self.kernel_latency,
            _ => self.copy_latency,
        };
        if event.kind.replays {
            (self.graph_launch.unwrap_or(self.launch), self.graph_latency.unwrap_or(one))
        } else {
            (self.launch, one)
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

#[derive(Default)]
struct Cases {
    launch: Vec<Ns>,
    kernel: Vec<Ns>,
    copy: Vec<Ns>,
    graph: Vec<Ns>,
    /// (how long before its stream was free the work was launched, then until it started).
    spacing: Vec<(Ns, Ns)>,
    event: Vec<Ns>,
    wake_up: Vec<Ns>,
    idle_wait: Vec<Ns>,
    graph_launch: Vec<Ns>,
}

impl Cases {
    /// `last`: one a stream, when its work so far was done.
    fn event(&mut self, script: &Script, event: &Event, last: &[Ns]) {
        let length = event.time.len();
        match &event.wait {
            None => {}
            Some(wait) => match wait.back {
                Some(back) if back < LATE => self.wake_up.push(back),
                // A long call waited for something that the capture does not show.
                None if event.first().is_none() && length < LATE => self.idle_wait.push(length),
                _ => {}
            },
        }
        let Some(first) = event.first() else { return };
        if event.kind.replays {
            self.graph_launch.push(length);
        } else if event.wait.is_none() {
            self.launch.push(length);
        }
        let span = &script.spans[first];
        let before = last[span.stream];
        let latency = span.time.from.saturating_sub(event.time.from);
        if let Some(other) = span.after {
            let end = script.spans[other].time.to;
            if end > before && end > event.time.from {
                self.event.push(span.time.from.saturating_sub(end).clamp(0, LONGEST));
            }
        } else if before <= event.time.from {
            let after = latency.saturating_sub(length);
            match (event.kind.replays, span.kind) {
                (true, _) if latency >= 0 && after < LONGEST => self.graph.push(latency),
                (false, _) if !(0..LONGEST).contains(&latency) => {}
                (false, DeviceKind::Kernel) => self.kernel.push(latency),
                (false, _) => self.copy.push(latency),
                (true, _) => {}
            }
        } else if before > event.time.to {
            let gap = span.time.from.saturating_sub(before);
            if gap < LONGEST_SPACING {
                self.spacing.push((before.saturating_sub(event.time.from), gap.max(0)));
            }
        }
    }
}

fn median(mut values: Vec<Ns>) -> Option<Ns> {
    let middle = values.len() / 2;
    if values.is_empty() { None } else { Some(*values.select_nth_unstable(middle).1) }
}
