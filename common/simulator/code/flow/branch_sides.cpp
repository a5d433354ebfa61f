#include "simulator/code/flow/branch_sides.h"

#include <algorithm>
#include <map>

namespace warpwise::code {
namespace {

/// In a kernel whose text was unrolled a thousand times, each branch would walk through all copies.
constexpr unsigned most_steps = 256;

}  // namespace

BranchSides::BranchSides(const std::vector<BasicBlock>& blocks,
                         const std::vector<std::size_t>& order)
    : blocks_(blocks), positions_(blocks.size(), blocks.size()), heads_(loop_heads(blocks)) {
  for (std::size_t i = 0; i < order.size(); ++i) positions_[order[i]] = i;
}

bool BranchSides::find(std::size_t block, Sides& sides) const {
  for (std::vector<std::size_t>& side : sides) side.clear();
  const std::vector<std::size_t>& ways = blocks_[block].successors;
  if (ways.size() != 2) return false;
  constexpr unsigned both = 3;
  struct Reached {
    std::size_t block;
    unsigned by = 0;  ///< 1 and 2: the ways
  };
  std::map<std::size_t, Reached> open;  // by position
  unsigned single = 0;                  // open places that only one way has led to
  const auto come_to = [&](std::size_t next, unsigned by) {
    Reached& reached = open.try_emplace(positions_[next], Reached{next}).first->second;
    if (reached.by == 0 && by != both) ++single;
    if (reached.by != 0 && reached.by != both && (reached.by | by) == both) --single;
    reached.by |= by;
  };
  for (unsigned way : {0u, 1u}) {
    if (positions_[ways[way]] <= positions_[block]) return false;
    come_to(ways[way], way + 1);
  }
  bool do_meet = false;
  for (unsigned step = 0; single > 0; ++step) {
    if (step == most_steps) return false;
    const auto [position, first] = *open.begin();
    open.erase(open.begin());
    if (first.by == both) {
      do_meet = true;
    } else {
      --single;
      sides[first.by - 1].push_back(first.block);
    }
    for (const std::size_t next : blocks_[first.block].successors)
      if (positions_[next] > position) come_to(next, first.by);
  }
  if (!do_meet && open.empty()) return false;
  for (unsigned way : {0u, 1u}) leave_out_ways_round(block, ways[way], sides[way]);
  if (sides[0].empty() || sides[1].empty()) return false;
  for (unsigned way : {0u, 1u}) add_loop_left(block, ways[way], ways[1 - way], sides[way]);
  return true;
}

/// If one way leaves a loop for good, all of the loop belongs to the other way.
void BranchSides::add_loop_left(std::size_t block, std::size_t way, std::size_t other,
                                std::vector<std::size_t>& side) const {
  for (const std::size_t head : heads_[block]) {
    if (!heads_[way].count(head) || heads_[other].count(head)) continue;
    for (std::size_t at = 0; at < blocks_.size(); ++at)
      if (heads_[at].count(head)) side.push_back(at);
  }
  std::sort(side.begin(), side.end(),
            [&](std::size_t a, std::size_t b) { return positions_[a] < positions_[b]; });
  side.erase(std::unique(side.begin(), side.end()), side.end());
}

/// The blocks that a loop's next iterations lead to, if the block does not go that way.
/// @param last place of the execution order up to which they are needed.
std::vector<bool> BranchSides::reached_from(std::size_t head, std::size_t block, std::size_t way,
                                            std::size_t last) const {
  std::vector<bool> reached(blocks_.size());
  std::map<std::size_t, std::size_t> open{{positions_[head], head}};
  while (!open.empty()) {
    const auto [position, at] = *open.begin();
    open.erase(open.begin());
    reached[at] = true;
    for (const std::size_t next : blocks_[at].successors)
      if (positions_[next] > position && positions_[next] <= last && !(at == block && next == way))
        open.emplace(positions_[next], next);
  }
  return reached;
}

void BranchSides::leave_out_ways_round(std::size_t block, std::size_t way,
                                       std::vector<std::size_t>& side) const {
  for (const std::size_t head : heads_[block]) {
    const auto is_outside = [&](std::size_t at) { return !heads_[at].count(head); };
    if (std::none_of(side.begin(), side.end(), is_outside)) continue;
    const std::vector<bool> reached = reached_from(head, block, way, positions_[side.back()]);
    std::erase_if(side, [&](std::size_t at) { return is_outside(at) && reached[at]; });
  }
}

}  // namespace warpwise::code
