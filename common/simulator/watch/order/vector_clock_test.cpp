#include "simulator/watch/order/vector_clock.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace warpwise::watch {
namespace {

constexpr unsigned all = VectorClock::every_lane;

/// Knows of all lanes of the warps, up to the clock.
VectorClock::Shared of_warps(std::uint64_t first, std::uint64_t end, std::uint32_t clock) {
  auto made = std::make_shared<VectorClock>();
  for (std::uint64_t warp = first; warp < end; ++warp) made->append(warp, all, clock);
  return made;
}

VectorClock::Shared of_lane(std::uint64_t warp, unsigned lane, std::uint32_t clock) {
  auto made = std::make_shared<VectorClock>();
  made->append(warp, lane, clock);
  return made;
}

TEST_CASE("what is joined covers what either covers, and no more") {
  const auto joined = VectorClock::join(VectorClock::join(of_warps(0, 40, 3), of_warps(30, 100, 5)),
                                        VectorClock::join(of_lane(7, 2, 9), of_lane(200, 0, 1)));
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
  CHECK(VectorClock::join(much, little) == much);
  CHECK(VectorClock::join(little, much) == much);
  CHECK(VectorClock::join(lane, much) == much);
  CHECK(VectorClock::join(much, nullptr) == much);
  CHECK(VectorClock::join(nullptr, much) == much);
  CHECK(VectorClock::join(much, of_lane(70, 3, 6)) != much);
  const auto more = of_warps(80, 200, 7);  // and nothing twice
  CHECK(VectorClock::join(much, more) == VectorClock::join(much, more));
}

TEST_CASE("the order of joining makes no difference") {
  const VectorClock::Shared parts[] = {of_warps(0, 20, 2), of_warps(16, 33, 4), of_lane(18, 5, 6),
                                       of_lane(1000, 31, 1)};
  VectorClock::Shared forward, backward;
  for (int i = 0; i < 4; ++i) {
    forward = VectorClock::join(forward, parts[i]);
    backward = VectorClock::join(backward, parts[3 - i]);
  }
  for (const std::uint64_t warp : {0, 15, 16, 18, 19, 20, 32, 33, 1000})
    for (const unsigned lane : {0u, 5u, 31u})
      for (const std::uint32_t clock : {1u, 2u, 4u, 6u, 7u})
        CHECK(forward->covers(warp, lane, clock) == backward->covers(warp, lane, clock));
}

TEST_CASE("what one knows covers what another knows exactly where it covers each part of it") {
  unsigned covered = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    struct Part {
      std::uint64_t warp;
      unsigned lane;
      std::uint32_t clock;
    };
    std::vector<Part> parts[2];
    VectorClock::Shared known[2];
    // Clocks of what is to cover are mostly higher.
    for (int which : {0, 1})
      for (unsigned i = 0; i < (which ? 4u : 60u); ++i) {
        const Part part{random() % 5 * 16 + random() % 3,
                        random() % 3 ? static_cast<unsigned>(random() % 3) : all,
                        1 + static_cast<std::uint32_t>(random()) % (which ? 3 : 8)};
        auto made = std::make_shared<VectorClock>();
        made->append(part.warp, part.lane, part.clock);
        known[which] = VectorClock::join(known[which], made);
        parts[which].push_back(part);
      }
    auto has = [&](const Part& wanted) {
      return std::any_of(parts[0].begin(), parts[0].end(), [&](const Part& part) {
        return part.warp == wanted.warp && (part.lane == wanted.lane || part.lane == all) &&
               part.clock >= wanted.clock;
      });
    };
    CAPTURE(seed);
    const bool expected = std::all_of(parts[1].begin(), parts[1].end(), has);
    CHECK(known[0]->covers(*known[1]) == expected);
    covered += expected;
  }
  CHECK(covered > 200);
  CHECK(covered < 2800);
}

}  // namespace
}  // namespace warpwise::watch
