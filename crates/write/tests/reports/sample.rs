//! A report in which nothing is missing: every list has an entry, every option is set.

mod more;

use std::collections::BTreeMap;

use flamelane_report::{
    Capture, Device, Family, Finding, GpuPath, Health, IdleClass, IdleOwner, Job, LeftOut, Note,
    Partition, Place, Protocol, Question, Range, Report, SCHEMA, SelfCheck, Spread, Step,
    StepPattern, Steps, Totals, Verdict, Window,
};

pub(crate) const MS: i64 = 1_000_000;

/// One capture: 4 of 5 steps of 10 ms, 6 ms of them compute, 1 ms each of exposed communication
/// and copies, 2 ms idle.
pub(crate) fn report() -> Report {
    Report { schema: SCHEMA, captures: vec![capture()] }
}

/// The same without what only some captures have: one phase, launches far ahead, no bound asked.
pub(crate) fn plain() -> Capture {
    let mut capture = capture();
    capture.launches.low_lead_share = 0.0;
    capture.launches.back_pressure = None;
    capture.phases.clear();
    capture.bound = None;
    capture
}

pub(crate) fn capture() -> Capture {
    Capture {
        file: "rank0.pt.trace.json.gz".to_owned(),
        format: "kineto".to_owned(),
        rank: Some(0),
        world_size: Some(2),
        job: job(),
        totals: totals(),
        window: window(),
        partition: partition(1),
        steps: steps(),
        devices: vec![device()],
        ranges: vec![range("sample", 3 * MS), range("forward", 2 * MS)],
        launches: more::launches(),
        idle: idle(),
        idle_classes: vec![
            IdleClass { class: "late host".to_owned(), ns: 6 * MS },
            IdleClass { class: "dispatch".to_owned(), ns: 2 * MS },
        ],
        gpu_paths: gpu_paths(),
        families: families(),
        health: health(),
        questions: questions(),
        verdict: Verdict {
            kind: "communication-bound".to_owned(),
            sentence: "exposed communication takes 10.0 % of the window".to_owned(),
            suppressed_by: vec!["attributed".to_owned()],
        },
        protocol: protocol(),
        phases: more::phases(),
        bound: Some(more::bound()),
        replay: Some(SelfCheck {
            holds: true,
            measured_ns: 10 * MS,
            replayed_ns: 10 * MS,
            error: 0.001,
            reason: String::new(),
        }),
        findings: vec![finding()],
        unexplained_ns_per_step: MS,
        notes: vec![Note {
            code: "negative-duration".to_owned(),
            message: "events had a negative duration, taken as 0".to_owned(),
            count: 2,
            first: "byte 1234: \"dur\": -3".to_owned(),
        }],
    }
}

fn job() -> Job {
    Job {
        kind: Some("decode".to_owned()),
        devices: vec!["NVIDIA H100 80GB HBM3".to_owned()],
        frameworks: vec!["PyTorch".to_owned(), "vLLM".to_owned()],
        models: vec!["LlamaForCausalLM".to_owned()],
        batch: Some((16, 32)),
        dtype: Some("bf16".to_owned()),
        properties: BTreeMap::from([("with_stack".to_owned(), "1".to_owned())]),
    }
}

fn totals() -> Totals {
    Totals {
        device_spans: 1_300,
        kernels: 1_200,
        kernels_ns: 29 * MS,
        copies: 80,
        copies_ns: 4 * MS,
        memsets: 20,
        memsets_ns: MS,
        graph_rows: 1,
        graph_rows_ns: MS,
        busy_ns: 34 * MS,
        span_ns: 55 * MS,
        attributed_ns: 30 * MS,
        kernels_attributed_ns: 27 * MS,
        launched_before_capture_ns: 3 * MS,
        unattributed_ns: MS,
        launch_calls: 1_250,
        enqueue_calls: 1_290,
        graph_launches: 1,
        graph_kernels: 10,
        graph_joined_kernels: 9,
        sync_calls: 5,
        sync_ns: 9 * MS,
        sync_absorbed_ns: 8 * MS,
        sync_exposed_ns: MS,
        blocking_copies: 3,
        blocking_copies_ns: 2 * MS,
        host_spans: 20_000,
        threads: 3,
    }
}

fn window() -> Window {
    Window {
        from_ns: 12 * MS,
        to_ns: 52 * MS,
        wall_ns: 40 * MS,
        pieces: vec![(12 * MS, 52 * MS)],
        rule: "4 of 5 steps kept, marked by `execute_…_context_…_generation_…`".to_owned(),
        left_out: vec![LeftOut {
            what: "step 0".to_owned(),
            why: "warm-up: longer than twice the median step".to_owned(),
        }],
        busy_ns: 32 * MS,
        idle_ns: 8 * MS,
        sum_ns: 34 * MS,
        not_recorded_ns: MS,
    }
}

fn partition(n_parts: i64) -> Partition {
    Partition {
        compute_ns: 24 * MS / n_parts,
        comm_exposed_ns: 4 * MS / n_parts,
        copy_exposed_ns: 4 * MS / n_parts,
        idle_ns: 8 * MS / n_parts,
        comm_hidden_ns: 2 * MS / n_parts,
        copy_hidden_ns: 0,
    }
}

