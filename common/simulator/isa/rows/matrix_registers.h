#pragma once
#include <cstring>

#include "simulator/isa/fragment.h"
#include "simulator/isa/rows/lanes.h"

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

/// What one lane's register holds, as elements of type Element.
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
    for (unsigned group = 0; group < warp_size / 4; ++group)
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
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      unsigned row = first.row + per * fragment::member_of(lane);
      unsigned column = first.column + fragment::group_of(lane);
      for (unsigned part = 0; part < per; ++part)
        out[(row + part) * n + column] = values[lane * per + part];
    }
  }
}

/// Calls visit(index in rows of eight neighbours, pair, group of the lanes that hold them) for all
/// pairs of a lane's elements in an accumulator, which stand side by side.
template <class Visit>
void for_pairs(unsigned m, unsigned n, Visit visit) {
  for (unsigned pair = 0; pair < m * n / 64; ++pair) {
    Position first = fragment::of_accumulator(m, n, 0, 2 * pair);
    for (unsigned group = 0; group < warp_size / 4; ++group)
      visit((first.row + group) * n + first.column, pair, group);
  }
}

/// C in rows: out[row * n + column].
template <class Element>
void gather_accumulator(const Operands& o, int operand, unsigned m, unsigned n, Element* out) {
  auto values = [&](unsigned reg) {
    return static_cast<const Element*>(source_register(o, operand, reg));
  };
  for_pairs(m, n, [&](unsigned index, unsigned pair, unsigned group) {
    if constexpr (elements_per_register<Element> == 2) {
      std::memcpy(out + index, values(pair) + 8 * group, 8 * sizeof(Element));
    } else {
      const Element *even = values(2 * pair) + 4 * group, *odd = values(2 * pair + 1) + 4 * group;
      for (unsigned member = 0; member < 4; ++member) {
        out[index + 2 * member] = even[member];
        out[index + 2 * member + 1] = odd[member];
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
  for_pairs(m, n, [&](unsigned index, unsigned pair, unsigned group) {
    if constexpr (elements_per_register<Element> == 2) {
      std::memcpy(registers(pair) + 8 * group, values + index, 8 * sizeof(Element));
    } else {
      Element *even = registers(2 * pair) + 4 * group, *odd = registers(2 * pair + 1) + 4 * group;
      for (unsigned member = 0; member < 4; ++member) {
        even[member] = values[index + 2 * member];
        odd[member] = values[index + 2 * member + 1];
      }
    }
  });
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
