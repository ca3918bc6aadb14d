//! The layers of a Llama-like model, as vLLM runs them: modules, operators, kernels.

use super::kernels::{
    ALL_REDUCE, CACHE, EMBEDDING, FLASH, GEMM, GEMM_SMALL, GEMM_WIDE, NORM, ROTARY, SILU,
};
use crate::sim::{Kernel, Sim, StreamIdx};

/// Where and how large the layers run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layers {
    pub(super) stream: StreamIdx,
    /// Device work in percent of the usual.
    pub(super) percent: i64,
    /// The stream of the collectives, with tensor parallelism.
    pub(super) collectives: Option<StreamIdx>,
}

/// Token embedding; in some steps the profiler asks for a new buffer inside its launch.
pub(super) fn embedding(s: &mut Sim, layers: &Layers, step: u64) {
    let stall = (step % 5 == 3).then_some(("Activity Buffer Request", 180_000));
    s.module("VocabParallelEmbedding", 0, |s| {
        s.op("aten::embedding", |s| {
            s.op("aten::index_select", |s| s.launch_stalled(&EMBEDDING, layers.stream, stall));
        });
    });
}

/// One decoder layer: ten kernels, and two collectives with tensor parallelism.
pub(super) fn decoder_layer(s: &mut Sim, layers: &Layers, (step, number): (u64, u32)) {
    s.place("layer", &[step, u64::from(number)]);
    s.module("LlamaDecoderLayer", number, |s| {
        s.python("vllm/model_executor/models/llama.py(318): forward", |s| {
            norm(s, layers, 2 * number);
            s.module("LlamaAttention", number, |s| attention(s, layers, number));
            all_reduce(s, layers);
            norm(s, layers, 2 * number + 1);
            s.module("LlamaMLP", number, |s| mlp(s, layers, number));
            all_reduce(s, layers);
        });
    });
}

/// The matrix product that makes logits.
pub(super) fn logits(s: &mut Sim, layers: &Layers) {
    s.module("LogitsProcessor", 0, |s| {
        s.python("vllm/model_executor/layers/logits_processor.py(52): forward", |s| {
            linear(s, layers, &GEMM_WIDE.scaled(200));
        });
    });
}

/// `aten::linear` down to its kernel.
pub(super) fn linear(s: &mut Sim, layers: &Layers, kernel: &Kernel) {
    s.op("aten::linear", |s| {
        s.op("aten::t", |s| s.op("aten::transpose", |s| s.op("aten::as_strided", |_| {})));
        s.op("aten::matmul", |s| {
            s.op("aten::mm", |s| {
                s.op("aten::empty", |s| {
                    s.spend(500);
                    s.allocate(262_144);
                });
                s.launch(&kernel.scaled(layers.percent), layers.stream);
            });
        });
    });
}

fn norm(s: &mut Sim, layers: &Layers, number: u32) {
    s.module("RMSNorm", number, |s| {
        s.python("vllm/model_executor/layers/layernorm.py(123): forward_cuda", |s| {
            s.op(NORM.name, |s| s.launch(&NORM.scaled(layers.percent), layers.stream));
        });
    });
}

fn attention(s: &mut Sim, layers: &Layers, number: u32) {
    s.python("vllm/model_executor/models/llama.py(214): forward", |s| {
        s.module("QKVParallelLinear", number, |s| linear(s, layers, &GEMM));
        s.op("_C::rotary_embedding", |s| {
            s.launch(&ROTARY.scaled(layers.percent), layers.stream);
        });
        s.module("Attention", number, |s| {
            s.python("vllm/attention/layer.py(287): forward", |s| {
                s.op("vllm::unified_attention_with_output", |s| {
                    s.op("_C_cache_ops::reshape_and_cache_flash", |s| {
                        s.launch(&CACHE.scaled(layers.percent), layers.stream);
                    });
                    s.op("_vllm_fa3_C::fwd", |s| {
                        s.launch(&FLASH.scaled(layers.percent), layers.stream);
                    });
                });
            });
        });
        s.module("RowParallelLinear", 2 * number, |s| linear(s, layers, &GEMM_SMALL));
    });
}

fn mlp(s: &mut Sim, layers: &Layers, number: u32) {
    s.python("vllm/model_executor/models/llama.py(113): forward", |s| {
        s.module("MergedColumnParallelLinear", number, |s| linear(s, layers, &GEMM_WIDE));
        s.module("SiluAndMul", number, |s| {
            s.op(SILU.name, |s| s.launch(&SILU.scaled(layers.percent), layers.stream));
        });
        s.module("RowParallelLinear", 2 * number + 1, |s| linear(s, layers, &GEMM));
    });
}

/// An all-reduce on its own stream: it waits for the compute stream, which then waits for it.
fn all_reduce(s: &mut Sim, layers: &Layers) {
    let Some(collectives) = layers.collectives else { return };
    s.python("vllm/distributed/communication_op.py(12): tensor_model_parallel_all_reduce", |s| {
        s.op("c10d::allreduce_", |s| {
            s.op("record_param_comms", |s| {
                s.annotate("nccl:all_reduce", |s| {
                    let ready = s.record_event(layers.stream);
                    s.wait_event(collectives, ready);
                    s.launch(&ALL_REDUCE, collectives);
                });
                let reduced = s.record_event(collectives);
                s.wait_event(layers.stream, reduced);
            });
        });
    });
}
