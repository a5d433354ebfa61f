#pragma once
#include <set>
#include <vector>

#include "simulator/ptx/module.h"

namespace warpwise::code {

/// A run of instructions entered only at its first and left only after its last.
struct BasicBlock {
  std::size_t first, last;  ///< [first, last) in the function's body
  std::vector<std::size_t>
      successors;  ///< indices of blocks; the one that follows in the text first
};

/// Cuts a function's body at labels and after branches. Never empty.
/// @throws ptx::ParseError for a branch to no label.
std::vector<BasicBlock> basic_blocks(const ptx::Function& function);

/// For each block, its successors, or its predecessors.
using Ways = std::vector<std::vector<std::size_t>>;

Ways ways_ahead(const std::vector<BasicBlock>& blocks);
Ways ways_back(const std::vector<BasicBlock>& blocks);

/// For each block, the first blocks of all loops that contain it; a first block is part of its
/// loop.
std::vector<std::set<std::size_t>> loop_heads(const std::vector<BasicBlock>& blocks);

/// A topological order (except for back edges) in which all of a loop comes before its successors.
/// A group of lanes with a smaller position is less advanced; running it first makes lanes meet
/// again where paths join.
std::vector<std::size_t> execution_order(const std::vector<BasicBlock>& blocks);

}  // namespace warpwise::code
