#include "simulator/code/callees.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "simulator/code/lowering/device_runtime.h"
#include "simulator/code/program.h"

namespace warpwise::code {
namespace {

using ptx::Operand;

bool is_call(const ptx::Instruction& instruction) { return instruction.kind() == isa::Kind::call; }

void add_names(const Operand& operand, std::set<std::string>& names) {
  if (operand.kind == Operand::Kind::symbol) names.insert(operand.name);
  for (const Operand& element : operand.elements) add_names(element, names);
}

/// Names whose addresses are taken, functions' or not.
std::set<std::string> addresses_taken(const ptx::Module& module) {
  std::set<std::string> names;
  for (const ptx::Variable& variable : module.variables)
    for (const ptx::Variable::Reference& reference : variable.references)
      names.insert(reference.symbol);
  for (const ptx::Function& function : module.functions)
    for (const ptx::Instruction& instruction : function.body)
      if (!is_call(instruction))
        for (const Operand& operand : instruction.operands) add_names(operand, names);
  return names;
}

}  // namespace

CallParts parts_of(const ptx::Instruction& call) {
  CallParts parts{nullptr, {}, {}};
  for (const Operand& operand : call.operands) {
    if (operand.kind != Operand::Kind::arguments) {
      // The target may be followed by the name of a prototype or of a list of targets.
      if (!parts.target) parts.target = &operand;
    } else {
      (parts.target ? parts.arguments : parts.results) = operand.elements;
    }
  }
  return parts;
}

std::vector<Callee> callees_of(const ptx::Module& module, const ptx::Function& kernel) {
  std::unordered_map<std::string, const ptx::Function*> defined;
  for (const ptx::Function& function : module.functions)
    if (!function.is_declaration) defined.emplace(function.name, &function);
  std::vector<Callee> found;
  std::unordered_map<std::string, std::size_t> known;
  auto add = [&](const std::string& name, bool by_name) {
    auto function = runtime_function(name) ? defined.end() : defined.find(name);
    if (function == defined.end() || function->second->is_kernel) return;
    auto [at, is_new] = known.try_emplace(name, found.size());
    if (is_new) found.push_back({function->second, by_name});
    found[at->second].by_name |= by_name;
  };
  bool by_address = false;
  auto look_at = [&](const ptx::Function& function) {
    for (const ptx::Instruction& instruction : function.body) {
      if (!is_call(instruction)) continue;
      CallParts parts = parts_of(instruction);
      if (!parts.target) continue;
      if (parts.target->kind == Operand::Kind::symbol) {
        add(parts.target->name, true);
      } else if (!by_address) {
        by_address = true;
        for (const std::string& name : addresses_taken(module)) add(name, false);
      }
    }
  };
  look_at(kernel);
  for (std::size_t i = 0; i < found.size(); ++i) look_at(*found[i].function);
  return found;
}

std::optional<std::uint64_t> function_address(const ptx::Module& module, const std::string& name) {
  auto found =
      std::find_if(module.functions.begin(), module.functions.end(),
                   [&](const ptx::Function& f) { return f.name == name && !f.is_declaration; });
  if (found == module.functions.end()) return std::nullopt;
  return function_window +
         function_stride * static_cast<std::uint64_t>(found - module.functions.begin());
}

}  // namespace warpwise::code
