#include "base/lean_headers.h"

#include <doctest/doctest.h>

namespace warpwise::base {
namespace {

std::vector<std::string> flags_added_for(std::string_view source,
                                         std::vector<std::string> command = {"-fatbin"}) {
  const std::size_t before = command.size();
  leave_headers_out(command, source);
  return {command.begin() + static_cast<std::ptrdiff_t>(before), command.end()};
}

TEST_CASE("headers are left out for a text that can use no name of theirs") {
  const char* const kernel = "__global__ void k(float* x) { x[threadIdx.x] = sqrtf(2); }\n";
  CHECK(flags_added_for(kernel).size() == 1);
  CHECK(flags_added_for(std::string("// std::min, #include <limits>\n") + kernel).size() == 1);
  for (const char* used :
       {"#include <algorithm>\n", "#  include \"own.h\"\n", "using namespace std;\n",
        "__device__ int small(int a) { return std :: min(a, 2); }\n", "#define LEAST std::min\n"})
    CHECK(flags_added_for(std::string(used) + kernel).empty());
  // A program's host code is a text of another kind.
  CHECK(flags_added_for(kernel, {"nvcc", "-shared"}).empty());
}

}  // namespace
}  // namespace warpwise::base
