// Blocks that only one of a branch's two ways leads to.

#include "simulator/code/flow/branch_sides.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

using namespace warpwise::code;

namespace branch_sides_test {

using Blocks = std::vector<std::size_t>;

std::vector<BasicBlock> graph(const std::vector<Blocks>& successors) {
  std::vector<BasicBlock> blocks;
  for (std::size_t i = 0; i < successors.size(); ++i) blocks.push_back({i, i + 1, successors[i]});
  return blocks;
}

/// The sides of the branch that ends the first block; two empty sides where it has none.
std::vector<Blocks> sides(const std::vector<Blocks>& successors) {
  const std::vector<BasicBlock> blocks = graph(successors);
  BranchSides::Sides found;
  if (!BranchSides(blocks, execution_order(blocks)).find(0, found)) return {{}, {}};
  for (Blocks& side : found) std::sort(side.begin(), side.end());
  return {found[0], found[1]};
}

using Found = std::vector<Blocks>;
const Found none{{}, {}};

TEST_CASE("the sides of a branch end where they join") {
  CHECK(sides({{1, 2}, {3}, {3}, {}}) == Found{{1}, {2}});
  CHECK(sides({{1, 4}, {2, 3}, {3}, {5}, {5}, {}}) == Found{{1, 2, 3}, {4}});
}

TEST_CASE("what both may reach belongs to none, wherever it is") {
  // A case that falls through into the next one.
  CHECK(sides({{1, 2}, {3}, {3, 4}, {4}, {}}) == Found{{1}, {2}});
  CHECK(sides({{1, 2}, {3}, {5, 6}, {4}, {7}, {4}, {7}, {}}) == Found{{1, 3}, {2, 5, 6}});
}

TEST_CASE("a branch has no sides where one way is empty, or where they never meet") {
  CHECK(sides({{1, 2}, {2}, {}}) == none);
  CHECK(sides({{1, 2}, {}, {}}) == none);
  CHECK(sides({{1}, {}}) == none);
  CHECK(sides({{1, 2}, {0}, {}}) == none);  // one way begins the loop anew
  CHECK(sides({{1, 2}, {0}, {0}}) == none);
}

TEST_CASE("in a loop, its end belongs to none: lanes that stay get there later") {
  // 1 heads a loop and ends it; 3 starts the next iteration, 4 may leave by 7.
  const std::vector<BasicBlock> blocks = graph({{1}, {2, 6}, {3, 4}, {5}, {5, 7}, {1}, {}, {6}});
  const BranchSides all(blocks, execution_order(blocks));
  BranchSides::Sides found;
  REQUIRE(all.find(2, found));
  CHECK(Found{found[0], found[1]} == Found{{3}, {4, 7}});
}

TEST_CASE("lanes that stay in a loop that the others leave have all of it") {
  const std::vector<BasicBlock> blocks = graph({{1}, {2, 4}, {3}, {1, 5}, {5}, {}});
  BranchSides::Sides found;
  REQUIRE(BranchSides(blocks, execution_order(blocks)).find(1, found));
  CHECK(Found{found[0], found[1]} == Found{{1, 2, 3}, {4}});
}

TEST_CASE("a loop may be a part of one side") {
  CHECK(sides({{1, 2}, {1, 3}, {3}, {}}) == Found{{1}, {2}});
}

TEST_CASE("in random graphs without loops they are what one way reaches and the other does not") {
  std::mt19937 random(3);
  unsigned two = 0, no = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    const std::size_t size = 3 + random() % 10;
    std::vector<Blocks> successors(size);
    for (std::size_t i = 0; i < size; ++i)
      for (unsigned way = i + 1 < size ? random() % 3 : 0; way > 0; --way)
        successors[i].push_back(i + 1 + random() % (size - i - 1));
    const std::vector<BasicBlock> blocks = graph(successors);
    const std::vector<std::size_t> order = execution_order(blocks);
    const BranchSides all(blocks, order);
    for (const std::size_t block : order) {
      const Blocks& ways = blocks[block].successors;
      Blocks expected[2];
      bool do_meet = false;
      if (ways.size() == 2) {
        std::set<std::size_t> reached[2];
        for (unsigned way : {0u, 1u}) {
          reached[way].insert(ways[way]);
          for (const std::size_t from : order)
            if (reached[way].count(from))
              reached[way].insert(blocks[from].successors.begin(), blocks[from].successors.end());
        }
        for (const std::size_t place : order)
          for (unsigned way : {0u, 1u}) {
            if (!reached[way].count(place)) continue;
            if (reached[1 - way].count(place))
              do_meet = true;
            else
              expected[way].push_back(place);
          }
      }
      const bool are_two = do_meet && !expected[0].empty() && !expected[1].empty();
      BranchSides::Sides found;
      REQUIRE(all.find(block, found) == are_two);
      if (are_two)
        for (unsigned way : {0u, 1u}) REQUIRE(found[way] == expected[way]);
      two += are_two;
      no += !are_two && ways.size() == 2;
    }
  }
  CHECK(two > 100);
  CHECK(no > 100);
}

}  // namespace branch_sides_test
