#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "simulator/isa/row.h"

/// Which element of a matrix each lane of a warp holds.
///
/// Lanes form eight groups of four. The element of A in a lane's lowest bits is in the row of its
/// group, the one of B in the column of its group; along k each lane of a group has one register's
/// worth of neighbouring elements, and further registers add blocks of eight rows or columns, and
/// then of four registers' worth along k. All tables of the PTX manual for mma (except m8n8k4 with
/// f16) are cases of this. wmma leaves its fragments open; an H200 fills them as it does those of
/// mma.
///
/// m8n8k4 with f16 is four products at once. Each has two groups, one of the lower and one of the
/// upper 16 lanes. Here they are one product of 32 x 32 x 4, of which only four blocks of 8 x 8 on
/// the diagonal exist.
namespace warpwise::isa {

enum class Role : std::uint8_t { a, b, accumulator };

struct Shape {
  unsigned m, n, k;
  bool operator==(const Shape&) const = default;
};

/// The row and column of an element in its matrix.
struct Position {
  unsigned row, column;
};

/// One matrix operand: the elements in its registers.
struct Fragment {
  Role role;
  Shape shape;
  unsigned bits;           ///< of one element
  unsigned register_bits;  ///< of one register: 32, or 64 for f64
  unsigned registers;      ///< as written in the instruction
  bool is_signed = false;
  bool is_quarters = false;  ///< of m8n8k4 with f16
  bool in_columns = false;   ///< of quarters: .col

  unsigned rows() const { return role == Role::b ? shape.k : shape.m; }
  unsigned columns() const { return role == Role::a ? shape.k : shape.n; }
  unsigned per_register() const { return register_bits / bits; }
  /// Registers that hold the matrix once; wmma fragments of f16 repeat them.
  unsigned different_registers() const { return rows() * columns() / 32 / per_register(); }
};

/// `static`: this is compiled once per level of isa/, and no level's code may end up in another.
namespace fragment {

static constexpr unsigned group_of(unsigned lane) { return lane / 4; }
static constexpr unsigned member_of(unsigned lane) { return lane % 4; }

/// Of the matrix A of m rows: tiles of 16 rows (8 where there are no more) one after another.
static constexpr Position of_a(unsigned m, unsigned k, unsigned per_register, unsigned lane,
                               unsigned reg, unsigned part) {
  unsigned blocks = m == 8 ? 1 : 2;
  unsigned tile_registers = blocks * k / (4 * per_register);
  unsigned tile = reg / tile_registers, inside = reg % tile_registers;
  return {tile * 16 + 8 * (inside % blocks) + group_of(lane),
          4 * per_register * (inside / blocks) + per_register * member_of(lane) + part};
}

/// Of the matrix B: tiles of 8 columns one after another.
static constexpr Position of_b(unsigned k, unsigned per_register, unsigned lane, unsigned reg,
                               unsigned part) {
  unsigned tile_registers = k / (4 * per_register);
  unsigned tile = reg / tile_registers, inside = reg % tile_registers;
  return {4 * per_register * inside + per_register * member_of(lane) + part,
          tile * 8 + group_of(lane)};
}

/// Of C and D: tiles of at most 16 x 8, in each two neighbouring columns for every eight rows.
static constexpr Position of_accumulator(unsigned m, unsigned n, unsigned lane, unsigned element) {
  unsigned blocks = m == 8 ? 1 : 2;
  unsigned tile = element / (2 * blocks), inside = element % (2 * blocks);
  return {(n > 8 ? 0 : tile * 16) + 8 * (inside / 2) + group_of(lane),
          (n > 8 ? tile * 8 : 0) + 2 * member_of(lane) + inside % 2};
}

/// Finds the position of a lane's element in the four products of 8 x 8 x 4.
/// @param in_columns A or B is .col.
/// @param bits of an element of the accumulator.
static constexpr Position of_quarters(Role role, bool in_columns, unsigned bits, unsigned lane,
                                      unsigned element) {
  const unsigned start = 8 * (lane % 16 / 4), own = lane % 4, upper = lane < 16 ? 0 : 4;
  if (role == Role::a)
    return in_columns ? Position{start + upper + element, own}
                      : Position{start + upper + own, element};
  if (role == Role::b)
    return in_columns ? Position{element, start + upper + own}
                      : Position{own, start + upper + element};
  if (bits == 16) return {start + upper + own, start + element};
  return {start + upper + (lane & 1) + (element & 2),
          start + (element & 4) + (lane & 2) + (element & 1)};
}

}  // namespace fragment

/// "m16n8k16"; nothing where the word is not a shape.
std::optional<Shape> shape_named(std::string_view word);

/// The operand of a matrix instruction in this role; nothing where it has none.
/// @param variant of a row of mma, wmma.mma, wmma.load or wmma.store.
std::optional<Fragment> fragment_of(const Variant& variant, Role role, bool is_destination);

/// Finds the position of element `part` of register `reg` of a lane.
Position position_of(const Fragment& fragment, unsigned lane, unsigned reg, unsigned part);

}  // namespace warpwise::isa
