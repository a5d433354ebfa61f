#include "simulator/code/lowering/lowering.h"

/// Copies of boxes of tensors. None of their accesses counts as a load or a store of the kernel.
namespace warpwise::code {
namespace {

using isa::Type;
using What = TensorCopy::What;

What what_of(const isa::Variant& variant) {
  if (variant.has("prefetch")) return What::prefetch;
  if (variant.has("reduce")) return What::reduce;
  return variant["dst"] == "global" ? What::store : What::load;
}

isa::LaneFunction half_update_of(std::string_view op, std::string_view type) {
  const auto row = isa::find_row(std::string(op) + "." + std::string(type));
  return row ? row->function : nullptr;
}

}  // namespace

/// The tensor map has the type, so the updates are looked up for all types that there are.
void Lowering::tensor_reduction(TensorCopy& copy, Access& to) {
  const std::string_view op = source_->match.variant["op"];
  to.is_atomic = true;
  to.atomic = copy.update = atomic_named(op);
  to.order = Order::relaxed;
  to.scope = Scope::gpu;
  if (op == "add" || op == "min" || op == "max") {
    copy.f16 = half_update_of(op, "f16");
    copy.bf16 = half_update_of(op, "bf16");
  }
  if (op != "and" && op != "or" && op != "xor") program_.blocks_communicate = true;
  copy.element.slot = slots_.fresh(8);
  copy.element.bytes = 8;
}

/// One for each dimension but the first and the last.
void Lowering::im2col_offsets(TensorCopy& copy, const Operand& list) {
  const std::vector<Operand> offsets = elements_of(list);
  if (offsets.size() + 2 != copy.rank)
    fail("expected " + std::to_string(copy.rank - 2) + " offsets");
  for (std::size_t i = 0; i < offsets.size(); ++i)
    copy.offsets[i] = texel_value(offsets[i], Type::u16);
}

void Lowering::copy_tensor() {
  const isa::Variant& variant = source_->match.variant;
  const auto& operands = source_->operands;
  Operation operation;
  operation.kind = isa::Kind::copy_tensor;
  operation.is_multicast = variant.has("multicast::cluster");
  TensorCopy copy;
  copy.is_im2col = variant["mode"] == "im2col";
  copy.what = what_of(variant);
  copy.rank = static_cast<std::uint8_t>(variant["dim"][0] - '0');
  const bool is_load = copy.what == What::load;
  const Operand& tensor = operands.at(is_load ? 1 : 0);
  if (tensor.elements.size() != copy.rank)
    fail("expected " + std::to_string(copy.rank) + " coordinates");
  for (std::size_t i = 0; i < copy.rank; ++i)
    copy.coordinates[i] = texel_value(tensor.elements[i], Type::s32);
  const std::size_t behind = is_load ? 3 : 1;
  if (copy.is_im2col) im2col_offsets(copy, operands.at(behind));
  if (operation.is_multicast)
    operation.s[0] = texel_value(operands.at(behind + (copy.is_im2col ? 1 : 0)), Type::u16);
  emit(Op::operation).access = static_cast<std::uint32_t>(program_.operations.size());
  operation.tensor = static_cast<std::uint32_t>(program_.tensor_copies.size());
  Access map, outside, inside;
  map.space = Space::generic;
  inside.space = Space::shared;
  outside.is_copy = inside.is_copy = is_load;
  outside.is_store = !is_load;
  inside.is_store = is_load;
  copy.map = add_access(tensor, map, false);
  if (copy.what == What::reduce) tensor_reduction(copy, outside);
  const std::uint32_t of_tensor = add_access(tensor, outside, false);
  (is_load ? operation.from : operation.to) = of_tensor;
  if (copy.what != What::prefetch) {
    const std::uint32_t of_block = add_access(operands.at(is_load ? 0 : 1), inside, false);
    (is_load ? operation.to : operation.from) = of_block;
  }
  if (is_load) {
    copy.bytes.slot = slots_.fresh(4);
    copy.bytes.bytes = 4;
    operation.barrier = completion(operands.at(2), copy.bytes.slot);
  }
  program_.tensor_copies.push_back(copy);
  program_.operations.push_back(operation);
}

}  // namespace warpwise::code
