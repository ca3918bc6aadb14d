//! The report as plain data: the public JSON contract `flamelane.report/1`.
//!
//! Times are integer ns since the capture's origin, sizes bytes, shares 0…1. Field names are the
//! JSON paths; `docs/reference/report.md` documents each one and the JSON Schema beside it is what
//! the tests validate against.

pub(crate) mod bound;
pub(crate) mod launches;
pub(crate) mod phases;

use std::collections::BTreeMap;

use flamelane_model::Ns;
use serde::Serialize;

use self::bound::StepBound;
use self::launches::Launches;
use self::phases::PhaseOf;

/// The schema word of this document.
pub const SCHEMA: &str = "flamelane.report/1";

/// A report over one or more captures.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// One entry a capture, in the order given.
    pub captures: Vec<Capture>,
}

/// What one capture says.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Capture {
    /// The file's name without its folder.
    pub file: String,
    /// The word for its format.
    pub format: String,
    /// Rank in a distributed job.
    pub rank: Option<u64>,
    /// Number of ranks.
    pub world_size: Option<u64>,
    /// What the file says of the workload.
    pub job: Job,
    /// The whole file, raw.
    pub totals: Totals,
    /// The stretch of time that the rest speaks of.
    pub window: Window,
    /// Where the window's time went, summed over devices.
    pub partition: Partition,
    /// The iterations found.
    pub steps: Steps,
    /// One entry a device.
    pub devices: Vec<Device>,
    /// Named ranges and the device work launched in them.
    pub ranges: Vec<Range>,
    /// How the work was launched: latency, queueing, the host's lead.
    pub launches: Launches,
    /// Who owns the idle time, largest first; sums to `window.idle_ns`.
    pub idle: Vec<IdleOwner>,
    /// Kinds of idle time; sums to `window.idle_ns`.
    pub idle_classes: Vec<IdleClass>,
    /// Device time by launching path, largest first (the largest 50); paths that differ only by the
    /// numbers of their modules are one.
    pub gpu_paths: Vec<GpuPath>,
    /// Device time by kernel family.
    pub families: Vec<Family>,
    /// Checks of the capture itself.
    pub health: Vec<Health>,
    /// The three first questions, answered.
    pub questions: Vec<Question>,
    /// The answer in one word and one sentence.
    pub verdict: Verdict,
    /// The reading protocol: the first screen in words.
    pub protocol: Protocol,
    /// The same of each phase, where the kept steps hold several.
    pub phases: Vec<PhaseOf>,
    /// The bandwidth bound of a decode step; null where nobody gave the bytes that it reads.
    pub bound: Option<StepBound>,
    /// Whether the capture replays well enough for gains to be simulated; null where nobody asked.
    pub replay: Option<SelfCheck>,
    /// What was found, largest first.
    pub findings: Vec<Finding>,
    /// Lost time that no finding owns, per step.
    pub unexplained_ns_per_step: Ns,
    /// What the reader skipped or repaired.
    pub notes: Vec<Note>,
}

/// What the file says of the workload.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Job {
    /// `decode`, `prefill`, `training`, … where annotations or operators tell.
    pub kind: Option<String>,
    /// Device names.
    pub devices: Vec<String>,
    /// `PyTorch`, `vLLM`, `SGLang`, … as seen in frames.
    pub frameworks: Vec<String>,
    /// Model classes seen as the outermost modules.
    pub models: Vec<String>,
    /// Batch sizes in step names, smallest to largest.
    pub batch: Option<(u64, u64)>,
    /// Dominant number format of the kernels: `bf16`.
    pub dtype: Option<String>,
    /// Versions and profiler switches.
    pub properties: BTreeMap<String, String>,
}

