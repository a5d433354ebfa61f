#pragma once
#include <vector>

#include "simulator/code/dominators.h"
#include "simulator/code/order.h"

namespace warpwise::code {

/// Which blocks all ways from a block to the function's end pass. Ways into a trap do not count, as
/// nothing runs behind it.
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

/// The blocks that a branch decides about: those that run on one of its ways, up to where all ways
/// meet; in a loop that it may begin anew, its own block too.
/// @param branch the block that it ends
std::vector<std::size_t> sides_of(std::size_t branch, const std::vector<BasicBlock>& blocks,
                                  const PostDominators& passed);

}  // namespace warpwise::code
