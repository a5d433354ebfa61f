#include <algorithm>

#include "simulator/code/lowering/lowering.h"

/// Registers in parts, and the operands that programs do not write.
namespace warpwise::code {

using isa::Type;

/// The carry that add.cc and similar instructions leave for addc: a predicate that no program
/// names.
Slot Lowering::carry() {
  if (carry_ == no_slot) carry_ = slots_.fresh(0);
  return carry_;
}

std::uint64_t Lowering::immediate() const {
  std::vector<std::string_view> selectors;
  for (const Operand& operand : source_->operands) selectors.push_back(operand.selector);
  return source_->match.syntax->row().immediate(source_->match.variant, selectors);
}

void Lowering::vector_move() {
  const Operand &d = source_->operands[0], &a = source_->operands[1];
  unsigned whole = isa::size_bytes(source_->match.variant.last_type());
  const Operand& list = d.kind == Operand::Kind::vector ? d : a;
  unsigned part = whole / static_cast<unsigned>(std::max<std::size_t>(1, list.elements.size()));
  std::string suffix = ".b" + std::to_string(8 * part) + ".b" + std::to_string(8 * whole);
  Slot combined = &list == &d ? source(a, source_->match.variant.last_type()) : slots_.fresh(whole);
  for (std::size_t i = 0; i < list.elements.size(); ++i) {
    const Operand& element = list.elements[i];
    if (&list == &d) {
      if (element.kind != Operand::Kind::reg) continue;
      emit_lanes("_extract." + std::to_string(i) + suffix, registers_[element.id], part,
                 {combined});
    } else {
      Slot value = source(element, *isa::type_named("b" + std::to_string(8 * part)));
      emit_lanes("_insert." + std::to_string(i) + suffix, combined, whole, {combined, value});
    }
  }
  if (&list == &a)
    emit_lanes("mov.b" + std::to_string(8 * whole), registers_[d.id], whole, {combined});
}

/// Memory accesses are at most 64 bits wide: a value of 128 bits is a vector of two.
void Lowering::wide_access(const Operand& value, const Operand& address, bool is_store) {
  if (value.kind != Operand::Kind::reg || register_bytes(value.id) != 16)
    fail("a value of 128 bits must be in a .b128 register");
  Slot whole = registers_[value.id], parts[2] = {slots_.fresh(8), slots_.fresh(8)};
  Access access;
  access.type = Type::b64;
  access.element_bytes = 8;
  access.elements = 2;
  access.is_store = is_store;
  std::copy(parts, parts + 2, access.data);
  std::fill_n(access.register_bytes, 2, 8);
  const auto reach = [&] {
    if (source_->match.variant["space"].starts_with("param")) return passed_access(address, access);
    memory(emit(is_store ? Op::store : Op::load), address, access);
  };
  if (is_store) {
    emit_lanes("_extract.0.b64.b128", parts[0], 8, {whole});
    emit_lanes("_extract.1.b64.b128", parts[1], 8, {whole});
    reach();
  } else {
    reach();
    emit_lanes("_insert.0.b64.b128", whole, 16, {whole, parts[0]});
    emit_lanes("_insert.1.b64.b128", whole, 16, {whole, parts[1]});
  }
}

}  // namespace warpwise::code
