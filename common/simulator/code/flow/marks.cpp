#include "simulator/code/flow/marks.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "simulator/code/flow/liveness.h"
#include "simulator/code/values/value_numbers.h"

namespace warpwise::code {
namespace {

using isa::Kind;
using ptx::Operand;

/// Registers that have one value in all threads of a launch, for as long as it runs: literals,
/// parameters, and values computed from these alone.
class SameForAll {
 public:
  explicit SameForAll(const ptx::Function& kernel) : writes_(kernel.registers.size()) {
    for (const ptx::Instruction& instruction : kernel.body)
      visit_registers(instruction, [&](int id, bool is_written) {
        if (is_written) ++writes_[static_cast<std::size_t>(id)];
      });
    for (const ptx::Instruction& instruction : kernel.body) {
      const auto& operands = instruction.operands;
      if (instruction.guard >= 0 || operands.size() < 2 || !makes_same(instruction)) continue;
      if (operands[0].kind == Operand::Kind::reg &&
          writes_[static_cast<std::size_t>(operands[0].id)] == 1)
        same_.insert(operands[0].id);
    }
  }

  bool holds(const Operand& operand) const {
    if (!operand.elements.empty())
      return std::all_of(operand.elements.begin(), operand.elements.end(),
                         [&](const Operand& element) { return holds(element); });
    return operand.kind == Operand::Kind::integer || operand.kind == Operand::Kind::f32 ||
           operand.kind == Operand::Kind::f64 ||
           (operand.kind == Operand::Kind::reg && holds_register(operand.id));
  }
  bool holds_register(int id) const { return same_.count(id) > 0; }

 private:
  bool makes_same(const ptx::Instruction& instruction) const {
    static const std::set<std::string_view> arithmetic = {
        "mov", "cvt", "cvta", "add", "sub", "mul", "mad", "neg", "and", "or", "xor", "shl", "shr"};
    const auto& operands = instruction.operands;
    if (instruction.kind() == Kind::load)
      return is_of_parameters(instruction) && operands[1].id < 0 && operands[0].elements.empty();
    return arithmetic.count(mnemonic(instruction)) > 0 &&
           std::all_of(operands.begin() + 1, operands.end(),
                       [&](const Operand& operand) { return holds(operand); });
  }

  std::vector<unsigned> writes_;
  std::set<int> same_;
};

bool is_only_for_the_thread(Kind kind) {
  return kind == Kind::lanes || kind == Kind::load || kind == Kind::convert_address ||
         kind == Kind::branch || kind == Kind::ret || kind == Kind::exit || kind == Kind::nothing;
}

/// Registers whose values depend on a loaded value.
std::set<int> looked_up(const ptx::Function& kernel) {
  std::set<int> found;
  std::size_t before = 0;
  do {
    before = found.size();
    for (const ptx::Instruction& instruction : kernel.body) {
      bool is_one = instruction.kind() == Kind::load && !is_of_parameters(instruction);
      visit_registers(instruction, [&](int id, bool is_written) {
        is_one |= !is_written && found.count(id) > 0;
      });
      if (!is_one) continue;
      visit_registers(instruction, [&](int id, bool is_written) {
        if (is_written) found.insert(id);
      });
    }
  } while (found.size() != before);
  return found;
}

}  // namespace

bool is_benign_mark_race(const ptx::Function& kernel, std::size_t load, std::size_t store) {
  const auto& body = kernel.body;
  if (!kernel.is_kernel || body[store].kind() != Kind::store) return false;
  const std::set<int> found = looked_up(kernel);
  const auto is_at_looked_up = [&](const ptx::Instruction& instruction) {
    const Operand* const place = address_of(instruction);
    return place && found.count(place->id) > 0;
  };
  if (!is_at_looked_up(body[load]) && !is_at_looked_up(body[store])) return false;
  const SameForAll same(kernel);
  ValueNumbers values(kernel);
  const auto is_this_mark = [&](const Operand& value) {
    const Operand& mark = body[store].operands[1];
    return value.kind == mark.kind && value.elements.empty() && mark.elements.empty() &&
           (value.kind == Operand::Kind::reg ? values.of(value) == values.of(mark)
                                             : value.value == mark.value);
  };
  return std::all_of(body.begin(), body.end(), [&](const ptx::Instruction& instruction) {
    if (instruction.kind() != Kind::store) return is_only_for_the_thread(instruction.kind());
    if (instruction.match.variant.has("shared") || instruction.operands.size() != 2) return false;
    const Operand *const place = address_of(instruction), &value = instruction.operands[1];
    return place && same.holds(value) && (same.holds_register(place->id) || is_this_mark(value));
  });
}

}  // namespace warpwise::code
