#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/floats.h"

namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

constexpr auto add = [](auto a, auto b) { return a + b; };
constexpr auto sub = [](auto a, auto b) { return a - b; };
constexpr auto mul = [](auto a, auto b) { return a * b; };
constexpr auto divide = [](auto a, auto b) { return a / b; };
constexpr auto fused = [](auto a, auto b, auto c) { return std::fma(a, b, c); };
constexpr auto reciprocal = [](auto a) { return decltype(a)(1) / a; };
constexpr auto square_root = [](auto a) { return std::sqrt(a); };

/// The smaller value; a zero with a sign is smaller than one without; a number wins over NaN.
constexpr auto minimum = [](auto a, auto b) {
  auto smaller = a < b || (a == b && std::signbit(a)) ? a : b;
  return a != a ? b : b != b ? a : smaller;
};
constexpr auto maximum = [](auto a, auto b) {
  auto larger = a > b || (a == b && !std::signbit(a)) ? a : b;
  return a != a ? b : b != b ? a : larger;
};
/// .NaN: a NaN on either side is the result.
constexpr auto minimum_nan = [](auto a, auto b) { return a != a ? a : b != b ? b : minimum(a, b); };
constexpr auto maximum_nan = [](auto a, auto b) { return a != a ? a : b != b ? b : maximum(a, b); };

template <class Plain, class Nan>
LaneFunction select_extremum(const Variant& v) {
  return v.has("NaN") ? select_float<Nan, 2>(v) : select_float<Plain, 2>(v);
}

/// neg and abs change the sign bit; a NaN of f32 comes out canonical, as on an H200.
template <bool Ftz, bool Absolute>
struct Sign {
  float operator()(float a) const {
    if constexpr (Ftz) a = flush(a);
    return canonical(Absolute ? std::fabs(a) : -a);
  }
  double operator()(double a) const { return Absolute ? std::fabs(a) : -a; }
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
      {"add{.rnd}{.ftz}{.sat}.f32 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, floating(add)},
      {"add{.rnd}.f64 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, floating(add)},
      {"sub{.rnd}{.ftz}{.sat}.f32 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, floating(sub)},
      {"sub{.rnd}.f64 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, floating(sub)},
      {"mul{.rnd}{.ftz}{.sat}.f32 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, floating(mul)},
      {"mul{.rnd}.f64 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, floating(mul)},
      {"fma.rnd{.ftz}{.sat}.f32 d, a, b, c; .rnd = {.rn, .rz, .rm, .rp}", K::lanes,
       floating<3>(fused)},
      {"fma.rnd.f64 d, a, b, c; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, floating<3>(fused)},
      {"mad.rnd{.ftz}{.sat}.f32 d, a, b, c; .rnd = {.rn, .rz, .rm, .rp}", K::lanes,
       floating<3>(fused)},
      {"mad.rnd.f64 d, a, b, c; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, floating<3>(fused)},
      {"div.rnd{.ftz}.f32 d, a, b; .rnd = {.rn, .rz, .rm, .rp, .approx, .full}", K::lanes,
       floating(divide)},
      {"div.rnd.f64 d, a, b; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, floating(divide)},
      {"rcp.rnd{.ftz}.f32 d, a; .rnd = {.rn, .rz, .rm, .rp, .approx}", K::lanes,
       floating<1>(reciprocal)},
      {"rcp.rnd.f64 d, a; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, floating<1>(reciprocal)},
      {"sqrt.rnd{.ftz}.f32 d, a; .rnd = {.rn, .rz, .rm, .rp, .approx}", K::lanes,
       floating<1>(square_root)},
      {"sqrt.rnd.f64 d, a; .rnd = {.rn, .rz, .rm, .rp}", K::lanes, floating<1>(square_root)},
      {"min{.ftz}{.NaN}.f32 d, a, b", K::lanes,
       select_extremum<decltype(minimum), decltype(minimum_nan)>},
      {"min.f64 d, a, b", K::lanes, floating(minimum)},
      {"max{.ftz}{.NaN}.f32 d, a, b", K::lanes,
       select_extremum<decltype(maximum), decltype(maximum_nan)>},
      {"max.f64 d, a, b", K::lanes, floating(maximum)},
      {"neg{.ftz}.f32 d, a", K::lanes, select_sign<false>},
      {"neg.f64 d, a", K::lanes, select_sign<false>},
      {"abs{.ftz}.f32 d, a", K::lanes, select_sign<true>},
      {"abs.f64 d, a", K::lanes, select_sign<true>},
      {"copysign.type d, a, b; .type = {.f32, .f64}", K::lanes, select_copysign},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
