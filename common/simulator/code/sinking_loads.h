#pragma once
#include <vector>

#include "simulator/code/order.h"

namespace warpwise::code {

/// A load whose value is wanted only behind a branch, where ptxas may put it.
struct SinkingLoad {
  std::size_t at;        ///< its place in the function's body
  std::size_t from, to;  ///< its block, and the first that all ways to its readers pass
};

/// Loads that no barrier, atomic operation, call or store nearby keeps from being moved down to
/// the branch's other side.
std::vector<SinkingLoad> sinking_loads(const ptx::Function& function,
                                       const std::vector<BasicBlock>& blocks);

}  // namespace warpwise::code
