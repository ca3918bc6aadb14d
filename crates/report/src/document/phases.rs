//! The verdict on each phase, as the document has it.

use flamelane_model::Ns;
use serde::Serialize;

use super::{Spread, Verdict};

/// The kept steps of one phase.
#[derive(Clone, Debug, Default, Serialize)]
pub struct PhaseOf {
    /// Its name; null for kept steps that name none.
    pub phase: Option<String>,
    /// Kept steps.
    pub count: u64,
    /// Wall time of one.
    pub wall_ns: Spread,
    /// Busy time of all.
    pub busy_ns: Ns,
    /// Idle time of all.
    pub idle_ns: Ns,
    /// Their part of the window.
    pub share: f64,
    /// What these steps are bound by.
    pub verdict: Verdict,
    /// Dense or waiting.
    pub dense: String,
    /// The largest blank.
    pub blank: String,
    /// Its explanation.
    pub explanation: String,
    /// One thing to try next.
    pub experiment: String,
}
