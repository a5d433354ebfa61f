#pragma once
#include <algorithm>
#include <array>
#include <type_traits>

#include "simulator/isa/rows/matrix/matrix_exact.h"
#include "simulator/isa/rows/matrix/matrix_registers.h"

/// Products of floating-point matrices as the tensor cores of an H200 form them.
///
/// An element of D is one fused sum: products are exact; all terms, C among them, are cut (toward
/// zero) to 25 bits below the place of the largest exponent, where a product has the sum of its
/// factors' exponents; the sum of the cut terms is exact and is then rounded once, to f32 toward
/// zero, to f16 to nearest even. Subnormals count in full. A result that is zero has no sign. NaN
/// comes out canonical. Published by Xie et al., "MMA-Sim", arXiv 2511.10909, and Khattak and
/// Mikaitis, "Accurate Models of NVIDIA Tensor Cores", arXiv 2512.07004; an H200 gave these bits
/// for all inputs of common/verification/recorded/matrix_products.txt.
///
/// Integers of 32 bits hold the cut terms of any input. Where the exponents are moderate, as nearly
/// always, matrix_scaled.h finds the same in a fraction of the time.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

/// A matrix split into significands and exponents, in rows.
struct Terms {
  alignas(32) int32_t significand[most_elements];
  alignas(32) int32_t exponent[most_elements];
  bool any_special = false;
};

template <class F>
[[gnu::noinline]] void take_apart(const typename F::Raw* raw, unsigned count, Terms& terms) {
  int special = 0;
  for (unsigned i = 0; i < count; ++i) {
    F::split(raw[i], terms.significand[i], terms.exponent[i]);
    special |= F::is_special(raw[i]);
  }
  terms.any_special = special != 0;
}

/// sums[i][j] = the fused sum of one element, not yet rounded (exact in double).
/// @param a, b whose significands multiply to numbers with `alignment` bits of fraction.
/// @param first, last the range of k.
/// @param c_shift brings a significand of c to `alignment` bits of fraction.
/// @param alignment bits that are kept below the largest exponent.
struct FusedSum {
  unsigned m, n, k, first, last;
  const Terms &a, &b, &c;
  int c_shift, alignment = alignment_bits;

  // Vectors go by reference: how they are passed by value depends on the level.
  using Eight = int32_t __attribute__((vector_size(32)));
  static void load(Eight& value, const int32_t* from) { std::memcpy(&value, from, sizeof value); }
  /// Drops the lowest bits of |term|: as many as its exponent is below the largest.
  static void cut(Eight& term, const Eight& largest, const Eight& exponent) {
    using Unsigned = uint32_t __attribute__((vector_size(32)));
    Eight places = largest - exponent;
    places = places < 31 ? places : Eight{} + 31;
    Eight sign = term >> 31;
    Unsigned magnitude = (Unsigned)((term ^ sign) - sign) >> (Unsigned)places;
    term = ((Eight)magnitude ^ sign) - sign;
  }

  void row_of_eight(unsigned i, unsigned j, double* sums) const {
    Eight c_exponent, largest, exponent, term, sum = {};
    load(c_exponent, c.exponent + i * n + j);
    largest = c_exponent;
    for (unsigned l = first; l < last; ++l) {
      load(exponent, b.exponent + l * n + j);
      exponent += a.exponent[i * k + l];
      largest = largest > exponent ? largest : exponent;
    }
    for (unsigned l = first; l < last; ++l) {
      load(exponent, b.exponent + l * n + j);
      exponent += a.exponent[i * k + l];
      load(term, b.significand + l * n + j);
      term *= a.significand[i * k + l];
      cut(term, largest, exponent);
      sum += term;
    }
    Eight rest;
    load(rest, c.significand + i * n + j);
    rest <<= std::max(c_shift, 0);
    cut(rest, largest, c_exponent + std::min(c_shift, 0));
    for (int lane = 0; lane < 8; ++lane) {
      // Where all terms are zero, the exponent has no meaning.
      int exponent = std::max(largest[lane], -900) - alignment;
      double unit = std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
      // 16 products of less than 2^27 and less than 2^26 of c: a 32-bit sum holds the former.
      sums[lane] = (static_cast<double>(sum[lane]) + static_cast<double>(rest[lane])) * unit;
    }
  }
  [[gnu::noinline]] void operator()(double* sums) const {
    for (unsigned i = 0; i < m; ++i)
      for (unsigned j = 0; j < n; j += 8) row_of_eight(i, j, sums + i * n + j);
  }
};

