#pragma once
#include "simulator/isa/rows/matrix_terms.h"

/// The fused sums of matrix_float.h in float arithmetic: several times faster, the same bits.
///
/// A product of two factors with at most 12 significant bits is an exact float, and so is that
/// product in units of the sum's last place. To convert it to an integer cuts it toward zero, as
/// the tensor cores do. This needs exponents far from the ends of float's range; where they are
/// not, nothing is done here.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

// Vectors go by reference: how they are passed by value depends on the level.
using EightFloats = float __attribute__((vector_size(32)));
using EightInts = int32_t __attribute__((vector_size(32)));
using EightWords = uint32_t __attribute__((vector_size(32)));
using FourFloats = float __attribute__((vector_size(16)));
using FourInts = int32_t __attribute__((vector_size(16)));
using FourDoubles = double __attribute__((vector_size(32)));
using FourLongs = int64_t __attribute__((vector_size(32)));

/// A matrix as floats, with their exponents (zero_exponent: a zero), in rows.
struct ScaledTerms {
  alignas(32) float value[most_elements];
  alignas(32) int32_t exponent[most_elements];
  int32_t lowest, highest;  ///< exponent; of a zero matrix the lowest is the higher one
  bool any_special;
};

/// Eight values of a format at once. `raw` holds one in each word.
template <class F>
void scaled(const EightWords& raw, EightFloats& value, EightInts& exponent, EightInts& special) {
  constexpr int width = F::exponent_bits + F::fraction;
  const EightWords bits = raw >> F::dropped;
  const EightWords magnitude = bits & ((1u << width) - 1);
  const EightWords sign = (bits >> width & 1) << 31;
  // In float's exponent field the value is too small by a power of two; so are subnormals.
  constexpr float scale = std::bit_cast<float>(static_cast<uint32_t>(127 + (127 - F::bias)) << 23);
  const EightFloats unsigned_value = (EightFloats)(magnitude << (23 - F::fraction)) * scale;
  value = (EightFloats)((EightWords)unsigned_value | sign);
  const EightInts field = (EightInts)(magnitude >> F::fraction);
  exponent = (field > 0 ? field : EightInts{} + 1) - F::bias;
  exponent = magnitude != 0 ? exponent : EightInts{} + zero_exponent;
  special = F::infinities ? field == (1 << F::exponent_bits) - 1
                          : (EightInts)(magnitude == (1u << width) - 1);
}

inline void load_words(const uint32_t* from, EightWords& to) { std::memcpy(&to, from, sizeof to); }
inline void load_words(const uint16_t* from, EightWords& to) {
  uint16_t values __attribute__((vector_size(16)));
  std::memcpy(&values, from, sizeof values);
  to = __builtin_convertvector(values, EightWords);
}
inline void load_words(const uint8_t* from, EightWords& to) {
  uint8_t values __attribute__((vector_size(8)));
  std::memcpy(&values, from, sizeof values);
  to = __builtin_convertvector(values, EightWords);
}

template <class F>
[[gnu::noinline]] void take_scaled(const typename F::Raw* raw, unsigned count, ScaledTerms& terms) {
  EightInts any_special = {}, lowest = EightInts{} - zero_exponent,
            highest = EightInts{} + zero_exponent;
  for (unsigned i = 0; i < count; i += 8) {
    EightWords words;
    EightFloats value;
    EightInts exponent, special;
    load_words(raw + i, words);
    scaled<F>(words, value, exponent, special);
    std::memcpy(terms.value + i, &value, sizeof value);
    std::memcpy(terms.exponent + i, &exponent, sizeof exponent);
    any_special |= special;
    highest = highest > exponent ? highest : exponent;
    const EightInts not_zero = exponent != zero_exponent ? exponent : EightInts{} - zero_exponent;
    lowest = lowest < not_zero ? lowest : not_zero;
  }
  terms.any_special = false;
  terms.lowest = -zero_exponent;
  terms.highest = zero_exponent;
  for (int lane = 0; lane < 8; ++lane) {
    terms.any_special |= any_special[lane] != 0;
    terms.lowest = std::min(terms.lowest, lowest[lane]);
    terms.highest = std::max(terms.highest, highest[lane]);
  }
}

/// Exponents between these are far enough from the ends of float's range, for products as well as
/// for C: no product, no unit and no sum is subnormal, and none is infinite.
constexpr int32_t lowest_scaled = -90, highest_scaled = 90;
inline bool are_scaled(const ScaledTerms& a, const ScaledTerms& b) {
  return !a.any_special && !b.any_special && a.lowest + b.lowest >= lowest_scaled &&
         a.highest + b.highest <= highest_scaled;
}
inline bool are_scaled(const ScaledTerms& c) {
  return !c.any_special && c.lowest >= lowest_scaled && c.highest <= highest_scaled;
}