/// The whole file, raw, nothing left out.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Totals {
    /// Kernels, copies, fills and opaque graph rows.
    pub device_spans: u64,
    /// Kernels.
    pub kernels: u64,
    /// Sum of their durations.
    pub kernels_ns: Ns,
    /// Copies.
    pub copies: u64,
    /// Sum of their durations.
    pub copies_ns: Ns,
    /// Fills.
    pub memsets: u64,
    /// Sum of their durations.
    pub memsets_ns: Ns,
    /// Graph replays recorded as one row.
    pub graph_rows: u64,
    /// Sum of their durations.
    pub graph_rows_ns: Ns,
    /// Sum over devices of the union of all device spans.
    pub busy_ns: Ns,
    /// First start to last end of all complete spans.
    pub span_ns: Ns,
    /// Device time whose launch is in the file.
    pub attributed_ns: Ns,
    /// The same for kernels alone.
    pub kernels_attributed_ns: Ns,
    /// Device time launched before the capture began.
    pub launched_before_capture_ns: Ns,
    /// Other device time without a launch.
    pub unattributed_ns: Ns,
    /// Runtime and driver calls whose name contains `Launch`.
    pub launch_calls: u64,
    /// All calls that launched a device span.
    pub enqueue_calls: u64,
    /// Calls whose name contains `GraphLaunch`.
    pub graph_launches: u64,
    /// Kernels launched by one.
    pub graph_kernels: u64,
    /// Those joined to a stack of the code that recorded the graph.
    pub graph_joined_kernels: u64,
    /// Synchronise calls.
    pub sync_calls: u64,
    /// Their durations.
    pub sync_ns: Ns,
    /// The part of them during which the device was busy.
    pub sync_absorbed_ns: Ns,
    /// The rest.
    pub sync_exposed_ns: Ns,
    /// Copy calls that block, not counted among `sync_*`.
    pub blocking_copies: u64,
    /// Their durations.
    pub blocking_copies_ns: Ns,
    /// Host spans of all kinds.
    pub host_spans: u64,
    /// Distinct host threads with spans.
    pub threads: u64,
}

/// The window: the kept steps, or the whole run where there are none.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Window {
    /// First instant.
    pub from_ns: Ns,
    /// First instant after.
    pub to_ns: Ns,
    /// Length of its pieces (host wall time).
    pub wall_ns: Ns,
    /// Its pieces, in order.
    pub pieces: Vec<(Ns, Ns)>,
    /// How it was chosen, in words.
    pub rule: String,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
    /// Busy time summed over devices.
    pub busy_ns: Ns,
    /// Idle time summed over devices.
    pub idle_ns: Ns,
    /// Sum of device span durations inside, concurrent ones in full.
    pub sum_ns: Ns,
    /// Part of `idle_ns` during which work may have run that the profiler did not record.
    pub not_recorded_ns: Ns,
}

/// Something left out of the window.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LeftOut {
    /// What: `steps 0–1`, `3 kernels`.
    pub what: String,
    /// Why.
    pub why: String,
}

/// Where a window's time went; the four parts sum to the wall time.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Partition {
    /// Kernels that are not communication, opaque graph rows, copies within a device, fills.
    pub compute_ns: Ns,
    /// Communication while no compute ran.
    pub comm_exposed_ns: Ns,
    /// Copies while neither compute nor communication ran.
    pub copy_exposed_ns: Ns,
    /// Nothing ran.
    pub idle_ns: Ns,
    /// Communication hidden behind compute, beside the sum.
    pub comm_hidden_ns: Ns,
    /// Copies hidden behind compute or communication, beside the sum.
    pub copy_hidden_ns: Ns,
}

/// Five figures of a distribution.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Spread {
    /// Median.
    pub p50: Ns,
    /// Mean.
    pub mean: Ns,
    /// Smallest.
    pub min: Ns,
    /// Largest.
    pub max: Ns,
}

/// The steps.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Steps {
    /// The marker's comparison name, or how steps were found, or null.
    pub marker: Option<String>,
    /// `annotation`, `graph launch`, `none`.
    pub kind: String,
    /// Kept steps.
    pub count: u64,
    /// Wall time of the kept ones; least and most leave out what the window cuts off the first and the
    /// last.
    pub wall_ns: Spread,
    /// What an average over the steps would hide.
    pub patterns: Vec<StepPattern>,
    /// All of them in order, left-out ones included; in a report no more than 10,000.
    pub list: Vec<Step>,
    /// Steps that the list has no room for.
    pub not_listed: u64,
}

/// How steps differ.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StepPattern {
    /// `populations`, `phases`, `outliers`, `edges`, `trend`, `batch` or `period`.
    pub pattern: String,
    /// One sentence with its figures.
    pub sentence: String,
    /// Positions, in the list, of the steps that it tells from the others: the outliers, or those that
    /// launch more often. Empty where it speaks of all alike.
    pub steps: Vec<u32>,
}

