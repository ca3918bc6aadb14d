//! The stacks of a decode loop: engine, model, layers, kernels, and what the host does between.

use flamelane_model::{Frame, FrameKind, Profile, StackId, Weight};

/// Steps of the loop.
pub(crate) const N_STEPS: i64 = 64;
const N_LAYERS: i64 = 32;

use FrameKind::{
    Annotation, Comm, Copy, Kernel, Module, Op, Os, Python, Runtime, Synthetic, Thread,
};

const ENGINE: [(FrameKind, &str); 9] = [
    (Thread, "thread 4242 (EngineCore)"),
    (Python, "vllm/v1/engine/core.py(1021): run_engine_core"),
    (Python, "vllm/v1/engine/core.py(846): run_busy_loop"),
    (Python, "vllm/v1/engine/core.py(894): _process_engine_step"),
    (Python, "vllm/v1/engine/core.py(331): step"),
    (Annotation, "step"),
    (Python, "vllm/v1/executor/abstract.py(103): execute_model"),
    (Python, "vllm/v1/worker/gpu_worker.py(542): execute_model"),
    (Python, "vllm/v1/worker/gpu_model_runner.py(2387): execute_model"),
];

const GEMM: &str = "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_bf16_128x64_sliced1x2_ldg8_f2f_stages_64x5_tn_align8>(cutlass_80_tensorop_bf16_s16816gemm_bf16_128x64_sliced1x2_ldg8_f2f_stages_64x5_tn_align8::Params)";
const ATTENTION: &str = "void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4, false, false, cutlass::bfloat16_t, Flash_kernel_traits<128, 64, 128, 4, cutlass::bfloat16_t> >, false, false, false, false, true, true, false, true>(flash::Flash_fwd_params)";
const NORM: &str = "void vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, long, c10::BFloat16*, c10::BFloat16 const*, float, int, int)";
const ROPE: &str = "void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*, c10::BFloat16*, c10::BFloat16*, c10::BFloat16 const*, int, long, long, long, int, int, int)";
const SILU: &str = "void vllm::act_and_mul_kernel<c10::BFloat16, &(c10::BFloat16 vllm::silu_kernel<c10::BFloat16>(c10::BFloat16 const&)), true>(c10::BFloat16*, c10::BFloat16 const*, int)";
const CACHE: &str = "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, __nv_bfloat16, (vllm::Fp8KVCacheDataType)0>(__nv_bfloat16 const*, __nv_bfloat16 const*, __nv_bfloat16*, __nv_bfloat16*, long const*)";
const ALLREDUCE: &str =
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
const SORT: &str = "void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float, float, float, at::native::(anonymous namespace)::SoftMaxForwardEpilogue>(float*, float const*, int)";

/// The whole profile, every weight filled.
pub(crate) fn decode_loop() -> Profile {
    let mut builder = Builder { profile: Profile::new() };
    let root = builder.profile.stacks.root();
    let runner = builder.path(root, &ENGINE);
    builder.model(runner);
    builder.sampling(runner);
    builder.host(runner);
    builder.profile
}

