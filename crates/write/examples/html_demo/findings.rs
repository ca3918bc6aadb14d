//! Findings of the demo: one to say first, one of busy time with a hostile name, one small; none where withheld.

use std::collections::BTreeMap;

use flamelane_report::{Finding, GpuPath, IdleOwner, Place, StepPattern, Verdict};
use serde_json::json;

/// A verdict; of a second rank none, and so no findings.
pub(crate) fn verdict(rank: u64, idle: i64, whole: i64) -> Verdict {
    if rank > 0 {
        return Verdict {
            kind: "untrustworthy".to_owned(),
            sentence: "this capture supports no verdict: the profiler slowed the host".to_owned(),
            suppressed_by: vec!["profiler-overhead".to_owned()],
        };
    }
    let share = 100.0 * idle as f64 / whole as f64;
    Verdict {
        kind: "host-bound".to_owned(),
        sentence: format!(
            "Host-bound: the GPU is idle for {share:.0} % of each decode step while Python schedules, detokenizes and prepares inputs."
        ),
        ..Verdict::default()
    }
}

/// How the steps differ.
pub(crate) fn patterns() -> Vec<StepPattern> {
    vec![StepPattern {
        pattern: "period".to_owned(),
        sentence: "every 16th step takes 9 % longer".to_owned(),
        steps: Vec::new(),
    }]
}

/// What the largest owner of idle time leads to, per step.
pub(crate) fn findings(owners: &[IdleOwner], paths: &[GpuPath], whole: i64) -> Vec<Finding> {
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
    let busy = paths.iter().find(|path| path.kind == "copy").or(paths.last());
    first.into_iter().chain(busy.map(|path| copies(path, whole))).chain(last).collect()
}

/// Copies with nothing beside them; names that would be markup if the page parsed them.
fn copies(path: &GpuPath, whole: i64) -> Finding {
    Finding {
        kind: "copy-on-critical-path".to_owned(),
        stack: path.stack.clone(),
        count: path.count,
        per_step: 1.0,
        evidence: BTreeMap::from([
            ("copy".to_owned(), json!(path.name)),
            ("moved_bytes".to_owned(), json!(4096)),
        ]),
        owned_ns_per_step: path.per_step_ns,
        owned_share: path.ns as f64 / whole as f64,
        max_gain_ns_per_step: path.per_step_ns / 2,
        simulated_gain_ns_per_step: Some(path.per_step_ns / 4),
        subject: "`<img src=x onerror=alert(1)>` & <b>others</b>".to_owned(),
        confidence: "high: both ends are recorded".to_owned(),
        sentence: "`<script>alert(1)</script>` runs with no kernel beside it".to_owned(),
        experiment: "pin the memory".to_owned(),
        ..Finding::default()
    }
}
