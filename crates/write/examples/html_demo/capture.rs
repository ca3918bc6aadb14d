//! The report over the invented profile: its sums are the profile's own.

use std::collections::BTreeMap;

use flamelane_model::{FrameKind, Profile, StackId, Weight};
use flamelane_report::{
    Capture, Device, Family, GpuPath, Health, IdleClass, IdleOwner, Job, LeftOut, Note, Partition,
    Protocol, Question, Range, Spread, Step, Steps, Totals, Window,
};

use crate::findings::{findings, patterns, verdict};
use crate::stacks::N_STEPS;

/// The capture of one rank.
pub(crate) fn of(profile: &Profile, rank: u64, n_ranks: u64) -> Capture {
    let (idle, busy, sum) =
        (profile.sum(&Weight::Idle), profile.sum(&Weight::GpuBusy), profile.sum(&Weight::Gpu));
    let partition = partition(profile, busy, idle);
    let gpu_paths = gpu_paths(profile);
    let idle_owners = idle_owners(profile);
    Capture {
        file: format!("vllm_decode_rank{rank}.pt.trace.json.gz"),
        format: "kineto".to_owned(),
        rank: (n_ranks > 1).then_some(rank),
        world_size: Some(n_ranks.max(2)),
        job: job(),
        totals: totals(profile, sum),
        window: window(busy, idle, sum),
        partition,
        steps: steps(busy, idle),
        devices: vec![device(rank, partition, (busy, idle, sum))],
        ranges: ranges(sum),
        questions: questions(&idle_owners, &gpu_paths, idle, sum),
        findings: if rank > 0 {
            Vec::new()
        } else {
            findings(&idle_owners, &gpu_paths, busy + idle)
        },
        idle: idle_owners,
        idle_classes: idle_classes(idle),
        families: families(profile),
        gpu_paths,
        health: health(),
        verdict: verdict(rank, idle, busy + idle),
        protocol: Protocol {
            explanation: "The largest blank is detokenization between two steps: nothing is launched until every output string has been updated.".to_owned(),
            experiment: "move detokenization off the engine thread, or overlap it with the next step (async scheduling).".to_owned(),
            ..Protocol::default()
        },
        notes: vec![Note {
            code: "unmatched-correlation".to_owned(),
            message: "launches had no device span in the file".to_owned(),
            count: 12,
            first: "byte 182340112: cudaLaunchKernel, correlation 90817".to_owned(),
        }],
        ..Capture::default()
    }
}

fn job() -> Job {
    let property = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    Job {
        kind: Some("decode".to_owned()),
        devices: vec!["NVIDIA H100 80GB HBM3".to_owned()],
        frameworks: vec!["vLLM".to_owned(), "PyTorch 2.8".to_owned()],
        models: vec!["LlamaForCausalLM".to_owned()],
        batch: Some((28, 32)),
        dtype: Some("bf16".to_owned()),
        properties: [
            property("cuda_runtime_version", "12080"),
            property("record_shapes", "0"),
            property("with_stack", "1"),
        ]
        .into(),
    }
}

fn totals(profile: &Profile, sum: i64) -> Totals {
    Totals {
        device_spans: profile.sum(&Weight::Launches) as u64,
        kernels: profile.sum(&Weight::Launches) as u64,
        kernels_ns: sum,
        attributed_ns: sum - sum / 170,
        ..Totals::default()
    }
}

fn window(busy: i64, idle: i64, sum: i64) -> Window {
    Window {
        to_ns: busy + idle,
        wall_ns: busy + idle,
        rule: format!("{N_STEPS} kept steps"),
        left_out: vec![LeftOut {
            what: "steps 0–1".to_owned(),
            why: "warm-up, 3.1 × the median".to_owned(),
        }],
        busy_ns: busy,
        idle_ns: idle,
        sum_ns: sum,
        ..Window::default()
    }
}

/// Device time of a kind of frame.
fn of_kind(profile: &Profile, kind: FrameKind) -> i64 {
    let values = profile.selves(&Weight::GpuBusy);
    let nodes = profile.stacks.nodes().filter(|node| profile.stacks.frame(*node).kind == kind);
    nodes.map(|node| values[node.index()]).sum()
}

fn partition(profile: &Profile, busy: i64, idle: i64) -> Partition {
    let comm = of_kind(profile, FrameKind::Comm);
    let copy = of_kind(profile, FrameKind::Copy);
    let (comm_hidden_ns, copy_hidden_ns) = (comm / 4, copy / 2);
    let (comm_exposed_ns, copy_exposed_ns) = (comm - comm_hidden_ns, copy - copy_hidden_ns);
    Partition {
        compute_ns: busy - comm_exposed_ns - copy_exposed_ns,
        comm_exposed_ns,
        copy_exposed_ns,
        idle_ns: idle,
        comm_hidden_ns,
        copy_hidden_ns,
    }
}

