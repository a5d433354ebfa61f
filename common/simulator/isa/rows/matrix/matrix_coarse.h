#pragma once
#include "simulator/isa/rows/matrix/matrix_float.h"

/// Products of 8-bit floats as the tensor cores of an H100 form them for a warpgroup: all 32
/// products along k and C are one fused sum like those of matrix_float.h, but cut to 13 bits below
/// the largest exponent, and a sum in f32 keeps 13 bits of fraction. An H100 gave these bits for
/// all inputs of common/verification/recorded/wgmma_products.txt; MMA-Sim (arXiv 2511.10909)
/// describes the same.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

constexpr int coarse_bits = 13;

inline uint32_t round_coarsely(double sum, F32) {
  const uint32_t raw = round_to(sum, F32{});
  return sum != sum ? raw : raw & ~0u << (F32::fraction - coarse_bits);
}
inline uint16_t round_coarsely(double sum, F16) { return round_to(sum, F16{}); }

/// D = A * B + C.
template <class A, class B, class C>
void coarse_float_product(const Operands& o, Shape s) {
  uint8_t a[most_elements], b[most_elements];
  typename C::Raw c[most_elements];
  gather_a(o, 0, s.m, s.k, a);
  gather_b(o, 1, s.n, s.k, b);
  gather_accumulator(o, 2, s.m, s.n, c);
  Terms ta, tb, tc;
  take_apart<A>(a, s.m * s.k, ta);
  take_apart<B>(b, s.k * s.n, tb);
  take_apart<C>(c, s.m * s.n, tc);
  for (unsigned i = 0; i < s.m * s.k; ++i)
    ta.significand[i] *= 1 << (coarse_bits - A::fraction - B::fraction);
  double sums[most_elements];
  const FusedSum sum{s.m, s.n, s.k, 0, s.k, ta, tb, tc, coarse_bits - C::fraction, coarse_bits};
  sum(sums);
  if (ta.any_special || tb.any_special || tc.any_special) add_specials<A, B, C>(sum, a, b, c, sums);
  for (unsigned i = 0; i < s.m * s.n; ++i) c[i] = round_coarsely(sums[i], C{});
  scatter_accumulator(o, s.m, s.n, c);
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
