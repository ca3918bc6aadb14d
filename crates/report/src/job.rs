//! The job: what the file says of the workload.

use std::collections::BTreeSet;

use flamelane_link::Linked;
use flamelane_model::{FrameKind, LaneKind};

use crate::document::Job;

pub(crate) fn job(linked: &Linked) -> Job {
    let trace = &linked.trace;
    let devices = linked.devices.iter().map(|time| trace.devices[time.device.index()].name);
    let mut devices: Vec<String> = devices.map(|name| trace.text(name).to_owned()).collect();
    devices.retain(|name| !name.is_empty());
    devices.dedup();
    let kept = || linked.steps.list.iter().filter(|step| step.is_kept());
    let batches = || kept().filter_map(|step| step.batch);
    Job {
        kind: kind(linked),
        devices,
        frameworks: frameworks(linked),
        models: models(linked),
        batch: batches().min().zip(batches().max()),
        dtype: dtype(linked),
        properties: trace.metadata.properties.clone(),
    }
}

/// The process id that most host spans carry, as text.
pub(crate) fn main_process(linked: &Linked) -> String {
    let trace = &linked.trace;
    let thread = trace.host.lane.first().map(|lane| trace.lane(*lane));
    let thread = thread.or_else(|| trace.lanes.iter().find(|lane| lane.kind == LaneKind::Thread));
    thread.map_or_else(String::new, |lane| trace.text(trace.process(lane.process).label).to_owned())
}

/// The phase most kept steps have; else training when backward operators ran.
fn kind(linked: &Linked) -> Option<String> {
    let phases: BTreeSet<&str> =
        linked.steps.list.iter().filter_map(|step| step.phase.as_deref()).collect();
    if !phases.is_empty() {
        return Some(phases.into_iter().collect::<Vec<_>>().join(" and "));
    }
    let backward = linked.trace.strings.iter().any(|(_, name)| {
        name.starts_with("autograd::engine::evaluate_function")
            || name.starts_with("Optimizer.step#")
    });
    backward.then(|| "training".to_owned())
}

/// Engines and frameworks by the paths of python frames and the names of operators.
fn frameworks(linked: &Linked) -> Vec<String> {
    const MARKS: [(&str, &str); 11] = [
        ("vllm/", "vLLM"),
        ("sglang/", "SGLang"),
        ("tensorrt_llm/", "TensorRT-LLM"),
        ("transformers/", "Transformers"),
        ("diffusers/", "Diffusers"),
        ("xfuser/", "xDiT"),
        ("megatron/", "Megatron"),
        ("deepspeed/", "DeepSpeed"),
        ("lightning/", "Lightning"),
        ("aten::", "PyTorch"),
        ("torch/", "PyTorch"),
    ];
    let mut found = BTreeSet::new();
    for (_, name) in linked.trace.strings.iter() {
        for (mark, framework) in MARKS {
            let inside =
                name.find(mark).is_some_and(|at| at == 0 || name.as_bytes()[at - 1] == b'/');
            if inside && (mark == "aten::" || name.contains(".py(")) {
                found.insert(framework);
            }
        }
    }
    found.into_iter().map(str::to_owned).collect()
}

/// Classes of the outermost modules.
fn models(linked: &Linked) -> Vec<String> {
    let stacks = &linked.nested.stacks;
    let mut below = vec![false; stacks.len()];
    let mut found = BTreeSet::new();
    for node in stacks.nodes() {
        let is_module = stacks.frame(node).kind == FrameKind::Module;
        let inside = below[stacks.parent(node).index()];
        below[node.index()] = inside || is_module;
        if is_module && !inside {
            let name = linked.trace.text(stacks.frame(node).name);
            let class = name.trim_start_matches("nn.Module: ");
            let class = class.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
            found.insert(class.to_owned());
        }
    }
    found.into_iter().take(8).collect()
}

/// The number format that most matrix and attention kernel time names.
fn dtype(linked: &Linked) -> Option<String> {
    const FORMATS: [(&str, &[&str]); 5] = [
        ("fp4", &["fp4", "e2m1", "mxfp4"]),
        ("fp8", &["fp8", "e4m3", "e5m2", "f8"]),
        ("bf16", &["bf16", "bfloat16", "bbs_bh"]),
        ("fp16", &["fp16", "f16f16", "half", "hhs_bh", "s16816gemm_f16"]),
        ("fp32", &["sgemm", "f32f32", "float"]),
    ];
    let trace = &linked.trace;
    let mut known: Vec<Option<Option<usize>>> = vec![None; trace.strings.len()];
    let mut sums = [0_i64; FORMATS.len()];
    for (span, &family) in linked.families.of_span.iter().enumerate() {
        let family = linked.families.names.get(usize::from(family)).map(String::as_str);
        if !matches!(family, Some("gemm" | "attention" | "convolution" | "moe")) {
            continue;
        }
        let name = trace.device.name[span];
        let format = *known[name.index()].get_or_insert_with(|| {
            let lower = trace.text(name).to_ascii_lowercase();
            FORMATS.iter().position(|(_, marks)| marks.iter().any(|mark| lower.contains(mark)))
        });
        if let Some(format) = format {
            sums[format] = trace.device.duration(span).saturating_add(sums[format]);
        }
    }
    let most = (0..FORMATS.len()).max_by_key(|&format| sums[format])?;
    (sums[most] > 0).then(|| FORMATS[most].0.to_owned())
}
