#pragma once
#include <bit>
#include <cstdint>

#include "simulator/isa/rows/floats.h"
#include "simulator/isa/rows/interpolator_tables.h"

/// The unit that computes the approximate instructions, bit for bit.
///
/// All of them (MUFU in machine code) share one interpolator. The upper 6 or 7 bits of a number
/// choose a segment, the other 17 or 16 bits are the place x in it, and the result is
///
///     c0 + c1 * x + c2 * square(x)
///
/// with the three coefficients of the segment, in fixed point: both products are exact, the sum is
/// cut. Only the squarer is approximate: it leaves out the partial products of the lower columns.
/// A 16-bit place also enters as 17 bits.
///
/// This was found from results of an H200. Each of a segment's 131,072 places bounds the sum to one
/// unit of the last place; all of them together leave only one pair c1 and c2 with few digits, and
/// for c0 an interval as narrow as the products are fine. This interval contains one multiple of an
/// eighth of the last place, plus a constant that is the same for all segments of a function: the
/// constant that rounds the result. With another square, such as the exact one, they leave no
/// solution at all.
///
/// With these coefficients every function here gives the bits of an H200 for all 2^32 inputs, with
/// and without .ftz: common/verification/recorded/conformance/functions.txt has sums of the
/// hardware's results.
namespace warpwise::isa::WARPWISE_ISA_LEVEL::interpolator {

/// The square of a place of 17 bits, without the products in columns below 2^19, in 2^19.
inline uint32_t square(uint32_t x) {
  // All products of the upper 8 bits count except the square of the lowest. Products between lower
  // bits never count. The product of a lower and an upper bit counts if it reaches the column.
  uint32_t upper = x >> 9, lower = x & 0x1ff;
  uint32_t sum = (upper * upper) >> 1;
  for (int bit = 1; bit < 8; ++bit) sum += (0u - (upper >> bit & 1)) & (lower >> (9 - bit));
  return sum;
}

/// The interpolated value, never negative, in units of 2^-17 of the last place of the function's
/// largest results; an eighth of it, the unit of c0, has 2^14 of them.
/// @param rounding the function's constant
/// @param place 17 bits
template <std::size_t Count>
uint64_t interpolate(const Segment (&segments)[Count], int64_t rounding, uint32_t segment,
                     uint32_t place) {
  const Segment& s = segments[segment];
  int64_t sum = static_cast<int64_t>(s.c1) * static_cast<int32_t>(place) +
                static_cast<int64_t>(s.c2) * static_cast<int32_t>(square(place));
  return static_cast<uint64_t>(sum + (static_cast<int64_t>(s.c0) << 14) + rounding);
}

/// The interpolated value in whole units, between 2^23 and 2^24 of them, as the amount that it adds
/// to the bits of a power of two. All of it in 32 bits.
template <std::size_t Count>
uint32_t significand(const Segment (&segments)[Count], int32_t rounding, uint32_t segment,
                     uint32_t place) {
  const Segment& s = segments[segment];
  // The product with the upper bits of the place ends 9 bits above that with the lower ones.
  auto upper = static_cast<int32_t>(place >> 9), lower = static_cast<int32_t>(place & 0x1ff);
  int32_t low = s.c1 * lower + s.c2 * static_cast<int32_t>(square(place)) + rounding;
  uint32_t high = (static_cast<uint32_t>(s.c0) - (1u << 26)) << 5;
  return (high + static_cast<uint32_t>(s.c1 * upper + (low >> 9))) >> 8;
}

/// Digits that a float cannot hold are cut.
inline double cut_to_f32(double x) {
  constexpr uint64_t beyond = (uint64_t{1} << 29) - 1;
  return std::bit_cast<double>(std::bit_cast<uint64_t>(x) & ~beyond);
}

/// The float with the leading 24 bits of a value, the rest cut; the value is in `unit`.
/// @param value less than 2^52
inline float leading(uint64_t value, double unit) {
  // As the fraction of a number of that exponent, an integer becomes a double without a
  // conversion, for which most processors have no vector instruction.
  constexpr uint64_t exponent = uint64_t{0x433} << 52;
  double exact = std::bit_cast<double>(value | exponent) - 0x1p52;
  return static_cast<float>(cut_to_f32(exact) * unit);
}

constexpr uint32_t sign_bit = 0x80000000u, infinity = 0x7f800000u, the_nan = 0x7fffffffu;
constexpr uint32_t fraction = 0x7fffffu, smallest_normal = 0x00800000u;

/// Without a branch, which would keep a loop from becoming vector code.
inline uint32_t select(bool condition, uint32_t a, uint32_t b) {
  uint32_t mask = 0u - static_cast<uint32_t>(condition);
  return b ^ ((a ^ b) & mask);
}

// The unit's results for a float's bits. It takes subnormal numbers for zeros of their sign.

/// MUFU.RCP. A subnormal result becomes zero.
inline uint32_t reciprocal(uint32_t a) {
  uint32_t sign = a & sign_bit, magnitude = a & ~sign_bit, digits = a & fraction;
  uint32_t significant = significand(reciprocals, 8092, digits >> 16, digits << 1 & 0x1ffff);
  int32_t bits = static_cast<int32_t>(((253 - (magnitude >> 23)) << 23) + significant);
  uint32_t result =
      select(bits < static_cast<int32_t>(smallest_normal), 0, static_cast<uint32_t>(bits));
  result = select(magnitude < smallest_normal, infinity, result);
  return select(magnitude > infinity, the_nan, result | sign);
}

/// Roots read an odd exponent as a further bit above the digits.
inline uint32_t root_segment(uint32_t a) { return (~(a >> 23) & 1) << 6 | (a & fraction) >> 17; }
inline uint32_t halved_exponent(uint32_t a) { return ((a >> 23) + 1) >> 1; }

/// MUFU.RSQ
inline uint32_t inverse_root(uint32_t a) {
  uint32_t significant = significand(inverse_roots, -1, root_segment(a), a & 0x1ffff);
  uint32_t result = ((190 - halved_exponent(a)) << 23) + significant;
  // The root of a power of 4 is exact.
  result += (a & 0xffffff) == smallest_normal;
  result = select(a < smallest_normal, infinity, result);
  result = select(a == infinity, 0, result);
  result = select(a > infinity, the_nan, result);
  return select(a >= sign_bit && a < sign_bit + smallest_normal, sign_bit | infinity, result);
}

/// MUFU.SQRT
inline uint32_t square_root(uint32_t a) {
  uint32_t significant = significand(square_roots, -1, root_segment(a), a & 0x1ffff);
  uint32_t result = ((63 + halved_exponent(a)) << 23) + significant;
  result = select(a >= infinity, select(a == infinity, infinity, the_nan), result);
  return select((a & ~sign_bit) < smallest_normal, a & sign_bit, result);
}

/// MUFU.EX2. A subnormal result becomes zero.
inline uint32_t exponential(uint32_t a) {
  constexpr uint32_t limit = 0x43000000u;  // 128
  uint32_t magnitude = a & ~sign_bit;
  bool negative = a >= sign_bit;
  // Cut to 23 bits of fraction. A negative number with a fraction has the opposite bits, which is
  // one unit less than its complement.
  int32_t steps = static_cast<int32_t>(
      std::bit_cast<float>(select(magnitude < limit, magnitude, limit - 1)) * 0x1p23f);
  bool whole = (static_cast<uint32_t>(steps) & fraction) == 0;
  auto fixed = static_cast<int32_t>(
      select(negative, select(whole, static_cast<uint32_t>(-steps), static_cast<uint32_t>(~steps)),
             static_cast<uint32_t>(steps)));
  uint32_t digits = static_cast<uint32_t>(fixed) & fraction;
  uint32_t significant = significand(exponentials, 24456, digits >> 17, digits & 0x1ffff);
  int32_t power = fixed >> 23;
  uint32_t result = (static_cast<uint32_t>(power + 127) << 23) + significant;
  result = select(power < -126, 0, result);
  result = select(magnitude < limit, result, select(negative, 0, infinity));
  return select(magnitude > infinity, the_nan, result);
}

/// MUFU.LG2
inline uint32_t logarithm(uint32_t a) {
  constexpr int32_t one = 0x3f800000;
  uint32_t digits = a & fraction;
  uint64_t value = interpolate(logarithms, 3348, digits >> 17, digits & 0x1ffff);
  int64_t exponent = static_cast<int32_t>(a >> 23) - 127;
  int64_t sum = (exponent << 40) + static_cast<int64_t>(value);
  bool negative = sum < 0;
  // Cut to 36 bits of fraction.
  uint64_t size = static_cast<uint64_t>(negative ? ~sum : sum) & ~uint64_t{15};
  uint32_t result = bits_of(leading(size, 0x1p-40)) | select(negative, sign_bit, 0);
  result = select(a == one, 0, result);
  result = select(a >= infinity, select(a == infinity, infinity, the_nan), result);
  return select((a & ~sign_bit) < smallest_normal, sign_bit | infinity, result);
}

/// MUFU.SIN and MUFU.COS of an angle in radians, with the product that ptxas puts before them: by
/// 1 / 2 pi, rounded towards zero. The unit reads 25 bits of the fraction of that number of turns.
template <bool Cosine>
uint32_t wave(uint32_t a) {
  uint32_t magnitude = a & ~sign_bit;
  bool finite = magnitude < infinity;
  double product = static_cast<double>(std::bit_cast<float>(select(finite, magnitude, 0))) *
                   static_cast<double>(0.15915493667125701904f);
  double turns = cut_to_f32(product);
  auto steps = static_cast<uint32_t>(static_cast<int32_t>((turns - std::floor(turns)) * 0x1p25));
  uint32_t quarter = (steps >> 23) + Cosine;
  // The second quarter is the first, seen from its end.
  uint32_t digits = (steps & fraction) ^ select((quarter & 1) != 0, fraction, 0);
  uint64_t value = interpolate(sines, 0, digits >> 17, digits & 0x1ffff);
  uint32_t sign = (quarter & 2) << 30 ^ (Cosine ? 0 : a & sign_bit);
  return select(finite, bits_of(leading(value, 0x1p-41)) | sign, the_nan);
}

/// MUFU.TANH. Small numbers are their own tangent.
inline uint32_t tangent(uint32_t a) {
  uint32_t magnitude = a & ~sign_bit;
  constexpr uint32_t first = 119u << 23, end = 130u << 23;
  uint32_t inside = select(magnitude < first, first, select(magnitude < end, magnitude, end - 1));
  uint32_t power = (inside >> 23) - 119;
  const Octave& octave = tangent_octaves[power];
  uint32_t digits = (inside & fraction) >> octave.shift;
  uint64_t value = interpolate(tangents, 0, octave.first + (digits >> 17), digits & 0x1ffff);
  // Up to 1 an octave counts in its own last place, above in that of the results.
  double unit = std::bit_cast<double>((uint64_t{1023 - 48} + select(power < 7, power, 7)) << 52);
  uint32_t result = bits_of(leading(value, unit));
  result = select(magnitude < first, magnitude, select(magnitude < end, result, 0x3f800000));
  return select(magnitude > infinity, the_nan, result | (a & sign_bit));
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL::interpolator
