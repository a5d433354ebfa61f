#include <algorithm>

#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/matrix_bits.h"
#include "simulator/isa/rows/matrix_coarse.h"

/// Products of matrices by four warps together. Each warp forms 16 of the 64 rows, so that its part
/// is a product as mma has it, with more columns. The machine brings what lies in shared memory
/// into the form of registers.
///
/// Operands: D, A (four registers), B (two for each eight columns), C, and the number of columns.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

/// So many columns at a time, that no matrix is larger than those of mma.
/// @tparam RegistersOfD for eight columns.
template <auto Function, unsigned K, unsigned Columns, unsigned RegistersOfD>
void by_columns(const Operands& o) {
  const unsigned n = *static_cast<const unsigned*>(o.s[3]);
  constexpr unsigned registers_of_b = 2;
  for (unsigned first = 0; first < n; first += Columns) {
    Operands part = o;
    part.d = static_cast<void**>(o.d) + first / 8 * RegistersOfD;
    part.s[1] = static_cast<const void* const*>(o.s[1]) + first / 8 * registers_of_b;
    part.s[2] = static_cast<const void* const*>(o.s[2]) + first / 8 * RegistersOfD;
    Function(part, {16, std::min(Columns, n - first), K});
  }
}

// Each of A's elements along k meets 32 bytes of B's columns.
template <auto ToF32, auto ToF16, unsigned K, unsigned Columns>
LaneFunction select_result(const Variant& v) {
  return v["dtype"] == "f16" ? by_columns<ToF16, K, Columns, 2> : by_columns<ToF32, K, Columns, 4>;
}
LaneFunction select_half_group(const Variant& v) {
  return select_result<float_product<F16, F16, F32, F32>, float_product<F16, F16, F16, F16>, 16,
                       32>(v);
}
LaneFunction select_bf16_group(const Variant&) {
  return by_columns<float_product<BF16, BF16, F32, F32>, 16, 32, 4>;
}
LaneFunction select_tf32_group(const Variant&) {
  return by_columns<float_product<TF32, TF32, F32, F32>, 8, 32, 4>;
}
template <class A>
LaneFunction select_coarse(const Variant& v) {
  if (v["btype"] == "e4m3")
    return select_result<coarse_float_product<A, E4M3, F32>, coarse_float_product<A, E4M3, F16>, 32,
                         16>(v);
  return select_result<coarse_float_product<A, E5M2, F32>, coarse_float_product<A, E5M2, F16>, 32,
                       16>(v);
}
LaneFunction select_byte_float_group(const Variant& v) {
  return v["atype"] == "e4m3" ? select_coarse<E4M3>(v) : select_coarse<E5M2>(v);
}

template <class A, class B>
LaneFunction select_saturating(const Variant& v) {
  return v.has("satfinite") ? by_columns<integer_product<A, B, true>, 32, 16, 4>
                            : by_columns<integer_product<A, B, false>, 32, 16, 4>;
}
template <class A>
LaneFunction select_integer_group_with(const Variant& v) {
  return v["btype"] == "s8" ? select_saturating<A, S8>(v) : select_saturating<A, U8>(v);
}
LaneFunction select_integer_group(const Variant& v) {
  return v["atype"] == "s8" ? select_integer_group_with<S8>(v) : select_integer_group_with<U8>(v);
}
LaneFunction select_bit_group(const Variant&) { return by_columns<bit_product<true>, 256, 32, 4>; }

#define ALL_WIDTHS(K) \
  ".m64n8k" K         \
  ", "                \
  ".m64n16k" K        \
  ", "                \
  ".m64n24k" K        \
  ", "                \
  ".m64n32k" K        \
  ", "                \
  ".m64n40k" K        \
  ", "                \
  ".m64n48k" K        \
  ", "                \
  ".m64n56k" K        \
  ", "                \
  ".m64n64k" K        \
  ", "                \
  ".m64n72k" K        \
  ", "                \
  ".m64n80k" K        \
  ", "                \
  ".m64n88k" K        \
  ", "                \
  ".m64n96k" K        \
  ", "                \
  ".m64n104k" K       \
  ", "                \
  ".m64n112k" K       \
  ", "                \
  ".m64n120k" K       \
  ", "                \
  ".m64n128k" K       \
  ", "                \
  ".m64n136k" K       \
  ", "                \
  ".m64n144k" K       \
  ", "                \
  ".m64n152k" K       \
  ", "                \
  ".m64n160k" K       \
  ", "                \
  ".m64n168k" K       \
  ", "                \
  ".m64n176k" K       \
  ", "                \
  ".m64n184k" K       \
  ", "                \
  ".m64n192k" K       \
  ", "                \
  ".m64n200k" K       \
  ", "                \
  ".m64n208k" K       \
  ", "                \
  ".m64n216k" K       \
  ", "                \
  ".m64n224k" K       \
  ", "                \
  ".m64n232k" K       \
  ", "                \
  ".m64n240k" K       \
  ", "                \
  ".m64n248k" K       \
  ", "                \
  ".m64n256k" K
