#pragma once
#include <cstring>

#include "simulator/isa/fragment.h"
#include "simulator/isa/rows/matrix/matrix_vectors.h"

/// Between the registers of a matrix operand and a plain array.
///
/// Rows of Kind::matrix get arrays of pointers to registers: Operands::d and s[] point to them.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

inline const void* source_register(const Operands& o, int operand, unsigned index) {
  return static_cast<const void* const*>(o.s[operand])[index];
}
inline void* destination_register(const Operands& o, unsigned index) {
  return static_cast<void* const*>(o.d)[index];
}

constexpr unsigned groups = warp_size / 4;  ///< of lanes
/// The elements of a group of lanes in a register of one element.
template <class Element>
using Four =
    std::conditional_t<sizeof(Element) == 8, FourDoubles,
                       std::conditional_t<std::is_same_v<Element, int32_t>, FourInts, FourWords>>;

/// The content of one lane's register, as elements of type Element.
template <class Element>
constexpr unsigned elements_per_register = sizeof(Element) < 4 ? 4 / sizeof(Element) : 1;
template <class Element>
constexpr unsigned bytes_of_register = elements_per_register<Element> * sizeof(Element);

/// A in rows: out[row * k + column].
template <class Element>
void gather_a(const Operands& o, int operand, unsigned m, unsigned k, Element* out) {
  constexpr unsigned per = elements_per_register<Element>;
  unsigned registers = m * k / 32 / per;
  for (unsigned reg = 0; reg < registers; ++reg) {
    auto* values = static_cast<const std::byte*>(source_register(o, operand, reg));
    Position first = fragment::of_a(m, k, per, 0, reg, 0);
    // The four lanes of a group hold neighbours.
    constexpr unsigned bytes_of_group = 4 * bytes_of_register<Element>;
    for (unsigned group = 0; group < groups; ++group)
      std::memcpy(out + (first.row + group) * k + first.column, values + group * bytes_of_group,
                  bytes_of_group);
  }
}

/// B in rows: out[row * n + column].
template <class Element>
void gather_b(const Operands& o, int operand, unsigned n, unsigned k, Element* out) {
  constexpr unsigned per = elements_per_register<Element>;
  unsigned registers = n * k / 32 / per;
  for (unsigned reg = 0; reg < registers; ++reg) {
    auto* values = static_cast<const Element*>(source_register(o, operand, reg));
    Position first = fragment::of_b(k, per, 0, reg, 0);
    // The four lanes of a group hold neighbours in a column.
    if constexpr (sizeof(Element) <= 4) {
      Element columns[4 * per * 8];
      transpose_rows(values, columns);
      for (unsigned row = 0; row < 4 * per; ++row)
        std::memcpy(out + (first.row + row) * n + first.column, columns + 8 * row,
                    8 * sizeof(Element));
      continue;
    }
    for (unsigned lane = 0; lane < warp_size; ++lane)
      out[(first.row + fragment::member_of(lane)) * n + first.column + fragment::group_of(lane)] =
          values[lane];
  }
}

/// Calls visit(index in rows of the first element, pair) for all pairs of adjacent elements that a
/// lane has in an accumulator. Each group of lanes holds eight neighbours, in a row of its own.
template <class Visit>
void for_pairs(unsigned m, unsigned n, Visit visit) {
  for (unsigned pair = 0; pair < m * n / 64; ++pair) {
    const Position first = fragment::of_accumulator(m, n, 0, 2 * pair);
    visit(std::size_t{first.row} * n + first.column, pair);
  }
}

/// C in rows: out[row * n + column].
template <class Element>
void gather_accumulator(const Operands& o, int operand, unsigned m, unsigned n, Element* out) {
  auto values = [&](unsigned reg) {
    return static_cast<const Element*>(source_register(o, operand, reg));
  };
  for_pairs(m, n, [&](std::size_t index, unsigned pair) {
    Element* row = out + index;
    if constexpr (elements_per_register<Element> == 2) {
      const Element* both = values(pair);
      for (unsigned group = 0; group < groups; ++group, row += n)
        std::memcpy(row, both + 8 * group, 8 * sizeof(Element));
    } else {
      const Element *even = values(2 * pair), *odd = values(2 * pair + 1);
      for (unsigned group = 0; group < groups; ++group, row += n) {
        Four<Element> first, second, low, high;
        load(first, even + 4 * group);
        load(second, odd + 4 * group);
        interleave(first, second, low, high);
        store(low, row);
        store(high, row + 4);
      }
    }
  });
}

/// D from rows.
template <class Element>
void scatter_accumulator(const Operands& o, unsigned m, unsigned n, const Element* values) {
  auto registers = [&](unsigned reg) {
    return static_cast<Element*>(destination_register(o, reg));
  };
  for_pairs(m, n, [&](std::size_t index, unsigned pair) {
    const Element* row = values + index;
    if constexpr (elements_per_register<Element> == 2) {
      Element* both = registers(pair);
      for (unsigned group = 0; group < groups; ++group, row += n)
        std::memcpy(both + 8 * group, row, 8 * sizeof(Element));
    } else {
      Element *even = registers(2 * pair), *odd = registers(2 * pair + 1);
      for (unsigned group = 0; group < groups; ++group, row += n) {
        Four<Element> first, second, low, high;
        load(low, row);
        load(high, row + 4);
        separate(low, high, first, second);
        store(first, even + 4 * group);
        store(second, odd + 4 * group);
      }
    }
  });
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
