//! Scenarios: whole runs of known shape, and the same run with one change.

mod decode;
mod kernels;
mod layers;
mod train;

use crate::capture::Capture;
use crate::layout::Layout;
use crate::sim::{Knobs, Sim, StreamIdx};

use decode::{Decode, Marker, Output};
use train::Train;

/// A run of known shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scenario {
    /// Decoding, one kernel a launch: bound by launches.
    EagerDecode,
    /// Decoding through one CUDA graph a step.
    GraphDecode,
    /// Decoding with a `.item()` that takes away the host's lead.
    HiddenItem,
    /// Graph decoding with the detokenizer on the engine's thread between steps.
    Detokenizer,
    /// Training that waits for its loader.
    Loader,
    /// Tensor parallel decoding with all-reduces on a stream of their own.
    Nccl,
    /// Training with the backward pass on an autograd thread.
    Backward,
    /// Decoding by two threads on two streams.
    MultiThread,
    /// Decoding with the host one step ahead of the device.
    OverlapSteps,
    /// The example of the README: eager decoding, a hidden `.item()`, a detokenizer between steps.
    LlmDecode,
}

impl Scenario {
    /// Every scenario.
    pub const ALL: [Self; 10] = [
        Self::EagerDecode,
        Self::GraphDecode,
        Self::HiddenItem,
        Self::Detokenizer,
        Self::Loader,
        Self::Nccl,
        Self::Backward,
        Self::MultiThread,
        Self::OverlapSteps,
        Self::LlmDecode,
    ];

    /// The scenario's name on the command line and in file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::EagerDecode => "eager-decode",
            Self::GraphDecode => "graph-decode",
            Self::HiddenItem => "hidden-item",
            Self::Detokenizer => "detokenizer",
            Self::Loader => "loader",
            Self::Nccl => "nccl",
            Self::Backward => "backward",
            Self::MultiThread => "multi-thread",
            Self::OverlapSteps => "overlap-steps",
            Self::LlmDecode => "llm-decode",
        }
    }

    /// The scenario of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scenario| scenario.name() == name)
    }

    /// The changes that mean something in this scenario.
    pub fn changes(self) -> &'static [Change] {
        match self {
            Self::EagerDecode | Self::OverlapSteps => &[Change::AsGraph],
            Self::HiddenItem | Self::LlmDecode => &[Change::WithoutSync, Change::AsGraph],
            Self::Loader => &[Change::OverlapCopies],
            Self::Backward => &[Change::WithoutSync, Change::OverlapCopies],
            Self::GraphDecode | Self::Detokenizer | Self::Nccl | Self::MultiThread => &[],
        }
    }
}

/// One change to a run that is otherwise the same, to the nanosecond of every draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// The `.item()` is dropped.
    WithoutSync,
    /// The input of the next step is copied on a stream of its own while the device computes.
    OverlapCopies,
    /// The model runs as one graph launch.
    AsGraph,
}

impl Change {
    /// Every change.
    pub const ALL: [Self; 3] = [Self::WithoutSync, Self::OverlapCopies, Self::AsGraph];

    /// The change's flag on the command line.
    pub fn flag(self) -> &'static str {
        match self {
            Self::WithoutSync => "--without-sync",
            Self::OverlapCopies => "--overlap-copies",
            Self::AsGraph => "--as-graph",
        }
    }
}

/// Everything that decides the bytes of a generated trace.
#[derive(Debug, Clone)]
pub struct Options {
    /// What runs.
    pub scenario: Scenario,
    /// Seed of all draws.
    pub seed: u64,
    /// Number of steps.
    pub steps: u32,
    /// Layers of the model.
    pub layers: u32,
    /// How far durations stray from their mean, in percent.
    pub noise_percent: u32,
    /// Odd but real habits of recordings: crossing ranges, children that end 1 ns late, flows on
    /// calls that launch nothing, kernels from before the capture, dependent launches.
    pub quirks: bool,
    /// Layout of the JSON.
    pub layout: Layout,
    /// What is done differently.
    pub changes: Vec<Change>,
}

