#pragma once
#include "simulator/isa/fragment.h"
#include "simulator/isa/rows/matrix/matrix_scaled.h"

/// Products of matrices whose sums floats hold exactly, in any order of addition, without cutting
/// or rounding: small integers, as exercises have them, and all products of bytes.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

/// sum += a * b, which is exact.
[[gnu::always_inline]] inline void add_product(EightFloats& sum, const EightFloats& a, float b) {
#ifdef __FMA__
  const EightFloats all = {b, b, b, b, b, b, b, b};
  sum = (EightFloats)__builtin_ia32_vfmaddps256(a, all, sum);
#else
  sum += a * b;
#endif
}

/// sums += A * B over [first, last) of k. All in rows; m is a multiple of eight.
/// @post no zero has a sign.
[[gnu::noinline]] inline void add_exactly(Shape s, unsigned first, unsigned last, const float* a,
                                          const float* b, float* sums) {
  constexpr unsigned rows = 8;
  const std::size_t n = s.n, k = s.k;
  for (std::size_t i = 0; i < s.m; i += rows)
    for (std::size_t j = 0; j < n; j += 8) {
      float* const to = sums + i * n + j;
      EightFloats sum[rows], factor;
#pragma GCC unroll 8
      for (unsigned row = 0; row < rows; ++row) load(sum[row], to + row * n);
      const float *of_a = a + i * k + first, *of_b = b + first * n + j;
      for (unsigned l = first; l < last; ++l, ++of_a, of_b += n) {
        load(factor, of_b);
#pragma GCC unroll 8
        for (unsigned row = 0; row < rows; ++row) add_product(sum[row], factor, of_a[row * k]);
      }
#pragma GCC unroll 8
      for (unsigned row = 0; row < rows; ++row) {
        sum[row] += 0.0f;
        store(sum[row], to + row * n);
      }
    }
}

/// True where all numbers are multiples of 2^place.
[[gnu::noinline]] inline bool are_multiples(const uint32_t* raw, unsigned count, int32_t place) {
  const float scale = std::bit_cast<float>(static_cast<uint32_t>(127 - place) << 23);
  EightInts differ = {};
  for (std::size_t i = 0; i < count; i += 8) {
    EightFloats value;
    load(value, raw + i);
    value *= scale;
    differ |=
        __builtin_convertvector(__builtin_convertvector(value, EightInts), EightFloats) != value;
  }
  return joined(differ) == 0;
}

/// True where floats hold every partial sum of at most 16 products and C, in any order.
inline bool is_exact(const ExponentRange& a, const ExponentRange& b, const uint32_t* c,
                     unsigned count, const ExponentRange& of_c) {
  const int32_t place = a.last_place + b.last_place;
  // The products are less than 2^(2 + 4) of their highest exponents, C than 2 of its own.
  const int32_t above = std::max(a.highest + b.highest + 6, of_c.highest + 1) + 1;
  return above - place <= 24 && of_c.lowest >= place && are_multiples(c, count, place);
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
