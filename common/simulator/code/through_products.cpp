#include "simulator/code/through_products.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulator/code/liveness.h"

namespace warpwise::code {
namespace {

/// What a register holds, as far as it comes from the load.
enum class Held : std::uint8_t { other, loaded, exchanged, product };

bool names_all(const ptx::Operand& mask) {
  return mask.kind == ptx::Operand::Kind::integer &&
         static_cast<std::uint32_t>(mask.value) == 0xffffffffu;
}

/// Registers that nothing is ever written to but the mask of all lanes.
std::vector<bool> masks_of_all(const ptx::Function& function) {
  std::vector<unsigned> writes(function.registers.size()), of_all(function.registers.size());
  for (const ptx::Instruction& instruction : function.body) {
    const bool is_move = instruction.opcode.starts_with("mov.") && instruction.guard < 0 &&
                         instruction.operands.size() == 2 && names_all(instruction.operands[1]);
    visit_registers(instruction, [&](int id, bool is_written) {
      if (!is_written) return;
      ++writes[static_cast<std::size_t>(id)];
      of_all[static_cast<std::size_t>(id)] += is_move;
    });
  }
  std::vector<bool> masks(function.registers.size());
  for (std::size_t i = 0; i < masks.size(); ++i) masks[i] = writes[i] == 1 && of_all[i] == 1;
  return masks;
}

class Search {
 public:
  Search(const ptx::Function& function, std::size_t load)
      : held_(function.registers.size(), Held::other), masks_of_all_(masks_of_all(function)) {
    write(function.body[load], Held::loaded);
  }

  void pass(const ptx::Instruction& instruction) {
    Held most = Held::other;
    visit_registers(instruction, [&](int id, bool is_written) {
      if (!is_written) most = std::max(most, held_[static_cast<std::size_t>(id)]);
    });
    const isa::Kind kind = instruction.kind();
    if (kind == isa::Kind::matrix && most != Held::other)
      write(instruction, Held::product);
    else if (exchanges_all(instruction))
      write(instruction, most == Held::loaded ? Held::exchanged : most);
    else
      write(instruction, kind == isa::Kind::lanes ? most : Held::other);
  }

  /// The least that an element of the value has gone through.
  Gathering gathering(const ptx::Operand& value) const {
    if (!value.elements.empty()) {
      Gathering least = Gathering::product;
      for (const ptx::Operand& element : value.elements)
        least = std::min(least, gathering(element));
      return least;
    }
    const Held held = value.id < 0 ? Held::other : held_[static_cast<std::size_t>(value.id)];
    return held == Held::product     ? Gathering::product
           : held == Held::exchanged ? Gathering::exchange
                                     : Gathering::none;
  }

 private:
  /// True for an exchange among all lanes of a warp. The mask comes last.
  bool exchanges_all(const ptx::Instruction& instruction) const {
    const isa::Kind kind = instruction.kind();
    if (kind != isa::Kind::shuffle && kind != isa::Kind::vote && kind != isa::Kind::reduce)
      return false;
    const ptx::Operand& mask = instruction.operands.back();
    return names_all(mask) || (mask.id >= 0 && masks_of_all_[static_cast<std::size_t>(mask.id)]);
  }

  void write(const ptx::Instruction& instruction, Held held) {
    visit_registers(instruction, [&](int id, bool is_written) {
      if (is_written) held_[static_cast<std::size_t>(id)] = held;
    });
  }

  std::vector<Held> held_;  ///< by each register
  std::vector<bool> masks_of_all_;
};

}  // namespace

Gathering gathering_between(const ptx::Function& function, std::size_t load, std::size_t store) {
  if (load >= store) return Gathering::none;
  Search search(function, load);
  for (std::size_t i = load + 1; i < store; ++i) search.pass(function.body[i]);
  const auto& operands = function.body[store].operands;
  const bool is_store = operands.size() > 1 && operands[0].kind == ptx::Operand::Kind::address;
  return is_store ? search.gathering(operands[1]) : Gathering::none;
}

}  // namespace warpwise::code