impl Options {
    /// The usual options of a scenario: 12 steps, 8 layers, 20 % noise, quirks on.
    pub fn new(scenario: Scenario) -> Self {
        Self {
            scenario,
            seed: 1,
            steps: 12,
            layers: 8,
            noise_percent: 20,
            quirks: true,
            layout: Layout::Kineto,
            changes: Vec::new(),
        }
    }

    /// The number of steps that makes a file of about `bytes`, found by making two small ones.
    #[must_use]
    pub fn sized(mut self, bytes: u64) -> Self {
        self.steps = 2;
        let small = self.simulate().json_bytes(self.layout);
        self.steps = 6;
        let larger = self.simulate().json_bytes(self.layout);
        let per_step = ((larger.saturating_sub(small)) / 4).max(1);
        let fixed = small.saturating_sub(2 * per_step);
        self.steps = (bytes.saturating_sub(fixed).div_ceil(per_step)).max(1) as u32;
        self
    }

    /// Runs the scenario.
    pub fn simulate(&self) -> Capture {
        let knobs =
            Knobs { seed: self.seed, noise_percent: self.noise_percent, quirks: self.quirks };
        let mut sim = Sim::new(self.scenario.name(), knobs);
        if self.quirks {
            sim.place("before the capture", &[]);
            sim.earlier_work(&kernels::GEMM_WIDE, 14, StreamIdx::MAIN);
        }
        match self.scenario {
            Scenario::Loader | Scenario::Backward => {
                train::run(&mut sim, self.train(), self.steps);
            }
            _ => decode::run(&mut sim, self.decode(), self.steps),
        }
        if self.scenario == Scenario::Nccl {
            sim.rank(0, 8);
        }
        sim.finish()
    }

    fn changed(&self, change: Change) -> bool {
        self.changes.contains(&change)
    }

    fn train(&self) -> Train {
        // Images keep the loader busy; texts are small and soon there.
        let images = self.scenario == Scenario::Loader;
        let waits: &[i64] =
            if images { &[10_000, 400_000, 14_000_000, 150_000] } else { &[15_000] };
        Train {
            layers: self.layers,
            percent: if images { 300 } else { 30 },
            waits,
            batch_bytes: if images { 38_535_168 } else { 4_194_304 },
            item: !images && !self.changed(Change::WithoutSync),
            prefetch: self.changed(Change::OverlapCopies),
        }
    }

    fn decode(&self) -> Decode {
        let plain = Decode {
            layers: self.layers,
            percent: 100,
            marker: Marker::Execute,
            output: Output::Awaited,
            engine_percent: 100,
            detokenize_ns: 0,
            graph: self.changed(Change::AsGraph),
            tensor_parallel: false,
            second_thread: false,
        };
        let item = if self.changed(Change::WithoutSync) { Output::Behind } else { Output::Item };
        match self.scenario {
            Scenario::GraphDecode => Decode { graph: true, ..plain },
            Scenario::HiddenItem => Decode { percent: 400, output: item, ..plain },
            Scenario::Detokenizer => Decode { graph: true, detokenize_ns: 2_500_000, ..plain },
            Scenario::Nccl => {
                Decode { percent: 300, marker: Marker::Bracket, tensor_parallel: true, ..plain }
            }
            Scenario::MultiThread => Decode { second_thread: true, ..plain },
            Scenario::OverlapSteps => Decode { percent: 500, output: Output::Behind, ..plain },
            Scenario::LlmDecode => {
                Decode { percent: 700, output: item, detokenize_ns: 900_000, ..plain }
            }
            Scenario::EagerDecode => Decode { percent: 50, engine_percent: 20, ..plain },
            Scenario::Loader | Scenario::Backward => plain,
        }
    }
}
