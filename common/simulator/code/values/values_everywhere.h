#pragma once
#include <cstddef>
#include <vector>

#include "simulator/code/flow/order.h"

namespace warpwise::code {

/// Facts about a function's register values from its whole text: which values a single instruction
/// gives, and which stay the same from one place to another.
class ValuesEverywhere {
 public:
  ValuesEverywhere(const ptx::Function& function, const std::vector<BasicBlock>& blocks);

  /// @return whether a single instruction writes the register, without a guard.
  bool has_one_source(int id) const { return sources_[static_cast<std::size_t>(id)].size() == 1; }

  /// @return whether ptxas takes the operand for a constant: a literal, a kernel's parameter, a
  /// word at a fixed place of constant memory, or a register that holds one of these.
  bool is_constant(const ptx::Operand& operand) const;

  /// @return whether the register still has, where instruction `use` reads it, the value that
  /// instruction `made` read.
  /// @pre every way to `use` passes `made`.
  bool stays(int id, std::size_t made, std::size_t use) const;

 private:
  std::size_t block_of(std::size_t index) const;
  /// For each block, whether a way that begins after `start` enters it before it reaches `stop`.
  std::vector<bool> entered(std::size_t start, std::size_t stop) const;
  bool reaches(std::size_t start, std::size_t stop, std::size_t end) const;

  const ptx::Function& function_;
  const std::vector<BasicBlock>& blocks_;
  std::vector<std::vector<std::size_t>> sources_;  ///< by register: the instructions that write it
};

}  // namespace warpwise::code
