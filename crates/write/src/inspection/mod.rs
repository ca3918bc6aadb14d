//! `flamelane inspect`: what a file is, holds and lacks, before any analysis.

mod lacks;
mod text;

use std::collections::BTreeMap;
use std::io;

use flamelane_model::{DeviceKind, FrameKind, LaneKind, Notes, Ns, Profile, Trace};
use flamelane_report::Note;
use serde::Serialize;

pub use self::text::write_inspection;
use crate::json::write_document;

/// Most lanes listed, those with most spans first.
const MOST_LANES: usize = 64;
/// Most annotation names listed, the most frequent first.
const MOST_ANNOTATIONS: usize = 20;

/// What a file is, holds and lacks: the document `flamelane.inspect/1`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Inspection {
    /// Always `flamelane.inspect/1`.
    pub schema: &'static str,
    /// The file's name without its folder.
    pub file: String,
    /// The word for its format.
    pub format: String,
    /// `timeline` or `stacks`.
    pub content: &'static str,
    /// Rank in a distributed job.
    pub rank: Option<u64>,
    /// Number of ranks.
    pub world_size: Option<u64>,
    /// Versions and profiler switches as the file gives them.
    pub properties: BTreeMap<String, String>,
    /// First start to last end of all complete spans.
    pub span_ns: Ns,
    /// How long the profiler says it recorded.
    pub recorded_ns: Option<Ns>,
    /// Whether every time in the file is a whole number of µs.
    pub whole_micros: bool,
    /// Processes, in order of first sight.
    pub processes: Vec<InspectedProcess>,
    /// Devices, by ascending id.
    pub devices: Vec<InspectedDevice>,
    /// Number of threads with spans.
    pub n_threads: u64,
    /// Number of streams with spans.
    pub n_streams: u64,
    /// Threads and streams, those with most spans first (the first 64).
    pub lanes: Vec<InspectedLane>,
    /// Spans by frame kind; frames by kind for stacks.
    pub kinds: BTreeMap<&'static str, u64>,
    /// Events by phase and category, as the file writes them.
    pub events: Vec<Events>,
    /// Names of annotations, the most frequent first (the first 20): steps are found among them.
    pub annotations: Vec<Annotation>,
    /// Number of distinct stacks, for a file of stacks.
    pub n_stacks: Option<u64>,
    /// Weights, for a file of stacks.
    pub weights: Vec<InspectedWeight>,
    /// What an analysis would miss, one sentence each.
    pub lacks: Vec<String>,
    /// What the reader skipped or repaired.
    pub notes: Vec<Note>,
}

/// A process in the file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InspectedProcess {
    /// Its id as text.
    pub pid: String,
    /// Its name, or empty.
    pub name: String,
}

/// A device in the file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InspectedDevice {
    /// Its id as the file gives it.
    pub device: i64,
    /// Marketing name, or empty.
    pub name: String,
    /// Memory; 0 when the file does not say.
    pub memory_bytes: u64,
}

/// A thread or stream with spans.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InspectedLane {
    /// `thread` or `stream`.
    pub kind: &'static str,
    /// Its name, else its id as text.
    pub name: String,
    /// Its process.
    pub pid: String,
    /// The device of a stream.
    pub device: Option<i64>,
    /// Number of spans on it.
    pub spans: u64,
}

/// Events of one phase and category.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Events {
    /// The phase letter: `X` for complete events.
    pub phase: String,
    /// The category, or empty.
    pub category: String,
    /// How many.
    pub count: u64,
}

/// The name of an annotation.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Annotation {
    /// The name; digits as `N`.
    pub name: String,
    /// How often.
    pub count: u64,
}

/// A weight of a file of stacks.
#[derive(Clone, Debug, Default, Serialize)]
pub struct InspectedWeight {
    /// Its name.
    pub name: String,
    /// The word for its unit.
    pub unit: String,
    /// Values are in units of `10^-decimals`.
    pub decimals: u8,
    /// Its sum over all stacks.
    pub total: i64,
}

impl Inspection {
    fn new(file: String, format: &str, content: &'static str) -> Self {
        let schema = "flamelane.inspect/1";
        Self { schema, file, format: format.to_owned(), content, ..Self::default() }
    }

    /// Looks at a timeline.
    pub fn of_trace(file: String, format: &str, trace: &Trace) -> Self {
        let metadata = &trace.metadata;
        let spans = spans_of_lanes(trace);
        let n_lanes = |kind| {
            let lanes = trace.lanes.iter().zip(&spans);
            lanes.filter(|(lane, spans)| lane.kind == kind && **spans > 0).count() as u64
        };
        let census = trace.census.iter().map(|((phase, category), &count)| Events {
            phase: phase.clone(),
            category: category.clone(),
            count,
        });
        Self {
            rank: metadata.rank,
            world_size: metadata.world_size,
            properties: metadata.properties.clone(),
            span_ns: trace.extent.len(),
            recorded_ns: metadata.recorded.map(flamelane_model::Interval::len),
            whole_micros: metadata.whole_micros,
            processes: processes(trace),
            devices: devices(trace),
            n_threads: n_lanes(LaneKind::Thread),
            n_streams: n_lanes(LaneKind::Stream),
            lanes: lanes(trace, &spans),
            kinds: kinds(trace),
            events: census.collect(),
            annotations: annotations(trace),
            lacks: lacks::of_trace(trace),
            ..Self::new(file, format, "timeline")
        }
    }