/// One addition, rounded to nearest even.
inline uint32_t add_rounded(uint32_t a, uint32_t b, F32) {
  return std::bit_cast<uint32_t>(canonical(std::bit_cast<float>(a) + std::bit_cast<float>(b)));
}
inline uint16_t add_rounded(uint16_t a, uint16_t b, F16) {
  return round_to(F16::value(a) + F16::value(b), F16{});
}

/// If NaN or infinities take part, IEEE arithmetic decides the result.
template <class A, class B, class C>
[[gnu::noinline]] void add_specials(const FusedSum& shape, const typename A::Raw* a,
                                    const typename B::Raw* b, const typename C::Raw* c,
                                    double* sums) {
  for (unsigned i = 0; i < shape.m; ++i)
    for (unsigned j = 0; j < shape.n; ++j) {
      double sum = C::value(c[i * shape.n + j]);
      for (unsigned l = shape.first; l < shape.last; ++l)
        sum += A::value(a[i * shape.k + l]) * B::value(b[l * shape.n + j]);
      if (!std::isfinite(sum)) sums[i * shape.n + j] = sum;
    }
}

/// C = the sum over [first, last) of k and C, for any values.
template <class A, class B, class C>
[[gnu::noinline]] void add_any(Shape s, unsigned first, unsigned last, const typename A::Raw* a,
                               const typename B::Raw* b, typename C::Raw* c) {
  Terms ta, tb, tc;
  take_apart<A>(a, s.m * s.k, ta);
  take_apart<B>(b, s.k * s.n, tb);
  take_apart<C>(c, s.m * s.n, tc);
  for (unsigned i = 0; i < s.m * s.k; ++i)
    ta.significand[i] *= 1 << (alignment_bits - A::fraction - B::fraction);
  double sums[most_elements];
  FusedSum sum{s.m, s.n, s.k, first, last, ta, tb, tc, alignment_bits - C::fraction};
  sum(sums);
  if (ta.any_special || tb.any_special || tc.any_special) add_specials<A, B, C>(sum, a, b, c, sums);
  for (unsigned i = 0; i < s.m * s.n; ++i) c[i] = round_to(sums[i], C{});
}

/// C += A * B, `at_once` products in one sum, then the next.
template <class A, class B, class C>
[[gnu::noinline]] void accumulate(Shape s, unsigned at_once, const typename A::Raw* a,
                                  const typename B::Raw* b, typename C::Raw* c) {
  ScaledFactor ta, tb;
  take_factor<A>(a, s.m * s.k, ta);
  take_factor<B>(b, s.k * s.n, tb);
  const bool factors_are_scaled = are_scaled(ta.range, tb.range);
  for (unsigned first = 0; first < s.k; first += at_once) {
    const unsigned last = std::min(s.k, first + at_once);
    const ExponentRange of_c = exponents_of<C>(c, s.m * s.n);
    const bool is_scaled = factors_are_scaled && are_scaled(of_c);
    if constexpr (std::is_same_v<C, F32>)
      if (is_scaled && is_exact(ta.range, tb.range, c, s.m * s.n, of_c)) {
        add_exactly(s, first, last, ta.value, tb.value, reinterpret_cast<float*>(c));
        continue;
      }
    if (is_scaled)
      ScaledSum{s.m, s.n, s.k, first, last, ta, tb, A::bias + B::bias}.add_to<C>(c);
    else
      add_any<A, B, C>(s, first, last, a, b, c);
  }
}

