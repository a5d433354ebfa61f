#pragma once
#include <vector>

#include "simulator/code/order.h"

namespace warpwise::code {

/// Which blocks all ways from a block to the function's end pass. Ways into a trap do not count, as
/// nothing runs behind it.
class PostDominators {
 public:
  PostDominators(const ptx::Function& function, const std::vector<BasicBlock>& blocks);

  /// True where all ways from `from` to the end pass `block`, or it is that block.
  bool is_passed(std::size_t from, std::size_t block) const;
  bool reaches_end(std::size_t block) const { return next_[block] != none; }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  std::vector<std::size_t> backwards(const std::vector<std::vector<std::size_t>>& before);
  std::size_t meet(std::size_t a, std::size_t b) const;

  std::size_t end_;                    ///< the number of blocks stands for the end
  std::vector<std::size_t> next_;      ///< of each block the first that all ways pass
  std::vector<std::size_t> position_;  ///< those near the end have small ones
};

}  // namespace warpwise::code