fn steps(busy: i64, idle: i64) -> Steps {
    let mut list = Vec::new();
    let mut from_ns = 0;
    for i in 0..N_STEPS + 2 {
        let warm = i < 2;
        let wobble = 100 + (i * 37 % 11) - 5 + if i % 16 == 9 { 22 } else { 0 };
        let busy_ns = busy / N_STEPS * if warm { 170 } else { 100 + (i * 13 % 5) - 2 } / 100;
        let idle_ns = idle / N_STEPS * if warm { 420 } else { wobble } / 100;
        list.push(Step {
            name: format!("execute_context_0(0)_generation_{0}({0})", 28 + i % 5),
            phase: Some("decode".to_owned()),
            batch: Some((28 + i % 5) as u64),
            kept: !warm,
            left_out: warm.then(|| "warm-up: longer than twice the median step".to_owned()),
            from_ns,
            marker_ns: busy_ns + idle_ns,
            wall_ns: busy_ns + idle_ns,
            busy_ns,
            idle_ns,
            launch_calls: 359,
            kernels: 359,
            gpu_ns: busy_ns,
            stretch_ns: (from_ns, from_ns + busy_ns + idle_ns),
        });
        from_ns += busy_ns + idle_ns;
    }
    let mut walls: Vec<i64> =
        list.iter().filter(|step| step.kept).map(|step| step.wall_ns).collect();
    walls.sort_unstable();
    let spread = Spread {
        p50: walls[walls.len() / 2],
        mean: walls.iter().sum::<i64>() / walls.len() as i64,
        min: walls[0],
        max: walls[walls.len() - 1],
    };
    Steps {
        marker: Some("execute_context_…_generation_…".to_owned()),
        kind: "annotation".to_owned(),
        count: N_STEPS as u64,
        wall_ns: spread,
        patterns: patterns(),
        list,
        not_listed: 0,
    }
}

fn device(rank: u64, partition: Partition, (busy, idle, sum): (i64, i64, i64)) -> Device {
    Device {
        pid: "4242".to_owned(),
        device: rank as i64,
        name: "NVIDIA H100 80GB HBM3".to_owned(),
        wall_ns: busy + idle,
        busy_ns: busy,
        sum_ns: sum,
        idle_ns: idle,
        partition,
        streams: 3,
        in_verdict: true,
    }
}

fn ranges(sum: i64) -> Vec<Range> {
    let range = |name: &str, share: i64, density: f64| Range {
        name: name.to_owned(),
        count: N_STEPS as u64,
        host_ns: sum / 100 * share * 13 / 10,
        union_ns: sum / 100 * share,
        sum_ns: sum / 100 * share,
        density,
        ..Range::default()
    };
    vec![
        range("execute_model", 96, 0.91),
        range("sample", 3, 0.42),
        range("prepare_inputs", 1, 0.08),
    ]
}

/// The leaves of a weight, the heaviest first.
fn leaves(profile: &Profile, weight: &Weight) -> Vec<(StackId, i64)> {
    let values = profile.selves(weight);
    let mut leaves: Vec<_> = profile
        .stacks
        .nodes()
        .map(|node| (node, values[node.index()]))
        .filter(|(_, value)| *value > 0)
        .collect();
    leaves.sort_by_key(|(node, value)| (-value, *node));
    leaves
}

fn names(profile: &Profile, node: StackId) -> Vec<String> {
    profile.stacks.names(node, &profile.strings).into_iter().map(str::to_owned).collect()
}

/// The innermost frame of a kind at or above a node.
fn innermost(profile: &Profile, node: StackId, kind: FrameKind) -> Option<String> {
    let frame =
        profile.stacks.climb(node).map(|n| profile.stacks.frame(n)).find(|f| f.kind == kind)?;
    Some(profile.strings.text(frame.name).to_owned())
}

fn count(profile: &Profile, node: StackId) -> u64 {
    profile.selves(&Weight::Calls)[node.index()].max(N_STEPS) as u64
}

fn idle_owners(profile: &Profile) -> Vec<IdleOwner> {
    let owner = |(node, ns): (StackId, i64)| {
        let frame = profile.stacks.frame(node);
        IdleOwner {
            owner: frame.kind.name().to_owned(),
            frame: profile.strings.text(frame.name).to_owned(),
            class: "late host".to_owned(),
            kind: frame.kind.name().to_owned(),
            stack: names(profile, node),
            stacks: 1,
            user_frame: innermost(profile, node, FrameKind::Python),
            ns,
            per_step_ns: ns / N_STEPS,
            count: count(profile, node),
        }
    };
    leaves(profile, &Weight::Idle).into_iter().map(owner).collect()
}

