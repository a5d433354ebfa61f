#include "simulator/code/flow/dominators.h"

#include <algorithm>
#include <utility>

namespace warpwise::code {

Dominators::Dominators(const std::vector<std::vector<std::size_t>>& successors, std::size_t root)
    : root_(root), above_(successors.size(), none), position_(successors.size(), none) {
  std::vector<std::vector<std::size_t>> before(successors.size());
  for (std::size_t node = 0; node < successors.size(); ++node)
    for (const std::size_t to : successors[node]) before[to].push_back(node);
  const std::vector<std::size_t> order = from_root(successors);
  above_[root] = root;
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (const std::size_t node : order) {
      if (node == root) continue;
      std::size_t common = none;
      for (const std::size_t from : before[node])
        if (is_known(from)) common = common == none ? from : meet(common, from);
      is_new |= above_[node] != common;
      above_[node] = common;
    }
  }
}

std::size_t Dominators::meet(std::size_t a, std::size_t b) const {
  while (a != b) {
    while (position_[a] > position_[b]) a = above_[a];
    while (position_[b] > position_[a]) b = above_[b];
  }
  return a;
}

bool Dominators::is_passed(std::size_t node, std::size_t to) const {
  while (to != node && is_known(to) && to != root_) to = above_[to];
  return to == node;
}

/// All nodes to which there is a way, those near the root first.
std::vector<std::size_t> Dominators::from_root(
    const std::vector<std::vector<std::size_t>>& successors) {
  std::vector<std::size_t> order;
  std::vector<std::pair<std::size_t, std::size_t>> path = {{root_, 0}};
  std::vector<bool> is_seen(successors.size());
  is_seen[root_] = true;
  while (!path.empty()) {
    auto& [node, taken] = path.back();
    if (taken == successors[node].size()) {
      order.push_back(node);
      path.pop_back();
    } else if (const std::size_t to = successors[node][taken++]; !is_seen[to]) {
      is_seen[to] = true;
      path.emplace_back(to, 0);
    }
  }
  std::reverse(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
  return order;
}

}  // namespace warpwise::code
