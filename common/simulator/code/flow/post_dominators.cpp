#include "simulator/code/flow/post_dominators.h"

namespace warpwise::code {
namespace {

bool may_end(const ptx::Function& function, const BasicBlock& block) {
  if (block.first == block.last) return block.successors.empty();
  const isa::Kind last = function.body[block.last - 1].kind();
  if (last == isa::Kind::ret || last == isa::Kind::exit) return true;
  return block.successors.empty() && last != isa::Kind::trap;
}

/// The predecessors of each block, and of the end, whose index is the number of blocks.
Ways blocks_before(const ptx::Function& function, const std::vector<BasicBlock>& blocks) {
  Ways before = ways_back(blocks);
  before.emplace_back();
  for (std::size_t block = 0; block < blocks.size(); ++block)
    if (may_end(function, blocks[block])) before.back().push_back(block);
  return before;
}

}  // namespace

PostDominators::PostDominators(const ptx::Function& function, const std::vector<BasicBlock>& blocks)
    : backwards_(blocks_before(function, blocks), blocks.size()) {}

}  // namespace warpwise::code
