#pragma once
#include <optional>
#include <string>
#include <vector>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// The operands of a call, by their part.
struct CallParts {
  const ptx::Operand* target;  ///< a symbol, or a register that holds an address
  std::vector<ptx::Operand> results;
  std::vector<ptx::Operand> arguments;
};
CallParts parts_of(const ptx::Instruction& call);

/// A function that may be called.
struct Callee {
  const ptx::Function* function;
  bool by_name;  ///< false where only its address is known to be taken
};

/// The functions that a kernel may call, directly or through others, in the order of their names in
/// the code. A call through a pointer may reach every function whose address is taken in the
/// module.
std::vector<Callee> callees_of(const ptx::Module& module, const ptx::Function& kernel);

/// The address that programs see; nothing where the module does not define the function.
std::optional<std::uint64_t> function_address(const ptx::Module& module, const std::string& name);

}  // namespace warpwise::code
