#include "occupancy/text.h"

#include <doctest/doctest.h>

namespace warpwise::occupancy {
namespace {

TEST_CASE("decimals") {
  CHECK(decimal(0, 1) == "0");
  CHECK(decimal(62.5, 1) == "62.5");
  CHECK(decimal(62.5, 3) == "62.5");
  CHECK(decimal(62.55, 1) == "62.6");
  CHECK(decimal(99.96, 1) == "100");
  CHECK(decimal(0.05, 2) == "0.05");
  CHECK(decimal(0.004, 2) == "0");
  CHECK(decimal(-0.004, 2) == "0");
  CHECK(decimal(-1.25, 2) == "-1.25");
  CHECK(decimal(2039, 0) == "2039");
  CHECK(percent(0.4375) == "43.8 %");
  CHECK(percent(1) == "100 %");
}

TEST_CASE("counts and lists") {
  CHECK(count_of(0, "block") == "0 blocks");
  CHECK(count_of(1, "block") == "1 block");
  CHECK(count_of(2, "block") == "2 blocks");
  CHECK(count_of(-1, "register") == "-1 registers");
  CHECK(join({}) == "");
  CHECK(join({"a"}) == "a");
  CHECK(join({"a", "b"}) == "a and b");
  CHECK(join({"a", "b", "c"}) == "a, b and c");
}

TEST_CASE("wrapping") {
  using Lines = std::vector<std::string>;
  CHECK(wrap("> ", "", 10) == Lines{"> "});
  CHECK(wrap("> ", "one two", 10) == Lines{"> one two"});
  CHECK(wrap("> ", "one two six", 10) == Lines{"> one two", "  six"});
  CHECK(wrap("> ", "one two six", 13) == Lines{"> one two six"});
  CHECK(wrap("> ", "one; two six", 11) == Lines{"> one;", "  two six"});
  CHECK(wrap("> ", "one: two six ten", 12) == Lines{"> one: two", "  six ten"});
  CHECK(wrap("> ", "incomprehensible", 10) == Lines{"> incomprehensible"});
  CHECK(wrap("> ", "a incomprehensible b", 10) == Lines{"> a", "  incomprehensible", "  b"});
}

}  // namespace
}  // namespace warpwise::occupancy
