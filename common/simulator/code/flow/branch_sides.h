#pragma once
#include <set>
#include <vector>

#include "simulator/code/flow/order.h"

namespace warpwise::code {

/// Finds the blocks that only one of a branch's two ways leads to. As long as lanes that diverge
/// there stay on these blocks, the order in which they run cannot keep them from meeting again. In
/// a loop around the branch, the ways of one iteration count, and the exits of the loop. If some
/// lanes leave a loop and others stay, the whole loop belongs to the side of those that stay.
class BranchSides {
 public:
  /// @param order execution_order() of the blocks.
  BranchSides(const std::vector<BasicBlock>& blocks, const std::vector<std::size_t>& order);

  /// Blocks, in the order of their execution, of each way up to the next iteration of a loop: first
  /// the way that goes on in the text, then the other.
  using Sides = std::vector<std::size_t>[2];

  /// @return false where the block does not end in a choice of two ways, where one of them leads
  /// at once to where both meet, or where they never meet. Also false if there is very much code in
  /// between.
  bool find(std::size_t block, Sides& sides) const;

  /// Of a block, in the execution order.
  std::size_t position(std::size_t block) const { return positions_[block]; }

 private:
  const std::vector<BasicBlock>& blocks_;
  std::vector<std::size_t> positions_;        ///< in the execution order
  std::vector<std::set<std::size_t>> heads_;  ///< of the loops around each block

  /// Removes from a side the blocks that the other side may reach in a later iteration of a loop.
  void leave_out_ways_round(std::size_t block, std::size_t way,
                            std::vector<std::size_t>& side) const;
  void add_loop_left(std::size_t block, std::size_t way, std::size_t other,
                     std::vector<std::size_t>& side) const;
  std::vector<bool> reached_from(std::size_t head, std::size_t block, std::size_t way,
                                 std::size_t last) const;
};

}  // namespace warpwise::code
