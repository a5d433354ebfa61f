#pragma once
#include <vector>

#include "simulator/code/function_code.h"

namespace warpwise::code {

/// Finds the values of a function that decide which accesses to memory there are, or where: through
/// branches, addresses, calls, and values kept in local or shared memory.
class DecidingValues {
 public:
  explicit DecidingValues(const FunctionCode& code);

  /// True where the instruction reads memory and its result is such a value.
  bool are_given_by(std::size_t at) const;

 private:
  const FunctionCode& code_;
  std::vector<bool> registers_;
  bool are_kept_in_memory_;  ///< some go through local or shared memory
};

}  // namespace warpwise::code
