#include "simulator/watch/knowledge.h"

#include <doctest/doctest.h>

namespace warpwise::watch {
namespace {

constexpr unsigned all = Knowledge::every_lane;

/// Knows of all lanes of the warps, up to the clock.
Knowledge::Shared of_warps(std::uint64_t first, std::uint64_t end, std::uint32_t clock) {
  auto made = std::make_shared<Knowledge>();
  for (std::uint64_t warp = first; warp < end; ++warp) made->append(warp, all, clock);
  return made;
}

Knowledge::Shared of_lane(std::uint64_t warp, unsigned lane, std::uint32_t clock) {
  auto made = std::make_shared<Knowledge>();
  made->append(warp, lane, clock);
  return made;
}

TEST_CASE("what is joined covers what either covers, and no more") {
  const auto joined = Knowledge::join(Knowledge::join(of_warps(0, 40, 3), of_warps(30, 100, 5)),
                                      Knowledge::join(of_lane(7, 2, 9), of_lane(200, 0, 1)));
  CHECK(joined->covers(0, 31, 3));
  CHECK_FALSE(joined->covers(0, 31, 4));
  CHECK(joined->covers(30, 0, 5));
  CHECK(joined->covers(99, 0, 5));
  CHECK_FALSE(joined->covers(100, 0, 1));
  CHECK(joined->covers(7, 2, 9));
  CHECK_FALSE(joined->covers(7, 3, 4));
  CHECK(joined->covers(200, 0, 1));
  CHECK_FALSE(joined->covers(200, 1, 1));
}

TEST_CASE("nothing new is made where one of the two knows all") {
  const auto much = of_warps(0, 100, 5), little = of_warps(50, 60, 5), lane = of_lane(70, 3, 4);
  CHECK(Knowledge::join(much, little) == much);
  CHECK(Knowledge::join(little, much) == much);
  CHECK(Knowledge::join(lane, much) == much);
  CHECK(Knowledge::join(much, nullptr) == much);
  CHECK(Knowledge::join(nullptr, much) == much);
  CHECK(Knowledge::join(much, of_lane(70, 3, 6)) != much);
  const auto more = of_warps(80, 200, 7);  // and nothing twice
  CHECK(Knowledge::join(much, more) == Knowledge::join(much, more));
}

TEST_CASE("the order of joining makes no difference") {
  const Knowledge::Shared parts[] = {of_warps(0, 20, 2), of_warps(16, 33, 4), of_lane(18, 5, 6),
                                     of_lane(1000, 31, 1)};
  Knowledge::Shared forward, backward;
  for (int i = 0; i < 4; ++i) {
    forward = Knowledge::join(forward, parts[i]);
    backward = Knowledge::join(backward, parts[3 - i]);
  }
  for (const std::uint64_t warp : {0, 15, 16, 18, 19, 20, 32, 33, 1000})
    for (const unsigned lane : {0u, 5u, 31u})
      for (const std::uint32_t clock : {1u, 2u, 4u, 6u, 7u})
        CHECK(forward->covers(warp, lane, clock) == backward->covers(warp, lane, clock));
}

}  // namespace
}  // namespace warpwise::watch
