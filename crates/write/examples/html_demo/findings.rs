//! Findings of the demo: one to say first, one small.

use std::collections::BTreeMap;

use flamelane_report::{Finding, IdleOwner, Place};
use serde_json::json;

/// What the largest owner of idle time leads to, per step.
pub(crate) fn findings(owners: &[IdleOwner], whole: i64) -> Vec<Finding> {
    let of = |owner: &IdleOwner, kind: &str, headline: bool| Finding {
        kind: kind.to_owned(),
        r#where: Place {
            lane: "engine".to_owned(),
            step: Some("step 7".to_owned()),
            ..Place::default()
        },
        stack: owner.stack.clone(),
        user_frame: owner.user_frame.clone(),
        count: 40,
        per_step: 1.0,
        evidence: BTreeMap::from([
            ("mean_gap_ns".to_owned(), json!(owner.per_step_ns)),
            (
                "frames_ns_per_step".to_owned(),
                json!([{ "name": owner.frame, "ns": owner.per_step_ns }]),
            ),
        ]),
        owned_ns_per_step: owner.per_step_ns,
        owned_share: owner.ns as f64 / whole as f64,
        max_gain_ns_per_step: owner.per_step_ns,
        subject: format!("`{}`", owner.frame),
        confidence: "high: the launching thread is recorded while the device waits".to_owned(),
        sentence: format!("the device waits while the host runs `{}`", owner.frame),
        experiment: "move it off the launching thread".to_owned(),
        headline,
        ..Finding::default()
    };
    let first = owners.first().map(|owner| of(owner, "host-island", true));
    let last = owners.last().map(|owner| of(owner, "dispatch-bound", false));
    first.into_iter().chain(last).collect()
}