/// Frames of a path, outermost first.
type Frames<'a> = &'a [(FrameKind, &'a str)];

struct Builder {
    profile: Profile,
}

impl Builder {
    fn child(&mut self, parent: StackId, kind: FrameKind, name: &str) -> StackId {
        let name = self.profile.strings.intern(name);
        self.profile.stacks.child(parent, Frame { name, kind })
    }

    fn path(&mut self, from: StackId, frames: &[(FrameKind, &str)]) -> StackId {
        frames.iter().fold(from, |node, (kind, name)| self.child(node, *kind, name))
    }

    /// `count` launches of one kernel a step below an operator, `ns` each.
    fn launch(&mut self, op: StackId, kind: FrameKind, name: &str, (count, ns): (i64, i64)) {
        let call = if kind == Copy { "cudaMemcpyAsync" } else { "cudaLaunchKernel" };
        let call = self.child(op, Runtime, call);
        let kernel = self.child(call, kind, name);
        let n = count * N_STEPS;
        self.profile.add(Weight::Gpu, kernel, n * ns);
        self.profile.add(Weight::GpuBusy, kernel, n * ns - n * ns / 40);
        let counted = if kind == Copy { Weight::Copies } else { Weight::Launches };
        self.profile.add(counted, kernel, n);
        self.profile.add(Weight::Calls, kernel, n);
        self.profile.add(Weight::Calls, call, n);
        self.on_host(op, n, 3_400);
        self.on_host(call, n, 5_200);
        self.profile.add(Weight::Idle, call, n * 1_150);
        if kind == Copy {
            self.profile.add(Weight::CopyBytes, kernel, n * 262_144);
        }
    }

    fn on_host(&mut self, node: StackId, n: i64, ns: i64) {
        self.profile.add(Weight::Wall, node, n * ns);
        self.profile.add(Weight::Cpu, node, n * ns - n * ns / 9);
    }

    fn model(&mut self, runner: StackId) {
        let model = self.path(
            runner,
            &[
                (Python, "vllm/model_executor/models/llama.py(619): forward"),
                (Module, "nn.Module: LlamaForCausalLM_0"),
                (Python, "vllm/model_executor/models/llama.py(398): forward"),
                (Module, "nn.Module: LlamaModel_0"),
            ],
        );
        self.profile.add(Weight::Calls, model, N_STEPS);
        for layer in 0..N_LAYERS {
            self.layer(model, layer);
        }
        let head = self.path(
            model,
            &[(Module, "nn.Module: LogitsProcessor_0"), (Op, "aten::linear"), (Op, "aten::mm")],
        );
        self.launch(head, Kernel, GEMM, (1, 412_000));
    }

    fn layer(&mut self, model: StackId, layer: i64) {
        let jitter = layer * 61 % 17;
        let name = format!("nn.Module: LlamaDecoderLayer_{layer}");
        let layer = self.child(model, Module, &name);
        self.profile.add(Weight::Calls, layer, N_STEPS);
        self.on_host(layer, N_STEPS, 9_000 + 400 * jitter);
        let attention = self.path(
            layer,
            &[
                (Module, "nn.Module: LlamaAttention_0"),
                (Python, "vllm/model_executor/models/llama.py(211): forward"),
            ],
        );
        let qkv = self.path(
            attention,
            &[(Module, "nn.Module: QKVParallelLinear_0"), (Op, "aten::linear"), (Op, "aten::mm")],
        );
        self.launch(qkv, Kernel, GEMM, (1, 21_400 + 90 * jitter));
        let rope = self.path(
            attention,
            &[(Module, "nn.Module: Llama3RotaryEmbedding_0"), (Op, "_C::rotary_embedding")],
        );
        self.launch(rope, Kernel, ROPE, (1, 2_900));
        let kernel = self.path(
            attention,
            &[(Module, "nn.Module: Attention_0"), (Op, "vllm::unified_attention_with_output")],
        );
        let cache = self.child(kernel, Op, "_C_cache_ops::reshape_and_cache_flash");
        self.launch(cache, Kernel, CACHE, (1, 2_300));
        let flash = self.child(kernel, Op, "_vllm_fa2_C::varlen_fwd");
        self.launch(flash, Kernel, ATTENTION, (1, 17_800 + 260 * jitter));
        let out = self.path(
            attention,
            &[(Module, "nn.Module: RowParallelLinear_0"), (Op, "aten::linear"), (Op, "aten::mm")],
        );
        self.launch(out, Kernel, GEMM, (1, 14_600 + 40 * jitter));
        self.reduce(attention);
        let mlp = self.path(
            layer,
            &[
                (Module, "nn.Module: LlamaMLP_0"),
                (Python, "vllm/model_executor/models/llama.py(112): forward"),
            ],
        );
        let up = self.path(
            mlp,
            &[
                (Module, "nn.Module: MergedColumnParallelLinear_0"),
                (Op, "aten::linear"),
                (Op, "aten::mm"),
            ],
        );
        self.launch(up, Kernel, GEMM, (1, 58_300 + 120 * jitter));
        let act = self.path(mlp, &[(Module, "nn.Module: SiluAndMul_0"), (Op, "_C::silu_and_mul")]);
        self.launch(act, Kernel, SILU, (1, 3_700));
        let down = self.path(
            mlp,
            &[(Module, "nn.Module: RowParallelLinear_0"), (Op, "aten::linear"), (Op, "aten::mm")],
        );
        self.launch(down, Kernel, GEMM, (1, 31_900 + 70 * jitter));
        self.reduce(mlp);
        let norm =
            self.path(layer, &[(Module, "nn.Module: RMSNorm_0"), (Op, "_C::fused_add_rms_norm")]);
        self.launch(norm, Kernel, NORM, (2, 3_100));
    }

    fn reduce(&mut self, parent: StackId) {
        let op = self.path(
            parent,
            &[
                (
                    Python,
                    "vllm/distributed/communication_op.py(14): tensor_model_parallel_all_reduce",
                ),
                (Op, "vllm::all_reduce"),
                (Op, "record_param_comms"),
            ],
        );
        self.launch(op, Comm, ALLREDUCE, (1, 11_900));
    }

    fn sampling(&mut self, runner: StackId) {
        let sampler = self.path(
            runner,
            &[(Python, "vllm/v1/sample/sampler.py(68): forward"), (Module, "nn.Module: Sampler_0")],
        );
        let softmax = self.path(sampler, &[(Op, "aten::softmax"), (Op, "aten::_softmax")]);
        self.launch(softmax, Kernel, SORT, (1, 36_000));
        let list = self.path(
            runner,
            &[
                (Python, "vllm/v1/worker/gpu_model_runner.py(2561): _bookkeeping_sync"),
                (Op, "aten::item"),
                (Op, "aten::_local_scalar_dense"),
            ],
        );
        self.launch(list, Copy, "Memcpy DtoH (Device -> Pinned)", (1, 2_600));
        let sync = self.child(list, Runtime, "cudaStreamSynchronize");
        self.profile.add(Weight::Calls, sync, N_STEPS);
        self.profile.add(Weight::Wall, sync, N_STEPS * 5_300_000);
        self.profile.add(Weight::SyncAbsorbed, sync, N_STEPS * 4_950_000);
        self.profile.add(Weight::SyncExposed, sync, N_STEPS * 350_000);
        self.profile.add(Weight::Idle, sync, N_STEPS * 350_000);
        let inputs = self.path(
            runner,
            &[
                (Python, "vllm/v1/worker/gpu_model_runner.py(1183): _prepare_inputs"),
                (Op, "aten::to"),
                (Op, "aten::copy_"),
            ],
        );
        self.launch(inputs, Copy, "Memcpy HtoD (Pageable -> Device)", (6, 5_900));
    }

    /// What the host does while the device has nothing to run.
    fn host(&mut self, runner: StackId) {
        let step = self.profile.stacks.climb(runner).nth(3).unwrap_or(runner);
        let work: [(StackId, Frames<'_>, i64); 7] = [
            (step, &[(Python, "vllm/v1/core/sched/scheduler.py(188): schedule")], 410_000),
            (
                step,
                &[
                    (Python, "vllm/v1/core/sched/scheduler.py(188): schedule"),
                    (Python, "vllm/v1/core/kv_cache_manager.py(212): allocate_slots"),
                ],
                690_000,
            ),
            (
                step,
                &[
                    (Python, "vllm/v1/core/sched/scheduler.py(901): update_from_output"),
                    (Python, "vllm/v1/core/sched/utils.py(39): check_stop"),
                ],
                520_000,
            ),
            (
                step,
                &[
                    (Python, "vllm/v1/engine/output_processor.py(371): process_outputs"),
                    (Python, "vllm/v1/engine/detokenizer.py(94): update"),
                    (Python, "tokenizers: decode_stream"),
                ],
                1_240_000,
            ),
            (
                runner,
                &[
                    (Python, "vllm/v1/worker/gpu_model_runner.py(1183): _prepare_inputs"),
                    (Python, "numpy/lib/_index_tricks_impl.py(311): __getitem__"),
                ],
                640_000,
            ),
            (
                step,
                &[(Python, "vllm/v1/engine/core_client.py(402): get_output"), (Os, "futex_wait")],
                180_000,
            ),
            (step, &[(Synthetic, "[unrecorded host time]")], 95_000),
        ];
        for (from, frames, ns) in work {
            let node = self.path(from, frames);
            self.profile.add(Weight::Calls, node, N_STEPS);
            self.on_host(node, N_STEPS, ns + ns / 10);
            self.profile.add(Weight::Idle, node, N_STEPS * ns);
        }
    }
}
