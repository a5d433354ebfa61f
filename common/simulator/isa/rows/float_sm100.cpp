#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/extremum.h"
#include "simulator/isa/rows/formats.h"

/// Additions of sm_100 to float arithmetic: two floats in a register, halves among the sources,
/// three operands.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

/// Of three values; .abs compares and gives magnitudes.
template <bool Larger, bool Nan, bool Abs>
struct ExtremumOfThree {
  float operator()(float a, float b, float c) const {
    constexpr Extremum<Larger, Nan, false> of_two;
    if constexpr (Abs) a = std::fabs(a), b = std::fabs(b), c = std::fabs(c);
    return of_two(of_two(a, b), c);
  }
};
template <bool Larger>
LaneFunction select_extremum_of_three(const Variant& v) {
  bool nan = v.has("NaN");
  if (v.has("abs"))
    return nan ? select_float<ExtremumOfThree<Larger, true, true>, 3>(v)
               : select_float<ExtremumOfThree<Larger, false, true>, 3>(v);
  return nan ? select_float<ExtremumOfThree<Larger, true, false>, 3>(v)
             : select_float<ExtremumOfThree<Larger, false, false>, 3>(v);
}

/// Operations on the two floats of a 64-bit register.
template <class F, std::size_t Arity, bool Ftz>
void each_of_two(const Operands& o) {
  using Once = Rounded<F, Ftz, false>;
  auto* d = static_cast<float*>(o.d);
#pragma GCC ivdep
  for (int i = 0; i < 2 * warp_size; ++i) {
    auto s = [&](int k) { return static_cast<const float*>(o.s[k])[i]; };
    if constexpr (Arity == 2)
      d[i] = Once{}(s(0), s(1));
    else
      d[i] = Once{}(s(0), s(1), s(2));
  }
}
template <class F, std::size_t Arity>
LaneFunction select_two(const Variant& v) {
  return v.has("ftz") ? rounded<each_of_two<F, Arity, true>>(v["rnd"])
                      : rounded<each_of_two<F, Arity, false>>(v["rnd"]);
}

/// A half that takes part in arithmetic of floats.
template <class F, class Op>
struct MixedAdd {
  float operator()(uint16_t a, float c) const { return Op{}(widen<F>(a), c); }
};
template <class F>
struct MixedFused {
  float operator()(uint16_t a, uint16_t b, float c) const {
    return std::fma(widen<F>(a), widen<F>(b), c);
  }
};
/// The sources differ in type, so .sat and NaN are handled here.
template <class Mixed, bool Sat>
struct Finished {
  float operator()(auto... s) const {
    float result = Mixed{}(s...);
    return Sat ? saturate(result) : canonical(result);
  }
};
template <class Op, class F>
LaneFunction mixed_add(const Variant& v) {
  using Mixed = MixedAdd<F, Op>;
  return v.has("sat")
             ? rounded<each_lane<Finished<Mixed, true>, float, uint16_t, float>>(v["rnd"])
             : rounded<each_lane<Finished<Mixed, false>, float, uint16_t, float>>(v["rnd"]);
}
template <class Op>
LaneFunction select_mixed_add(const Variant& v) {
  return v["atype"] == "f16" ? mixed_add<Op, Half>(v) : mixed_add<Op, Bfloat>(v);
}
template <class F>
LaneFunction mixed_fused(const Variant& v) {
  using Mixed = MixedFused<F>;
  return v.has("sat")
             ? rounded<each_lane<Finished<Mixed, true>, float, uint16_t, uint16_t, float>>(v["rnd"])
             : rounded<each_lane<Finished<Mixed, false>, float, uint16_t, uint16_t, float>>(
                   v["rnd"]);
}
LaneFunction select_mixed_fused(const Variant& v) {
  return v["atype"] == "f16" ? mixed_fused<Half>(v) : mixed_fused<Bfloat>(v);
}

}  // namespace

std::span<const Row> float_sm100_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"add{.rnd}{.ftz}.f32x2 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, select_two<Sum, 2>},
      {"sub{.rnd}{.ftz}.f32x2 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes,
       select_two<Difference, 2>},
      {"mul{.rnd}{.ftz}.f32x2 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes,
       select_two<Product, 2>},
      {"fma.rnd{.ftz}.f32x2 d, a, b, c; .rnd = {.rn, .rz, .rm, .rp}", K::lanes,
       select_two<FusedMultiplyAdd, 3>},
      {"add{.rnd}{.sat}.f32.atype d:f32, a:atype, c:f32; .rnd = {.rn, .rz, .rm, .rp}; "
       ".atype = {.f16, .bf16}",
       K::lanes, select_mixed_add<Sum>},
      {"sub{.rnd}{.sat}.f32.atype d:f32, a:atype, c:f32; .rnd = {.rn, .rz, .rm, .rp}; "
       ".atype = {.f16, .bf16}",
       K::lanes, select_mixed_add<Difference>},
      {"fma.rnd{.sat}.f32.atype d:f32, a:atype, b:atype, c:f32; .rnd = {.rn, .rz, .rm, .rp}; "
       ".atype = {.f16, .bf16}",
       K::lanes, select_mixed_fused},
      {"min{.ftz}{.NaN}{.abs}.f32 d, a, b, c", K::lanes, select_extremum_of_three<false>},
      {"max{.ftz}{.NaN}{.abs}.f32 d, a, b, c", K::lanes, select_extremum_of_three<true>},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
