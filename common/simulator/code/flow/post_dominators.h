#pragma once
#include <vector>

#include "simulator/code/flow/dominators.h"
#include "simulator/code/flow/order.h"

namespace warpwise::code {

/// Finds the blocks that all ways from a block to the function's end pass. Ways into a trap do not
/// count, because nothing runs after a trap.
class PostDominators {
 public:
  PostDominators(const ptx::Function& function, const std::vector<BasicBlock>& blocks);

  /// True where all ways from `from` to the end pass `block`, or it is that block.
  bool is_passed(std::size_t from, std::size_t block) const {
    return backwards_.is_passed(block, from);
  }
  bool reaches_end(std::size_t block) const { return backwards_.is_known(block); }

 private:
  Dominators backwards_;  ///< against all ways, from the end
};

}  // namespace warpwise::code
