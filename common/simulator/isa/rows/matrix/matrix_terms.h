#pragma once
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "simulator/isa/rows/floats.h"

/// The terms of matrix products: their formats, and the final rounding of their sum.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

constexpr int alignment_bits = 25;       ///< kept below the largest exponent
constexpr int zero_exponent = -2000;     ///< of a zero: no other term is cut because of it
constexpr unsigned most_elements = 512;  ///< of one matrix

/// A floating-point format: sign, exponent, fraction from the top of its `bits` lowest bits after
/// `dropped` ones that are ignored.
template <class Storage, int Exponent, int Fraction, int Dropped = 0, bool Infinities = true>
struct Format {
  using Raw = Storage;
  static constexpr int exponent_bits = Exponent, fraction = Fraction, dropped = Dropped;
  static constexpr int width = Exponent + Fraction;  ///< without the sign
  static constexpr bool infinities = Infinities;
  static constexpr int bias = (1 << (Exponent - 1)) - 1;

  /// The value as significand * 2^(exponent - fraction).
  static void split(Raw raw, int32_t& significand, int32_t& exponent) {
    auto bits = static_cast<int32_t>(raw >> Dropped);
    int32_t field = bits >> Fraction & ((1 << Exponent) - 1);
    int32_t low = bits & ((1 << Fraction) - 1);
    int32_t magnitude = field ? low | 1 << Fraction : low;
    significand = bits >> (Exponent + Fraction) & 1 ? -magnitude : magnitude;
    exponent = magnitude ? (field ? field : 1) - bias : zero_exponent;
  }
  static bool is_special(Raw raw) {
    auto magnitude = static_cast<uint32_t>(raw >> Dropped) & ((1u << (Exponent + Fraction)) - 1);
    if constexpr (!Infinities) return magnitude == (1u << (Exponent + Fraction)) - 1;
    return magnitude >> Fraction == (1u << Exponent) - 1;
  }
  static double value(Raw raw) {
    int32_t significand, exponent;
    split(raw, significand, exponent);
    if (!is_special(raw)) return std::ldexp(significand, exponent - Fraction);
    if (!Infinities || std::abs(significand) != 1 << Fraction)
      return std::numeric_limits<double>::quiet_NaN();
    return significand < 0 ? -HUGE_VAL : HUGE_VAL;
  }
};

using F16 = Format<uint16_t, 5, 10>;
using BF16 = Format<uint16_t, 8, 7>;
using TF32 = Format<uint32_t, 8, 10, 13>;
using E4M3 = Format<uint8_t, 4, 3, 0, false>;
using E5M2 = Format<uint8_t, 5, 2>;
using F32 = Format<uint32_t, 8, 23>;

inline uint32_t round_to(double value, F32) {
  if (value != value) return 0x7fffffffu;
  // Toward zero: the bits that f32 has no room for are dropped, so that the conversion is exact.
  double kept = std::fabs(value) < 0x1p-126
                    ? std::trunc(value * 0x1p149) * 0x1p-149
                    : std::bit_cast<double>(std::bit_cast<uint64_t>(value) & ~0x1fffffffull);
  return std::bit_cast<uint32_t>(static_cast<float>(kept));
}

inline uint16_t round_to(double value, F16) {
  if (value != value) return 0x7fff;
  auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  double magnitude = std::fabs(value);
  // Subnormal results and the step into the normal ones: units of 2^-24 are the bits themselves.
  if (magnitude < 0x1p-14) {
    auto units = static_cast<uint16_t>(std::nearbyint(magnitude * 0x1p24));
    return units ? static_cast<uint16_t>(sign | units) : uint16_t{0};
  }
  auto bits = std::bit_cast<uint64_t>(magnitude);
  bits += 0x1ffffffffffull + (bits >> 42 & 1);
  if (bits >= std::bit_cast<uint64_t>(65536.0)) return sign | 0x7c00;
  return static_cast<uint16_t>(sign | ((bits >> 42) - (1008ull << 10)));
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
