//! What is true of a capture, found slowly and plainly from the causes that the simulator knows.
//!
//! Written from the definitions alone and from no product code, so that the two can be compared.
//! Where the definitions leave room, this is how they are read here:
//!
//! - A step marker never owns time: what is open beneath it does, else `[unrecorded host time]`.
//! - λ and the floor are upper medians. λ is taken over the gaps whose next launch came after the
//!   gap began; the floor over device-side gaps, those with work not recorded left out.
//! - A gap whose launch came before it and which is short against λ is split as a late one, at
//!   the end of its call: copy calls and event waits keep their names.
//! - What launch latency leaves after the call is `device other`, however short.
//! - An overhead owns its own part of a call, not the whole of it; one that touches the gap makes it
//!   a late one, whenever its call began.
//! - Where a thread has nothing open, the last other thread that launched on the device before is
//!   charged; where it has nothing open either, `[unrecorded host time]`.
//! - A thread that waits for a recorded one is followed for one hop, unless that one waits for it.
//! - Of several spans that end a gap, those launched before the capture come first.

mod idle;
mod innermost;
mod intervals;
mod paths;
mod steps;

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use crate::capture::{Capture, DeviceKind};
use crate::layout::Relayout;
use intervals::{length, overlap, union};

/// Above this number, single idle pieces are left out of a truth file; their sums stay.
const MOST_PIECES: usize = 100_000;

/// What is true of a trace. Times are ns after `base_ns`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truth {
    /// What made the trace.
    pub title: String,
    /// `baseTimeNanoseconds` of the trace.
    pub base_ns: i64,
    /// The whole file.
    pub totals: Totals,
    /// Window over the kept steps, or over all device work where there are no steps.
    pub window: Span,
    /// One entry a device, by ordinal.
    pub devices: Vec<DeviceTruth>,
    /// Steps in order of their markers.
    pub steps: Vec<StepTruth>,
    /// Device ns of the whole file by stack at the launch, `;` between frames and `:` for `;` within;
    /// markers of steps are left out of the stacks.
    pub gpu_ns_by_path: BTreeMap<String, i64>,
    /// Idle ns within the window by owner.
    pub idle_ns_by_owner: BTreeMap<String, i64>,
    /// Pieces left out of `idle` because there are too many.
    pub idle_pieces_left_out: u64,
    /// Every idle piece within the window, by device and time.
    pub idle: Vec<IdlePiece>,
}

/// Figures of the whole file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Totals {
    /// Kernels, copies and memsets.
    pub device_spans: u64,
    /// Sum of their durations.
    pub device_ns: i64,
    /// Kernels.
    pub kernels: u64,
    /// Sum of their durations.
    pub kernels_ns: i64,
    /// Copies.
    pub copies: u64,
    /// Sum of their durations.
    pub copies_ns: i64,
    /// Memsets.
    pub memsets: u64,
    /// Sum of their durations.
    pub memsets_ns: i64,
    /// Device spans without a launch in the file.
    pub unlinked: u64,
    /// Sum of their durations.
    pub unlinked_ns: i64,
    /// Σ over devices of the union of device spans.
    pub busy_ns: i64,
    /// Calls whose name contains `Launch`.
    pub launch_calls: u64,
    /// Calls that launched a device span.
    pub enqueue_calls: u64,
    /// Calls whose name contains `GraphLaunch`.
    pub graph_launches: u64,
    /// Kernels replayed from graphs.
    pub graph_kernels: u64,
    /// Calls that synchronise with a stream, a device or an event.
    pub sync_calls: u64,
    /// Sum of their durations.
    pub sync_ns: i64,
    /// Part of it during which some device was busy.
    pub sync_absorbed_ns: i64,
}

/// An interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Span {
    /// Start.
    pub from_ns: i64,
    /// End, exclusive.
    pub to_ns: i64,
}

/// One device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceTruth {
    /// Its ordinal.
    pub device: u16,
    /// Sum of the durations of its spans in the whole file.
    pub sum_ns: i64,
    /// Their union.
    pub busy_ns: i64,
    /// Union within the window.
    pub window_busy_ns: i64,
    /// Window minus that.
    pub window_idle_ns: i64,
    /// Median launch latency of what ended a gap after a late launch; 0 without such gaps.
    pub lambda_ns: i64,
    /// What counts as dispatch, before the factor 3.
    pub floor_ns: i64,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepTruth {
    /// Name of its marker.
    pub name: String,
    /// The marker.
    pub marker: Span,
    /// First start to last end of the spans launched in it.
    pub device: Span,
    /// Complete and no warm-up.
    pub kept: bool,
    /// Calls in it whose name contains `Launch`, on any thread.
    pub launch_calls: u64,
    /// Kernels launched in it.
    pub kernels: u64,
    /// Device ns launched in it.
    pub gpu_ns: i64,
    /// Busy ns of the window that belong to it.
    pub busy_ns: i64,
    /// Idle ns of the window that belong to it.
    pub idle_ns: i64,
}

