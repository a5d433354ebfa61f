#pragma once
#include "simulator/isa/rows/matrix/matrix_terms.h"
#include "simulator/isa/rows/matrix/matrix_vectors.h"

/// The fused sums of matrix_float.h in float arithmetic: several times faster, the same bits.
///
/// A product of two factors with at most 12 significant bits is an exact float, and so is that
/// product in units of the sum's last place. To convert it to an integer cuts it toward zero, as
/// the tensor cores do. This needs exponents far from the ends of float's range; where they are
/// not, this code does not apply.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

/// The exponents of a matrix; if all elements are zero, `lowest` is above `highest`.
struct ExponentRange {
  int32_t lowest, highest;
  int32_t last_place;  ///< all elements are multiples of 2 to this power
  bool any_special;
};

/// A factor as floats, with their exponents above the bias (below zero: a zero), in rows.
struct ScaledFactor {
  alignas(32) float value[most_elements];
  alignas(32) int16_t field[most_elements + 8];  ///< groups of four are read as eight
  ExponentRange range;
};

/// Eight values of a format of at most 16 bits as floats.
template <class F>
void values_of(const EightShorts& raw, EightFloats& value) {
#ifdef __F16C__
  if constexpr (F::width == 15 && F::fraction == 10) {
    value = (EightFloats)__builtin_ia32_vcvtph2ps256((EightSignedShorts)raw);
    return;
  }
#endif
  const EightWords bits = __builtin_convertvector(raw, EightWords);
  const EightWords sign = bits >> F::width << 31;
  const EightWords magnitude = bits & ((1u << F::width) - 1);
  value = (EightFloats)(magnitude << (23 - F::fraction));
  // In float's exponent field the value is too small by a power of two; so are subnormals.
  constexpr float scale = std::bit_cast<float>(static_cast<uint32_t>(127 + (127 - F::bias)) << 23);
  if constexpr (F::bias != 127) value *= scale;
  value = (EightFloats)((EightWords)value | sign);
}

template <class Shorts>
void load_shorts(const uint16_t* from, Shorts& to) {
  load(to, from);
}
template <class Shorts>
void load_shorts(const uint8_t* from, Shorts& to) {
  std::conditional_t<sizeof to == 16, EightBytes, SixteenBytes> values;
  load(values, from);
  to = __builtin_convertvector(values, Shorts);
}

template <class Magnitudes>
using FieldsOf = std::conditional_t<sizeof(Magnitudes{}[0]) == 4, EightInts, TwoEights>;

/// \cond Its page would be wider than a telephone.

/// Gathers the exponents of a matrix.
/// @tparam Magnitudes vector of the numbers without their sign.
template <class F, class Magnitudes>
class Exponents {
 public:
  using Fields = FieldsOf<Magnitudes>;

  /// @param field out: of the exponents, at least 1; of zeros it is below zero.
  [[gnu::always_inline]] void add(const Magnitudes& magnitude, Fields& field) {
    field = (Fields)(magnitude >> F::fraction);
    field = field > 1 ? field : Fields{} + 1;
    field += (Fields)(magnitude == 0) & zero_exponent;
    highest_ = highest_ > field ? highest_ : field;
    // Without a sign, zeros are the highest of all.
    lowest_ = lowest_ < (Magnitudes)field ? lowest_ : (Magnitudes)field;
    used_ |= magnitude;
    if constexpr (!F::infinities) largest_ = largest_ > magnitude ? largest_ : magnitude;
  }
  ExponentRange range() const {
    const int32_t highest = extreme_of<true>(highest_);
    if (highest < 0) return {-zero_exponent, zero_exponent, 0, false};
    bool special = highest == (1 << F::exponent_bits) - 1;
    if constexpr (!F::infinities) special = extreme_of<true>(largest_) == (1 << F::width) - 1;
    const int32_t lowest = static_cast<int32_t>(extreme_of<false>(lowest_)) - F::bias;
    const int zeros = std::countr_zero(joined(used_) | 1u << F::fraction);
    return {lowest, highest - F::bias, lowest - F::fraction + zeros, special};
  }

 private:
  Fields highest_ = Fields{} + zero_exponent;
  Magnitudes lowest_ = Magnitudes{} - 1, largest_ = {}, used_ = {};
};

/// \endcond

