#include "check/load_order.h"

#include <doctest/doctest.h>

namespace warpwise::lesson {
namespace load_order_test {

/// A trace of one access per step, of x unless another array is named.
std::string trace(const std::string& steps) {
  return R"({"arrays":[{"name":"x"},{"name":"w"}],"steps":[)" + steps + "]}";
}
std::string load(int offset, const std::string& more = "") {
  return R"({"line":0,"accesses":[{"array":0,"lanes":[null,)" + std::to_string(offset) + "]" +
         more + "}]}";
}

TEST_CASE("a walk goes in small steps, and a second one begins with a jump") {
  CHECK(largest_jump(trace(load(0) + "," + load(16) + "," + load(8)), "x") == 16);
  CHECK(largest_jump(trace(load(0) + "," + load(8) + "," + load(992) + "," + load(0)), "x") == 992);
  CHECK(largest_jump(trace(load(0)), "x") == 0);
  CHECK(largest_jump(trace(""), "x") == 0);
  CHECK(largest_jump("", "x") == 0);
}

TEST_CASE("stores and other arrays are not part of it") {
  CHECK(largest_jump(trace(load(0) + "," + load(500, R"(,"store":true)") + "," + load(4)), "x") ==
        4);
  CHECK(largest_jump(trace(load(0) + "," + load(500)), "w") == 0);
}

}  // namespace load_order_test
}  // namespace warpwise::lesson