/// What kind of thing owns an idle piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OwnerKind {
    /// A Python frame.
    Python,
    /// A `record_function` range.
    Annotation,
    /// An operator.
    Op,
    /// A runtime or driver call.
    Runtime,
    /// An overhead of the profiler.
    Overhead,
    /// None of them: a named bucket.
    Bucket,
}

/// A piece of a gap with one owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdlePiece {
    /// Ordinal of the device.
    pub device: u16,
    /// Start.
    pub from_ns: i64,
    /// End, exclusive.
    pub to_ns: i64,
    /// Name of the host span or bucket.
    pub owner: String,
    /// What it is.
    pub kind: OwnerKind,
    /// True when the launching thread slept or was empty and another thread was charged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub other_thread: bool,
}

impl Truth {
    /// Finds what is true of a capture.
    pub fn of(capture: &Capture) -> Self {
        let mut steps = steps::steps(capture);
        let window = steps::window(capture, &steps);
        let mut devices = Vec::new();
        let mut idle = Vec::new();
        let mut gaps = idle::GapFinder::new(capture, window);
        for device in capture.device_ordinals() {
            let (truth, pieces) = gaps.device(device);
            steps::share_out(capture, (device, window), &mut steps);
            devices.push(truth);
            idle.extend(pieces);
        }
        let mut idle_ns_by_owner = BTreeMap::new();
        for piece in &idle {
            *idle_ns_by_owner.entry(piece.owner.clone()).or_default() +=
                piece.to_ns - piece.from_ns;
        }
        Self {
            title: capture.title.clone(),
            base_ns: capture.base_ns,
            totals: totals(capture, &devices),
            window,
            devices,
            steps,
            gpu_ns_by_path: paths::gpu_ns_by_path(capture),
            idle_ns_by_owner,
            idle_pieces_left_out: 0,
            idle,
        }
    }

    /// Reads a truth back from its JSON.
    pub fn from_json(json: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(json)
    }

    /// Writes the truth as JSON, one row a line; single pieces only when there are not too many.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut relayout = Relayout::indented(&mut *out, 3);
        if self.idle.len() > MOST_PIECES {
            let left_out = self.idle.len() as u64;
            let short = Self { idle: Vec::new(), idle_pieces_left_out: left_out, ..self.clone() };
            serde_json::to_writer(&mut relayout, &short)?;
        } else {
            serde_json::to_writer(&mut relayout, self)?;
        }
        relayout.flush()?;
        drop(relayout);
        out.write_all(b"\n")
    }
}

fn totals(capture: &Capture, devices: &[DeviceTruth]) -> Totals {
    let mut totals =
        Totals { busy_ns: devices.iter().map(|device| device.busy_ns).sum(), ..Totals::default() };
    for span in &capture.devices {
        let ns = span.end - span.start;
        totals.device_spans += 1;
        totals.device_ns += ns;
        let (count, sum) = match span.kind {
            DeviceKind::Kernel => (&mut totals.kernels, &mut totals.kernels_ns),
            DeviceKind::Copy => (&mut totals.copies, &mut totals.copies_ns),
            DeviceKind::Memset => (&mut totals.memsets, &mut totals.memsets_ns),
        };
        *count += 1;
        *sum += ns;
        match span.launch {
            None => {
                totals.unlinked += 1;
                totals.unlinked_ns += ns;
            }
            Some(call) if capture.is_graph_launch(call) && span.kind == DeviceKind::Kernel => {
                totals.graph_kernels += 1;
            }
            Some(_) => {}
        }
    }
    count_calls(capture, &mut totals);
    totals
}

fn count_calls(capture: &Capture, totals: &mut Totals) {
    let mut enqueue: Vec<u32> = capture.devices.iter().filter_map(|span| span.launch).collect();
    enqueue.sort_unstable();
    enqueue.dedup();
    totals.enqueue_calls = enqueue.len() as u64;
    let busy = union(capture.devices.iter().map(|span| (span.start, span.end)).collect());
    for span in capture.hosts.iter().filter(|span| span.is_call()) {
        let name = capture.names.text(span.name);
        totals.launch_calls += u64::from(name.contains("Launch"));
        totals.graph_launches += u64::from(name.contains("GraphLaunch"));
        if is_sync(name) {
            totals.sync_calls += 1;
            totals.sync_ns += span.end - span.start;
            totals.sync_absorbed_ns += length(&overlap(&busy, (span.start, span.end)));
        }
    }
}

fn is_sync(name: &str) -> bool {
    matches!(name, "cudaStreamSynchronize" | "cudaDeviceSynchronize" | "cudaEventSynchronize")
}
