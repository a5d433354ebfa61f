#include "simulator/code/flow/dominators.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using warpwise::code::Dominators;

namespace dominators_test {

using Graph = std::vector<std::vector<std::size_t>>;

/// Nodes that are reached from node 0 by ways that do not pass one.
std::vector<bool> reached(const Graph& graph, std::size_t without) {
  std::vector<bool> seen(graph.size());
  if (without == 0) return seen;
  std::vector<std::size_t> left = {0};
  seen[0] = true;
  while (!left.empty()) {
    const std::size_t node = left.back();
    left.pop_back();
    for (const std::size_t to : graph[node])
      if (to != without && !seen[to]) {
        seen[to] = true;
        left.push_back(to);
      }
  }
  return seen;
}

/// Mostly ways to nodes a little ahead; now and then anywhere, also into the middle of loops.
Graph random_graph(std::mt19937& random) {
  Graph graph(2 + random() % 12);
  for (std::size_t node = 0; node < graph.size(); ++node)
    for (unsigned ways = random() % 4 % 3; ways > 0; --ways)
      graph[node].push_back(random() % 3 ? std::min(graph.size() - 1, node + 1 + random() % 3)
                                         : random() % graph.size());
  return graph;
}

TEST_CASE("a node dominates what cannot be reached without it, in graphs of all kinds") {
  unsigned passed = 0, avoided = 0;
  for (unsigned seed = 0; seed < 5000; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const Graph graph = random_graph(random);
    const Dominators dominators(graph, 0);
    const std::vector<bool> all = reached(graph, graph.size());
    for (std::size_t node = 0; node < graph.size(); ++node) {
      const std::vector<bool> without = reached(graph, node);
      REQUIRE(dominators.is_known(node) == all[node]);
      for (std::size_t to = 0; to < graph.size(); ++to) {
        if (!all[node] || !all[to]) continue;
        const bool is_passed = node == to || !without[to];
        REQUIRE(dominators.is_passed(node, to) == is_passed);
        (is_passed ? passed : avoided) += 1;
      }
    }
  }
  CHECK(passed > 10000);
  CHECK(avoided > 10000);
}

}  // namespace dominators_test