    /// Looks at stacks.
    pub fn of_profile(file: String, format: &str, profile: &Profile) -> Self {
        let mut kinds = BTreeMap::new();
        for node in profile.stacks.nodes() {
            *kinds.entry(profile.stacks.frame(node).kind.name()).or_insert(0) += 1;
        }
        let weights = profile.columns.iter().map(|column| InspectedWeight {
            name: column.weight.name().to_owned(),
            unit: column.unit.name().to_owned(),
            decimals: column.decimals,
            total: profile.sum(&column.weight),
        });
        Self {
            kinds,
            n_stacks: Some(profile.stacks.nodes().count() as u64),
            weights: weights.collect(),
            lacks: vec![
                "no timeline: stacks and weights alone, so no idle time and no steps".to_owned(),
            ],
            ..Self::new(file, format, "stacks")
        }
    }

    /// Adds what the reader skipped or repaired.
    #[must_use]
    pub fn with_notes(self, notes: &Notes) -> Self {
        let notes = notes.iter().map(|note| Note {
            code: note.code.to_owned(),
            message: note.message.to_owned(),
            count: note.count,
            first: note.first.clone(),
        });
        Self { notes: notes.collect(), ..self }
    }
}

/// Writes the document `flamelane.inspect/1`.
pub fn write_inspection_json(inspection: &Inspection, out: &mut dyn io::Write) -> io::Result<()> {
    write_document(inspection, out)
}

fn spans_of_lanes(trace: &Trace) -> Vec<u64> {
    let mut spans = vec![0; trace.lanes.len()];
    for lane in trace.host.lane.iter().chain(&trace.device.lane) {
        spans[lane.index()] += 1;
    }
    spans
}

fn processes(trace: &Trace) -> Vec<InspectedProcess> {
    let process = |process: &flamelane_model::Process| InspectedProcess {
        pid: trace.text(process.label).to_owned(),
        name: trace.text(process.name).to_owned(),
    };
    trace.processes.iter().map(process).collect()
}

fn devices(trace: &Trace) -> Vec<InspectedDevice> {
    let device = |device: &flamelane_model::Device| InspectedDevice {
        device: device.id,
        name: trace.text(device.name).to_owned(),
        memory_bytes: device.memory_bytes,
    };
    trace.devices.iter().map(device).collect()
}

fn lanes(trace: &Trace, spans: &[u64]) -> Vec<InspectedLane> {
    let mut rows: Vec<usize> = (0..trace.lanes.len()).filter(|&lane| spans[lane] > 0).collect();
    rows.sort_by_key(|&lane| (std::cmp::Reverse(spans[lane]), lane));
    let row = |row: usize| {
        let lane = &trace.lanes[row];
        let device = lane.device.and_then(|device| trace.devices.get(device.index()));
        InspectedLane {
            kind: match lane.kind {
                LaneKind::Thread => "thread",
                LaneKind::Stream => "stream",
            },
            name: trace.text(lane.name).to_owned(),
            pid: trace.text(trace.process(lane.process).label).to_owned(),
            device: device.map(|device| device.id),
            spans: spans[row],
        }
    };
    rows.into_iter().take(MOST_LANES).map(row).collect()
}

fn kinds(trace: &Trace) -> BTreeMap<&'static str, u64> {
    let mut kinds = BTreeMap::new();
    for kind in &trace.host.kind {
        *kinds.entry(kind.name()).or_insert(0) += 1;
    }
    for kind in &trace.device.kind {
        let kind = match kind {
            DeviceKind::Kernel => FrameKind::Kernel,
            DeviceKind::Copy => FrameKind::Copy,
            DeviceKind::Memset => FrameKind::Memset,
            DeviceKind::Graph => FrameKind::Graph,
        };
        *kinds.entry(kind.name()).or_insert(0) += 1;
    }
    kinds
}

fn annotations(trace: &Trace) -> Vec<Annotation> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (kind, name) in trace.host.kind.iter().zip(&trace.host.name) {
        if *kind == FrameKind::Annotation {
            *counts.entry(without_digits(trace.text(*name))).or_default() += 1;
        }
    }
    let mut rows: Vec<Annotation> =
        counts.into_iter().map(|(name, count)| Annotation { name, count }).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    rows.truncate(MOST_ANNOTATIONS);
    rows
}

/// Runs of digits as `N`, so that counted names are one.
fn without_digits(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut in_digits = false;
    for c in name.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !in_digits {
            out.push('N');
        }
        in_digits = c.is_ascii_digit();
    }
    out
}
