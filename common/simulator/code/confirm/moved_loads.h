#pragma once
#include <vector>

#include "simulator/code/flow/order.h"

namespace warpwise::code {

/// A load that ptxas may put elsewhere: behind the branch that wants its value, or in front of a
/// loop each turn of which loads the same.
struct MovedLoad {
  std::size_t at;        ///< its place in the function's body
  std::size_t from, to;  ///< its block, and the first that all ways to its readers pass, or the
                         ///< one in front of the loop
  /// Only where the compiled code has it several times: each turn of a loop in this loop loads
  /// something else, and ptxas moves all turns. `from` is then the outer loop's first block.
  bool is_unrolled = false;
};

/// Loads that no barrier, atomic operation, call or store on the way keeps where they are. One
/// that may go to several places is here several times.
std::vector<MovedLoad> moved_loads(const ptx::Function& function,
                                   const std::vector<BasicBlock>& blocks);

}  // namespace warpwise::code
