#include "simulator/isa/fragment.h"

#include <charconv>
#include <utility>

namespace warpwise::isa {
namespace {

/// Names of element types end in their size, the 8-bit floats excepted.
unsigned bits_of(std::string_view type) {
  if (type == "e4m3" || type == "e5m2") return 8;
  if (type == "tf32") return 32;
  std::size_t digit = type.find_first_of("0123456789");
  unsigned bits = 0;
  if (digit != type.npos) std::from_chars(type.data() + digit, type.data() + type.size(), bits);
  return bits;
}

/// Products of 8 x 32 are computed, and held in registers, as the transposed of 32 x 8.
bool is_transposed(const Shape& shape) { return shape.m == 8 && shape.n == 32; }

}  // namespace

std::optional<Shape> shape_named(std::string_view word) {
  Shape shape{};
  for (auto [letter, size] : {std::pair{'m', &shape.m}, {'n', &shape.n}, {'k', &shape.k}}) {
    if (word.empty() || word.front() != letter) return std::nullopt;
    word.remove_prefix(1);
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *size);
    if (error != std::errc()) return std::nullopt;
    word.remove_prefix(static_cast<std::size_t>(end - word.data()));
  }
  return shape;
}

std::optional<Fragment> fragment_of(const Variant& variant, Role role, bool is_destination) {
  std::optional<Shape> shape = shape_named(variant["shape"]);
  if (!shape) return std::nullopt;
  std::string_view type = role == Role::a   ? variant["atype"]
                          : role == Role::b ? variant["btype"]
                          : is_destination  ? variant["dtype"]
                                            : variant["ctype"];
  if (type.empty()) type = variant["type"];
  if (type.empty()) type = "f16";  // wmma.mma does not name its factors' types
  // Half of the elements of a sparse A are zero, and not held.
  if (role == Role::a && !variant["sparse"].empty()) shape->k /= 2;
  Fragment fragment{};
  fragment.role = role;
  fragment.shape = *shape;
  fragment.bits = bits_of(type);
  fragment.register_bits = fragment.bits == 64 ? 64 : 32;
  bool is_wmma_tile = shape->m * shape->n == 256;
  if (*shape == Shape{8, 8, 4} && fragment.bits != 64) {
    fragment.shape = {32, 32, 4};
    fragment.is_quarters = true;
    fragment.in_columns = variant[role == Role::a ? "alayout" : "blayout"] == "col";
    fragment.registers = role == Role::accumulator ? fragment.bits / 4 : 2;
    return fragment;
  }
  fragment.registers = fragment.different_registers();
  if (is_wmma_tile && type == "f16" && role != Role::accumulator) fragment.registers = 8;
  return fragment;
}

Position position_of(const Fragment& f, unsigned lane, unsigned reg, unsigned part) {
  if (f.is_quarters)
    return fragment::of_quarters(f.role, f.in_columns, f.bits, lane, reg * f.per_register() + part);
  Shape s = f.shape;
  Role role = f.role;
  if (is_transposed(s)) {
    std::swap(s.m, s.n);
    if (role != Role::accumulator) role = role == Role::a ? Role::b : Role::a;
  }
  unsigned per = f.per_register();
  reg %= f.different_registers();
  Position position = role == Role::a ? fragment::of_a(s.m, s.k, per, lane, reg, part)
                      : role == Role::b
                          ? fragment::of_b(s.k, per, lane, reg, part)
                          : fragment::of_accumulator(s.m, s.n, lane, reg * per + part);
  if (is_transposed(f.shape)) std::swap(position.row, position.column);
  return position;
}

}  // namespace warpwise::isa
