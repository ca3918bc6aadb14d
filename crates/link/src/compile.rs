//! Compile: host spans that compile, autotune or load code.

use flamelane_model::{FrameKind, Interval, LaneId, Trace};

/// Whether a host span of this name compiles, autotunes or loads code.
pub fn is_compile(name: &str, kind: FrameKind) -> bool {
    const CALLS: [&str; 8] = [
        "ModuleLoad",
        "LibraryLoad",
        "nvrtcCompile",
        "hiprtcCompile",
        "cuLink",
        "ModuleGetFunction",
        "LibraryGetKernel",
        "KernelGetFunction",
    ];
    match kind {
        FrameKind::Runtime => CALLS.iter().any(|part| name.contains(part)),
        FrameKind::Python | FrameKind::Op | FrameKind::Annotation | FrameKind::Native => {
            let function = name.rsplit([' ', '.', ':']).next().unwrap_or(name);
            name == "compile"
                || name.contains("autotune")
                || matches!(
                    function,
                    "compile" | "_compile" | "compile_fx" | "do_bench" | "benchmark_all_configs"
                )
        }
        _ => false,
    }
}

/// Compile spans with their lanes, nested ones left out.
pub(crate) fn spans(trace: &Trace) -> Vec<(Interval, LaneId)> {
    let by_name: Vec<Option<bool>> = vec![None; trace.strings.len()];
    let mut known = by_name;
    let mut found: Vec<(LaneId, Interval)> = Vec::new();
    for span in 0..trace.host.len() {
        let name = trace.host.name[span];
        let kind = trace.host.kind[span];
        let compiles =
            *known[name.index()].get_or_insert_with(|| is_compile(trace.text(name), kind));
        if compiles {
            let interval = Interval::new(trace.host.start[span], trace.host.end[span]);
            found.push((trace.host.lane[span], interval));
        }
    }
    found.sort_unstable();
    let mut outer: Vec<(Interval, LaneId)> = Vec::new();
    for (lane, interval) in found {
        match outer.last() {
            Some((last, last_lane)) if *last_lane == lane && interval.from < last.to => {}
            _ => outer.push((interval, lane)),
        }
    }
    outer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn running_compiled_code_is_no_compile() {
        let python = |name| is_compile(name, FrameKind::Python);
        assert!(python("triton/compiler/compiler.py(280): compile"));
        assert!(python("attn_bwd.compile"));
        assert!(!python("torch/_dynamo/eval_frame.py(736): compile_wrapper"));
        assert!(!is_compile("Torch-Compiled Region: 0/1", FrameKind::Op));
        assert!(is_compile("cuModuleLoadData", FrameKind::Runtime));
        assert!(!is_compile("cuLaunchKernel", FrameKind::Runtime));
    }
}
