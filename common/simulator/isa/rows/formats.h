#pragma once
#include <cstring>

#include "simulator/isa/rows/floats.h"
#ifdef __F16C__
#include <immintrin.h>
#endif

/// Floating-point formats narrower than float: their values as floats, and floats rounded to them.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

/// The meaning of the largest exponent of a format.
enum class Top : uint8_t {
  ieee,        ///< infinity and NaN
  nan_only,    ///< numbers, but all ones is NaN
  all_numbers  ///< numbers alone
};

template <int Exponent, int Fraction, Top Kind = Top::ieee>
struct Format {
  static constexpr int exponent_bits = Exponent;
  static constexpr int fraction_bits = Fraction;
  static constexpr int width = 1 + Exponent + Fraction;
  static constexpr int bias = (1 << (Exponent - 1)) - 1;
  static constexpr Top top = Kind;
  static constexpr uint32_t magnitude_mask = (1u << (width - 1)) - 1;
  static constexpr uint32_t sign_bit = 1u << (width - 1);
  static constexpr uint32_t infinity = ((1u << Exponent) - 1) << Fraction;
  static constexpr uint32_t largest = Kind == Top::ieee       ? infinity - 1
                                      : Kind == Top::nan_only ? magnitude_mask - 1
                                                              : magnitude_mask;
  /// The bits of a result that is not a number; the largest number where the format has no NaN.
  static constexpr uint32_t not_a_number = magnitude_mask;
};

using Half = Format<5, 10>;
using Bfloat = Format<8, 7>;
using Tf32 = Format<8, 10>;
using E4m3 = Format<4, 3, Top::nan_only>;
using E5m2 = Format<5, 2>;
using E2m3 = Format<2, 3, Top::all_numbers>;
using E3m2 = Format<3, 2, Top::all_numbers>;
using E2m1 = Format<2, 1, Top::all_numbers>;

/// To the nearest (ties to even, or away from zero), towards zero, down, up.
enum class Rounding : uint8_t { rn, rna, rz, rm, rp };

/// The value of `bits`; exact.
template <class F>
float widen(uint32_t bits) {
  uint32_t magnitude = bits & F::magnitude_mask;
  uint32_t sign = (bits & F::sign_bit) << (32 - F::width);
  // In float's exponent field the value is too small by a power of two; so are subnormals.
  constexpr float scale = std::bit_cast<float>(static_cast<uint32_t>(127 + (127 - F::bias)) << 23);
  uint32_t value = magnitude << (23 - F::fraction_bits);
  if constexpr (F::bias != 127)
    value = std::bit_cast<uint32_t>(std::bit_cast<float>(value) * scale);
  if constexpr (F::top == Top::ieee)
    value |= magnitude >= F::infinity ? 0x7f800000u : 0u;
  else if constexpr (F::top == Top::nan_only)
    value |= magnitude == F::not_a_number ? 0x7fc00000u : 0u;
  return std::bit_cast<float>(value | sign);
}

/// `x` rounded once to F. A value that is too large becomes infinity or, towards zero and where
/// Saturate or the format requires it, the largest number. NaN becomes the canonical one.
template <class F, Rounding Mode, bool Saturate = false>
uint32_t narrow(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  uint32_t magnitude = bits & 0x7fffffffu;
  bool negative = bits >> 31;
  int exponent = static_cast<int>(magnitude >> 23);
  uint32_t significand = (magnitude & 0x7fffffu) | (exponent ? 0x800000u : 0u);
  if (exponent == 0) exponent = 1;
  // The exponent in F; below 1 the result is subnormal and loses a bit for each step.
  int target = exponent - 127 + F::bias;
  int lost = 23 - F::fraction_bits + (target < 1 ? 1 - target : 0);
  if (lost > 25) lost = 25;  // all bits are below half a unit
  if (target < 1) target = 1;
  uint32_t kept = significand >> lost;
  uint32_t rest = significand & ((1u << lost) - 1), half = 1u << (lost - 1);
  bool up = false;
  if constexpr (Mode == Rounding::rn) up = rest > half || (rest == half && (kept & 1));
  if constexpr (Mode == Rounding::rna) up = rest >= half;
  if constexpr (Mode == Rounding::rm) up = rest != 0 && negative;
  if constexpr (Mode == Rounding::rp) up = rest != 0 && !negative;
  // The leading bit of a normal number adds one to the exponent, as does a carry.
  uint32_t result = (static_cast<uint32_t>(target - 1) << F::fraction_bits) + kept + (up ? 1 : 0);
  bool stays_finite = Saturate || F::top != Top::ieee || Mode == Rounding::rz ||
                      (Mode == Rounding::rm && !negative) || (Mode == Rounding::rp && negative);
  uint32_t beyond = stays_finite ? F::largest : F::infinity;
  if (result > F::largest) result = beyond;
  if (magnitude == 0x7f800000u) result = Saturate || F::top != Top::ieee ? F::largest : F::infinity;
  result |= negative ? F::sign_bit : 0u;
  return magnitude > 0x7f800000u ? F::not_a_number : result;
}

