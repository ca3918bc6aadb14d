//! Names of kernels and copies as they stand in recordings of H100 machines, with usual durations.

use crate::sim::{Call, Copy, Kernel};

const fn kernel(name: &'static str, mean_ns: i64, call: Call) -> Kernel {
    Kernel { name, mean_ns, call, collective: false }
}

pub(super) const GEMM: Kernel =
    kernel("nvjet_tst_192x192_64x4_2x1_v_bz_coopB_TNT", 12_000, Call::LaunchEx);
pub(super) const GEMM_SMALL: Kernel = kernel(
    "void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x2_tn_align8>\
     (cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_16x16_128x2_tn_align8::Params)",
    9000,
    Call::Launch,
);
pub(super) const GEMM_WIDE: Kernel =
    kernel("nvjet_tst_128x64_64x10_1x2_h_bz_coopA_TNT", 22_000, Call::LaunchEx);
pub(super) const FLASH: Kernel = kernel(
    "void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4, false, false, \
     cutlass::bfloat16_t, Flash_kernel_traits<128, 64, 128, 4, cutlass::bfloat16_t> >, true, \
     false, false, false, true, false, true, false>(flash::Flash_fwd_params)",
    14_000,
    Call::Launch,
);
pub(super) const CACHE: Kernel = kernel(
    "void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, __nv_bfloat16, \
     (vllm::Fp8KVCacheDataType)0>(__nv_bfloat16 const*, __nv_bfloat16 const*, __nv_bfloat16*, \
     __nv_bfloat16*, long const*, long, long, long, long, long, int, int, int, float const*, \
     float const*)",
    2500,
    Call::Launch,
);
pub(super) const ROTARY: Kernel = kernel(
    "void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*, c10::BFloat16*, \
     c10::BFloat16*, c10::BFloat16 const*, int, long, long, long, int, int, int)",
    2800,
    Call::Launch,
);
pub(super) const NORM: Kernel =
    kernel("triton_red_fused__to_copy_add_mean_mul_pow_rsqrt_3", 3200, Call::Driver);
pub(super) const SILU: Kernel = kernel("triton_poi_fused_mul_silu_5", 2900, Call::Driver);
pub(super) const ELEMENTWISE: Kernel = kernel(
    "void at::native::vectorized_elementwise_kernel<8, at::native::BinaryFunctor<c10::BFloat16, \
     c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> >, \
     std::array<char*, 3ul> >(int, at::native::BinaryFunctor<c10::BFloat16, c10::BFloat16, \
     c10::BFloat16, at::native::binary_internal::MulFunctor<float> >, std::array<char*, 3ul>)",
    3600,
    Call::Launch,
);
pub(super) const ARGMAX: Kernel = kernel(
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, \
     at::native::ArgMaxOps<float>, unsigned int, long, 4, 4> >(at::native::ReduceOp<float, \
     at::native::ArgMaxOps<float>, unsigned int, long, 4, 4>)",
    6500,
    Call::Launch,
);
pub(super) const EMBEDDING: Kernel = kernel(
    "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long, unsigned \
     int, 2, 2, -2, true>(at::cuda::detail::TensorInfo<c10::BFloat16, unsigned int>, \
     at::cuda::detail::TensorInfo<c10::BFloat16 const, unsigned int>, \
     at::cuda::detail::TensorInfo<long const, unsigned int>, int, int, unsigned int, unsigned \
     int, long)",
    4000,
    Call::Launch,
);
pub(super) const ADAMW: Kernel = kernel(
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous \
     namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous \
     namespace)::FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false> >\
     (at::native::(anonymous namespace)::FusedOptimizerTensorListMetadata<4>, float const*, \
     double, double, double, double, double, double, bool, float const*, float const*)",
    30_000,
    Call::Launch,
);
pub(super) const ALL_REDUCE: Kernel = Kernel {
    name: "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
    mean_ns: 24_000,
    call: Call::LaunchEx,
    collective: true,
};

pub(super) const TOKENS_IN: Copy =
    Copy { name: "Memcpy HtoD (Pinned -> Device)", bytes: 4096, gigabytes_per_s: 12 };
pub(super) const TOKENS_OUT: Copy =
    Copy { name: "Memcpy DtoH (Device -> Pinned)", bytes: 256, gigabytes_per_s: 12 };
pub(super) const SCALAR_OUT: Copy =
    Copy { name: "Memcpy DtoH (Device -> Pageable)", bytes: 4, gigabytes_per_s: 12 };
pub(super) const BATCH_IN: Copy =
    Copy { name: "Memcpy HtoD (Pinned -> Device)", bytes: 38_535_168, gigabytes_per_s: 25 };