fn steps() -> Steps {
    let walls = [25 * MS, 9 * MS, 10 * MS, 10 * MS, 11 * MS];
    let step = |(number, wall): (usize, i64)| Step {
        name: format!("execute_context_0(0)_generation_32(32) {number}"),
        phase: Some("decode".to_owned()),
        batch: Some(32),
        kept: number > 0,
        left_out: (number == 0).then(|| "warm-up: longer than twice the median step".to_owned()),
        from_ns: number as i64 * 10 * MS,
        marker_ns: wall - MS,
        wall_ns: wall,
        busy_ns: wall - 2 * MS,
        idle_ns: 2 * MS,
        launch_calls: 250,
        kernels: 240,
        gpu_ns: wall - 2 * MS,
        stretch_ns: (number as i64 * 10 * MS, number as i64 * 10 * MS + wall),
    };
    Steps {
        marker: Some("execute_…_context_…_generation_…".to_owned()),
        kind: "annotation".to_owned(),
        count: 4,
        wall_ns: Spread { p50: 10 * MS, mean: 10 * MS, min: 9 * MS, max: 11 * MS },
        patterns: vec![StepPattern {
            pattern: "outliers".to_owned(),
            sentence: "1 step above twice the median 10 ms: `step 2` 30 ms".to_owned(),
            steps: vec![2],
        }],
        not_listed: 0,
        list: walls.into_iter().enumerate().map(step).collect(),
    }
}

fn device() -> Device {
    Device {
        pid: "4242".to_owned(),
        device: 0,
        name: "NVIDIA H100 80GB HBM3".to_owned(),
        wall_ns: 40 * MS,
        busy_ns: 32 * MS,
        sum_ns: 34 * MS,
        idle_ns: 8 * MS,
        partition: partition(1),
        streams: 2,
        in_verdict: true,
    }
}

/// Two devices that share the capture's time, the second of them hardly used.
pub(crate) fn on_two_devices() -> Capture {
    let second = Device {
        device: 1,
        busy_ns: MS / 5,
        idle_ns: 40 * MS - MS / 5,
        streams: 1,
        in_verdict: false,
        partition: Partition {
            compute_ns: MS / 5,
            idle_ns: 40 * MS - MS / 5,
            ..Partition::default()
        },
        ..device()
    };
    let mut capture = Capture { devices: vec![device(), second], ..capture() };
    capture.partition.idle_ns += 40 * MS;
    capture.window.idle_ns += 40 * MS;
    capture.idle_classes[0].ns += 40 * MS;
    capture.idle[0].ns += 40 * MS;
    capture.idle[0].per_step_ns += 10 * MS;
    for step in &mut capture.steps.list {
        step.wall_ns += 10 * MS;
        step.idle_ns += 10 * MS;
    }
    capture
}

fn range(name: &str, host_ns: i64) -> Range {
    Range {
        name: name.to_owned(),
        count: 4,
        phase: Some("decode".to_owned()),
        host_ns,
        envelope_ns: 4 * MS,
        union_ns: 2 * MS,
        sum_ns: 2 * MS,
        density: 0.5,
        onset_ns: MS / 10,
    }
}

fn idle() -> Vec<IdleOwner> {
    let owner = |frame: &str, user: Option<&str>, ms: i64, stacks: u64| IdleOwner {
        owner: "python".to_owned(),
        frame: frame.to_owned(),
        class: "late host".to_owned(),
        kind: "python".to_owned(),
        stack: vec!["serve/engine.py(88): step".to_owned(), frame.to_owned()],
        stacks,
        user_frame: user.map(str::to_owned),
        ns: ms * MS,
        per_step_ns: ms * MS / 4,
        count: 40,
    };
    let decode = "<built-in method decode of tokenizers.Tokenizer object at 0x7f00>";
    let user = Some("serve/engine.py(88): step");
    vec![
        owner(decode, Some("serve/detokenizer.py(41): detokenize_batch"), 3, 1),
        IdleOwner {
            owner: "[dispatch]".to_owned(),
            kind: "synthetic".to_owned(),
            class: "dispatch".to_owned(),
            stack: vec!["[dispatch]".to_owned()],
            count: 1_300,
            ..owner("[dispatch]", None, 1, 1)
        },
        owner("serve/engine.py(88): step", user, 1, 32),
        owner("vllm/v1/core/sched/scheduler.py(170): schedule", user, 1, 1),
        owner("vllm/v1/worker/gpu_model_runner.py(612): _prepare_inputs", user, 1, 1),
        owner("<built-in method tolist of Tensor object at 0x7f01>", user, 1, 2_000),
    ]
}

