//! The bandwidth bound as the document lists it.

use flamelane_find::ModelBytes;

use crate::document::Capture;
use crate::document::bound::StepBound;

/// Puts the bound of a step beside the step of a capture.
pub fn add_bound(capture: &mut Capture, given: ModelBytes, found: flamelane_find::StepBound) {
    capture.protocol.bound = Some(found.sentence.clone());
    capture.bound = Some(StepBound {
        device: found.device,
        bandwidth_bytes_per_s: found.bandwidth,
        source: found.source,
        model_bytes: given.weights,
        kv_bytes: given.kv,
        devices: found.n_devices,
        assumption: found.assumption,
        bound_ns: found.bound,
        phase: found.phase,
        steps: found.n_steps,
        measured_ns: found.measured,
        sentence: found.sentence,
    });
}
