#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/extremum.h"
#include "simulator/isa/rows/floats.h"

namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

constexpr auto square_root = [](auto a) { return std::sqrt(a); };

template <bool Larger>
LaneFunction select_extremum(const Variant& v) {
  bool nan = v.has("NaN"), xor_sign = v.has("xorsign");
  if (xor_sign != v.has("abs")) return nullptr;
  if (xor_sign)
    return nan ? select_float<Extremum<Larger, true, true>, 2>(v)
               : select_float<Extremum<Larger, false, true>, 2>(v);
  return nan ? select_float<Extremum<Larger, true, false>, 2>(v)
             : select_float<Extremum<Larger, false, false>, 2>(v);
}

/// To what kind of number does a belong?
constexpr auto is_finite = [](auto a) { return std::isfinite(a); };
constexpr auto is_infinite = [](auto a) { return std::isinf(a); };
constexpr auto is_number = [](auto a) { return a == a; };
constexpr auto is_not_a_number = [](auto a) { return a != a; };
/// Zeros count as normal.
constexpr auto is_normal = [](auto a) { return std::isnormal(a) || a == 0; };
constexpr auto is_subnormal = [](auto a) { return std::fpclassify(a) == FP_SUBNORMAL; };

template <class F, class T>
void test_property(const Operands& o) {
  mask_of(o.d) = each_lane_mask<F, T>(o);
}
template <class T>
LaneFunction property(std::string_view name) {
  if (name == "finite") return test_property<decltype(is_finite), T>;
  if (name == "infinite") return test_property<decltype(is_infinite), T>;
  if (name == "number") return test_property<decltype(is_number), T>;
  if (name == "notanumber") return test_property<decltype(is_not_a_number), T>;
  if (name == "normal") return test_property<decltype(is_normal), T>;
  return test_property<decltype(is_subnormal), T>;
}
LaneFunction select_property(const Variant& v) {
  return v.type() == Type::f64 ? property<double>(v["op"]) : property<float>(v["op"]);
}

/// neg and abs change the sign bit, but not that of a NaN.
template <bool Ftz, bool Absolute>
struct Sign {
  float operator()(float a) const {
    if constexpr (Ftz) a = flush(a);
    return canonical(Absolute ? std::fabs(a) : -a);
  }
  double operator()(double a) const { return with_nan_of(Absolute ? std::fabs(a) : -a, a); }
};
template <bool Absolute>
LaneFunction select_sign(const Variant& v) {
  if (v.last_type() == Type::f64) return each_lane<Sign<false, Absolute>, double, double>;
  return v.has("ftz") ? each_lane<Sign<true, Absolute>, float, float>
                      : each_lane<Sign<false, Absolute>, float, float>;
}

constexpr auto copy_sign = [](auto a, auto b) { return std::copysign(b, a); };
LaneFunction select_copysign(const Variant& v) {
  using F = decltype(copy_sign);
  return v.last_type() == Type::f64 ? each_lane<F, double, double, double>
                                    : each_lane<F, float, float, float>;
}

}  // namespace

std::span<const Row> float_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"add{.rnd}{.ftz}{.sat}.f32 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, arithmetic<Sum>},
      {"add{.rnd}.f64 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, arithmetic<Sum>},
      {"sub{.rnd}{.ftz}{.sat}.f32 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes,
       arithmetic<Difference>},
      {"sub{.rnd}.f64 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, arithmetic<Difference>},
      {"mul{.rnd}{.ftz}{.sat}.f32 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes,
       arithmetic<Product>},
      {"mul{.rnd}.f64 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, arithmetic<Product>},
      {"fma.rnd{.ftz}{.sat}.f32 d, a, b, c; .rnd = {.rn, .rz, .rm, .rp}", K::lanes,
       arithmetic<FusedMultiplyAdd, 3>},
      {"fma.rnd.f64 d, a, b, c; .rnd = {.rn, .rz, .rm, .rp}", K::lanes,
       arithmetic<FusedMultiplyAdd, 3>},
      {"mad.rnd{.ftz}{.sat}.f32 d, a, b, c; .rnd = {.rn, .rz, .rm, .rp}", K::lanes,
       arithmetic<FusedMultiplyAdd, 3>},
      {"mad.rnd.f64 d, a, b, c; .rnd = {.rn, .rz, .rm, .rp}", K::lanes,
       arithmetic<FusedMultiplyAdd, 3>},
      {"div.rnd{.ftz}.f32 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, arithmetic<Quotient>},
      {"div.rnd.f64 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, arithmetic<Quotient>},
      {"rcp.rnd{.ftz}.f32 d, a; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, arithmetic<Reciprocal, 1>},
      {"rcp.rnd.f64 d, a; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, arithmetic<Reciprocal, 1>},
      {"sqrt.rnd{.ftz}.f32 d, a; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, floating<1>(square_root)},
      {"sqrt.rnd.f64 d, a; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, floating<1>(square_root)},
      {"min{.ftz}{.NaN}{.xorsign}{.abs}.f32 d, a, b", K::lanes, select_extremum<false>},
      {"min.f64 d, a, b", K::lanes, select_extremum<false>},
      {"max{.ftz}{.NaN}{.xorsign}{.abs}.f32 d, a, b", K::lanes, select_extremum<true>},
      {"max.f64 d, a, b", K::lanes, select_extremum<true>},
      {"neg{.ftz}.f32 d, a", K::lanes, select_sign<false>},
      {"neg.f64 d, a", K::lanes, select_sign<false>},
      {"abs{.ftz}.f32 d, a", K::lanes, select_sign<true>},
      {"abs.f64 d, a", K::lanes, select_sign<true>},
      {"testp.op.type p:pred, a; .op = {.finite, .infinite, .number, .notanumber, .normal, "
       ".subnormal}; .type = {.f32, .f64}",
       K::lanes, select_property},
      {"copysign.type d, a, b; .type = {.f32, .f64}", K::lanes, select_copysign},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
