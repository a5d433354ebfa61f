#include "simulator/code/flow/optimistic_reads.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "simulator/code/flow/liveness.h"
#include "simulator/code/values/value_numbers.h"

namespace warpwise::code {
namespace {

using isa::Kind;
using ptx::Operand;

/// The spaces that an access may reach, one bit each.
enum Spaces : unsigned { shared_space = 1, other_spaces = 2, any_space = 3 };

unsigned spaces_of(const ptx::Instruction& access) {
  const std::string_view space = access.match.variant["space"];
  if (space.empty()) return any_space;
  return space.starts_with("shared") ? shared_space : other_spaces;
}

/// The atomics of a function, and those that it calls.
class Atomics {
 public:
  Atomics(const ptx::Function& function, const AtomicParameters& callees)
      : function_(function), callees_(callees), values_(function) {
    for (const ptx::Instruction& instruction : function.body) {
      if (instruction.kind() == Kind::atomic) add(instruction);
      if (instruction.kind() == Kind::store && is_of_parameters(instruction))
        passed_[instruction.operands[0].name] = instruction.operands[1];
      if (instruction.kind() == Kind::call) add_call(instruction);
    }
    follow_moves();
  }

  AtomicParameter parameter(const std::string& name) const {
    const std::size_t key = ValueNumbers::of_parameter(name);
    return {compared_keys_.count(key) > 0, returned_.count(key) > 0, settled_.count(key) > 0};
  }

  OptimisticRead of_load(const ptx::Instruction& load) {
    const Operand &value = load.operands[0], *address = address_of(load);
    if (value.id < 0 || !address) return OptimisticRead::none;
    // Elsewhere it is a value like any other: no later swap checks whether it is still there.
    if (const auto compared = compared_.find(value.id);
        compared != compared_.end() && (compared->second & spaces_of(load)))
      return OptimisticRead::swapped;
    const std::size_t place = values_.of_place(*address);
    const bool is_looked_at = returned_.count(place) || settled_.count(place);
    return is_looked_at && only_decides(value.id) ? OptimisticRead::glance : OptimisticRead::none;
  }

 private:
  void add(const ptx::Instruction& atomic) {
    const auto address =
        std::find_if(atomic.operands.begin(), atomic.operands.end(),
                     [](const Operand& operand) { return operand.kind == Operand::Kind::address; });
    if (address == atomic.operands.end()) return;
    const std::string_view op = atomic.match.variant["op"];
    const bool is_used =
        address != atomic.operands.begin() && values_.is_read(atomic.operands.front());
    const std::size_t place = values_.of_place(*address);
    if (op == "min" || op == "max" || op == "and" || op == "or") settled_.insert(place);
    if ((op == "cas" || op == "exch") && is_used) returned_.insert(place);
    if (op == "cas" && is_used && address + 1 != atomic.operands.end())
      compare(*(address + 1), spaces_of(atomic));
  }

  void compare(const Operand& operand, unsigned spaces) {
    if (operand.id < 0) return;
    compared_[operand.id] |= spaces;
    compared_keys_.insert(values_.of_register(operand.id));
  }

  void add_call(const ptx::Instruction& call) {
    const CallParts parts = parts_of(call);
    const auto known = parts.target ? callees_.find(parts.target->name) : callees_.end();
    if (known == callees_.end()) return;
    const bool is_used = parts.results.empty() || is_result_read(call, parts.results[0].name);
    for (std::size_t i = 0; i < std::min(parts.arguments.size(), known->second.size()); ++i) {
      const auto given = passed_.find(parts.arguments[i].name);
      if (given == passed_.end() || given->second.id < 0) continue;
      const AtomicParameter& use = known->second[i];
      const std::size_t place = values_.of_register(given->second.id);
      if (use.is_compared && is_used) compare(given->second, any_space);
      if (use.is_returned && is_used) returned_.insert(place);
      if (use.is_settled) settled_.insert(place);
    }
  }

