#include "simulator/cudart/memory/pool_space.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace pool_space_test {

using namespace warpwise::cudart;

constexpr std::uint64_t MB = 1 << 20, no_limit = 0;

bool none(const OperationPtr&, const Stream&) { return false; }
bool all(const OperationPtr&, const Stream&) { return true; }

TEST_CASE("allocations follow each other, and the pool holds the pieces under them") {
  PoolSpace space;
  CHECK(space.take(1000, no_limit, none) == 0u);
  CHECK(space.take(31 * MB, no_limit, none) == 1024u);
  CHECK(space.reserved_bytes() == 32 * MB);
  CHECK(space.take(2 * MB, no_limit, none) == 31 * MB + 1024);
  CHECK(space.reserved_bytes() == 64 * MB);
  CHECK(space.take(100 * MB, no_limit, none) == 33 * MB + 1024);
  CHECK(space.reserved_bytes() == 160 * MB);
  space.give(33 * MB + 1024);
  space.release_above(0);
  CHECK(space.reserved_bytes() == 64 * MB);
}

TEST_CASE("the smallest gap that is large enough is used first") {
  PoolSpace space;
  std::vector<std::uint64_t> places;
  for (const std::uint64_t bytes : {1000, 5000, 1000, 3000, 1000, 3000, 1000, 9000, 1000})
    places.push_back(*space.take(bytes, no_limit, none));
  for (const std::size_t i : {1, 3, 5, 7}) space.give(places[i]);
  CHECK(space.take(3000, no_limit, none) == places[3]);
  CHECK(space.take(3000, no_limit, none) == places[5]);
  CHECK(space.take(9000, no_limit, none) == places[7]);
  CHECK(space.take(2000, no_limit, none) == places[1]);
  CHECK(space.take(2000, no_limit, none) == places[1] + 2048);
}

TEST_CASE("what an operation gives back is used again as far as it may") {
  PoolSpace space;
  const auto end = std::make_shared<Operation>();
  const auto stream = std::make_shared<Stream>();
  CHECK(space.take(3000, no_limit, none) == 0u);
  CHECK(space.take(1000, no_limit, none) == 3072u);
  space.give(0, end, stream);
  CHECK(space.take(1000, no_limit, none) == 4096u);
  CHECK(space.take(1000, no_limit, all) == 0u);
  CHECK(space.take(2000, no_limit, all) == 1024u);
  CHECK_FALSE(space.settle([](const OperationPtr&) { return true; }));
  space.give(1024, end, stream);
  CHECK_FALSE(space.settle([](const OperationPtr&) { return false; }));
  CHECK(space.settle([](const OperationPtr&) { return true; }));
  CHECK(space.take(2048, no_limit, none) == 1024u);
}

TEST_CASE("a limit is one in whole pieces, and so is what is kept") {
  PoolSpace space;
  CHECK(space.take(1000, 40 * MB, none) == 0u);
  CHECK(space.take(60 * MB, 40 * MB, none));
  CHECK_FALSE(space.take(4 * MB, 40 * MB, none));
  CHECK(space.reserved_bytes() == 64 * MB);
  space.give(0), space.give(1024);
  for (int i = 0; i < 5; ++i) space.take(20 * MB, no_limit, none);
  for (int i = 0; i < 5; ++i) space.give(static_cast<std::uint64_t>(i) * 20 * MB);
  CHECK(space.reserved_bytes() == 128 * MB);
  space.release_down_to(50 * MB);
  CHECK(space.reserved_bytes() == 64 * MB);
  space.release_above(40 * MB);
  CHECK(space.reserved_bytes() == 32 * MB);
  space.release_down_to(0);
  CHECK(space.reserved_bytes() == 0);
}

}  // namespace pool_space_test
