#include "simulator/ptx/operand_check.h"

#include <algorithm>

namespace warpwise::ptx {
namespace {

bool is_place_for_result(const Operand& operand) {
  if (operand.kind == Operand::Kind::vector)
    return std::all_of(operand.elements.begin(), operand.elements.end(), is_place_for_result);
  return operand.kind == Operand::Kind::reg || operand.kind == Operand::Kind::sink;
}

/// True where a predicate is used as a value, or a value as a predicate.
bool mixes_predicates(const Function& function, const Operand& operand, bool is_predicate) {
  if (!operand.elements.empty())
    return std::any_of(
        operand.elements.begin(), operand.elements.end(),
        [&](const Operand& element) { return mixes_predicates(function, element, false); });
  if (operand.kind != Operand::Kind::reg) return false;
  return (function.registers[operand.id].type == isa::Type::pred) != is_predicate;
}

std::string problem(const Function& function, const Instruction& instruction,
                    const Operand& operand, const isa::OperandSpec& spec) {
  bool is_address = operand.kind == Operand::Kind::address;
  if (spec.address) {
    if (!is_address) return "expected an address in brackets for " + spec.name;
    if (operand.elements.empty() == spec.has_coordinates)
      return spec.has_coordinates ? "expected coordinates in the brackets of " + spec.name
                                  : "an address has no coordinates";
    return mixes_predicates(function, operand, false) ? "a coordinate cannot be a predicate" : "";
  }
  if (is_address) return "an address in brackets cannot be used for " + spec.name;
  if (spec.destination && !is_place_for_result(operand))
    return "the result " + spec.name + " needs a register";
  if (spec.type == "any") return {};
  isa::Type type = isa::type_of(spec, instruction.match.variant);
  bool is_predicate = spec.second || type == isa::Type::pred;
  if (mixes_predicates(function, operand, is_predicate))
    return is_predicate ? spec.name + " needs a predicate" : spec.name + " cannot be a predicate";
  return {};
}

std::size_t required_from(const std::vector<isa::OperandSpec>& specs, std::size_t first) {
  return std::count_if(specs.begin() + static_cast<std::ptrdiff_t>(first), specs.end(),
                       [](const isa::OperandSpec& spec) { return !spec.optional && !spec.second; });
}

}  // namespace

std::string operand_problem(const Function& function, const Instruction& instruction) {
  const isa::Kind kind = instruction.kind();
  if (kind == isa::Kind::call || kind == isa::Kind::branch || kind == isa::Kind::branch_table)
    return {};
  const auto& specs = instruction.match.syntax->operands();
  std::size_t spec = 0, left = instruction.operands.size();
  for (const Operand& operand : instruction.operands) {
    if (spec < specs.size() && specs[spec].second && !instruction.has_second) ++spec;
    // An optional operand in the middle is absent if the others need all written operands.
    while (spec < specs.size() && specs[spec].optional && required_from(specs, spec) >= left)
      ++spec;
    --left;
    if (spec >= specs.size()) return "too many operands";
    if (std::string why = problem(function, instruction, operand, specs[spec]); !why.empty())
      return why;
    ++spec;
  }
  if (spec < specs.size() && specs[spec].second) ++spec;
  if (spec < specs.size() && !specs[spec].optional) return "it lacks operands";
  return {};
}

}  // namespace warpwise::ptx