  /// The result of a call is loaded right after the call.
  bool is_result_read(const ptx::Instruction& call, const std::string& name) const {
    const ptx::Instruction* const end = function_.body.data() + function_.body.size();
    for (const ptx::Instruction* next = &call + 1; next != end && next->kind() != Kind::call;
         ++next)
      if (next->kind() == Kind::load && is_of_parameters(*next) && next->operands[1].name == name)
        return values_.is_read(next->operands[0]);
    return false;
  }

  /// A value that is moved into a compared register counts as compared.
  void follow_moves() {
    for (bool grows = !compared_.empty(); grows;) {
      grows = false;
      for (const ptx::Instruction& instruction : function_.body) {
        if (mnemonic(instruction) != "mov" || instruction.operands.size() != 2 ||
            instruction.operands[1].id < 0 || !compared_.count(instruction.operands[0].id))
          continue;
        unsigned& spaces = compared_[instruction.operands[1].id];
        const unsigned more = spaces | compared_[instruction.operands[0].id];
        grows |= more != spaces;
        spaces = more;
        compared_keys_.insert(values_.of_register(instruction.operands[1].id));
      }
    }
  }

  /// True where only comparisons use a value.
  bool only_decides(int value) const {
    static const std::set<std::string_view> goes_on = {"mov", "cvt", "and", "or",  "xor", "not",
                                                       "shl", "shr", "bfe", "neg", "add", "sub"};
    constexpr std::size_t most_derived = 32;
    std::set<int> derived = {value};
    for (bool grows = true; grows;) {
      grows = false;
      if (derived.size() > most_derived) return false;
      for (const ptx::Instruction& instruction : function_.body) {
        bool is_reader = false;
        visit_registers(instruction, [&](int id, bool is_written) {
          is_reader |= !is_written && derived.count(id) > 0;
        });
        if (!is_reader || mnemonic(instruction) == "setp") continue;
        if (!goes_on.count(mnemonic(instruction)) || instruction.operands[0].id < 0) return false;
        grows |= derived.insert(instruction.operands[0].id).second;
      }
    }
    return true;
  }

  const ptx::Function& function_;
  const AtomicParameters& callees_;
  ValueNumbers values_;
  std::map<std::string, Operand> passed_;  ///< to the next call, by the parameter's name
  std::map<int, unsigned> compared_;       ///< registers, with the atomics' spaces
  std::set<std::size_t> compared_keys_;
  std::set<std::size_t> returned_, settled_;  ///< places, as AtomicParameter has them
};

}  // namespace

AtomicParameters atomic_parameters(const std::vector<Callee>& functions) {
  AtomicParameters all;
  // Each round finds functions that are one call further away from their atomics.
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const Callee& callee : functions) {
      const Atomics atomics(*callee.function, all);
      std::vector<AtomicParameter> found;
      bool any = false;
      for (const ptx::Parameter& parameter : callee.function->parameters) {
        found.push_back(atomics.parameter(parameter.name));
        any |= found.back() != AtomicParameter();
      }
      if (!any || all[callee.function->name] == found) continue;
      all[callee.function->name] = std::move(found);
      is_new = true;
    }
  }
  return all;
}

std::vector<OptimisticRead> optimistic_reads(const ptx::Function& function,
                                             const AtomicParameters& callees) {
  std::vector<OptimisticRead> all(function.body.size(), OptimisticRead::none);
  const auto has_atomic = [&](const ptx::Instruction& instruction) {
    return instruction.kind() == Kind::atomic ||
           (instruction.kind() == Kind::call && !callees.empty());
  };
  if (std::none_of(function.body.begin(), function.body.end(), has_atomic)) return all;
  Atomics atomics(function, callees);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ptx::Instruction& instruction = function.body[i];
    if (instruction.kind() == Kind::load && !is_of_parameters(instruction))
      all[i] = atomics.of_load(instruction);
  }
  return all;
}

}  // namespace warpwise::code