/// Sums over [first, last) of k. The matrices pass are_scaled().
struct ScaledSum {
  unsigned m, n, k, first, last;
  const ScaledTerms &a, &b, &c;

  template <class Vector, class Element>
  static void load(Vector& value, const Element* from) {
    std::memcpy(&value, from, sizeof value);
  }
  /// 2^exponent.
  static void power(EightFloats& value, const EightInts& exponent) {
    value = (EightFloats)((exponent + 127) << 23);
  }

  /// Rows are summed up together, so that what stands in B is looked at once for all of them.
  static constexpr unsigned rows = 4;
  /// Eight elements of each row.
  /// @param sum, rest out: of the products, and what C adds, in units of 2^unit.
  void sum_up(unsigned i, unsigned j, EightInts (&sum)[rows], EightInts (&rest)[rows],
              EightInts (&unit)[rows]) const {
    const int32_t* const exponents = a.exponent + i * k;
    const float* const values = a.value + i * k;
    EightInts largest[rows], exponent;
#pragma GCC unroll 4
    for (unsigned row = 0; row < rows; ++row) load(largest[row], c.exponent + (i + row) * n + j);
    for (unsigned l = first; l < last; ++l) {
      load(exponent, b.exponent + l * n + j);
#pragma GCC unroll 4
      for (unsigned row = 0; row < rows; ++row) {
        const EightInts of_product = exponent + exponents[row * k + l];
        largest[row] = largest[row] > of_product ? largest[row] : of_product;
      }
    }
    EightFloats per_unit[rows], factor;
#pragma GCC unroll 4
    for (unsigned row = 0; row < rows; ++row) {
      // Where all terms are zero the exponent means nothing.
      const EightInts least = EightInts{} + lowest_scaled;
      unit[row] = (largest[row] > least ? largest[row] : least) - alignment_bits;
      power(per_unit[row], -unit[row]);
      sum[row] = EightInts{};
    }
    for (unsigned l = first; l < last; ++l) {
      load(factor, b.value + l * n + j);
#pragma GCC unroll 4
      for (unsigned row = 0; row < rows; ++row) {
        const EightFloats term = factor * values[row * k + l] * per_unit[row];
        sum[row] += __builtin_convertvector(term, EightInts);
      }
    }
#pragma GCC unroll 4
    for (unsigned row = 0; row < rows; ++row) {
      load(factor, c.value + (i + row) * n + j);
      factor *= per_unit[row];
      rest[row] = __builtin_convertvector(factor, EightInts);
    }
  }

  /// The sums as doubles, which hold them exactly: 16 products of less than 2^27 fit in 32 bits,
  /// but not what C adds.
  static void exact(const EightInts& sum, const EightInts& rest, const EightInts& unit,
                    FourDoubles (&exact)[2]) {
    EightFloats power_of_two;
    power(power_of_two, unit);
    FourInts sums[2], rests[2];
    FourFloats powers[2];
    std::memcpy(sums, &sum, sizeof sum);
    std::memcpy(rests, &rest, sizeof rest);
    std::memcpy(powers, &power_of_two, sizeof power_of_two);
    for (int half = 0; half < 2; ++half)
      exact[half] = (__builtin_convertvector(sums[half], FourDoubles) +
                     __builtin_convertvector(rests[half], FourDoubles)) *
                    __builtin_convertvector(powers[half], FourDoubles);
  }
  /// Toward zero: the bits that f32 has no room for are dropped, so that the conversion is exact.
  static void put(const FourDoubles& values, uint32_t* to, F32) {
    const FourFloats floats =
        __builtin_convertvector((FourDoubles)((FourLongs)values & ~0x1fffffffll), FourFloats);
    std::memcpy(to, &floats, sizeof floats);
  }
  static void put(const FourDoubles& values, uint16_t* to, F16) {
    for (int lane = 0; lane < 4; ++lane) to[lane] = round_to(values[lane], F16{});
  }

  /// @param out C in rows, which becomes the sums.
  template <class C>
  [[gnu::noinline]] void add_to(typename C::Raw* out) const {
    for (unsigned i = 0; i < m; i += rows)
      for (unsigned j = 0; j < n; j += 8) {
        EightInts sum[rows], rest[rows], unit[rows];
        sum_up(i, j, sum, rest, unit);
#pragma GCC unroll 4
        for (unsigned row = 0; row < rows; ++row) {
          FourDoubles values[2];
          exact(sum[row], rest[row], unit[row], values);
          for (unsigned half = 0; half < 2; ++half)
            put(values[half], out + (i + row) * n + j + 4 * half, C{});
        }
      }
  }
};

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
