#pragma once
#include <bit>
#include <cfenv>
#include <cmath>
#include <concepts>
#include <limits>

#include "simulator/isa/rows/lanes.h"

/// What float instructions have in common: canonical NaN, flushed subnormals, rounding modes.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

/// The NaN that the hardware writes for float results.
inline float canonical(float x) { return x != x ? std::bit_cast<float>(0x7fffffffu) : x; }
inline double canonical(double x) {
  return x != x ? std::bit_cast<double>(0x7ff8000000000000ull) : x;
}

/// .ftz: a subnormal becomes a zero of the same sign.
inline float flush(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  return (bits & 0x7f800000u) == 0 ? std::bit_cast<float>(bits & 0x80000000u) : x;
}

/// .sat: into [0, 1], NaN becomes 0.
template <std::floating_point T>
T saturate(T x) {
  return x > T(0) ? (x < T(1) ? x : T(1)) : T(0);
}

/// Applies .ftz and .sat around F and makes NaN canonical.
template <class F, bool Ftz, bool Sat>
struct Rounded {
  template <class T, class... Rest>
  T operator()(T first, Rest... rest) const {
    T result;
    if constexpr (Ftz)
      result = flush(F{}(flush(first), flush(rest)...));
    else
      result = F{}(first, rest...);
    if constexpr (Sat)
      return saturate(result);
    else
      return canonical(result);
  }
};

/// Runs a lane function in another rounding mode of the host.
template <LaneFunction Function, int Mode>
void in_mode(const Operands& o) {
  int kept = std::fegetround();
  std::fesetround(Mode);
  Function(o);
  std::fesetround(kept);
}

/// The function for the modifier {.rnd} of an instruction whose result is rounded once.
template <LaneFunction Function>
LaneFunction rounded(std::string_view mode) {
  if (mode == "rz" || mode == "rzi") return in_mode<Function, FE_TOWARDZERO>;
  if (mode == "rm" || mode == "rmi") return in_mode<Function, FE_DOWNWARD>;
  if (mode == "rp" || mode == "rpi") return in_mode<Function, FE_UPWARD>;
  return Function;
}

/// A selector for d = F(a, ...) over f32 (.ftz, .sat) and f64, with {.rnd}.
template <class F, std::size_t Arity>
LaneFunction select_float(const Variant& v) {
  std::string_view rnd = v["rnd"];
  if (v.last_type() == Type::f64)
    return rounded<same_type<Rounded<F, false, false>, double, Arity>()>(rnd);
  if (v.last_type() != Type::f32) return nullptr;
  bool ftz = v.has("ftz"), sat = v.has("sat");
  if (ftz && sat) return rounded<same_type<Rounded<F, true, true>, float, Arity>()>(rnd);
  if (ftz) return rounded<same_type<Rounded<F, true, false>, float, Arity>()>(rnd);
  if (sat) return rounded<same_type<Rounded<F, false, true>, float, Arity>()>(rnd);
  return rounded<same_type<Rounded<F, false, false>, float, Arity>()>(rnd);
}

template <std::size_t Arity = 2, class F>
constexpr Selector floating(F) {
  return select_float<F, Arity>;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