/// The mode that a modifier such as .rn names; its function is `make.template operator()<Mode>()`.
template <class Make>
LaneFunction with_rounding(std::string_view mode, Make make) {
  if (mode == "rz") return make.template operator()<Rounding::rz>();
  if (mode == "rm") return make.template operator()<Rounding::rm>();
  if (mode == "rp") return make.template operator()<Rounding::rp>();
  return make.template operator()<Rounding::rn>();
}

/// .relu: negative values become zero, NaN stays.
inline float cut_negative(float x) { return x > 0.0f || x != x ? x : 0.0f; }

/// `nearest` is a sum or product rounded to nearest, `error` the rest. Of the two neighbours of the
/// exact value this is the one with an odd last bit: it can be rounded again to a format with two
/// bits less without rounding twice.
template <std::floating_point T>
T towards_odd(T nearest, T error) {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  Bits bits = std::bit_cast<Bits>(nearest);
  bool inexact = error > T(0) || error < T(0);
  bool negative = bits >> (8 * sizeof(Bits) - 1);
  bool outwards = (error > T(0)) != negative;
  Bits odd = outwards ? bits + 1 : bits - 1;
  return std::bit_cast<T>(inexact && !(bits & 1) ? odd : bits);
}

/// a + b with an odd last bit where it is not exact.
template <std::floating_point T>
T odd_sum(T a, T b) {
  T sum = a + b, part = sum - a;
  return towards_odd(sum, (a - (sum - part)) + (b - part));
}

/// A double as a float that can be rounded again.
inline float odd_float(double x) {
  float nearest = static_cast<float>(x);
  double error = x - static_cast<double>(nearest);
  // Beyond the largest float the error is infinite and of the right sign.
  return towards_odd(nearest, static_cast<float>(error > 0) - static_cast<float>(error < 0));
}

/// An integer as a float that can be rounded again.
template <std::integral T>
float odd_float(T x) {
  if constexpr (sizeof(T) <= 2) {
    return static_cast<float>(x);
  } else {
    using U = std::make_unsigned_t<T>;
    bool negative = x < 0;
    U magnitude = negative ? static_cast<U>(U(0) - static_cast<U>(x)) : static_cast<U>(x);
    int below = std::bit_width(magnitude) - 24;
    if (below < 0) below = 0;
    U kept = magnitude >> below;
    if (static_cast<U>(kept << below) != magnitude) kept |= 1;
    float scale = std::bit_cast<float>(static_cast<uint32_t>(127 + below) << 23);
    float value = static_cast<float>(static_cast<int32_t>(kept)) * scale;
    return negative ? -value : value;
  }
}

/// Eight values at once: the v3 level has instructions for Half.
constexpr int chunk = 8;

template <class F>
void widen_chunk(const uint16_t* from, float* to) {
#ifdef __F16C__
  if constexpr (std::is_same_v<F, Half>) {
    _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
    return;
  }
#endif
  for (int i = 0; i < chunk; ++i) to[i] = widen<F>(from[i]);
}

template <class F, Rounding Mode = Rounding::rn, bool Saturate = false>
void narrow_chunk(const float* from, uint16_t* to) {
#ifdef __F16C__
  if constexpr (std::is_same_v<F, Half> && Mode != Rounding::rna && !Saturate) {
    constexpr int control = Mode == Rounding::rn   ? _MM_FROUND_TO_NEAREST_INT
                            : Mode == Rounding::rz ? _MM_FROUND_TO_ZERO
                            : Mode == Rounding::rm ? _MM_FROUND_TO_NEG_INF
                                                   : _MM_FROUND_TO_POS_INF;
    __m256 values = _mm256_loadu_ps(from);
    __m128i halves = _mm256_cvtps_ph(values, control);
    __m256i nans = _mm256_castps_si256(_mm256_cmp_ps(values, values, _CMP_UNORD_Q));
    __m128i narrow_nans =
        _mm_packs_epi32(_mm256_castsi256_si128(nans), _mm256_extracti128_si256(nans, 1));
    __m128i canonical_nan = _mm_set1_epi16(static_cast<short>(Half::not_a_number));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                     _mm_blendv_epi8(halves, canonical_nan, narrow_nans));
    return;
  }
#endif
  for (int i = 0; i < chunk; ++i) to[i] = static_cast<uint16_t>(narrow<F, Mode, Saturate>(from[i]));
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
