#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/code/flow/order.h"

namespace warpwise::code {

/// Calls visit(register id, is_written) for every register that an instruction names.
template <class Visit>
void visit_registers(const ptx::Instruction& instruction, Visit visit) {
  auto walk = [&](auto& self, const ptx::Operand& operand, bool is_written) -> void {
    if (operand.id >= 0) visit(operand.id, is_written);
    for (const ptx::Operand& element : operand.elements) self(self, element, is_written);
  };
  if (instruction.guard >= 0) visit(instruction.guard, false);
  const auto& specs = instruction.match.syntax->operands();
  std::size_t spec = 0;
  for (const ptx::Operand& operand : instruction.operands) {
    if (spec < specs.size() && specs[spec].second && !instruction.has_second) ++spec;
    // A warpgroup's product is added to the value of its destination.
    if (spec == 0 && instruction.kind() == isa::Kind::warpgroup_product) walk(walk, operand, false);
    walk(walk, operand, spec < specs.size() && specs[spec].destination);
    ++spec;
  }
}

/// How many instructions of the text write each register of a function.
std::vector<unsigned> writes_by_register(const ptx::Function& function);

/// A set of registers for each block of a function.
class RegisterSets {
 public:
  RegisterSets(std::size_t blocks, std::size_t registers)
      : words_((registers + 63) / 64), bits_(blocks * words_) {}

  void add(std::size_t block, int id) { bits_[place(block, id)] |= bit(id); }
  bool has(std::size_t block, int id) const { return bits_[place(block, id)] & bit(id); }

  /// Adds to the set of a block the registers of another block that `without` does not have.
  /// @return whether there were any.
  bool join(std::size_t block, std::size_t other, const RegisterSets& without);

  /// Calls visit(id) for those of a block, in order.
  template <class Visit>
  void visit(std::size_t block, Visit visit) const {
    for (std::size_t i = 0; i < words_; ++i)
      for (std::uint64_t left = bits_[block * words_ + i]; left; left &= left - 1)
        visit(static_cast<int>(64 * i) + std::countr_zero(left));
  }

 private:
  static std::uint64_t bit(int id) { return std::uint64_t{1} << id % 64; }
  std::size_t place(std::size_t block, int id) const {
    return block * words_ + static_cast<std::size_t>(id) / 64;
  }

  std::size_t words_;  ///< of 64 registers, of each block
  std::vector<std::uint64_t> bits_;
};

/// For each block, the registers that some path from the block's start reads before any instruction
/// writes them.
RegisterSets live_at_starts(const ptx::Function& function, const std::vector<BasicBlock>& blocks);

}  // namespace warpwise::code
