//! The bandwidth bound of a decode step, as the document has it.

use flamelane_model::Ns;
use serde::Serialize;

/// How fast a step can be at most, by the bytes that it reads, and how fast it is.
#[derive(Clone, Debug, Default, Serialize)]
pub struct StepBound {
    /// The device's name.
    pub device: String,
    /// Peak bandwidth of its memory in bytes a second; null where it is not known.
    pub bandwidth_bytes_per_s: Option<u64>,
    /// Where the bandwidth is from.
    pub source: String,
    /// Bytes of weights that a step reads, as given.
    pub model_bytes: u64,
    /// Bytes of keys and values that a step reads, as given.
    pub kv_bytes: u64,
    /// Devices that share the bytes.
    pub devices: u64,
    /// Why so many.
    pub assumption: String,
    /// The shortest that a step can be; null where the bandwidth is not known.
    pub bound_ns: Option<Ns>,
    /// Phase of the measured steps; null where steps name none.
    pub phase: Option<String>,
    /// Measured steps.
    pub steps: u64,
    /// Their median wall time on the busiest device; null where there are none.
    pub measured_ns: Option<Ns>,
    /// All of it in one sentence.
    pub sentence: String,
}
