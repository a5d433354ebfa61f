#include "simulator/code/values/values_of_others.h"

#include <algorithm>
#include <set>

#include "simulator/code/flow/liveness.h"

namespace warpwise::code {
namespace {

bool is_any(const ptx::Operand& operand, const std::vector<bool>& registers) {
  return (operand.id >= 0 && registers[static_cast<std::size_t>(operand.id)]) ||
         std::any_of(operand.elements.begin(), operand.elements.end(),
                     [&](const ptx::Operand& element) { return is_any(element, registers); });
}

/// The register holds the result of an atomic addition of a constant other than 0: a ticket. The
/// order decides which thread has which ticket, not which tickets there are.
bool is_ticket(const ptx::Function& function, int id) {
  bool is_written_at_all = false, are_all = true;
  for (const ptx::Instruction& instruction : function.body)
    visit_registers(instruction, [&](int written, bool is_written) {
      if (!is_written || written != id) return;
      is_written_at_all = true;
      are_all &= instruction.kind() == isa::Kind::atomic && instruction.operands.size() == 3 &&
                 instruction.operands[2].kind == ptx::Operand::Kind::integer &&
                 instruction.operands[2].value != 0;
    });
  return is_written_at_all && are_all;
}

class ForwardSearch {
 public:
  explicit ForwardSearch(const FunctionCode& code)
      : code_(code), writes_(code.text().registers.size()) {
    for (const ptx::Instruction& instruction : code.text().body)
      visit_registers(instruction, [&](int id, bool is_written) {
        writes_[static_cast<std::size_t>(id)] += is_written;
      });
  }

  std::vector<bool> values(const OthersValues& from) const {
    Places sources = from.results, choices = from.choices;
    for (;;) {
      const std::vector<bool> changed = changed_by_others(code_.text(), sources, from.matches);
      const std::set<std::uint32_t> arrays = arrays_in_doubt(changed);
      const std::size_t before = sources.size();
      add_chosen(changed_by_others(code_.text(), choices, from.chooses), choices);
      sources.insert(choices.begin(), choices.end());
      if (!arrays.empty()) add_loads_of(arrays, sources);
      if (sources.size() == before) return changed;
    }
  }

 private:
  /// Adds instructions that give a register one of several values where a branch chooses among them
  /// by what others wrote: `done = true`.
  void add_chosen(const std::vector<bool>& changed, Places& sources) const {
    const std::vector<BasicBlock>& blocks = code_.blocks();
    const auto is_one_of_several = [&](std::size_t at) {
      bool is_it = false;
      visit_registers(code_.at(at), [&](int id, bool is_written) {
        is_it |= is_written && writes_[static_cast<std::size_t>(id)] > 1;
      });
      return is_it;
    };
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      if (blocks[block].successors.size() < 2) continue;
      const int guard = code_.at(blocks[block].last - 1).guard;
      if (guard < 0 || !changed[static_cast<std::size_t>(guard)]) continue;
      for (const std::size_t side : code_.sides_of(block))
        for (std::size_t at = blocks[side].first; at < blocks[side].last; ++at)
          if (is_one_of_several(at)) sources.insert(at);
    }
  }

  /// Arrays in which the place of each value depends on other threads.
  std::set<std::uint32_t> arrays_in_doubt(const std::vector<bool>& changed) const {
    std::set<std::uint32_t> arrays;
    for (std::size_t at = 0; at < code_.size(); ++at) {
      if (const Access* swapped = shared_access(at, isa::Kind::atomic))
        if (leaves_whose_comes(at)) arrays.insert(swapped->shared_array);
      const Access* access = shared_access(at, isa::Kind::store);
      if (!access) continue;
      const auto& operands = code_.at(at).operands;
      const bool is_at_one_place = operands[0].id < 0;
      const auto is_in_doubt = [&](const ptx::Operand& value) {
        return is_any(value, changed) &&
               (!is_at_one_place || value.id < 0 || !is_ticket(code_.text(), value.id));
      };
      if (is_placed_by(code_.at(at), changed) || is_in_doubt(operands[1]))
        arrays.insert(access->shared_array);
    }
    return arrays;
  }

  /// A swap that leaves a value of the first or the last arriving thread. A lock's constant is not
  /// such a value, nor is a loop that tries again until it has added its operand.
  bool leaves_whose_comes(std::size_t at) const {
    const ptx::Instruction& instruction = code_.at(at);
    bool adds = false;
    code_.visit_sites(at, [&](const Site& site) { adds |= site.is_swap_loop; });
    return is_swap(instruction) && !adds && instruction.operands.back().id >= 0;
  }

  void add_loads_of(const std::set<std::uint32_t>& arrays, Places& sources) const {
    for (std::size_t at = 0; at < code_.size(); ++at)
      if (const Access* access = shared_access(at, isa::Kind::load))
        if (arrays.count(access->shared_array) || arrays.count(Access::any_array) ||
            access->shared_array == Access::any_array)
          sources.insert(at);
  }

  /// The program's access for a load or store of shared memory; null for other instructions.
  const Access* shared_access(std::size_t at, isa::Kind kind) const {
    if (code_.at(at).kind() != kind || code_.at(at).operands.size() < 2) return nullptr;
    const Access* access = code_.access_at(at);
    return access && access->space == Space::shared ? access : nullptr;
  }

  const FunctionCode& code_;
  std::vector<unsigned> writes_;  ///< of each register
};

}  // namespace

bool is_swap(const ptx::Instruction& instruction) {
  const isa::Variant& variant = instruction.match.variant;
  return instruction.kind() == isa::Kind::atomic && (variant.has("cas") || variant.has("exch"));
}

bool is_placed_by(const ptx::Instruction& instruction, const std::vector<bool>& registers) {
  const isa::Kind kind = instruction.kind();
  if (kind != isa::Kind::load && kind != isa::Kind::store && kind != isa::Kind::atomic)
    return false;
  // A reduction does not have a result before its address.
  const bool is_first =
      kind == isa::Kind::store || instruction.operands[0].kind == ptx::Operand::Kind::address;
  const ptx::Operand& address = instruction.operands[is_first ? 0 : 1];
  return address.id >= 0 && registers[static_cast<std::size_t>(address.id)];
}

bool has_value_of(const ptx::Instruction& instruction, const std::vector<bool>& registers) {
  bool is_behind_address = false;
  return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                     [&](const ptx::Operand& operand) {
                       if (is_behind_address) return is_any(operand, registers);
                       is_behind_address = operand.kind == ptx::Operand::Kind::address;
                       return false;
                     });
}

std::vector<bool> values_of_others(const FunctionCode& code, const OthersValues& from) {
  return ForwardSearch(code).values(from);
}

}  // namespace warpwise::code