/// C in the form of the accumulators: f16 only where D is f16 as well.
template <class From, class To>
void convert(const typename From::Raw* from, typename To::Raw* to, unsigned count) {
  if constexpr (std::is_same_v<From, To>) return void(std::copy_n(from, count, to));
  for (unsigned i = 0; i < count; ++i) {
    double value = From::value(from[i]);
    to[i] = round_to(value, To{});
    // A conversion keeps the sign of a zero.
    if (to[i] == 0 && std::signbit(value)) to[i] = typename To::Raw{1} << (8 * sizeof to[i] - 1);
  }
}

/// D = A * B + C.
/// @tparam AtOnce products in one sum.
template <class A, class B, class C, class D, unsigned AtOnce = 16>
void float_product(const Operands& o, Shape s) {
  using Sum = std::conditional_t<std::is_same_v<C, D>, C, F32>;
  typename A::Raw a[most_elements];
  typename B::Raw b[most_elements];
  typename Sum::Raw sum[most_elements];
  gather_a(o, 0, s.m, s.k, a);
  gather_b(o, 1, s.n, s.k, b);
  if constexpr (std::is_same_v<C, Sum>) {
    gather_accumulator(o, 2, s.m, s.n, sum);
  } else {
    typename C::Raw c[most_elements];
    gather_accumulator(o, 2, s.m, s.n, c);
    convert<C, Sum>(c, sum, s.m * s.n);
  }
  accumulate<A, B, Sum>(s, AtOnce, a, b, sum);
  if constexpr (std::is_same_v<Sum, D>) {
    scatter_accumulator(o, s.m, s.n, sum);
  } else {
    typename D::Raw d[most_elements];
    convert<Sum, D>(sum, d, s.m * s.n);
    scatter_accumulator(o, s.m, s.n, d);
  }
}

/// The same number as f16, which has all of them.
inline uint16_t as_half(uint8_t raw, E5M2) { return static_cast<uint16_t>(raw << 8); }
inline uint16_t as_half(uint8_t raw, E4M3) {
  static const auto halves = [] {
    std::array<uint16_t, 256> all;
    for (unsigned i = 0; i < all.size(); ++i)
      all[i] = round_to(E4M3::value(static_cast<uint8_t>(i)), F16{});
    return all;
  }();
  return halves[raw];
}

/// C += A * B of 8-bit floats, which compiled code makes of products of f16: of every four
/// neighbours along k the first two in one sum, the others in the next, C added in the end. A
/// number that is subnormal in 8 bits is not in 16, and cuts other terms at its own exponent.
template <class A, class B, class C>
void accumulate_bytes(Shape s, const uint8_t* a, const uint8_t* b, typename C::Raw* c) {
  uint16_t sorted_a[most_elements], sorted_b[most_elements];
  typename C::Raw d[most_elements] = {};
  if (s.m == 0 || s.n == 0 || s.k == 0) return;
  for (unsigned l = 0; l < s.k; ++l) {
    unsigned place = l / 4 * 2 + l % 2 + (l % 4 < 2 ? 0 : s.k / 2);
    for (unsigned i = 0; i < s.m; ++i) sorted_a[i * s.k + place] = as_half(a[i * s.k + l], A{});
    for (unsigned j = 0; j < s.n; ++j) sorted_b[place * s.n + j] = as_half(b[l * s.n + j], B{});
  }
  accumulate<F16, F16, C>(s, s.k / 2, sorted_a, sorted_b, d);
  for (unsigned i = 0; i < s.m * s.n; ++i) c[i] = add_rounded(d[i], c[i], C{});
}

/// D = A * B + C of 8-bit floats.
template <class A, class B, class C>
void byte_float_product(const Operands& o, Shape s) {
  uint8_t a[most_elements], b[most_elements];
  typename C::Raw c[most_elements];
  gather_a(o, 0, s.m, s.k, a);
  gather_b(o, 1, s.n, s.k, b);
  gather_accumulator(o, 2, s.m, s.n, c);
  accumulate_bytes<A, B, C>(s, a, b, c);
  scatter_accumulator(o, s.m, s.n, c);
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
