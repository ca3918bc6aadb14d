//! The parts of the made-up report that only some captures have.

use flamelane_report::{
    BackPressure, Delay, LaunchFrame, LaunchPath, Launches, LeadOfSteps, PhaseOf, Spread,
    StepBound, Tenths, Verdict,
};

use super::MS;

pub(super) fn launches() -> Launches {
    let (latency_ns, queueing_ns) = (
        Delay { count: 300, p50: 6_200, p99: 18_000 },
        Delay { count: 100, p50: 1_200_000, p99: 2 * MS },
    );
    let name = "model.py(12): forward".to_owned();
    Launches {
        paths: vec![LaunchPath {
            call: "cudaLaunchKernel".to_owned(),
            graph: false,
            kind: "kernel".to_owned(),
            count: 400,
            device_spans: 400,
            mean_call_ns: 4_100,
            latency_ns,
            queueing_ns,
            frames: vec![LaunchFrame { name, count: 400, latency_ns, queueing_ns }],
        }],
        lead_ns: Tenths { p10: 0, p50: 3_000, p90: 900_000 },
        low_lead_share: 0.6,
        queue_depth: Tenths { p10: 0, p50: 1, p90: 40 },
        lead_series: vec![LeadOfSteps {
            step: "execute_1".to_owned(),
            number: 1,
            p50_ns: 3_000,
            launches: 100,
            low_share: 0.5,
        }],
        back_pressure: Some(BackPressure {
            calls: 20,
            call_ns: MS,
            ns: 2 * MS,
            from_ns: 5 * MS,
            to_ns: 7 * MS,
            queue_depth: 1_020,
        }),
        negative: 0,
        hidden: 1,
    }
}

pub(super) fn phases() -> Vec<PhaseOf> {
    let phase = |name: &str, count, kind: &str, busy_ns, idle_ns| PhaseOf {
        phase: Some(name.to_owned()),
        count,
        wall_ns: Spread { p50: 10 * MS, mean: 10 * MS, min: 9 * MS, max: 11 * MS },
        busy_ns,
        idle_ns,
        share: (busy_ns + idle_ns) as f64 / (40 * MS) as f64,
        verdict: Verdict {
            kind: kind.to_owned(),
            sentence: "the device computes for 90.0 % of these steps".to_owned(),
            suppressed_by: Vec::new(),
        },
        dense: "dense: busy 90.0 % of these steps".to_owned(),
        blank: "1.00 ms under `detokenize`".to_owned(),
        explanation: "70 % of idle time is late host".to_owned(),
        experiment: "look at the widest device path".to_owned(),
    };
    vec![
        phase("prefill", 1, "gpu-bound", 9 * MS, MS),
        phase("decode", 3, "host-bound", 20 * MS, 10 * MS),
    ]
}

pub(super) fn bound() -> StepBound {
    StepBound {
        device: "NVIDIA H100 80GB HBM3".to_owned(),
        bandwidth_bytes_per_s: Some(3_350_000_000_000),
        source: "NVIDIA H100 data sheet".to_owned(),
        model_bytes: 14_200_000_000,
        kv_bytes: 0,
        devices: 1,
        assumption: "one device reads all of it".to_owned(),
        bound_ns: Some(4_238_806),
        phase: Some("decode".to_owned()),
        steps: 3,
        measured_ns: Some(10 * MS),
        sentence: "decode step 10.0 ms p50, 2.36 × the 4.24 ms that reading weights and cache takes at least".to_owned(),
    }
}
