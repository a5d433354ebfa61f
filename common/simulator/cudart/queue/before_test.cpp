#include "simulator/cudart/queue/before.h"

#include <doctest/doctest.h>

namespace warpwise::cudart {
namespace {

TEST_CASE("an operation of a chain brings along the earlier ones of it") {
  Before before;
  before.add(1, 10);
  before.add(2, 7);
  before.add(1, 5);
  CHECK(before.holds(1, 10));
  CHECK(before.holds(1, 3));
  CHECK_FALSE(before.holds(1, 11));
  CHECK_FALSE(before.holds(2, 8));
  CHECK_FALSE(before.holds(3, 1));
}

TEST_CASE("all of one device come before, and nothing of another") {
  Before before, later;
  const std::uint64_t of_0 = Before::chain_of(7, 0), of_1 = Before::chain_of(7, 1);
  before.add(of_1, 3);
  before.add_all_of(0, 5);
  CHECK(before.holds(of_0, 5));
  CHECK_FALSE(before.holds(of_0, 6));
  CHECK(before.holds(of_1, 3));
  CHECK_FALSE(before.holds(of_1, 4));
  later.add(before);
  CHECK(later.holds(Before::chain_of(100, 0), 5));
  CHECK_FALSE(later.holds(Before::chain_of(100, 1), 1));
}

TEST_CASE("what comes before one that comes before, comes before") {
  Before first, second;
  first.add_all(4);
  first.add(1, 10);
  second.add(2, 12);
  second.add(first);
  CHECK(second.holds(1, 9));
  CHECK(second.holds(2, 12));
  CHECK(second.holds(77, 4));
  CHECK_FALSE(second.holds(77, 5));
}

TEST_CASE("chains of graphs are forgotten, what all come after stays") {
  Before before;
  before.add(1, 10);
  before.add(100, 11);
  before.add_all(5);
  before.forget_chains_from(100);
  CHECK(before.holds(1, 10));
  CHECK(before.holds(100, 5));
  CHECK_FALSE(before.holds(100, 11));
}

}  // namespace
}  // namespace warpwise::cudart
