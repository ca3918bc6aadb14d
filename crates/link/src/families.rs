//! Kernel families: what a kernel does, by the first rule its name meets.

use flamelane_model::{CallId, DeviceKind, FrameKind, StackId, Trace};

use crate::Rules;
use crate::launches::Origin;
use crate::nesting::Nested;

/// The family of kernels whose name meets no rule.
pub const UNKNOWN: &str = "unknown";
/// The family of communication.
pub const COMM: &str = "communication";

/// (family, any of these parts of the name in lower case). Order matters: a fused kernel that
/// names a matrix product and a bias is a matrix product, and communication comes before all.
const RULES: [(&str, &[&str]); 22] = [
    (
        COMM,
        &[
            "nccl",
            "rccl",
            "hccl",
            "oneccl",
            "msccl",
            "multimem",
            "allreduce",
            "all_reduce",
            "all-reduce",
            "allgather",
            "all_gather",
            "reducescatter",
            "reduce_scatter",
            "alltoall",
            "all_to_all",
            "cross_device",
            "ep::internode",
            "ep::intranode",
            "nvshmem",
            "deep_ep",
            "userbuffers",
            "two_shot",
            "one_shot",
            "sendrecv",
            "symm_mem",
            "lamport",
        ],
    ),
    (
        "attention",
        &[
            "fmha",
            "flash_fwd",
            "flash_bwd",
            "flash::",
            "flashattn",
            "flash_attn",
            "attention",
            "attn_fwd",
            "attn_bwd",
            "paged_",
            "_mla_",
            "mla_",
            "batchprefill",
            "batchdecode",
            "sdpa",
            "mha_fwd",
            "mha_bwd",
            "_fwd_kernel_stage",
            "aten::scaled_dot",
            "unified_attn",
            "fwd_splitkv",
            "aiter::fmha",
        ],
    ),
    (
        "moe",
        &[
            "moe",
            "topk_softmax",
            "topksoftmax",
            "expert",
            "combined_routing",
            "bitmatrix",
            "grouped_gemm",
        ],
    ),
    (
        "convolution",
        &[
            "conv",
            "wgrad",
            "dgrad",
            "fprop",
            "winograd",
            "im2col",
            "im2d2col",
            "im3d2col",
            "scudnn",
            "miopen",
            "cask_cudnn",
            "igemm_",
            "sp3asm",
            "computeoffsets",
        ],
    ),
    (
        "gemm",
        &[
            "gemm",
            "gemv",
            "nvjet",
            "cutlass",
            "cijk_",
            "matmul",
            "bmm_",
            "splitk",
            "cublas",
            "wmma",
            "_mm_",
            "xmma",
            "dot_kernel",
            "gemmk",
            "hgemm",
            "tensorop",
            "rocblas",
            "hipblas",
            "ck_tile::gemm",
            "addmm",
            "deep_gemm",
            "marlin",
            "scal_kernel",
            "mm_kernel",
        ],
    ),
    (
        "normalisation",
        &[
            "layer_norm",
            "layernorm",
            "rms_norm",
            "rmsnorm",
            "batch_norm",
            "batchnorm",
            "bn_fw",
            "bn_bw",
            "group_norm",
            "groupnorm",
            "gammabeta",
            "rowwisemoments",
            "norm_kernel",
            "_norm_",
            "rsqrt",
            "addrmsnorm",
            "qknorm",
        ],
    ),
    (
        "softmax and loss",
        &[
            "softmax",
            "nll_loss",
            "cross_entropy",
            "crossentropy",
            "logsoftmax",
            "classnll",
            "log_softmax",
        ],
    ),
    ("position", &["rope", "rotary"]),
    (
        "kv cache",
        &[
            "reshape_and_cache",
            "kv_cache",
            "kvcache",
            "store_kv",
            "kv_indices",
            "page_indices",
            "alloc_decode",
        ],
    ),
    ("quantisation", &["quant", "fp8", "fp4", "mxfp", "scaled_cast", "to_float8"]),
    ("sampling", &["sampl", "top_p", "topp", "multinomial", "argmax", "penalt", "topk", "top_k"]),
    ("embedding", &["embedding", "indexselect", "index_select", "gather_kernel", "emb_", "_embs"]),
    (
        "optimizer",
        &[
            "multi_tensor",
            "fusedadam",
            "adam_",
            "adamw",
            "fused_adam",
            "foreach_",
            "lamb_",
            "adagrad",
            "sgd_",
        ],
    ),
    (
        "sort and scan",
        &[
            "radixsort",
            "cub::",
            "rocprim",
            "thrust",
            "sort",
            "scan",
            "unique",
            "mergesort",
            "segments",
        ],
    ),
    ("random", &["distribution", "dropout", "philox", "curand", "random", "uniform", "normal_"]),
    (
        "pooling and sampling",
        &["pool", "upsample", "interpolat", "grid_sampler", "resize", "bilinear"],
    ),
    ("fft", &["fft", "rocfft"]),
    ("sparse features", &["fbgemm", "bucketize", "jagged", "permute_"]),
    (
        "indexing",
        &["index", "scatter", "gather", "masked_", "nonzero", "triu", "tril", "arange", "position"],
    ),
    (
        "copy and layout",
        &[
            "catarray",
            "transpose",
            "copy_kernel",
            "copy_device",
            "nchwtonhwc",
            "nhwctonchw",
            "direct_copy",
            "memcpy",
            "memset",
            "fillfunctor",
            "fill_kernel",
            "_copy_",
            "subtensorop",
            "copybuffer",
        ],
    ),
    ("reduction", &["reduce", "reduction", "welford", "mean_", "sum_functor", "dot_"]),
    (
        "elementwise",
        &[
            "elementwise",
            "pointwise",
            "triton_poi",
            "triton_red",
            "triton_per",
            "triton__",
            "triton_",
            "silu",
            "gelu",
            "act_and_mul",
            "activation",
            "swiglu",
            "foreach",
            "where_",
            "vectorized",
            "add_",
            "mul_",
            "clamp",
            "relu",
            "fused_",
        ],
    ),
];

