//! Writes a made-up profile of an inference engine as SVG, folded, pprof or speedscope.
//!
//! `cargo run -p flamelane-write --example svg_demo -- svg > demo.svg`

use std::io;

use flamelane_model::{FrameKind, Profile, Weight};
use flamelane_write::{
    Direction, Order, SvgOptions, write_folded, write_pprof, write_speedscope, write_svg,
};

const LAYERS: usize = 32;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| args.iter().any(|arg| arg == word);
    let profile = engine(if has("large") { 400 } else { 1 });
    let mut out = io::stdout().lock();
    let mut options = SvgOptions::new(Weight::Gpu);
    "GPU time by call path".clone_into(&mut options.title);
    "decode, 8 steps, Qwen2.5-7B on one H100".clone_into(&mut options.subtitle);
    if has("flame") {
        options.direction = Direction::Flame;
    }
    if has("alphabetical") {
        options.order = Order::Alphabetical;
    }
    if has("cut") {
        options.max_frames = 200;
    }
    match args.first().map(String::as_str) {
        Some("folded") => write_folded(&profile, &Weight::Gpu, &mut out),
        Some("pprof") => write_pprof(&profile, &Weight::Gpu, &mut out),
        Some("speedscope") => write_speedscope(&profile, "demo", &mut out),
        _ => write_svg(&profile, &options, &mut out),
    }
}

/// A forward pass of many layers with attention, MLP, sampling and a few copies.
fn engine(n_requests: usize) -> Profile {
    let mut profile = Profile::new();
    let head = [
        ("MainThread", FrameKind::Thread),
        ("vllm/v1/engine/core.py(312): run_busy_loop", FrameKind::Python),
        ("vllm/v1/executor/uniproc.py(48): execute_model", FrameKind::Python),
    ];
    for request in 0..n_requests {
        let step = format!("execute_new_{request}_generation_8");
        let step = (step.as_str(), FrameKind::Annotation);
        for layer in 0..LAYERS {
            let name = format!("nn.Module: Qwen2DecoderLayer_{layer}");
            let layer_frame = (name.as_str(), FrameKind::Module);
            for &(path, value, count) in BODY {
                let frames = [&head[..], &[step, layer_frame], path].concat();
                let wobble = (layer as i64 * 37 + value) % 97 * value / 1000;
                add(&mut profile, &frames, (value + wobble) / n_requests as i64, count);
            }
        }
        for &(path, value, count) in TAIL {
            let frames = [&head[..], &[step], path].concat();
            add(&mut profile, &frames, value / n_requests as i64, count);
        }
    }
    let lost = ("[launched before capture]", FrameKind::Synthetic);
    add(&mut profile, &[lost, GEMM], 9_000_000, 40);
    profile
}

fn add(profile: &mut Profile, frames: &[(&str, FrameKind)], value: i64, count: i64) {
    let path: Vec<_> =
        frames.iter().map(|(name, kind)| (profile.strings.intern(name), *kind)).collect();
    let node = profile.stacks.intern_path(&path);
    profile.add(Weight::Gpu, node, value);
    profile.add(Weight::Launches, node, count);
}

type Row = (&'static [(&'static str, FrameKind)], i64, i64);

const FORWARD: (&str, FrameKind) =
    ("vllm/model_executor/models/qwen2.py(232): forward", FrameKind::Python);
const LAUNCH: (&str, FrameKind) = ("cudaLaunchKernel", FrameKind::Runtime);
const GEMM: (&str, FrameKind) = (
    "void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x2_tn_align8>(cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x2_tn_align8::Params)",
    FrameKind::Kernel,
);
const SILU: (&str, FrameKind) = (
    "void vllm::act_and_mul_kernel<c10::BFloat16, &(c10::BFloat16 vllm::silu_kernel<c10::BFloat16>(c10::BFloat16 const&)), true>(c10::BFloat16*, c10::BFloat16 const*, int)",
    FrameKind::Kernel,
);