#define SOME_WIDTHS(K) \
  ".m64n8k" K          \
  ", "                 \
  ".m64n16k" K         \
  ", "                 \
  ".m64n24k" K         \
  ", "                 \
  ".m64n32k" K         \
  ", "                 \
  ".m64n48k" K         \
  ", "                 \
  ".m64n64k" K         \
  ", "                 \
  ".m64n80k" K         \
  ", "                 \
  ".m64n96k" K         \
  ", "                 \
  ".m64n112k" K        \
  ", "                 \
  ".m64n128k" K        \
  ", "                 \
  ".m64n144k" K        \
  ", "                 \
  ".m64n160k" K        \
  ", "                 \
  ".m64n176k" K        \
  ", "                 \
  ".m64n192k" K        \
  ", "                 \
  ".m64n208k" K        \
  ", "                 \
  ".m64n224k" K        \
  ", "                 \
  ".m64n240k" K        \
  ", "                 \
  ".m64n256k" K
#define OPERANDS "d, a:any, b:b64, scaleD:pred, immScaleA:s32, immScaleB:s32"
#define TRANSPOSED ", immTransA:s32{, immTransB:s32}"

}  // namespace

std::span<const Row> warpgroup_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"wgmma.fence.sync.aligned", K::warpgroup_fence},
      {"wgmma.commit_group.sync.aligned", K::commit_products},
      {"wgmma.wait_group.sync.aligned immn:u64", K::wait_products},
      {"wgmma.mma_async.sync.aligned.shape.dtype.atype.btype " OPERANDS TRANSPOSED
       "; .atype = {.f16}; .btype = {.f16}; .dtype = {.f16, .f32}; .shape = {" ALL_WIDTHS("16") "}",
       K::warpgroup_product, select_half_group},
      {"wgmma.mma_async.sync.aligned.shape.dtype.atype.btype " OPERANDS TRANSPOSED
       "; .dtype = {.f32}; .atype = {.bf16}; .btype = {.bf16}; .shape = {" ALL_WIDTHS("16") "}",
       K::warpgroup_product, select_bf16_group},
      {"wgmma.mma_async.sync.aligned.shape.dtype.atype.btype " OPERANDS
       "; .dtype = {.f32}; .atype = {.tf32}; .btype = {.tf32}; .shape = {" ALL_WIDTHS("8") "}",
       K::warpgroup_product, select_tf32_group},
      {"wgmma.mma_async.sync.aligned.shape.dtype.atype.btype " OPERANDS
       "; .dtype = {.f16, .f32}; .atype = {.e4m3, .e5m2}; .btype = {.e4m3, .e5m2}; "
       ".shape = {" ALL_WIDTHS("32") "}",
       K::warpgroup_product, select_byte_float_group},
      {"wgmma.mma_async.sync.aligned.shape{.satfinite}.dtype.atype.btype "
       "d, a:any, b:b64, scaleD:pred; "
       ".dtype = {.s32}; .atype = {.s8, .u8}; .btype = {.s8, .u8}; .shape = {" SOME_WIDTHS(
           "32") "}",
       K::warpgroup_product, select_integer_group},
      {"wgmma.mma_async.sync.aligned.shape.dtype.atype.btype.op.popc "
       "d, a:any, b:b64, scaleD:pred; "
       ".dtype = {.s32}; .atype = {.b1}; .btype = {.b1}; .op = {.and}; "
       ".shape = {" SOME_WIDTHS("256") "}",
       K::warpgroup_product, select_bit_group},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
