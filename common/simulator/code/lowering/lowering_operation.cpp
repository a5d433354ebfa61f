#include "simulator/code/lowering/lowering.h"

namespace warpwise::code {

using isa::Kind;
using isa::Type;

Operation::Value Lowering::operation_value(const isa::OperandSpec& spec, const Operand& operand) {
  Operation::Value value;
  if (operand.kind == Operand::Kind::sink) return value;
  if (spec.destination) {
    if (operand.kind != Operand::Kind::reg) fail("the destination must be a register");
    value.slot = registers_[operand.id];
    value.bytes = static_cast<std::uint8_t>(register_bytes(operand.id));
    return value;
  }
  if (spec.address && operand.id >= 0) {
    value.slot = registers_[operand.id];
    value.bytes = static_cast<std::uint8_t>(register_bytes(operand.id));
    value.offset = operand.value;
    return value;
  }
  Type type =
      operand.kind == Operand::Kind::reg ? function_.registers[operand.id].type : type_of(spec);
  value.bytes = static_cast<std::uint8_t>(spec.address ? 8 : isa::size_bytes(type));
  value.slot = spec.address ? slots_.constant(8, operand.name.empty()
                                                     ? static_cast<std::uint64_t>(operand.value)
                                                     : symbol_address(operand))
                            : source(operand, type);
  return value;
}

void Lowering::operation() {
  const isa::Variant& variant = source_->match.variant;
  const auto& specs = source_->match.syntax->operands();
  Operation operation;
  operation.kind = source_->kind();
  operation.type = variant.last_type();
  operation.reduction = atomic_named(variant["op"]);
  operation.only_reads = variant.has("read");
  std::size_t spec = 0, sources = 0;
  Slot mask = no_slot;
  for (const Operand& operand : source_->operands) {
    if (spec < specs.size() && specs[spec].second && !source_->has_second) ++spec;
    if (spec >= specs.size()) fail("too many operands");
    Operation::Value value = operation_value(specs[spec], operand);
    value.space = space_named(variant["space"]);
    if (specs[spec].name == "m") mask = value.slot;
    if (!specs[spec].destination)
      operation.s[sources++] = value;
    else
      (specs[spec].second ? operation.d2 : operation.d) = value;
    ++spec;
  }
  if (isa::is_of_warpgroup(operation.kind)) mask = slots_.constant(4, ~0u);
  Instruction& instruction = emit(Op::operation);
  instruction.s[3] = mask;  // the lanes to wait for
  instruction.access = static_cast<std::uint32_t>(program_.operations.size());
  program_.operations.push_back(operation);
}

}  // namespace warpwise::code
