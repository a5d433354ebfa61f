#pragma once
#include <algorithm>
#include <bit>

#include "simulator/isa/rows/matrix/matrix_integer.h"

/// Products of matrices of single bits.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

/// sums[i][j] = the sum of a[i][l] * b[l][j]
template <class Term>
void sum_up(Shape s, unsigned k, int32_t* sums, Term term) {
  std::fill_n(sums, s.m * s.n, 0);
  for (unsigned i = 0; i < s.m; ++i)
    for (unsigned l = 0; l < k; ++l)
      for (unsigned j = 0; j < s.n; ++j) sums[i * s.n + j] += term(i * k + l, l * s.n + j);
}

/// Of single bits: how many of k positions have both set, or differ.
template <bool And>
void bit_product(const Operands& o, Shape s) {
  uint32_t a[most_elements], b[most_elements];
  int32_t sums[most_elements];
  gather_a(o, 0, s.m, s.k / 32, a);
  gather_b(o, 1, s.n, s.k / 32, b);
  sum_up(s, s.k / 32, sums,
         [&](unsigned x, unsigned y) { return std::popcount(And ? a[x] & b[y] : a[x] ^ b[y]); });
  int32_t c[most_elements];
  gather_accumulator(o, 2, s.m, s.n, c);
  add_integers<false>(s.m * s.n, sums, c);
  scatter_accumulator(o, s.m, s.n, c);
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
