#pragma once
#include <cstddef>
#include <utility>

#include "simulator/isa/fragment.h"
#include "simulator/ptx/module.h"

namespace warpwise::code {

/// Calls visit(register id) for registers of a matrix product's factors that only repeat others of
/// the same fragment, as those of wmma with 16-bit elements do. The product does not use them.
template <class Visit>
void visit_repeats(const ptx::Instruction& instruction, Visit visit) {
  if (instruction.kind() != isa::Kind::matrix || instruction.operands.size() < 4) return;
  for (const auto& [role, operand] : {std::pair{isa::Role::a, 1}, {isa::Role::b, 2}}) {
    const auto fragment = isa::fragment_of(instruction.match.variant, role, false);
    if (!fragment) continue;
    const auto& registers = instruction.operands[operand].elements;
    for (std::size_t i = fragment->different_registers(); i < registers.size(); ++i)
      if (registers[i].id >= 0) visit(registers[i].id);
  }
}

}  // namespace warpwise::code
