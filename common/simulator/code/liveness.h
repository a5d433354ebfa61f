#pragma once
#include <vector>

#include "simulator/code/order.h"

namespace warpwise::code {

/// Calls visit(register id, is_written) for every register that an instruction names.
template <class Visit>
void visit_registers(const ptx::Instruction& instruction, Visit visit) {
  auto walk = [&](auto& self, const ptx::Operand& operand, bool is_written) -> void {
    if (operand.id >= 0) visit(operand.id, is_written);
    for (const ptx::Operand& element : operand.elements) self(self, element, is_written);
  };
  if (instruction.guard >= 0) visit(instruction.guard, false);
  const auto& specs = instruction.match.syntax->operands();
  std::size_t spec = 0;
  for (const ptx::Operand& operand : instruction.operands) {
    if (spec < specs.size() && specs[spec].second && !instruction.has_second) ++spec;
    walk(walk, operand, spec < specs.size() && specs[spec].destination);
    ++spec;
  }
}

/// For each block and each register of the function: whether some path from the block's start reads
/// the register before any instruction writes it.
std::vector<std::vector<bool>> live_at_starts(const ptx::Function& function,
                                              const std::vector<BasicBlock>& blocks);

}  // namespace warpwise::code
