#include "simulator/code/flow/side_exits.h"

#include <set>

#include "simulator/code/flow/dominators.h"

namespace warpwise::code {
namespace {

/// The branch where lanes diverge, and a block that they reach before all their ways meet.
using Partings = std::set<std::pair<std::size_t, std::size_t>>;

/// Ways from a loop's head to a block after the loop that not all lanes pass.
void add_ways_out_of_loops(const FunctionCode& code, Partings& ways) {
  const std::vector<BasicBlock>& blocks = code.blocks();
  const PostDominators& passed = code.passed();
  const std::vector<std::set<std::size_t>>& heads = code.heads();
  for (std::size_t block = 0; block < blocks.size(); ++block)
    for (const std::size_t head : heads[block])
      for (const std::size_t to : blocks[block].successors)
        if (!heads[to].count(head) && passed.reaches_end(to) && !passed.is_passed(head, to))
          ways.emplace(head, to);
}

/// The blocks between a branch and one that all ways to it pass the branch, which comes first.
std::vector<std::size_t> between(const Ways& back, std::size_t branch, std::size_t block) {
  std::vector<bool> is_seen(back.size());
  is_seen[branch] = is_seen[block] = true;
  std::vector<std::size_t> found = {branch};
  const auto add_before = [&](std::size_t of) {
    for (const std::size_t from : back[of])
      if (!is_seen[from]) {
        is_seen[from] = true;
        found.push_back(from);
      }
  };
  add_before(block);
  for (std::size_t i = 1; i < found.size(); ++i) add_before(found[i]);
  return found;
}

/// ptxas lets lanes wait for each other at such a block where a single branch leads past it, to
/// where all meet, as in `if (a || b)`; not before a barrier, at which they wait anyway.
bool waits_at(const FunctionCode& code, const Ways& back, std::size_t branch, std::size_t block) {
  const std::vector<BasicBlock>& blocks = code.blocks();
  const std::vector<std::size_t> region = between(back, branch, block);
  const std::set<std::size_t> inside(region.begin(), region.end());
  std::vector<std::size_t> past;
  for (const std::size_t from : region)
    for (const std::size_t to : blocks[from].successors)
      if (to != block && !inside.count(to)) past.push_back(to);
  if (past.size() != 1 || !code.passed().is_passed(branch, past[0])) return false;
  for (std::size_t at = blocks[past[0]].first; at < blocks[past[0]].last; ++at)
    if (code.at(at).kind() == isa::Kind::barrier) return false;
  return true;
}

/// Ways from a branch to a block that it and a later branch lead to, and that not all lanes pass.
void add_ways_to_joins(const FunctionCode& code, Partings& ways) {
  const std::vector<BasicBlock>& blocks = code.blocks();
  const PostDominators& passed = code.passed();
  const Ways back = ways_back(blocks);
  const Dominators dominators(ways_ahead(blocks), 0);
  for (std::size_t block = 1; block < blocks.size(); ++block) {
    if (back[block].size() < 2 || !dominators.is_known(block) || !passed.reaches_end(block))
      continue;
    const std::size_t branch = dominators.above(block);
    if (!passed.is_passed(branch, block) && !waits_at(code, back, branch, block))
      ways.emplace(branch, block);
  }
}

}  // namespace

std::vector<SideExit> side_exits(const FunctionCode& code) {
  Partings ways;
  add_ways_out_of_loops(code, ways);
  add_ways_to_joins(code, ways);
  std::vector<SideExit> found;
  for (const auto& [from, entry] : ways) {
    SideExit exit{entry, {entry}};
    std::vector<bool> is_seen(code.blocks().size());
    is_seen[entry] = true;
    for (std::size_t i = 0; i < exit.blocks.size(); ++i)
      for (const std::size_t to : code.blocks()[exit.blocks[i]].successors)
        if (!is_seen[to] && !code.passed().is_passed(from, to)) {
          is_seen[to] = true;
          exit.blocks.push_back(to);
        }
    found.push_back(std::move(exit));
  }
  return found;
}

}  // namespace warpwise::code
