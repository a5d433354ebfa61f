#include "simulator/code/post_dominators.h"

#include <algorithm>

namespace warpwise::code {
namespace {

bool may_end(const ptx::Function& function, const BasicBlock& block) {
  if (block.first == block.last) return block.successors.empty();
  const isa::Kind last = function.body[block.last - 1].kind();
  if (last == isa::Kind::ret || last == isa::Kind::exit) return true;
  return block.successors.empty() && last != isa::Kind::trap;
}

}  // namespace

PostDominators::PostDominators(const ptx::Function& function, const std::vector<BasicBlock>& blocks)
    : end_(blocks.size()), next_(end_ + 1, none), position_(end_ + 1, none) {
  std::vector<std::vector<std::size_t>> successors(end_), before(end_ + 1);
  for (std::size_t block = 0; block < end_; ++block) {
    successors[block] = blocks[block].successors;
    if (may_end(function, blocks[block])) successors[block].push_back(end_);
    for (const std::size_t to : successors[block]) before[to].push_back(block);
  }
  const std::vector<std::size_t> order = backwards(before);
  next_[end_] = end_;
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const std::size_t block : order) {
      if (block == end_) continue;
      std::size_t common = none;
      for (const std::size_t to : successors[block])
        if (next_[to] != none) common = common == none ? to : meet(common, to);
      is_new |= next_[block] != common;
      next_[block] = common;
    }
  }
}

bool PostDominators::is_passed(std::size_t from, std::size_t block) const {
  while (from != block && from != none && from != end_) from = next_[from];
  return from == block;
}

/// All blocks from which the end is reached, those near it first.
std::vector<std::size_t> PostDominators::backwards(
    const std::vector<std::vector<std::size_t>>& before) {
  std::vector<std::size_t> order;
  std::vector<std::pair<std::size_t, std::size_t>> path = {{end_, 0}};
  std::vector<bool> is_seen(end_ + 1);
  is_seen[end_] = true;
  while (!path.empty()) {
    auto& [block, taken] = path.back();
    if (taken == before[block].size()) {
      order.push_back(block);
      path.pop_back();
    } else if (const std::size_t to = before[block][taken++]; !is_seen[to]) {
      is_seen[to] = true;
      path.emplace_back(to, 0);
    }
  }
  std::reverse(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
  return order;
}

/// The first block that the ways from both have in common.
std::size_t PostDominators::meet(std::size_t a, std::size_t b) const {
  while (a != b) {
    while (position_[a] > position_[b]) a = next_[a];
    while (position_[b] > position_[a]) b = next_[b];
  }
  return a;
}

}  // namespace warpwise::code
