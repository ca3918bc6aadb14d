//! How work is launched, as the document has it.

use flamelane_model::Ns;
use serde::Serialize;

/// The launches of the window.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Launches {
    /// By call and kind of work, most calls first (the largest 32).
    pub paths: Vec<LaunchPath>,
    /// How long the device stays busy with what is launched and not finished, at each launch.
    pub lead_ns: Tenths,
    /// Share of launches with a lead under 10 µs.
    pub low_lead_share: f64,
    /// Launches, not finished, that each launch found before it.
    pub queue_depth: Tenths,
    /// The lead over the kept steps.
    pub lead_series: Vec<LeadOfSteps>,
    /// Full launch queues, or null: long calls in them are no overhead.
    pub back_pressure: Option<BackPressure>,
    /// Calls whose work starts before them; they count for no latency.
    pub negative: u64,
    /// Calls whose work is the first of its stream and starts long after; they count for no latency.
    pub hidden: u64,
}

/// Three figures of a distribution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tenths {
    /// A tenth is at most this.
    pub p10: Ns,
    /// Median.
    pub p50: Ns,
    /// Nine tenths are at most this.
    pub p90: Ns,
}

/// How often, and two figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Delay {
    /// Launches.
    pub count: u64,
    /// Median.
    pub p50: Ns,
    /// 99 of 100 are at most this long.
    pub p99: Ns,
}

/// Launches by one call of one kind of work.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LaunchPath {
    /// Name of the runtime or driver call.
    pub call: String,
    /// Whether it replays a graph.
    pub graph: bool,
    /// What the first span that it launched is: `kernel`, `copy`, `memset`, `graph`.
    pub kind: String,
    /// Calls.
    pub count: u64,
    /// Device spans that they launched.
    pub device_spans: u64,
    /// Mean length of the call.
    pub mean_call_ns: Ns,
    /// From the start of the call to the start of the work, where the stream was idle at the call.
    pub latency_ns: Delay,
    /// The same where the stream still had work: depth of the queue, no cost.
    pub queueing_ns: Delay,
    /// The functions of the user's own code that launch most of it.
    pub frames: Vec<LaunchFrame>,
}

/// The launches of a path below one function.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LaunchFrame {
    /// Its name.
    pub name: String,
    /// Calls.
    pub count: u64,
    /// As of the path.
    pub latency_ns: Delay,
    /// As of the path.
    pub queueing_ns: Delay,
}

/// The host's lead in one kept step, or in a few consecutive ones.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LeadOfSteps {
    /// Name of the first of them.
    pub step: String,
    /// Its number in `steps.list`.
    pub number: u64,
    /// Median lead at their launches.
    pub p50_ns: Ns,
    /// Their launches.
    pub launches: u64,
    /// Share of them with a lead under 10 µs.
    pub low_share: f64,
}

/// Times during which launch calls waited for room in the queue of a busy device.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BackPressure {
    /// Calls that waited.
    pub calls: u64,
    /// Sum of their lengths.
    pub call_ns: Ns,
    /// Time of the window from the first to the last call of each run of them.
    pub ns: Ns,
    /// Start of the longest run.
    pub from_ns: Ns,
    /// Its end.
    pub to_ns: Ns,
    /// Smallest number of launches, not finished, that one of them found before it.
    pub queue_depth: u64,
}
