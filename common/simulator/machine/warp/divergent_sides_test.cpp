// Which side of a branch goes first, until its lanes meet the others.

#include "simulator/machine/warp/divergent_sides.h"

#include <doctest/doctest.h>

#include "simulator/machine/warp/warp.h"

using namespace warpwise;
using namespace warpwise::machine;

namespace divergent_sides_test {

struct Fixture {
  code::FrameLayout layout;
  CallFrame kernel{layout}, callee{layout};
  /// A branch at 10: lanes that go on have 11 to 19, lanes that take it 20 to 29; all meet at 30.
  code::Parting outer{{{{11, 20}}, {{20, 30}}}, false};
  /// A branch at 12: 13 to 14, and 15 to 16; they meet at 17.
  code::Parting inner{{{{13, 15}}, {{15, 17}}}, false};
  DivergentSides sides;

  Fixture() {
    callee.caller = &kernel;
    callee.depth = 1;
    callee.return_pc = 16;
  }
  Group at(std::uint32_t pc, std::uint32_t side) {
    Group group;
    group.pc = pc;
    group.frame = &kernel;
    group.side = side;
    return group;
  }
};

TEST_CASE("the side that was chosen goes first, as long as both are on theirs") {
  Fixture f;
  const std::uint32_t taking = f.sides.part(whole_warp, f.kernel, f.outer, 1);
  const Group first = f.at(25, taking), other = f.at(11, taking + 1);
  CHECK(f.sides.goes_first(first, other));
  CHECK_FALSE(f.sides.goes_first(other, first));
  REQUIRE(f.sides.stands_first(first, other));
  CHECK(f.sides.stands_first(first, other)->stretch->last == 30);
}

TEST_CASE("lanes that have reached the place where both meet wait for the others") {
  Fixture f;
  const std::uint32_t first = f.sides.part(whole_warp, f.kernel, f.outer, 1);
  CHECK(f.sides.goes_first(f.at(11, first + 1), f.at(30, first)));
  CHECK_FALSE(f.sides.goes_first(f.at(30, first), f.at(11, first + 1)));
  CHECK_FALSE(f.sides.goes_first(f.at(31, first), f.at(30, first + 1)));
}

TEST_CASE("of sides within sides the parting counts that made the two of one") {
  Fixture f;
  const std::uint32_t outer = f.sides.part(whole_warp, f.kernel, f.outer, 0);
  const std::uint32_t inner = f.sides.part(outer, f.kernel, f.inner, 1);
  const Group a = f.at(15, inner), b = f.at(13, inner + 1), c = f.at(20, outer + 1);
  CHECK(f.sides.goes_first(a, b));
  CHECK(f.sides.goes_first(a, c));
  CHECK(f.sides.goes_first(b, c));
  CHECK(f.sides.common(inner, inner + 1) == outer);
  CHECK(f.sides.common(inner, outer + 1) == whole_warp);
  CHECK(f.sides.common(inner, outer) == outer);
  CHECK(f.sides.common(inner, inner) == inner);
}

TEST_CASE("a call is a part of the side that makes it") {
  Fixture f;
  const std::uint32_t first = f.sides.part(whole_warp, f.kernel, f.outer, 0);
  Group called = f.at(500, first);
  called.frame = &f.callee;
  CHECK(f.sides.goes_first(called, f.at(20, first + 1)));
  CHECK(f.sides.stands_first(called, f.at(20, first + 1))->frame == &f.kernel);
}

}  // namespace divergent_sides_test
