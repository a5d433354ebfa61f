#include "simulator/code/values/through_products.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulator/code/flow/liveness.h"

namespace warpwise::code {
namespace {

constexpr std::uint32_t all_lanes = 0xffffffffu;

/// The content of a register, as far as it comes from the load.
struct Held {
  bool is_loaded = false;  ///< by the load, and perhaps gathered since
  Gathered gathered = {};
};

/// The one that passed through more instructions.
Held more_of(const Held& a, const Held& b) {
  if (!a.is_loaded || !b.is_loaded) return a.is_loaded ? a : b;
  return a.gathered.by < b.gathered.by ? b : a;
}

/// Registers that are only ever written with one constant, and that constant.
std::vector<std::uint32_t> constants(const ptx::Function& function) {
  const std::vector<unsigned> writes = writes_by_register(function);
  std::vector<std::uint32_t> values(function.registers.size());
  for (const ptx::Instruction& instruction : function.body) {
    const bool is_move = instruction.opcode.starts_with("mov.") && instruction.guard < 0 &&
                         instruction.operands.size() == 2 &&
                         instruction.operands[1].kind == ptx::Operand::Kind::integer;
    if (!is_move || instruction.operands[0].id < 0) continue;
    const auto to = static_cast<std::size_t>(instruction.operands[0].id);
    if (writes[to] == 1) values[to] = static_cast<std::uint32_t>(instruction.operands[1].value);
  }
  return values;
}

class Search {
 public:
  Search(const ptx::Function& function, std::size_t load)
      : held_(function.registers.size()), constants_(constants(function)) {
    write(function.body[load], {.is_loaded = true});
  }

  void pass(const ptx::Instruction& instruction) {
    Held most;
    visit_registers(instruction, [&](int id, bool is_written) {
      if (!is_written) most = more_of(most, held_[static_cast<std::size_t>(id)]);
    });
    const isa::Kind kind = instruction.kind();
    if (kind == isa::Kind::matrix && most.is_loaded)
      most.gathered = {Gathering::product, all_lanes};
    else if (const std::uint32_t lanes = exchanging_lanes(instruction)) {
      if (most.is_loaded && most.gathered.by == Gathering::none)
        most.gathered = {Gathering::exchange, lanes};
    } else if (kind != isa::Kind::lanes) {
      most = {};
    }
    write(instruction, most);
  }

  /// The least that an element of the value has passed through.
  Gathered gathering(const ptx::Operand& value) const {
    if (!value.elements.empty()) {
      Gathered least{Gathering::product, all_lanes};
      for (const ptx::Operand& element : value.elements) {
        const Gathered one = gathering(element);
        least = {std::min(least.by, one.by), least.lanes & one.lanes};
      }
      return least;
    }
    return value.id < 0 ? Gathered{} : held_[static_cast<std::size_t>(value.id)].gathered;
  }

 private:
  /// The lanes of an exchange, as the program's text names them; 0 for other instructions. The mask
  /// comes last.
  std::uint32_t exchanging_lanes(const ptx::Instruction& instruction) const {
    const isa::Kind kind = instruction.kind();
    if (kind != isa::Kind::shuffle && kind != isa::Kind::vote && kind != isa::Kind::reduce)
      return 0;
    const ptx::Operand& mask = instruction.operands.back();
    if (mask.kind == ptx::Operand::Kind::integer) return static_cast<std::uint32_t>(mask.value);
    return mask.id >= 0 ? constants_[static_cast<std::size_t>(mask.id)] : 0;
  }

  void write(const ptx::Instruction& instruction, const Held& held) {
    visit_registers(instruction, [&](int id, bool is_written) {
      if (is_written) held_[static_cast<std::size_t>(id)] = held;
    });
  }

  std::vector<Held> held_;                ///< by each register
  std::vector<std::uint32_t> constants_;  ///< in each register; 0 where it is not known
};

}  // namespace

Gathered gathering_between(const ptx::Function& function, std::size_t load, std::size_t store) {
  if (load >= store) return {};
  Search search(function, load);
  for (std::size_t i = load + 1; i < store; ++i) search.pass(function.body[i]);
  const auto& operands = function.body[store].operands;
  const bool is_store = operands.size() > 1 && operands[0].kind == ptx::Operand::Kind::address;
  return is_store ? search.gathering(operands[1]) : Gathered{};
}

}  // namespace warpwise::code
