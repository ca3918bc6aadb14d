//! `docs/verdicts.md`: what is said of real captures.

use flamelane_link::Rules;
use flamelane_report::Capture;

use crate::{capture, corpus, linked};

/// The capture of the corpus whose name holds `part`.
fn told(part: &str) -> Option<Capture> {
    let corpus = corpus()?;
    let files = crate::traces(&corpus);
    let path = files.iter().find(|path| path.to_string_lossy().contains(part));
    let path = path.unwrap_or_else(|| panic!("no capture is called {part}"));
    Some(capture(&linked(path, Rules::default()).unwrap()))
}

/// Share of the step that the findings of a kind own.
fn owned(capture: &Capture, kind: &str) -> f64 {
    let found = capture.findings.iter().filter(|finding| finding.kind == kind);
    let owned: i64 = found.map(|finding| finding.owned_ns_per_step).sum();
    let window = capture.window.busy_ns + capture.window.idle_ns;
    owned as f64 * capture.steps.count.max(1) as f64 / window as f64
}

fn mentions(capture: &Capture, kind: &str, word: &str) -> bool {
    let found = capture.findings.iter().filter(|finding| finding.kind == kind);
    found.into_iter().any(|finding| finding.sentence.contains(word))
}

#[test]
fn each_verdict_is_the_one_that_the_page_defends() {
    let verdicts = [
        ("h100_Qwen_Qwen1.5", "gpu-bound"),
        ("mi300_Qwen_Qwen1.5", "gpu-bound"),
        ("sglang_Qwen3-8B_prefilldecode", "gpu-bound"),
        ("timesformer", "host-bound"),
        ("vllm_decode_full_graph_execution", "gpu-bound"),
        ("resnet_act_checkpoint", "communication-bound"),
        ("megatron_tp8_rank0", "communication-bound"),
        ("xdit_sd_3.5", "launch-bound"),
        ("owlv2", "host-bound"),
        ("b200_eager", "launch-bound"),
    ];
    for (part, kind) in verdicts {
        let Some(capture) = told(part) else { return };
        assert_eq!(capture.verdict.kind, kind, "{part}");
    }
}

#[test]
fn a_copy_that_waits_for_unrecorded_work_is_named_and_costs_nothing() {
    let Some(capture) = told("sglang_Qwen3-8B_prefilldecode") else { return };
    assert!(mentions(&capture, "sync-cliff", "493 ms"));
    assert!(owned(&capture, "sync-cliff") < 1e-9);
    assert!(capture.window.not_recorded_ns > 490_000_000);
}

#[test]
fn one_gap_before_the_first_kernel_is_one_finding() {
    let Some(capture) = told("timesformer") else { return };
    let first = &capture.findings[0];
    assert_eq!((first.kind.as_str(), first.count), ("host-island", 1));
    assert!((267_000_000..271_000_000).contains(&first.owned_ns_per_step));
    assert!(
        first
            .sentence
            .contains("before the first device work, after which the device is busy for 98.4 %")
    );
}

#[test]
fn a_healthy_graph_decode_has_no_large_host_finding() {
    let Some(capture) = told("vllm_decode_full_graph_execution") else { return };
    for finding in &capture.findings {
        assert!(owned(&capture, &finding.kind) < 0.04, "{}", finding.sentence);
    }
    let unseen = capture.health.iter().find(|check| check.check == "not-recorded").unwrap();
    assert_eq!(unseen.status, "warn");
}

#[test]
fn the_image_resize_is_the_first_island() {
    let Some(capture) = told("owlv2") else { return };
    assert!(capture.findings[0].subject.contains("zoom_shift"));
    assert!(mentions(&capture, "sync-cliff", "zoom_shift"));
}
