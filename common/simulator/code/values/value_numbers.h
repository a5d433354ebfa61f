#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/ptx/module.h"

namespace warpwise::code {

inline std::string_view mnemonic(const ptx::Instruction& instruction) {
  return instruction.match.syntax->mnemonic();
}

/// True where a load or a store is of a parameter.
bool is_of_parameters(const ptx::Instruction& instruction);

/// The first operand that is an address; null where there is none.
const ptx::Operand* address_of(const ptx::Instruction& instruction);

/// Numbers for the values of a function's registers: two registers with the same number hold the
/// same value, if their loop has not started another iteration in between.
class ValueNumbers {
 public:
  explicit ValueNumbers(const ptx::Function& function);

  bool is_read(const ptx::Operand& operand) const {
    return operand.id >= 0 && reads_[at(operand.id)];
  }

  std::size_t of(const ptx::Operand& operand, unsigned depth = 0);
  /// The number of a value that a function was given.
  static std::size_t of_parameter(const std::string& name);
  /// Of an address as a parameter would have it, without an added offset.
  std::size_t of_place(const ptx::Operand& address);
  std::size_t of_register(int id, unsigned depth = 0);

 private:
  static std::size_t at(int id) { return static_cast<std::size_t>(id); }

  std::vector<const ptx::Instruction*> made_by_;
  std::vector<int> definitions_, reads_;
  std::vector<std::size_t> keys_;
};

}  // namespace warpwise::code
