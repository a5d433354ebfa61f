#include "simulator/code/values/changed_values.h"

#include <algorithm>

#include "simulator/code/callees.h"
#include "simulator/code/flow/liveness.h"
#include "simulator/code/lowering/lowering.h"
#include "simulator/code/lowering/special_names.h"

namespace warpwise::code {
namespace {

/// The texts of a program's functions, including the kernel's; functions without a text are left
/// out.
std::vector<const ptx::Function*> texts_of(const Program& program) {
  std::vector<const ptx::Function*> texts = {program.text};
  for (const Function& function : program.functions) texts.push_back(function.text);
  std::erase(texts, nullptr);
  return texts;
}

bool depends_on_when(const ptx::Operand& operand) {
  return operand.kind == ptx::Operand::Kind::special &&
         (clock_named(operand.name) || special_named(operand.name) == Special::smid);
}

/// A call by address may reach each of them.
bool may_reach(const ptx::Operand* target, const FunctionNames& functions) {
  const bool is_named = target && target->kind == ptx::Operand::Kind::symbol;
  return is_named ? functions.count(target->name) > 0 : !functions.empty();
}

}  // namespace

bool only_reads(const ptx::Instruction& atomic) {
  if (!atomic.match.variant.has("add") || atomic.operands.size() != 3) return false;
  const ptx::Operand& added = atomic.operands[2];
  return added.kind == ptx::Operand::Kind::integer && added.value == 0;
}

bool looks_at_memory(const ptx::Instruction& instruction) {
  const isa::Kind kind = instruction.kind();
  if (kind == isa::Kind::atomic) return true;
  return kind == isa::Kind::load && order_of(instruction.match.variant, false) != Order::none;
}

bool looks_at_others(const ptx::Instruction& instruction) {
  return looks_at_memory(instruction) || instruction.kind() == isa::Kind::mbarrier_test ||
         std::any_of(instruction.operands.begin(), instruction.operands.end(), depends_on_when);
}

bool chooses_by_order(const ptx::Instruction& instruction) {
  if (!looks_at_others(instruction)) return false;
  if (instruction.kind() != isa::Kind::atomic || only_reads(instruction)) return true;
  const isa::Variant& variant = instruction.match.variant;
  return !variant.has("add") && !variant.has("inc") && !variant.has("dec");
}

FunctionNames functions_with(const Program& program, Matches matches) {
  FunctionNames found;
  const auto is_one = [&](const ptx::Instruction& instruction) {
    return instruction.kind() == isa::Kind::call ? may_reach(parts_of(instruction).target, found)
                                                 : matches(instruction);
  };
  for (std::size_t before = ~std::size_t{0}; before != found.size();) {
    before = found.size();
    for (const ptx::Function* text : texts_of(program))
      if (std::any_of(text->body.begin(), text->body.end(), is_one)) found.insert(text->name);
  }
  return found;
}

Places results_of(const FunctionNames& functions, const ptx::Function& function) {
  Places places;
  if (functions.empty()) return places;
  std::set<std::string> results;  ///< of the last call, if it is one of theirs
  for (std::size_t at = 0; at < function.body.size(); ++at) {
    const ptx::Instruction& instruction = function.body[at];
    if (instruction.kind() == isa::Kind::call) {
      results.clear();
      const CallParts parts = parts_of(instruction);
      if (may_reach(parts.target, functions))
        for (const ptx::Operand& result : parts.results) results.insert(result.name);
    } else if (instruction.kind() == isa::Kind::load && instruction.operands.size() > 1 &&
               results.count(instruction.operands[1].name)) {
      places.insert(at);
    }
  }
  return places;
}

std::vector<bool> changed_by_others(const ptx::Function& function, const Places& sources,
                                    Matches matches) {
  std::vector<bool> changed(function.registers.size());
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (std::size_t at = 0; at < function.body.size(); ++at) {
      const ptx::Instruction& instruction = function.body[at];
      bool is_source = matches(instruction) || sources.count(at);
      visit_registers(instruction, [&](int id, bool is_written) {
        if (!is_written) is_source |= changed[static_cast<std::size_t>(id)];
      });
      if (!is_source) continue;
      visit_registers(instruction, [&](int id, bool is_written) {
        if (!is_written || changed[static_cast<std::size_t>(id)]) return;
        changed[static_cast<std::size_t>(id)] = is_new = true;
      });
    }
  }
  return changed;
}

}  // namespace warpwise::code
