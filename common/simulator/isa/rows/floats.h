#pragma once
#include <bit>
#include <cfenv>
#include <cmath>
#include <concepts>
#include <limits>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "simulator/isa/rows/lanes.h"

/// Common parts of float instructions: canonical NaN, flushed subnormals, rounding modes.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

// The following code works on bits: under -frounding-math a comparison of floats may raise a flag,
// and GCC does not vectorise a loop with one.

inline uint32_t bits_of(float x) { return std::bit_cast<uint32_t>(x); }
inline bool is_nan(float x) { return (bits_of(x) & 0x7fffffffu) > 0x7f800000u; }

/// The NaN that the hardware writes for results of f32.
inline float canonical(float x) {
  return std::bit_cast<float>(is_nan(x) ? 0x7fffffffu : bits_of(x));
}

/// The same NaN, no longer signalling.
inline double quiet(double nan) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(nan) | uint64_t{1} << 51);
}

/// A result of f64 that is NaN is the first of `operands` that is NaN, sign and payload kept; if
/// none is, it is the NaN with a sign. Measured on an H200.
template <std::same_as<double>... Operands>
double with_nan_of(double result, Operands... operands) {
  // Compared as integers: comparisons of floats may trap, which keeps them from being vectorised.
  constexpr int64_t infinity = int64_t{0x7ff} << 52, magnitude = ~(int64_t{1} << 63);
  int64_t nan = static_cast<int64_t>(uint64_t{0xfff8} << 48);
  auto prefer = [&](int64_t bits) { nan = (bits & magnitude) > infinity ? bits : nan; };
  const int64_t in_order[] = {std::bit_cast<int64_t>(operands)...};
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (prefer(in_order[sizeof...(Operands) - 1 - I]), ...);
  }
  (std::index_sequence_for<Operands...>{});
  auto bits = std::bit_cast<int64_t>(result);
  return std::bit_cast<double>((bits & magnitude) > infinity ? nan | int64_t{1} << 51 : bits);
}

/// .ftz: a subnormal becomes a zero of the same sign.
inline float flush(float x) {
  uint32_t bits = bits_of(x);
  return std::bit_cast<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}

/// .sat: into [0, 1], NaN becomes 0.
template <std::floating_point T>
T saturate(T x) {
  return x > T(0) ? (x < T(1) ? x : T(1)) : T(0);
}

/// True where a result has underflowed: after rounding to 24 bits, whatever its exponent, it is
/// below the smallest normal number. `scaled` is that result times 2^32. Rounded to a subnormal it
/// could have come out as the smallest normal number.
inline bool is_underflow(float scaled) {
  return (bits_of(scaled) & 0x7fffffffu) < bits_of(0x1p-94f);
}
constexpr float underflow_scale = 0x1p32f;

/// The arithmetic of f32 and f64. `underflows` marks operations that round tiny results, so that
/// .ftz can flush them; where scaling overflows, the result is not tiny.
struct Sum {
  template <class T>
  T operator()(T a, T b) const {
    return a + b;
  }
};
struct Difference {
  template <class T>
  T operator()(T a, T b) const {
    return a - b;
  }
};
struct Product {
  template <class T>
  T operator()(T a, T b) const {
    return a * b;
  }
  static bool underflows(float a, float b) { return is_underflow(a * underflow_scale * b); }
};
struct Quotient {
  static constexpr bool nan_of_first = true;
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
  static bool underflows(float a, float b) { return is_underflow(a * underflow_scale / b); }
};
struct Reciprocal {
  template <class T>
  T operator()(T a) const {
    return T(1) / a;
  }
  static bool underflows(float a) { return is_underflow(underflow_scale / a); }
};
struct FusedMultiplyAdd {
  template <class T>
  T operator()(T a, T b, T c) const {
    return std::fma(a, b, c);
  }
  static bool underflows(float a, float b, float c) {
    return is_underflow(std::fma(a * underflow_scale, b, c * underflow_scale));
  }
};

/// Applies .ftz and .sat around F and the rules for NaN.
template <class F, bool Ftz, bool Sat>
struct Rounded {
  float operator()(std::same_as<float> auto... s) const {
    float result;
    if constexpr (Ftz)
      result = flushed(flush(s)...);
    else
      result = F{}(s...);
    return Sat ? saturate(result) : canonical(result);
  }
  double operator()(double a) const { return with_nan_of(F{}(a), a); }
  double operator()(double a, double b) const {
    if constexpr (requires { F::nan_of_first; })
      return with_nan_of(F{}(a, b), a, b);
    else
      return with_nan_of(F{}(a, b), b, a);
  }
  double operator()(double a, double b, double c) const {
    return with_nan_of(F{}(a, b, c), b, c, a);
  }

 private:
  static float flushed(std::same_as<float> auto... s) {
    float result = F{}(s...);
    if constexpr (requires { F::underflows(s...); }) {
      // Scaled, large operands become the largest number where overflow does not round to infinity.
      const bool is_tiny = (bits_of(result) & 0x7fffffffu) <= bits_of(0x1p-126f);
      const bool underflows = F::underflows(s...) & is_tiny;
      return std::bit_cast<float>(bits_of(result) & (underflows ? 0x80000000u : 0xffffffffu));
    } else {
      return flush(result);
    }
  }
};

/// Another rounding mode of the host, as fesetround() names it, until the end of a scope.
template <int Mode>
class RoundingMode {
 public:
#if defined(__x86_64__)
  static_assert(FE_TOWARDZERO << 3 == _MM_ROUND_TOWARD_ZERO);
  // fesetround() also sets the mode of the x87 unit, which takes as long as a short loop over
  // lanes.
  RoundingMode() : kept_(_mm_getcsr()) { set((kept_ & ~unsigned{_MM_ROUND_MASK}) | Mode << 3); }
  ~RoundingMode() { set(kept_); }

 private:
  /// Operands are read after it, results are stored before it.
  static void set(unsigned control) {
    asm volatile("" ::: "memory");
    _mm_setcsr(control);
    asm volatile("" ::: "memory");
  }
  unsigned kept_;
#else
  RoundingMode() : kept_(std::fegetround()) { std::fesetround(Mode); }
  ~RoundingMode() { std::fesetround(kept_); }

 private:
  int kept_;
#endif
};

/// Runs a lane function in another rounding mode of the host.
template <LaneFunction Function, int Mode>
void in_mode(const Operands& o) {
  const RoundingMode<Mode> mode;
  Function(o);
}

/// Finds the index of a mode in the list of `rounded`. Not inlined: many selectors ask.
[[gnu::noinline]] inline int place_of_mode(std::string_view mode) {
  if (mode == "rz" || mode == "rzi") return 1;
  if (mode == "rm" || mode == "rmi") return 2;
  if (mode == "rp" || mode == "rpi") return 3;
  return 0;
}

/// The function for the modifier {.rnd} of an instruction whose result is rounded once.
template <LaneFunction Function>
LaneFunction rounded(std::string_view mode) {
  static constexpr LaneFunction functions[] = {Function, in_mode<Function, FE_TOWARDZERO>,
                                               in_mode<Function, FE_DOWNWARD>,
                                               in_mode<Function, FE_UPWARD>};
  return functions[place_of_mode(mode)];
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
/// For named operations.
template <class F, std::size_t Arity = 2>
constexpr Selector arithmetic = select_float<F, Arity>;

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
