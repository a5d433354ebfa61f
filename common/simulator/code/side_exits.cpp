#include "simulator/code/side_exits.h"

#include <set>

namespace warpwise::code {

std::vector<SideExit> side_exits(const FunctionCode& code) {
  const std::vector<BasicBlock>& blocks = code.blocks();
  const PostDominators& passed = code.passed();
  const std::vector<std::set<std::size_t>> heads = loop_heads(blocks);
  std::set<std::pair<std::size_t, std::size_t>> ways;  // the loop's head, the block behind
  for (std::size_t block = 0; block < blocks.size(); ++block)
    for (const std::size_t head : heads[block])
      for (const std::size_t to : blocks[block].successors)
        if (!heads[to].count(head) && passed.reaches_end(to) && !passed.is_passed(head, to))
          ways.emplace(head, to);
  std::vector<SideExit> found;
  for (const auto& [head, entry] : ways) {
    SideExit exit{entry, {entry}};
    std::vector<bool> is_seen(blocks.size());
    is_seen[entry] = true;
    for (std::size_t i = 0; i < exit.blocks.size(); ++i)
      for (const std::size_t to : blocks[exit.blocks[i]].successors)
        if (!is_seen[to] && !passed.is_passed(head, to)) {
          is_seen[to] = true;
          exit.blocks.push_back(to);
        }
    found.push_back(std::move(exit));
  }
  return found;
}

}  // namespace warpwise::code