/// One step.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Step {
    /// The marker's own name.
    pub name: String,
    /// Phase, where it tells one.
    pub phase: Option<String>,
    /// Batch size, where the name tells one.
    pub batch: Option<u64>,
    /// Whether the window holds it.
    pub kept: bool,
    /// Why it is left out; null where it is kept.
    pub left_out: Option<String>,
    /// Start of its host range.
    pub from_ns: Ns,
    /// Length of the marker itself.
    pub marker_ns: Ns,
    /// Busy and idle time assigned to it, on each device on average, as are the next two.
    pub wall_ns: Ns,
    /// Busy time assigned to it.
    pub busy_ns: Ns,
    /// Idle time assigned to it.
    pub idle_ns: Ns,
    /// Launch calls inside.
    pub launch_calls: u64,
    /// Kernels it launched.
    pub kernels: u64,
    /// Device time it launched, concurrent spans in full.
    pub gpu_ns: Ns,
    /// Where to look at it: from the end of the device work of the step before, whose gap it ends, to
    /// the end of its own; its marker where it launched none.
    pub stretch_ns: (Ns, Ns),
}

/// One device.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Device {
    /// Process id as text, where the file tells.
    pub pid: String,
    /// Device id as the file gives it.
    pub device: i64,
    /// Marketing name, or empty.
    pub name: String,
    /// Window length.
    pub wall_ns: Ns,
    /// Union of its spans.
    pub busy_ns: Ns,
    /// Sum of its spans.
    pub sum_ns: Ns,
    /// Window minus busy.
    pub idle_ns: Ns,
    /// Its share of the partition.
    pub partition: Partition,
    /// Number of streams with spans.
    pub streams: u64,
    /// False for devices under 1 % of the busiest one's busy time.
    pub in_verdict: bool,
}

/// A named range and the device work launched in it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Range {
    /// Comparison name.
    pub name: String,
    /// Occurrences in the window.
    pub count: u64,
    /// Phase, where it tells one.
    pub phase: Option<String>,
    /// Sum of host durations.
    pub host_ns: Ns,
    /// First device start to last device end, summed over occurrences.
    pub envelope_ns: Ns,
    /// Union of the device spans launched inside, summed over occurrences.
    pub union_ns: Ns,
    /// Sum of their durations.
    pub sum_ns: Ns,
    /// `union_ns / envelope_ns`.
    pub density: f64,
    /// Mean of first device start minus range start.
    pub onset_ns: Ns,
}

/// A stack and the idle time it owns.
#[derive(Clone, Debug, Default, Serialize)]
pub struct IdleOwner {
    /// Kind of the host frame that owns it (`python`, `op`, `runtime`, …), or the bucket in square
    /// brackets.
    pub owner: String,
    /// Innermost frame or bucket.
    pub frame: String,
    /// The class of idle time, as in `idle_classes`.
    pub class: String,
    /// Kind of the innermost frame.
    pub kind: String,
    /// Frames, root first: of the largest stack where the row stands for several; the innermost
    /// frame alone in rows that merge the small owners.
    pub stack: Vec<String>,
    /// Stacks that the row stands for.
    pub stacks: u64,
    /// Innermost frame of the user's own code.
    pub user_frame: Option<String>,
    /// Idle time.
    pub ns: Ns,
    /// The same per kept step.
    pub per_step_ns: Ns,
    /// Pieces of gaps.
    pub count: u64,
}

/// Idle time of one kind.
#[derive(Clone, Debug, Default, Serialize)]
pub struct IdleClass {
    /// `late host`, `launch latency`, `dispatch`, `inside graph`, `stream-wait`, `device other`,
    /// `device work not recorded`, `no host data`.
    pub class: String,
    /// Idle time.
    pub ns: Ns,
}

/// A launching path and the device time it launched.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GpuPath {
    /// Kernel, copy or fill.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Innermost operator above it.
    pub op: Option<String>,
    /// Innermost frame of the user's own code.
    pub user_frame: Option<String>,
    /// Frames, root first, of the largest of its stacks.
    pub stack: Vec<String>,
    /// Number of stacks that differ only by the numbers of their modules.
    pub stacks: u64,
    /// Device time.
    pub ns: Ns,
    /// The same per kept step.
    pub per_step_ns: Ns,
    /// Device spans.
    pub count: u64,
}

/// Device time of a kernel family.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Family {
    /// `gemm`, `attention`, `elementwise`, …, `unknown`.
    pub name: String,
    /// Device time.
    pub ns: Ns,
    /// Kernels.
    pub kernels: u64,
}

