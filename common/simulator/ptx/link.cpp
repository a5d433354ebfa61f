#include "simulator/ptx/link.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpwise::ptx {
namespace {

bool is_definition(const Function& function) { return !function.is_declaration; }
bool is_definition(const Variable& variable) { return variable.linkage != Linkage::external; }

/// Which of two definitions of one name counts; higher wins, the first of equals.
int strength(Linkage linkage) {
  switch (linkage) {
    case Linkage::external:
      return 0;
    case Linkage::common:
      return 1;
    case Linkage::weak:
      return 2;
    default:
      return 3;
  }
}

bool replaces(const Function& later, const Function& earlier) {
  if (is_definition(later) != is_definition(earlier)) return is_definition(later);
  return strength(later.linkage) > strength(earlier.linkage);
}

bool replaces(const Variable& later, const Variable& earlier) {
  if (later.linkage == Linkage::common && earlier.linkage == Linkage::common)
    return later.bytes > earlier.bytes;
  // Dynamic shared memory is external everywhere; the strictest alignment counts.
  if (!is_definition(later) && !is_definition(earlier)) return later.alignment > earlier.alignment;
  return strength(later.linkage) > strength(earlier.linkage);
}

using Names = std::map<std::string, std::string>;  ///< old -> new

void rename(std::string& name, const Names& names) {
  if (auto found = names.find(name); found != names.end()) name = found->second;
}

void rename(Operand& operand, const Names& names) {
  if (operand.kind == Operand::Kind::symbol || operand.kind == Operand::Kind::address)
    rename(operand.name, names);
  for (Operand& element : operand.elements) rename(element, names);
}

void rename(Function& function, const Names& module_names) {
  rename(function.name, module_names);
  Names names = module_names;
  for (const Variable& variable : function.variables) names.erase(variable.name);
  for (const auto* list : {&function.parameters, &function.results})
    for (const Parameter& parameter : *list) names.erase(parameter.name);
  for (const auto& [label, index] : function.labels) names.erase(label);
  for (Instruction& instruction : function.body)
    for (Operand& operand : instruction.operands) rename(operand, names);
}

/// Gives the unit's internal names that others use already a name of their own.
void separate_internal_names(Module& unit, std::size_t index, const std::set<std::string>& taken) {
  Names names;
  auto consider = [&](const std::string& name, Linkage linkage) {
    if (linkage == Linkage::internal && taken.count(name))
      names[name] = name + "$" + std::to_string(index + 1);
  };
  for (const Function& function : unit.functions) consider(function.name, function.linkage);
  for (const Variable& variable : unit.variables) consider(variable.name, variable.linkage);
  if (names.empty()) return;
  for (Function& function : unit.functions) rename(function, names);
  for (Variable& variable : unit.variables) {
    rename(variable.name, names);
    for (Variable::Reference& reference : variable.references) rename(reference.symbol, names);
  }
}

/// Adds the unit's files after those known and lets its locations name them by their new numbers.
void join_files(Module& whole, Module& unit) {
  unsigned first = whole.files.empty() ? 0 : whole.files.rbegin()->first;
  for (const auto& [index, file] : unit.files) whole.files[first + index] = file;
  for (Function& function : unit.functions)
    for (Location& location : function.locations)
      if (location.file) location.file += first;
}

template <class Item>
void join(std::vector<Item>& all, std::map<std::string, std::size_t>& known, Item item) {
  auto [found, is_new] = known.try_emplace(item.name, all.size());
  if (is_new) return all.push_back(std::move(item));
  Item& earlier = all[found->second];
  bool both_visible = is_definition(item) && is_definition(earlier) &&
                      item.linkage == Linkage::visible && earlier.linkage == Linkage::visible;
  if (both_visible)
    throw ParseError("two translation units define " + item.name +
                     "; make it static in one of them");
  if (replaces(item, earlier)) earlier = std::move(item);
}

std::set<std::string> names_of(const Module& module) {
  std::set<std::string> names;
  for (const Function& function : module.functions) names.insert(function.name);
  for (const Variable& variable : module.variables) names.insert(variable.name);
  return names;
}

}  // namespace

Module link(std::vector<Module> units) {
  if (units.size() == 1) return std::move(units.front());
  std::vector<std::set<std::string>> names;
  for (const Module& unit : units) names.push_back(names_of(unit));
  Module whole;
  std::map<std::string, std::size_t> functions, variables;
  for (std::size_t i = 0; i < units.size(); ++i) {
    std::set<std::string> taken;
    for (std::size_t other = 0; other < units.size(); ++other)
      if (other != i) taken.insert(names[other].begin(), names[other].end());
    separate_internal_names(units[i], i, taken);
    join_files(whole, units[i]);
    whole.architecture = std::max(whole.architecture, units[i].architecture);
    whole.is_debug |= units[i].is_debug;
    for (Function& function : units[i].functions)
      join(whole.functions, functions, std::move(function));
    for (Variable& variable : units[i].variables)
      join(whole.variables, variables, std::move(variable));
  }
  return whole;
}

}  // namespace warpwise::ptx
