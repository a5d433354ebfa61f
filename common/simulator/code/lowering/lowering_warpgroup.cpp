#include "simulator/code/lowering/lowering.h"
#include "simulator/isa/fragment.h"

/// Products of matrices by a warpgroup.
namespace warpwise::code {
namespace {

using isa::Kind;
using isa::Type;

/// Of an element of A and B.
unsigned element_bits(const isa::Variant& variant) {
  const std::string_view type = variant["atype"];
  if (type == "tf32") return 32;
  if (type == "f16" || type == "bf16") return 16;
  return type == "b1" ? 1 : 8;
}

}  // namespace

/// @return whether an operand that must be one of two constants is the second.
bool Lowering::flag(std::size_t operand, std::int64_t unset, std::int64_t set) const {
  const Operand& constant = source_->operands.at(operand);
  if (constant.kind != Operand::Kind::integer || (constant.value != unset && constant.value != set))
    fail("operand " + std::to_string(operand + 1) + " has to be " + std::to_string(unset) + " or " +
         std::to_string(set));
  return constant.value == set;
}

/// Of 32 bits each.
std::vector<Slot> Lowering::whole_registers(const Operand& list, std::size_t count) {
  std::vector<Slot> slots;
  bool is_right = list.kind == Operand::Kind::vector && list.elements.size() == count;
  for (const Operand& element : list.elements) {
    is_right = is_right && element.kind == Operand::Kind::reg && register_bytes(element.id) == 4;
    if (is_right) slots.push_back(registers_[element.id]);
  }
  if (!is_right) fail("expected " + std::to_string(count) + " registers of 32 bits in braces");
  return slots;
}

/// A load of 16 bytes a lane into registers of its own, which the machine makes at addresses of its
/// own.
std::uint32_t Lowering::add_tile_read() {
  Access access;
  access.space = Space::shared;
  access.type = Type::b64;
  access.element_bytes = 8;
  access.elements = 2;
  for (unsigned half = 0; half < access.elements; ++half) {
    access.data[half] = slots_.fresh(access.element_bytes);
    access.register_bytes[half] = static_cast<std::uint8_t>(access.element_bytes);
  }
  Operand address;
  address.kind = Operand::Kind::address;
  return add_access(address, access, false);
}

void Lowering::warpgroup_product() {
  const isa::Variant& variant = source_->match.variant;
  const auto& operands = source_->operands;
  const std::optional<isa::Shape> shape = isa::shape_named(variant["shape"]);
  if (!shape) fail("no such matrix");
  WarpgroupProduct product;
  product.columns = shape->n;
  product.element_bits = element_bits(variant);
  product.per_register = variant["dtype"] == "f16" ? 2 : 1;
  const bool a_is_held = operands.at(1).kind == Operand::Kind::vector;
  product.d = whole_registers(operands.at(0), shape->n / 2 / product.per_register);
  if (a_is_held) product.a = whole_registers(operands.at(1), 4);
  Operation operation;
  operation.kind = Kind::warpgroup_product;
  operation.s[0] = {source(operands.at(2), Type::b64), 8, Space::shared, 0};
  operation.s[1] = {source(operands.at(3), Type::pred), 0, Space::generic, 0};
  if (!a_is_held) operation.s[2] = {source(operands.at(1), Type::b64), 8, Space::shared, 0};
  if (operands.size() > 4)
    for (std::size_t i = 0; i < 2; ++i) product.is_negated[i] = flag(4 + i, 1, -1);
  if (product.element_bits == 16) {
    if (operands.size() != (a_is_held ? 7u : 8u)) fail("expected whether matrices are transposed");
    if (!a_is_held) product.in_columns[0] = flag(6, 0, 1);
    product.in_columns[1] = flag(operands.size() - 1, 0, 1);
  }
  const Slot all_lanes = slots_.constant(4, ~0u);
  Instruction& instruction = emit(Op::operation);
  instruction.function = source_->match.function;
  instruction.s[3] = all_lanes;
  instruction.access = static_cast<std::uint32_t>(program_.operations.size());
  product.reads[1] = add_tile_read();
  product.reads[0] = a_is_held ? Operation::no_access : add_tile_read();
  operation.product = static_cast<std::uint32_t>(program_.warpgroup_products.size());
  program_.warpgroup_products.push_back(std::move(product));
  program_.operations.push_back(operation);
}

}  // namespace warpwise::code
