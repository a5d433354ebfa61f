#include "simulator/code/values/local_origins.h"

#include <algorithm>
#include <set>

#include "simulator/code/values/origin_search.h"

namespace warpwise::code {
namespace {

/// The compiler's name for the variable that holds a function's arrays.
constexpr std::string_view stack_name = "__local_depot";

class LocalSearch : public OriginSearch {
 public:
  LocalSearch(const ptx::Function& function, const std::string& stack)
      : OriginSearch(function), stack_(stack) {
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (const ptx::Instruction& instruction : function.body)
        if (makes_stack_pointer(instruction))
          is_new |= stack_pointers_.insert(instruction.operands[0].id).second;
    }
    for (const ptx::Instruction& instruction : function.body)
      if (const Origin start = start_in(instruction); start.kind == Origin::Kind::array)
        starts_.insert(start.array);
  }

  const std::set<std::uint32_t>& starts() const { return starts_; }

 private:
  /// mov.u64 %SPL, __local_depot0; cvta.local.u64 %SP, %SPL;
  bool makes_stack_pointer(const ptx::Instruction& instruction) const {
    const auto& operands = instruction.operands;
    if (operands.size() != 2 || operands[0].id < 0) return false;
    const std::string_view mnemonic = instruction.match.syntax->mnemonic();
    return mnemonic == "mov" ? operands[1].id < 0 && operands[1].name == stack_
                             : mnemonic == "cvta" && stack_pointers_.count(operands[1].id) > 0;
  }

  Origin named(const std::string&) const override { return number; }

  /// add.u64 %rd1, %SPL, 64;
  Origin start_in(const ptx::Instruction& instruction) const override {
    if (makes_stack_pointer(instruction)) return several;
    const auto& operands = instruction.operands;
    const bool adds = operands.size() == 3 && instruction.match.syntax->mnemonic() == "add" &&
                      stack_pointers_.count(operands[1].id) > 0;
    if (!adds || operands[2].id >= 0 || !operands[2].name.empty()) return {};
    return {Origin::Kind::array, static_cast<std::uint32_t>(operands[2].value)};
  }

  const std::string& stack_;
  std::set<int> stack_pointers_;
  std::set<std::uint32_t> starts_;
};

}  // namespace

const ptx::Variable* stack_of(const ptx::Function& function) {
  const auto found =
      std::find_if(function.variables.begin(), function.variables.end(),
                   [](const ptx::Variable& each) { return each.name.starts_with(stack_name); });
  return found == function.variables.end() ? nullptr : &*found;
}

std::vector<Piece> local_origins(const ptx::Function& function) {
  std::vector<Piece> known(function.registers.size());
  const ptx::Variable* const stack = stack_of(function);
  if (!stack) return known;
  LocalSearch search(function, stack->name);
  if (search.starts().empty()) return known;
  const std::vector<Origin>& found = search.result();
  for (std::size_t id = 0; id < found.size(); ++id) {
    if (found[id].kind != Origin::Kind::array) continue;
    const auto next = search.starts().upper_bound(found[id].array);
    const auto end =
        next == search.starts().end() ? static_cast<std::uint32_t>(stack->bytes) : *next;
    if (end > found[id].array) known[id] = {found[id].array, end - found[id].array};
  }
  return known;
}

}  // namespace warpwise::code