const BODY: &[Row] = &[
    (&[FORWARD, ("aten::mm", FrameKind::Op), LAUNCH, GEMM], 1_450_000, 32),
    (
        &[
            FORWARD,
            ("aten::linear", FrameKind::Op),
            ("aten::addmm", FrameKind::Op),
            LAUNCH,
            (
                "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas",
                FrameKind::Kernel,
            ),
        ],
        870_000,
        16,
    ),
    (
        &[
            FORWARD,
            ("vllm::unified_attention_with_output", FrameKind::Op),
            ("cudaLaunchKernelExC", FrameKind::Runtime),
            (
                "void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4, false, false, cutlass::bfloat16_t>, true, false, false>(flash::Flash_fwd_params)",
                FrameKind::Kernel,
            ),
        ],
        640_000,
        8,
    ),
    (&[FORWARD, ("_C::silu_and_mul", FrameKind::Op), LAUNCH, SILU], 120_000, 8),
    (
        &[
            FORWARD,
            ("_C::rms_norm", FrameKind::Op),
            LAUNCH,
            (
                "void vllm::rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, float, int)",
                FrameKind::Kernel,
            ),
        ],
        61_000,
        16,
    ),
    (
        &[
            FORWARD,
            ("vllm::all_reduce", FrameKind::Op),
            ("c10d::allreduce_", FrameKind::Op),
            LAUNCH,
            (
                "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                FrameKind::Comm,
            ),
        ],
        310_000,
        16,
    ),
    (
        &[
            FORWARD,
            ("aten::copy_", FrameKind::Op),
            ("cudaMemcpyAsync", FrameKind::Runtime),
            ("Memcpy DtoD (Device -> Device)", FrameKind::Copy),
        ],
        23_000,
        8,
    ),
    (
        &[
            FORWARD,
            ("aten::zeros", FrameKind::Op),
            ("aten::zero_", FrameKind::Op),
            ("aten::fill_", FrameKind::Op),
            LAUNCH,
            (
                "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul> >(int, at::native::FillFunctor<float>, std::array<char*, 1ul>)",
                FrameKind::Kernel,
            ),
        ],
        4_000,
        8,
    ),
];

const TAIL: &[Row] = &[
    (
        &[
            ("vllm/v1/sample/sampler.py(62): forward", FrameKind::Python),
            ("aten::argmax", FrameKind::Op),
            LAUNCH,
            (
                "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::ArgMaxOps<float>, unsigned int, long, 4, 4> >(at::native::ReduceOp<float>)",
                FrameKind::Kernel,
            ),
        ],
        5_400_000,
        8,
    ),
    (
        &[
            ("vllm/v1/sample/sampler.py(62): forward", FrameKind::Python),
            ("<built-in method item of Tensor object at 0x7f5c8c>", FrameKind::Python),
            ("aten::item", FrameKind::Op),
            ("aten::_local_scalar_dense", FrameKind::Op),
            ("cudaMemcpyAsync", FrameKind::Runtime),
            ("Memcpy DtoH (Device -> Pageable)", FrameKind::Copy),
        ],
        2_100_000,
        8,
    ),
    (
        &[
            ("vllm/v1/worker/gpu_model_runner.py(1204): _prepare_inputs", FrameKind::Python),
            ("aten::to", FrameKind::Op),
            ("aten::_to_copy", FrameKind::Op),
            ("aten::copy_", FrameKind::Op),
            ("cudaMemcpyAsync", FrameKind::Runtime),
            ("Memcpy HtoD (Pinned -> Device)", FrameKind::Copy),
        ],
        3_300_000,
        64,
    ),
    (
        &[
            ("vllm/v1/worker/gpu_model_runner.py(1204): _prepare_inputs", FrameKind::Python),
            ("cudaMemsetAsync", FrameKind::Runtime),
            ("Memset (Device)", FrameKind::Memset),
        ],
        400_000,
        8,
    ),
    (
        &[
            ("vllm/v1/worker/gpu_model_runner.py(1410): replay", FrameKind::Python),
            ("cudaGraphLaunch", FrameKind::Runtime),
            ("[graph]", FrameKind::Graph),
        ],
        14_000_000,
        8,
    ),
];
