// The turns of a warp's groups.

#include "simulator/machine/warp/warp.h"

#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <vector>

using namespace warpwise;
using namespace warpwise::machine;

namespace warp_test {

TEST_CASE("a group's turn lasts until it is at least as advanced as another, or meets it") {
  const code::FrameLayout layout;
  std::mt19937 random(1);
  constexpr std::uint32_t places = 6;
  unsigned in_callee = 0, by_own_place = 0, never = 0, always = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    std::vector<std::unique_ptr<CallFrame>> frames;
    for (unsigned i = 0; i < 6; ++i) {
      frames.push_back(std::make_unique<CallFrame>(layout));
      if (i == 0) continue;
      CallFrame& frame = *frames.back();
      frame.caller = frames[random() % i].get();
      frame.return_pc = 1 + random() % places;
      frame.depth = frame.caller->depth + 1;
    }
    Group group, other;
    group.frame = frames[random() % frames.size()].get();
    other.frame = frames[random() % frames.size()].get();
    other.pc = random() % places;
    const std::uint32_t end = first_turn(group, other);
    for (group.pc = 0; group.pc < places; ++group.pc) {
      const bool is_first = is_less_advanced(group, other) && !is_less_advanced(other, group);
      REQUIRE((group.pc < end) == is_first);
      REQUIRE_FALSE((is_first && group.stands_with(other)));
    }
    in_callee += other.frame->caller == group.frame && end < places;
    by_own_place += group.frame != other.frame && group.frame->depth == other.frame->depth &&
                    end == other.pc && end > 0;
    never += end == 0;
    always += end == ~0u;
  }
  for (const unsigned count : {in_callee, by_own_place, never, always}) CHECK(count > 100);
}

}  // namespace warp_test