fn gpu_paths(profile: &Profile) -> Vec<GpuPath> {
    let mut paths: Vec<GpuPath> = Vec::new();
    let mut known: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for (node, ns) in leaves(profile, &Weight::Gpu) {
        let path = gpu_path(profile, node, ns);
        let alike = path.stack.iter().map(|name| without_index(name)).collect();
        let row = *known.entry(alike).or_insert(paths.len());
        match paths.get_mut(row) {
            Some(first) => {
                first.stacks += 1;
                first.ns += ns;
                first.per_step_ns += path.per_step_ns;
                first.count += path.count;
            }
            None => paths.push(path),
        }
    }
    paths.sort_by_key(|path| -path.ns);
    paths.truncate(50);
    paths
}

fn without_index(name: &str) -> String {
    let digits = |c: char| c.is_ascii_digit();
    if name.starts_with("nn.Module") { name.trim_end_matches(digits) } else { name }.to_owned()
}

fn gpu_path(profile: &Profile, node: StackId, ns: i64) -> GpuPath {
    let frame = profile.stacks.frame(node);
    GpuPath {
        name: profile.strings.text(frame.name).to_owned(),
        kind: frame.kind.name().to_owned(),
        op: innermost(profile, node, FrameKind::Op),
        user_frame: innermost(profile, node, FrameKind::Python),
        stack: names(profile, node),
        stacks: 1,
        ns,
        per_step_ns: ns / N_STEPS,
        count: count(profile, node),
    }
}

fn idle_classes(idle: i64) -> Vec<IdleClass> {
    let class = |class: &str, ns: i64| IdleClass { class: class.to_owned(), ns };
    let (late, launch) = (idle * 86 / 100, idle * 9 / 100);
    vec![
        class("late host", late),
        class("launch latency", launch),
        class("dispatch", idle - late - launch),
    ]
}

fn families(profile: &Profile) -> Vec<Family> {
    let groups = [
        ("gemm", "cutlass"),
        ("attention", "flash"),
        ("communication", "nccl"),
        ("normalisation", "norm"),
        ("activation", "act_and_mul"),
        ("copy", "Memcpy"),
    ];
    let leaves = leaves(profile, &Weight::Gpu);
    let mut families: Vec<Family> = groups
        .iter()
        .map(|(name, part)| {
            let rows = leaves.iter().filter(|(node, _)| {
                profile.strings.text(profile.stacks.frame(*node).name).contains(part)
            });
            let (ns, kernels) = rows.fold((0, 0), |(ns, n), row| (ns + row.1, n + N_STEPS as u64));
            Family { name: (*name).to_owned(), ns, kernels }
        })
        .collect();
    families.sort_by_key(|family| -family.ns);
    families
}

fn questions(idle: &[IdleOwner], paths: &[GpuPath], all_idle: i64, all_gpu: i64) -> Vec<Question> {
    let percent = |part: i64, all: i64| 100.0 * part as f64 / all as f64;
    vec![
        Question {
            question: "Which path owns most of the idle time?".to_owned(),
            answer: format!("detokenizer.update, {:.1} % of it: decode_stream runs for every sequence between two steps.", percent(idle[0].ns, all_idle)),
            stack: idle[0].stack.clone(),
        },
        Question {
            question: "Which path owns most of the GPU time?".to_owned(),
            answer: format!("The MLP up projection, a bf16 GEMM of LlamaMLP: {:.1} % over {} layers.", percent(paths[0].ns, all_gpu), paths[0].stacks),
            stack: paths[0].stack.clone(),
        },
        Question {
            question: "Is there a synchronization that hurts?".to_owned(),
            answer: ".item() in _bookkeeping_sync waits 5.3 ms a step; 4.95 ms of that the GPU was busy, so only 0.35 ms is lost.".to_owned(),
            stack: idle
                .iter()
                .find(|owner| owner.frame == "cudaStreamSynchronize")
                .map(|owner| owner.stack.clone())
                .unwrap_or_default(),
        },
    ]
}

fn health() -> Vec<Health> {
    let check = |check: &str, status: &str, message: &str, fix: Option<&str>| Health {
        check: check.to_owned(),
        status: status.to_owned(),
        message: message.to_owned(),
        value: 0.0,
        fix: fix.map(str::to_owned),
        recipe: None,
    };
    vec![
        check(
            "profiler-overhead",
            "warn",
            "The profiler recorded Python stacks, which slow the host: idle time is an upper bound.",
            Some(
                "Record once with with_stack=False, or give the unprofiled step time with --step-ms.",
            ),
        ),
        check("attributed", "ok", "99.4 % of device time has its launch in the file.", None),
        check("device-work", "ok", "All device work launched in the window was recorded.", None),
        check("graphs", "ok", "No graph replay lacks its kernels.", None),
        check("times", "ok", "No device span has an impossible time.", None),
        check("phases", "ok", "All kept steps are decode.", None),
    ]
}
