#pragma once
#include <vector>

#include "simulator/code/flow/order.h"

namespace warpwise::code {

/// A load that ptxas may put elsewhere: after the branch that needs its value, or before a loop
/// whose iterations all load the same value.
struct MovedLoad {
  std::size_t at;        ///< its place in the function's body
  std::size_t from, to;  ///< its block, and the first that all ways to its readers pass, or the
                         ///< one before the loop
  /// Only where the compiled code has it several times: each turn of a loop in this loop loads
  /// something else, and ptxas moves all turns. `from` is then the outer loop's first block.
  bool is_unrolled = false;
};

/// Loads that may move because no barrier, atomic operation, call or store in between prevents it.
/// A load that may go to several places is listed once per place.
std::vector<MovedLoad> moved_loads(const ptx::Function& function,
                                   const std::vector<BasicBlock>& blocks);

}  // namespace warpwise::code