/// @param count a multiple of 16, as that of all matrices is.
template <class F>
[[gnu::noinline]] void take_factor(const typename F::Raw* raw, unsigned count,
                                   ScaledFactor& terms) {
  if constexpr (sizeof(typename F::Raw) == 4) {
    Exponents<F, EightWords> exponents;
    for (std::size_t i = 0; i < count; i += 8) {
      EightWords bits;
      EightInts field;
      load(bits, raw + i);
      bits &= ~((1u << F::dropped) - 1);
      store(bits, terms.value + i);
      exponents.add((bits & 0x7fffffff) >> F::dropped, field);
      store(__builtin_convertvector(field, EightSignedShorts), terms.field + i);
    }
    terms.range = exponents.range();
  } else {
    for (std::size_t i = 0; i < count; i += 8) {
      EightShorts bits;
      EightFloats value;
      load_shorts(raw + i, bits);
      values_of<F>(bits, value);
      store(value, terms.value + i);
    }
    Exponents<F, SixteenShorts> exponents;
    for (std::size_t i = 0; i < count; i += 16) {
      SixteenShorts bits;
      TwoEights field;
      load_shorts(raw + i, bits);
      exponents.add(bits & ((1u << F::width) - 1), field);
      store(field, terms.field + i);
    }
    terms.range = exponents.range();
  }
}

/// Of C.
template <class F>
[[gnu::noinline]] ExponentRange exponents_of(const typename F::Raw* raw, unsigned count) {
  using Some = std::conditional_t<sizeof(typename F::Raw) == 4, EightWords, SixteenShorts>;
  Exponents<F, Some> exponents;
  for (std::size_t i = 0; i < count; i += sizeof(Some) / sizeof *raw) {
    Some bits;
    typename decltype(exponents)::Fields field;
    load(bits, raw + i);
    exponents.add(bits & ((1u << F::width) - 1), field);
  }
  return exponents.range();
}

/// Exponents between these are far enough from the ends of float's range, for products as well as
/// for C: no product, no unit and no sum is subnormal, and none is infinite.
constexpr int32_t lowest_scaled = -90, highest_scaled = 90;
inline bool are_scaled(const ExponentRange& a, const ExponentRange& b) {
  return !a.any_special && !b.any_special && a.lowest + b.lowest >= lowest_scaled &&
         a.highest + b.highest <= highest_scaled;
}
inline bool are_scaled(const ExponentRange& c) {
  return !c.any_special && c.lowest >= lowest_scaled && c.highest <= highest_scaled;
}

/// Sums over [first, last) of k, a multiple of four. The matrices pass are_scaled().
struct ScaledSum {
  std::size_t m, n, k, first, last;
  const ScaledFactor &a, &b;
  int bias;  ///< of A and B together

  /// 2^exponent.
  static void power(EightFloats& value, const EightInts& exponent) {
    value = (EightFloats)((exponent + 127) << 23);
  }

  /// Several rows are summed together, so that each element of B is loaded once for all of them.
  static constexpr unsigned rows = 4;

  /// The largest exponents of the products of eight elements of each row, above the bias.
  void find_largest(std::size_t i, std::size_t j, EightInts (&found)[rows]) const {
    // Two rows in a vector: eight columns of the one, then eight of the other.
    TwoEights largest[2] = {TwoEights{} + 2 * zero_exponent, TwoEights{} + 2 * zero_exponent};
    const int16_t* of_a = a.field + i * k + first;
    const int16_t* of_b = b.field + first * n + j;
    auto look = [&]<int Part>(const TwoEights(&fields)[2]) __attribute__((always_inline)) {
      TwoEights of_both_rows;
      join(of_b, of_b, of_both_rows);
      of_b += n;
#pragma GCC unroll 2
      for (int pair = 0; pair < 2; ++pair) {
        TwoEights product;
        spread<Part>(fields[pair], product);
        product += of_both_rows;
        largest[pair] = largest[pair] > product ? largest[pair] : product;
      }
    };
    for (std::size_t l = first; l < last; l += 4, of_a += 4) {
      TwoEights fields[2];
      join(of_a, of_a + k, fields[0]);
      join(of_a + 2 * k, of_a + 3 * k, fields[1]);
      look.template operator()<0>(fields);
      look.template operator()<1>(fields);
      look.template operator()<2>(fields);
      look.template operator()<3>(fields);
    }
    divide(largest[0], found[0], found[1]);
    divide(largest[1], found[2], found[3]);
  }

