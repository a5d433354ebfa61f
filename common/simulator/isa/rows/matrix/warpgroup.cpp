#include <algorithm>
#include <string>

#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/matrix/matrix_bits.h"
#include "simulator/isa/rows/matrix/matrix_coarse.h"

/// Products of matrices by four warps together. Each warp forms 16 of the 64 rows, so that its part
/// is a product as mma has it, with more columns. The machine brings operands in shared memory into
/// the form of registers.
///
/// Operands: D, A (four registers), B (two for each eight columns), C, and the number of columns.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

/// This many columns at a time, so that no matrix is larger than those of mma.
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

/// Sums in f32 or f16, as the opcode says.
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

/// "; .shape = {.m64n8k16, .m64n16k16, ...}": each multiple of eight columns, or from 32 on of 16.
std::string shapes(unsigned k, bool each_multiple) {
  std::string set;
  for (unsigned n = 8; n <= 256; n += each_multiple || n < 32 ? 8 : 16)
    set += (set.empty() ? ".m64n" : ", .m64n") + std::to_string(n) + "k" + std::to_string(k);
  return "; .shape = {" + set + "}";
}

}  // namespace

std::span<const Row> warpgroup_rows() {
  using K = Kind;
  const std::string product = "wgmma.mma_async.sync.aligned.shape.dtype.atype.btype ",
                    operands = "d, a:any, b:b64, scaleD:pred",
                    scaled = operands + ", immScaleA:s32, immScaleB:s32",
                    transposed = scaled + ", immTransA:s32{, immTransB:s32}",
                    to_f32 = "; .dtype = {.f32}", to_s32 = "; .dtype = {.s32}";
  static const std::string half = product + transposed +
                                  "; .atype = {.f16}; .btype = {.f16}; .dtype = {.f16, .f32}" +
                                  shapes(16, true),
                           bf16 = product + transposed + to_f32 +
                                  "; .atype = {.bf16}; .btype = {.bf16}" + shapes(16, true),
                           tf32 = product + scaled + to_f32 +
                                  "; .atype = {.tf32}; .btype = {.tf32}" + shapes(8, true),
                           bytes = product + scaled +
                                   "; .dtype = {.f16, .f32}; .atype = {.e4m3, .e5m2}; "
                                   ".btype = {.e4m3, .e5m2}" +
                                   shapes(32, true),
                           integers =
                               "wgmma.mma_async.sync.aligned.shape{.satfinite}.dtype.atype.btype " +
                               operands + to_s32 + "; .atype = {.s8, .u8}; .btype = {.s8, .u8}" +
                               shapes(32, false),
                           bits = "wgmma.mma_async.sync.aligned.shape.dtype.atype.btype.op.popc " +
                                  operands + to_s32 +
                                  "; .atype = {.b1}; .btype = {.b1}; .op = {.and}" +
                                  shapes(256, false);
  static const Row rows[] = {
      {"wgmma.fence.sync.aligned", K::warpgroup_fence},
      {"wgmma.commit_group.sync.aligned", K::commit_products},
      {"wgmma.wait_group.sync.aligned immn:u64", K::wait_products},
      {half, K::warpgroup_product, select_half_group},
      {bf16, K::warpgroup_product, select_bf16_group},
      {tf32, K::warpgroup_product, select_tf32_group},
      {bytes, K::warpgroup_product, select_byte_float_group},
      {integers, K::warpgroup_product, select_integer_group},
      {bits, K::warpgroup_product, select_bit_group},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
