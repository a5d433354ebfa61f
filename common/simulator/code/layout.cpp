#include "simulator/code/layout.h"

#include <algorithm>

namespace warpwise::code {
namespace {

std::uint32_t aligned(std::uint32_t offset, unsigned alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

/// True where an operand of the kernel names the symbol.
bool names(const ptx::Operand& operand, const std::string& symbol) {
  if (operand.name == symbol) return true;
  return std::any_of(operand.elements.begin(), operand.elements.end(),
                     [&](const ptx::Operand& element) { return names(element, symbol); });
}

bool uses(const ptx::Function& kernel, const std::string& symbol) {
  for (const ptx::Instruction& instruction : kernel.body)
    for (const ptx::Operand& operand : instruction.operands)
      if (names(operand, symbol)) return true;
  return false;
}

}  // namespace

std::vector<std::uint32_t> parameter_offsets(const ptx::Function& kernel) {
  std::vector<std::uint32_t> offsets;
  std::uint32_t at = 0;
  for (const ptx::Parameter& parameter : kernel.parameters) {
    at = aligned(at, std::max(1u, parameter.alignment));
    offsets.push_back(at);
    at += static_cast<std::uint32_t>(parameter.bytes);
  }
  return offsets;
}

Layout lay_out(const ptx::Module& module, const ptx::Function& kernel, Program& program) {
  Layout layout;
  auto offsets = parameter_offsets(kernel);
  for (std::size_t i = 0; i < offsets.size(); ++i)
    layout.parameters[kernel.parameters[i].name] = offsets[i];

  std::uint32_t shared = 0, dynamic_alignment = 16;
  std::vector<std::string> dynamic;
  auto place = [&](const ptx::Variable& variable) {
    if (variable.space == ptx::Space::local) {
      program.local_bytes = aligned(program.local_bytes, std::max(8u, variable.alignment));
      layout.local[variable.name] = program.local_bytes;
      program.local_bytes += static_cast<std::uint32_t>(variable.bytes);
    } else if (variable.space == ptx::Space::shared && variable.linkage == ptx::Linkage::external) {
      dynamic.push_back(variable.name);
      dynamic_alignment = std::max(dynamic_alignment, variable.alignment);
    } else if (variable.space == ptx::Space::shared) {
      shared = aligned(shared, variable.alignment);
      layout.shared[variable.name] = shared_base + shared;
      shared += static_cast<std::uint32_t>(variable.bytes);
    }
  };
  for (const ptx::Variable& variable : kernel.variables) place(variable);
  for (const ptx::Variable& variable : module.variables)
    if (variable.space == ptx::Space::shared && uses(kernel, variable.name)) place(variable);
  program.static_shared_bytes = shared;
  program.dynamic_shared_offset = dynamic.empty() ? shared : aligned(shared, dynamic_alignment);
  for (const std::string& name : dynamic)
    layout.shared[name] = shared_base + program.dynamic_shared_offset;
  return layout;
}

}  // namespace warpwise::code
