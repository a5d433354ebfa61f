#pragma once
#include "simulator/isa/rows/matrix/matrix_float.h"
#include "simulator/isa/rows/matrix/matrix_integer.h"

/// Products of a matrix A that keeps only half of its elements: two of every four neighbours in a
/// row (tf32: one of every two; 4 bits: two of every four pairs). Four bits of metadata select
/// them: two bits for the place of each, from the lowest up. An H200 used the place that the bits
/// named, in order or not.
///
/// The product of a row is then that of its kept elements and the selected rows of B. An H200
/// summed as many kept elements at once as elements of a whole matrix.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

constexpr unsigned sparse_rows = 16, sparse_columns = 8;

/// Where the metadata of elements of A is. The elements are counted in units of 1 (also two of 4
/// bits), 2 or 4 bytes.
template <class Unit>
struct Sparsity {
  const uint32_t* metadata;  ///< of the lanes
  unsigned selector;
  /// Elements that share four bits.
  static constexpr unsigned share = sizeof(Unit) == 4 ? 1 : 2;

  /// The row of B that the kept element `index` of a row of A is multiplied by.
  /// @param kept the number of kept elements per row.
  unsigned row_of_b(unsigned row, unsigned index, unsigned kept) const {
    const unsigned chunk = index / share, chunks = kept / share;
    const unsigned group = row % groups, upper = row / groups;
    uint32_t word;
    unsigned nibble;
    if constexpr (sizeof(Unit) == 1) {
      // A lane has eight chunks of one row, the next those of the row eight below.
      word = metadata[4 * group + 2 * (selector * chunks / 8 + chunk / 8) + upper];
      nibble = chunk % 8;
    } else {
      // A lane has four chunks of a row, and four of the row eight below.
      word = metadata[4 * group + selector * chunks / 4 + chunk / 4];
      nibble = 4 * upper + chunk % 4;
    }
    const uint32_t bits = word >> (4 * nibble) & 15;
    // The place of a tf32 is that of its two halves: 0 and 1, or 2 and 3.
    if constexpr (sizeof(Unit) == 4) return 2 * chunk + (bits >> 3);
    return 4 * chunk + (bits >> (2 * (index % 2)) & 3);
  }
};

/// C += A * B, row by row.
/// @param kept units kept per row of A.
/// @param multiply (a, b, c): adds to eight rows of c the product of eight rows of a, all zero
/// except the first, and `kept` rows of b.
template <class Unit, class Raw, class Multiply>
void sparse_rows_product(const Operands& o, unsigned kept, Raw* c, Multiply multiply) {
  Unit a[most_elements], b[most_elements];
  gather_a(o, 0, sparse_rows, kept, a);
  gather_b(o, 1, sparse_columns, 2 * kept, b);
  const Sparsity<Unit> sparsity{static_cast<const uint32_t*>(source_register(o, 3, 0)),
                                *static_cast<const uint32_t*>(source_register(o, 3, 1))};
  Unit one_row[most_elements] = {}, chosen[most_elements];
  Raw sums[groups * sparse_columns];
  for (unsigned row = 0; row < sparse_rows; ++row) {
    std::copy_n(a + row * kept, kept, one_row);
    for (unsigned index = 0; index < kept; ++index)
      std::copy_n(b + sparsity.row_of_b(row, index, kept) * sparse_columns, sparse_columns,
                  chosen + index * sparse_columns);
    std::fill(std::begin(sums), std::end(sums), Raw{});
    std::copy_n(c + row * sparse_columns, sparse_columns, sums);
    multiply(one_row, chosen, sums);
    std::copy_n(sums, sparse_columns, c + row * sparse_columns);
  }
}

/// D = A * B + C, where C and D have one type.
template <class F, class C>
void sparse_float_product(const Operands& o, Shape s) {
  using Raw = typename F::Raw;
  const unsigned kept = s.k / 2;
  typename C::Raw c[most_elements];
  gather_accumulator(o, 2, s.m, s.n, c);
  sparse_rows_product<Raw>(o, kept, c, [&](const Raw* a, const Raw* b, typename C::Raw* sums) {
    accumulate<F, F, C>({groups, sparse_columns, kept}, kept, a, b, sums);
  });
  scatter_accumulator(o, s.m, s.n, c);
}

template <class A, class B>
void sparse_byte_float_product(const Operands& o, Shape s) {
  const unsigned kept = s.k / 2;
  uint32_t c[most_elements];
  gather_accumulator(o, 2, s.m, s.n, c);
  sparse_rows_product<uint8_t>(o, kept, c, [&](const uint8_t* a, const uint8_t* b, uint32_t* sums) {
    accumulate_bytes<A, B, F32>({groups, sparse_columns, kept}, a, b, sums);
  });
  scatter_accumulator(o, s.m, s.n, c);
}

template <class A, class B, bool Saturates>
void sparse_integer_product(const Operands& o, Shape s) {
  const unsigned kept = s.k / 2;
  int32_t c[most_elements];
  gather_accumulator(o, 2, s.m, s.n, c);
  sparse_rows_product<uint8_t>(
      o, kept / A::per_byte, c, [&](const uint8_t* a, const uint8_t* b, int32_t* sums) {
        accumulate_integers<A, B, Saturates>({groups, sparse_columns, kept}, a, b, sums);
      });
  scatter_accumulator(o, s.m, s.n, c);
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