/// A check of the capture itself.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Health {
    /// Stable kebab-case word.
    pub check: String,
    /// `ok`, `warn` or `fail`.
    pub status: String,
    /// One sentence.
    pub message: String,
    /// The figure behind it.
    pub value: f64,
    /// The recording that would fix it.
    pub fix: Option<String>,
    /// Where the documentation has the recipe: a page with an anchor, below the project's folder.
    pub recipe: Option<String>,
}

/// One of the first questions and its answer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Question {
    /// The question.
    pub question: String,
    /// The answer, one sentence.
    pub answer: String,
    /// The stack it points at.
    pub stack: Vec<String>,
}

/// The answer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Verdict {
    /// `gpu-bound`, `host-bound`, …, `untrustworthy`, or `unknown` where the capture does not explain
    /// most of the lost time.
    pub kind: String,
    /// One sentence.
    pub sentence: String,
    /// Health checks that withheld it.
    pub suppressed_by: Vec<String>,
}

/// The reading protocol.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Protocol {
    /// What ran.
    pub workload: String,
    /// Its phases.
    pub phases: String,
    /// Dense or waiting.
    pub dense: String,
    /// The largest blank.
    pub blank: String,
    /// Its explanation.
    pub explanation: String,
    /// One thing to try next.
    pub experiment: String,
    /// The bandwidth bound beside the measured step; null where nobody gave the bytes.
    pub bound: Option<String>,
}

/// A finding.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Finding {
    /// Kind, see `flamelane explain`.
    pub kind: String,
    /// Where.
    pub r#where: Place,
    /// Frames, root first.
    pub stack: Vec<String>,
    /// Innermost frame of the user's own code.
    pub user_frame: Option<String>,
    /// Occurrences.
    pub count: u64,
    /// Occurrences per step.
    pub per_step: f64,
    /// Figures.
    pub evidence: BTreeMap<String, serde_json::Value>,
    /// Lost time it owns, per step.
    pub owned_ns_per_step: Ns,
    /// Its share of the step.
    pub owned_share: f64,
    /// Bound of the gain, per step.
    pub max_gain_ns_per_step: Ns,
    /// Gain by replay, per step.
    pub simulated_gain_ns_per_step: Option<Ns>,
    /// Kinds it shares time with.
    pub shares_with: Vec<String>,
    /// How sure, with the reason.
    pub confidence: String,
    /// What it is about, in a few words.
    pub subject: String,
    /// What, in one sentence.
    pub sentence: String,
    /// What to try.
    pub experiment: String,
    /// Whether it owns enough of the step to be the first thing said.
    pub headline: bool,
}

/// An unchanged replay beside what was measured.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SelfCheck {
    /// Whether gains are simulated.
    pub holds: bool,
    /// Measured mean step.
    pub measured_ns: Ns,
    /// Replayed mean step.
    pub replayed_ns: Ns,
    /// Share by which the replay misses, with its sign.
    pub error: f64,
    /// Why gains are not simulated; empty where they are.
    pub reason: String,
}

/// The document `flamelane.whatif/1`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct WhatIf {
    /// Always `flamelane.whatif/1`.
    pub schema: &'static str,
    /// The file's name without its folder.
    pub file: String,
    /// Kept steps, or 0 where none were found: then figures are of the whole window.
    pub steps: u64,
    /// Whether the capture replays.
    pub replay: SelfCheck,
    /// Costs of the machine, measured on the capture, in ns; null where the capture has no case.
    pub constants_ns: BTreeMap<String, Option<Ns>>,
    /// One entry a change, in the order asked for.
    pub changes: Vec<Change>,
}

/// A change and what it would do.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Change {
    /// `drop-sync`, `overlap-copies` or `graph`.
    pub change: String,
    /// What it changes, in words.
    pub what: String,
    /// Calls, copies or regions that it touches; 0 where there is nothing to change.
    pub count: u64,
    /// Measured mean step.
    pub before_ns: Ns,
    /// Predicted mean step.
    pub after_ns: Ns,
    /// Simulated gain per step; negative when it would cost.
    pub gain_ns: Ns,
    /// What the prediction takes for granted.
    pub assumptions: Vec<String>,
}

/// A place in the timeline.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Place {
    /// Lane name.
    pub lane: String,
    /// Step name.
    pub step: Option<String>,
    /// Start.
    pub from_ns: Ns,
    /// End.
    pub to_ns: Ns,
}

/// What the reader skipped or repaired.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Note {
    /// Stable kebab-case word.
    pub code: String,
    /// Fragment that follows the count.
    pub message: String,
    /// How often.
    pub count: u64,
    /// First example.
    pub first: String,
}