fn gpu_paths() -> Vec<GpuPath> {
    let add = "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, \
               std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)";
    let path = |name: &str, kind: &str, op: Option<&str>, ms: i64, stacks: u64| GpuPath {
        name: name.to_owned(),
        kind: kind.to_owned(),
        op: op.map(str::to_owned),
        user_frame: op.map(|_| "serve/engine.py(88): step".to_owned()),
        stack: vec![
            "serve/engine.py(88): step".to_owned(),
            "nn.Module: LlamaMLP_3".to_owned(),
            name.to_owned(),
        ],
        stacks,
        ns: ms * MS,
        per_step_ns: ms * MS / 4,
        count: 128,
    };
    vec![
        path("nvjet_tst_128x64_64x10_1x2_h_bz_coopA_TNT", "kernel", Some("aten::mm"), 14, 32),
        path(add, "kernel", Some("aten::add"), 6, 1),
        path(
            "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
            "comm",
            Some("record_param_comms"),
            6,
            1,
        ),
        GpuPath {
            stack: vec!["[launched before capture]".to_owned(), "Memcpy HtoD".to_owned()],
            ..path("Memcpy HtoD (Pinned -> Device)", "copy", None, 4, 1)
        },
    ]
}

fn families() -> Vec<Family> {
    let family = |name: &str, ms: i64| Family { name: name.to_owned(), ns: ms * MS, kernels: 128 };
    vec![
        family("gemm", 14),
        family("communication", 6),
        family("elementwise", 6),
        family("attention", 2),
        family("sampling", 1),
        family("embedding", 1),
    ]
}

fn health() -> Vec<Health> {
    let check = |check: &str, status: &str, message: &str, fix: Option<&str>| Health {
        check: check.to_owned(),
        status: status.to_owned(),
        message: message.to_owned(),
        value: 0.09,
        fix: fix.map(str::to_owned),
        recipe: None,
    };
    let message = "9.4 % of device time has no launch in the file";
    vec![
        check("device-work", "ok", "1,300 device spans on 1 device", None),
        check("attributed", "warn", message, Some("begin recording a few steps earlier")),
    ]
}

fn questions() -> Vec<Question> {
    let asked = |question: &str, answer: &str| Question {
        question: question.to_owned(),
        answer: answer.to_owned(),
        stack: vec!["serve/engine.py(88): step".to_owned()],
    };
    vec![
        asked(
            "What is the widest frame below the model's forward?",
            "32 × `LlamaMLP` holds 41.2 % of device time, the widest below `LlamaForCausalLM`",
        ),
        asked("Do stacks repeat?", "no: no frame runs 16 × or more per call of its caller"),
    ]
}

fn protocol() -> Protocol {
    Protocol {
        workload: "decode · LlamaForCausalLM · batch 16–32 · bf16 · PyTorch + vLLM · \
                   1 × NVIDIA H100 80GB HBM3"
            .to_owned(),
        phases: "decode".to_owned(),
        dense: "waiting: busy 80.0 % of the window".to_owned(),
        blank: "4.00 ms under `decode`".to_owned(),
        explanation: "75 % of idle time is late host".to_owned(),
        experiment: "detokenise in another thread".to_owned(),
        bound: Some(more::bound().sentence),
    }
}

fn finding() -> Finding {
    Finding {
        kind: "host-island".to_owned(),
        r#where: Place {
            lane: "thread 4242".to_owned(),
            step: Some("step 3".to_owned()),
            from_ns: 20 * MS,
            to_ns: 21 * MS,
        },
        stack: vec!["serve/engine.py(88): step".to_owned()],
        user_frame: Some("serve/engine.py(88): step".to_owned()),
        count: 4,
        per_step: 1.0,
        evidence: BTreeMap::from([("mean_gap_ns".to_owned(), serde_json::json!(MS))]),
        owned_ns_per_step: MS,
        owned_share: 0.1,
        max_gain_ns_per_step: MS,
        simulated_gain_ns_per_step: Some(MS),
        shares_with: vec!["sync-cliff".to_owned()],
        confidence: "high: the same frames in every step".to_owned(),
        subject: "`detokenize`".to_owned(),
        headline: true,
        sentence: "detokenising holds up the next launch".to_owned(),
        experiment: "detokenise in another thread".to_owned(),
    }
}

/// A process beside the job, without device work.
pub(crate) fn host_only() -> Capture {
    Capture {
        file: "engine.pt.trace.json.gz".to_owned(),
        format: "kineto".to_owned(),
        totals: Totals { host_spans: 9_481, threads: 2, span_ns: 73 * MS, ..Totals::default() },
        health: vec![Health {
            check: "device-work".to_owned(),
            status: "fail".to_owned(),
            message: "no device work in the capture: it shows the host alone".to_owned(),
            value: 0.0,
            fix: Some("record with CUDA activity on".to_owned()),
            recipe: Some("docs/recording.md#device-work".to_owned()),
        }],
        verdict: Verdict {
            kind: "untrustworthy".to_owned(),
            sentence: "this capture supports no verdict: no device work in the capture".to_owned(),
            suppressed_by: vec!["device-work".to_owned()],
        },
        protocol: Protocol {
            experiment: "record with CUDA activity on".to_owned(),
            ..Protocol::default()
        },
        ..Capture::default()
    }
}
