#include "simulator/code/lowering/layout.h"

#include <algorithm>
#include <set>

#include "simulator/ptx/text.h"

namespace warpwise::code {
namespace {

std::uint32_t aligned(std::uint32_t offset, unsigned alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

void add_all_names(const ptx::Operand& operand, std::set<std::string>& names) {
  if (!operand.name.empty()) names.insert(operand.name);
  for (const ptx::Operand& element : operand.elements) add_all_names(element, names);
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

SharedLayout lay_out_shared(const ptx::Module& module, const ptx::Function& kernel,
                            const std::vector<Callee>& callees, Program& program) {
  std::vector<const ptx::Function*> functions{&kernel};
  for (const Callee& callee : callees) functions.push_back(callee.function);
  std::set<std::string> names;
  for (const ptx::Function* function : functions)
    for (const ptx::Instruction& instruction : function->body)
      for (const ptx::Operand& operand : instruction.operands) add_all_names(operand, names);

  SharedLayout layout;
  std::uint32_t shared = 0, dynamic_alignment = 16;
  std::vector<std::string> dynamic;
  auto place = [&](const ptx::Variable& variable) {
    if (variable.space != ptx::Space::shared) return;
    if (variable.linkage == ptx::Linkage::external) {
      dynamic.push_back(variable.name);
      dynamic_alignment = std::max(dynamic_alignment, variable.alignment);
      return;
    }
    std::uint32_t gap = shared_base + shared;
    shared = aligned(shared, variable.alignment);
    layout[variable.name] = shared_base + shared;
    if (gap < shared_base + shared) program.shared_gaps.push_back({gap, shared_base + shared});
    program.shared_arrays.push_back({ptx::short_name(variable.name), shared_base + shared,
                                     static_cast<std::uint32_t>(variable.bytes), false});
    shared += static_cast<std::uint32_t>(variable.bytes);
  };
  for (const ptx::Function* function : functions)
    for (const ptx::Variable& variable : function->variables) place(variable);
  for (const ptx::Variable& variable : module.variables)
    if (names.count(variable.name)) place(variable);
  program.static_shared_bytes = shared;
  program.dynamic_shared_offset = dynamic.empty() ? shared : aligned(shared, dynamic_alignment);
  std::uint32_t dynamic_start = shared_base + program.dynamic_shared_offset;
  for (const std::string& name : dynamic) {
    layout[name] = dynamic_start;
    program.shared_arrays.push_back({ptx::short_name(name), dynamic_start, 0, true});
  }
  if (shared_base + shared < dynamic_start)
    program.shared_gaps.push_back({shared_base + shared, dynamic_start});
  return layout;
}

/// A GPU's stack grows downwards, by multiples of 8 bytes and from a multiple of 64: the size of a
/// kernel's arrays decides whether the first begins at a multiple of 16. Debug builds align arrays
/// only as their type requires, so they show whether packs of 16 bytes fit there.
std::uint32_t bytes_before_arrays(const ptx::Function& function) {
  std::uint32_t bytes = 0, alignment = 8;
  for (const ptx::Variable& variable : function.variables) {
    if (variable.space != ptx::Space::local) continue;
    bytes = aligned(bytes, variable.alignment) + static_cast<std::uint32_t>(variable.bytes);
    alignment = std::max(alignment, variable.alignment);
  }
  return (16 - aligned(bytes, alignment) % 16) % 16;
}

Layout lay_out(const ptx::Function& function, FrameLayout& frame) {
  Layout layout;
  // Several calls use one name for their arguments, one after another: the largest counts.
  std::map<std::string, std::pair<std::uint32_t, unsigned>> passed;
  auto pass = [&](const auto& value) {
    auto& [bytes, alignment] = passed[value.name];
    bytes = std::max(bytes, static_cast<std::uint32_t>(value.bytes));
    alignment = std::max({alignment, value.alignment, 8u});
  };
  if (function.is_kernel) {
    auto offsets = parameter_offsets(function);
    for (std::size_t i = 0; i < offsets.size(); ++i)
      layout.parameters[function.parameters[i].name] = offsets[i];
  } else {
    for (const ptx::Parameter& parameter : function.parameters) pass(parameter);
    for (const ptx::Parameter& result : function.results) pass(result);
  }
  for (const ptx::Variable& variable : function.variables)
    if (variable.space == ptx::Space::param) pass(variable);
  for (const auto& [name, size] : passed) {
    frame.local_bytes = aligned(frame.local_bytes, size.second);
    layout.passed[name] = {frame.local_bytes, size.first};
    frame.local_bytes += size.first;
  }
  frame.passed_bytes = frame.local_bytes = aligned(frame.local_bytes, 16);
  if (function.is_kernel) frame.local_bytes += bytes_before_arrays(function);
  for (const ptx::Variable& variable : function.variables) {
    if (variable.space != ptx::Space::local) continue;
    frame.local_bytes = aligned(frame.local_bytes, std::max(8u, variable.alignment));
    layout.local[variable.name] = frame.local_bytes;
    frame.local_bytes += static_cast<std::uint32_t>(variable.bytes);
  }
  return layout;
}

}  // namespace warpwise::code