/// The family that a kernel's name says.
pub fn family(name: &str, rules: &Rules) -> String {
    let lower = name.to_ascii_lowercase();
    if let Some((_, family)) = rules.families.iter().find(|(part, _)| lower.contains(part.as_str()))
    {
        return family.clone();
    }
    builtin(&lower).to_owned()
}

fn builtin(lower: &str) -> &'static str {
    let found = RULES.iter().find(|(_, parts)| parts.iter().any(|part| lower.contains(part)));
    found.map_or(UNKNOWN, |(family, _)| family)
}

/// What a device span is, for the partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Kernels that compute, opaque graph rows, copies within one device, fills.
    Compute,
    /// Communication between devices.
    Comm,
    /// Copies between host and device or devices.
    Copy,
}

/// Families and classes of all device spans.
#[derive(Clone, Debug, Default)]
pub struct Families {
    /// Names of families, in order of first sight.
    pub names: Vec<String>,
    /// One a device span: its family, or `u16::MAX` for copies, fills and graph rows.
    pub of_span: Vec<u16>,
    /// One a device span.
    pub class: Vec<Class>,
}

/// Sorts every device span.
pub(crate) fn sort(trace: &Trace, origins: &[Origin], nested: &Nested, rules: &Rules) -> Families {
    let mut out = Families::default();
    let mut by_name: Vec<Option<u16>> = vec![None; trace.strings.len()];
    let mut below_comm: Vec<Option<bool>> = vec![None; nested.stacks.len()];
    for (span, origin) in origins.iter().enumerate() {
        let name = trace.device.name[span];
        let text = || trace.text(name);
        let kind = trace.device.kind[span];
        if kind != DeviceKind::Kernel {
            out.of_span.push(u16::MAX);
            let crosses = kind == DeviceKind::Copy && !within_device(text());
            out.class.push(if crosses { Class::Copy } else { Class::Compute });
            continue;
        }
        let row = match by_name[name.index()] {
            Some(row) => row,
            None => *by_name[name.index()].insert(intern(&mut out.names, family(text(), rules))),
        };
        let named = &out.names[usize::from(row)];
        // A copy of a collective's buffers is a compute kernel; one of no known family, launched by
        // a collective, is the collective.
        let is_comm = named == COMM
            || (named == UNKNOWN
                && launched_by_comm(trace, origin.call(), nested, &mut below_comm));
        let row = if is_comm { intern(&mut out.names, COMM.to_owned()) } else { row };
        out.of_span.push(row);
        out.class.push(if is_comm { Class::Comm } else { Class::Compute });
    }
    out
}

fn intern(names: &mut Vec<String>, name: String) -> u16 {
    let found = names.iter().position(|known| *known == name);
    found.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    }) as u16
}

/// Whether a copy's name says that both ends are one device; `Memcpy PtoP (Device -> Device)` has
/// two.
pub fn within_device(name: &str) -> bool {
    !name.contains("PtoP") && !name.contains("PeerToPeer") && within_memory(name)
}

fn within_memory(name: &str) -> bool {
    name.contains("DtoD") || name.contains("Device -> Device") || name.contains("DeviceToDevice")
}

/// Whether a collective operator stands above the launch.
fn launched_by_comm(
    trace: &Trace,
    call: Option<CallId>,
    nested: &Nested,
    known: &mut [Option<bool>],
) -> bool {
    let Some(call) = call else { return false };
    let StackId(node) = nested.call_stack[call.index()];
    if let Some(answer) = known[node as usize] {
        return answer;
    }
    let is_comm = |node: StackId| {
        let frame = nested.stacks.frame(node);
        matches!(frame.kind, FrameKind::Op | FrameKind::Annotation) && {
            let name = trace.text(frame.name);
            ["record_param_comms", "c10d::", "symm_mem", "nccl:", "nccl::", "gloo:"]
                .iter()
                .any(|part| name.starts_with(part))
                || name.contains("symm_mem::")
        }
    };
    let answer = nested.stacks.climb(StackId(node)).any(is_comm);
    known[node as usize] = Some(answer);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_between_peers_leaves_its_device() {
        assert!(within_device("Memcpy DtoD (Device -> Device)"));
        assert!(!within_device("Memcpy PtoP (Device -> Device)"));
        assert!(!within_device("Memcpy HtoD (Pageable -> Device)"));
    }

    #[test]
    fn names_of_real_kernels_meet_the_right_rule() {
        let rules = Rules::default();
        for (name, wanted) in [
            ("nvjet_tst_192x192_64x4_2x1_v_bz_coopB_TNT", "gemm"),
            ("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", COMM),
            ("multimem_all_reduce_kernel<c10::BFloat16, 16, 1>", COMM),
            ("void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128> >", "attention"),
            ("fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausal", "attention"),
            (
                "void at::native::vectorized_elementwise_kernel<8, at::native::FillFunctor<float>>",
                "copy and layout",
            ),
            (
                "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>",
                "elementwise",
            ),
            ("Cijk_Ailk_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT256", "gemm"),
            ("sm80_xmma_wgrad_implicit_gemm_indexed_tf32f32", "convolution"),
            ("something_new", UNKNOWN),
        ] {
            assert_eq!(family(name, &rules), wanted, "{name}");
        }
    }
}