  /// Eight elements of each row.
  /// @param sum, rest out: the sum of the products, and the share of C, in units of 2^unit.
  template <class C>
  void sum_up(std::size_t i, std::size_t j, const typename C::Raw* c, EightInts (&sum)[rows],
              EightInts (&rest)[rows], EightInts (&unit)[rows]) const {
    EightFloats per_unit[rows], factor;
    find_largest(i, j, unit);
#pragma GCC unroll 4
    for (unsigned row = 0; row < rows; ++row) {
      EightFloats value;
      EightInts exponent;
      take(c + (i + row) * n + j, value, exponent, C{});
      unit[row] -= bias;
      EightInts largest = unit[row] > exponent ? unit[row] : exponent;
      // Where all terms are zero, the exponent has no meaning.
      const EightInts least = EightInts{} + lowest_scaled;
      unit[row] = (largest > least ? largest : least) - alignment_bits;
      power(per_unit[row], -unit[row]);
      value *= per_unit[row];
      rest[row] = __builtin_convertvector(value, EightInts);
      sum[row] = EightInts{};
    }
    const float *of_a = a.value + i * k + first, *of_b = b.value + first * n + j;
    for (std::size_t l = first; l < last; ++l, ++of_a, of_b += n) {
      load(factor, of_b);
#pragma GCC unroll 4
      for (unsigned row = 0; row < rows; ++row) {
        const EightFloats term = factor * of_a[row * k] * per_unit[row];
        sum[row] += __builtin_convertvector(term, EightInts);
      }
    }
  }
  /// Eight elements of C.
  static void take(const uint32_t* raw, EightFloats& value, EightInts& exponent, F32) {
    EightWords bits;
    load(bits, raw);
    value = (EightFloats)bits;
    const EightInts magnitude = (EightInts)(bits & 0x7fffffff);
    exponent = (magnitude >> F32::fraction) - F32::bias;
    exponent += (magnitude == 0) & zero_exponent;
  }
  static void take(const uint16_t* raw, EightFloats& value, EightInts& exponent, F16) {
    EightShorts bits;
    load(bits, raw);
    values_of<F16>(bits, value);
    const EightInts magnitude =
        __builtin_convertvector((EightSignedShorts)(bits & 0x7fff), EightInts);
    const EightInts field = magnitude >> F16::fraction;
    exponent = (field > 1 ? field : EightInts{} + 1) - F16::bias;
    exponent += (magnitude == 0) & zero_exponent;
  }

  /// The sums through doubles, which hold them exactly: 16 products of less than 2^27 fit in 32
  /// bits, but not with C added.
  template <class C>
  [[gnu::noinline]] static void put_large(const EightInts& sum, const EightInts& rest,
                                          const EightInts& unit, typename C::Raw* to) {
    for (int lane = 0; lane < 8; ++lane) {
      const double exact = static_cast<double>(sum[lane]) + static_cast<double>(rest[lane]);
      const auto power = static_cast<uint64_t>(unit[lane] + 1023) << 52;
      to[lane] = round_to(exact * std::bit_cast<double>(power), C{});
    }
  }
  /// Sums of less than 2^31, in units of 2^unit.
  static void put(const EightInts& sum, const EightInts& unit, uint32_t* to, F32) {
    // Rounded to nearest, then one step back where that was away from zero.
    const EightFloats nearest = __builtin_convertvector(sum, EightFloats);
    EightInts back = __builtin_convertvector(nearest, EightInts), exact = sum;
    const EightInts is_beyond = make_magnitude(back) > make_magnitude(exact);
    EightFloats power_of_two;
    power(power_of_two, unit);
    const EightFloats value = (EightFloats)((EightInts)nearest + is_beyond) * power_of_two;
    store(value, to);
  }

  static void put(const EightInts& sum, const EightInts& unit, uint16_t* to, F16) {
#ifdef __F16C__
    // A sum cut to 24 bits, the last of which shows if any bit was lost, rounds as the whole sum
    // does.
    const EightFloats nearest = __builtin_convertvector(sum, EightFloats);
    EightInts back = __builtin_convertvector(nearest, EightInts), exact = sum;
    const EightInts is_inexact = back != sum;
    const EightInts is_beyond = make_magnitude(back) > make_magnitude(exact);
    EightFloats power_of_two;
    power(power_of_two, unit);
    const EightInts odd = ((EightInts)nearest + is_beyond) | (is_inexact & 1);
    EightSignedShorts half =
        (EightSignedShorts)__builtin_ia32_vcvtps2ph256((EightFloats)odd * power_of_two, 0);
    half &= half != INT16_MIN;  // a zero has no sign
    store(half, to);
#else
    put_large<F16>(sum, EightInts{}, unit, to);
#endif
  }

  /// @param c in rows, which becomes the sums.
  template <class C>
  [[gnu::noinline]] void add_to(typename C::Raw* c) const {
    for (std::size_t i = 0; i < m; i += rows)
      for (std::size_t j = 0; j < n; j += 8) {
        EightInts sum[rows], rest[rows], unit[rows];
        sum_up<C>(i, j, c, sum, rest, unit);
        EightInts large = {};
#pragma GCC unroll 4
        for (unsigned row = 0; row < rows; ++row) large |= sum[row] ^ sum[row] << 1;
        if (joined(large) >> 31 != 0) [[unlikely]] {
#pragma GCC unroll 4
          for (unsigned row = 0; row < rows; ++row) {
            // Copies, so that no other value has to be in memory.
            const EightInts of_products = sum[row], of_c = rest[row], in_units = unit[row];
            put_large<C>(of_products, of_c, in_units, c + (i + row) * n + j);
          }
          continue;
        }
#pragma GCC unroll 4
        for (unsigned row = 0; row < rows; ++row)
          put(sum[row] + rest[row], unit[row], c + (i + row) * n + j, C{});
      }
  }
};

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
