#pragma once
#include <algorithm>

#include "simulator/isa/rows/matrix/matrix_exact.h"
#include "simulator/isa/rows/matrix/matrix_registers.h"
#include "simulator/isa/rows/matrix/matrix_terms.h"

/// Products of matrices of integers of 8 or 4 bits.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

/// Signed or unsigned integers of 8 or 4 bits. Two of 4 bits share a byte, the lower k first.
template <class Byte, int Bits>
struct Integer {
  static constexpr unsigned per_byte = 8 / Bits;
  static int32_t part(uint8_t byte, unsigned index) {
    if constexpr (Bits == 8) return static_cast<Byte>(byte);
    return static_cast<Byte>(byte << (4 * (1 - index))) >> 4;
  }
};
using S8 = Integer<int8_t, 8>;
using U8 = Integer<uint8_t, 8>;
using S4 = Integer<int8_t, 4>;
using U4 = Integer<uint8_t, 4>;

/// The elements of `count / per_byte` bytes as floats.
template <class I>
[[gnu::noinline]] void widen(const uint8_t* bytes, unsigned count, float* out) {
  for (std::size_t i = 0; i < count; ++i)
    out[i] = static_cast<float>(I::part(bytes[i / I::per_byte], i % I::per_byte));
}

/// c += products
template <bool Saturates>
void add_integers(unsigned count, const int32_t* products, int32_t* c) {
  for (unsigned i = 0; i < count; ++i) {
    if constexpr (Saturates)
      c[i] = static_cast<int32_t>(
          std::clamp<int64_t>(int64_t{c[i]} + products[i], INT32_MIN, INT32_MAX));
    else
      c[i] = static_cast<int32_t>(static_cast<uint32_t>(c[i]) + static_cast<uint32_t>(products[i]));
  }
}

/// C += A * B, whose elements are bytes along k. A float holds the sum of so few products.
template <class A, class B, bool Saturates>
void accumulate_integers(Shape s, const uint8_t* a, const uint8_t* b, int32_t* c) {
  constexpr unsigned per = A::per_byte;
  float wide_a[2 * most_elements], wide_b[2 * most_elements], sums[most_elements];
  int32_t whole[most_elements];
  if (s.m == 0 || s.n == 0 || s.k == 0) return;
  widen<A>(a, s.m * s.k, wide_a);
  if constexpr (per == 1)
    widen<B>(b, s.k * s.n, wide_b);
  else
    for (unsigned l = 0; l < s.k; ++l)
      for (unsigned j = 0; j < s.n; ++j)
        wide_b[l * s.n + j] = static_cast<float>(B::part(b[l / per * s.n + j], l % per));
  std::fill_n(sums, s.m * s.n, 0.0f);
  add_exactly(s, 0, s.k, wide_a, wide_b, sums);
  for (unsigned i = 0; i < s.m * s.n; ++i) whole[i] = static_cast<int32_t>(sums[i]);
  add_integers<Saturates>(s.m * s.n, whole, c);
}

/// D = A * B + C of integers.
template <class A, class B, bool Saturates>
void integer_product(const Operands& o, Shape s) {
  uint8_t a[most_elements], b[most_elements];
  int32_t c[most_elements];
  gather_a(o, 0, s.m, s.k / A::per_byte, a);
  gather_b(o, 1, s.n, s.k / A::per_byte, b);
  gather_accumulator(o, 2, s.m, s.n, c);
  accumulate_integers<A, B, Saturates>(s, a, b, c);
  scatter_accumulator(o, s.m, s.n, c);
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
