#include "report/simulator_json.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace warpwise::report {
namespace simulator_json_test {

/// A trace of one access per step, of x unless another array is named.
std::string trace(const std::string& steps) {
  return R"({"arrays":[{"name":"x"},{"name":"w"}],"steps":[)" + steps + "]}";
}
std::string load(int offset, const std::string& more = "") {
  return fmt::format(R"({{"line":0,"accesses":[{{"array":0,"lanes":[null,{}]{}}}]}})", offset,
                     more);
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

TEST_CASE("a string may hold any bytes") {
  CHECK(quoted("a\"b\n") == R"("a\"b\n")");
  CHECK(quoted("\xFF") == "\"\xEF\xBF\xBD\"");
}

}  // namespace simulator_json_test
}  // namespace warpwise::report
