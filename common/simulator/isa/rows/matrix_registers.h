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
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      unsigned row = first.row + fragment::group_of(lane);
      unsigned column = first.column + per * fragment::member_of(lane);
      std::memcpy(out + row * k + column, values + lane * bytes_of_register<Element>,
                  bytes_of_register<Element>);
    }
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

/// Calls visit(index in rows, lane, register, part) for all elements of an accumulator.
template <class Element, class Visit>
void for_accumulator(unsigned m, unsigned n, Visit visit) {
  constexpr unsigned per = elements_per_register<Element>;
  for (unsigned element = 0; element < m * n / 32; ++element) {
    Position first = fragment::of_accumulator(m, n, 0, element);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      unsigned row = first.row + fragment::group_of(lane);
      unsigned column = first.column + 2 * fragment::member_of(lane);
      visit(row * n + column, lane, element / per, element % per);
    }
  }
}

/// C in rows: out[row * n + column].
template <class Element>
void gather_accumulator(const Operands& o, int operand, unsigned m, unsigned n, Element* out) {
  constexpr unsigned per = elements_per_register<Element>;
  for_accumulator<Element>(m, n, [&](unsigned index, unsigned lane, unsigned reg, unsigned part) {
    out[index] = static_cast<const Element*>(source_register(o, operand, reg))[lane * per + part];
  });
}

/// D from rows.
template <class Element>
void scatter_accumulator(const Operands& o, unsigned m, unsigned n, const Element* values) {
  constexpr unsigned per = elements_per_register<Element>;
  for_accumulator<Element>(m, n, [&](unsigned index, unsigned lane, unsigned reg, unsigned part) {
    static_cast<Element*>(destination_register(o, reg))[lane * per + part] = values[index];
  });
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
