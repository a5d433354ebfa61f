#include "simulator/code/values/value_numbers.h"

#include <functional>

#include "simulator/code/flow/liveness.h"

namespace warpwise::code {
namespace {

using isa::Kind;
using ptx::Operand;

std::size_t mixed(std::size_t a, std::size_t b) { return (a ^ (b + 0x9e3779b97f4a7c15)) * 31; }

std::size_t key_of(std::string_view text) { return std::hash<std::string_view>()(text); }

}  // namespace

bool is_of_parameters(const ptx::Instruction& instruction) {
  return instruction.match.variant["space"].starts_with("param");
}

const Operand* address_of(const ptx::Instruction& instruction) {
  for (const Operand& operand : instruction.operands)
    if (operand.kind == Operand::Kind::address) return &operand;
  return nullptr;
}

ValueNumbers::ValueNumbers(const ptx::Function& function)
    : made_by_(function.registers.size()),
      definitions_(function.registers.size()),
      reads_(function.registers.size()),
      keys_(function.registers.size()) {
  for (const ptx::Instruction& instruction : function.body)
    visit_registers(instruction, [&](int id, bool is_written) {
      ++(is_written ? definitions_ : reads_)[at(id)];
      if (is_written) made_by_[at(id)] = &instruction;
    });
}

std::size_t ValueNumbers::of(const Operand& operand, unsigned depth) {
  std::size_t key = mixed(key_of(operand.name), static_cast<std::size_t>(operand.value));
  if (operand.id >= 0) key = mixed(key, of_register(operand.id, depth));
  for (const Operand& element : operand.elements) key = mixed(key, of(element, depth));
  return key;
}

std::size_t ValueNumbers::of_parameter(const std::string& name) { return mixed(key_of(name), 1); }

std::size_t ValueNumbers::of_place(const Operand& address) {
  const bool is_bare = address.id >= 0 && address.value == 0;
  return is_bare ? of_register(address.id) : of(address);
}

std::size_t ValueNumbers::of_register(int id, unsigned depth) {
  constexpr unsigned most_depth = 100;
  std::size_t& key = keys_[at(id)];
  if (key) return key;
  key = mixed(static_cast<std::size_t>(id), 2);  // also where a register is computed from itself
  const ptx::Instruction* made = made_by_[at(id)];
  if (definitions_[at(id)] != 1 || made->guard >= 0 || depth == most_depth) return key;
  const auto& operands = made->operands;
  if (made->kind() == Kind::load && is_of_parameters(*made) && operands[0].id == id &&
      operands[1].value == 0 && operands[1].id < 0)
    return key = of_parameter(operands[1].name);
  const std::string_view word = mnemonic(*made);
  if ((word == "mov" || word == "cvta") && operands.size() == 2 && operands[1].id >= 0 &&
      operands[1].value == 0) {
    return key = of_register(operands[1].id, depth + 1);
  }
  if (made->kind() != Kind::lanes) return key;
  std::size_t made_of = key_of(made->opcode);
  for (std::size_t i = 1; i < operands.size(); ++i)
    made_of = mixed(made_of, of(operands[i], depth + 1));
  return key = made_of;
}

}  // namespace warpwise::code
