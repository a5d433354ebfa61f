#include "base/lean_headers.h"

#include <doctest/doctest.h>

namespace warpwise::base {
namespace {

TEST_CASE("headers are left out for a text that can use no name of theirs") {
  const char* const kernel = "__global__ void k(float* x) { x[threadIdx.x] = sqrtf(2); }\n";
  CHECK(lean_header_flags(kernel).size() == 1);
  CHECK(lean_header_flags(std::string("// std::min, #include <limits>\n") + kernel).size() == 1);
  for (const char* used :
       {"#include <algorithm>\n", "#  include \"own.h\"\n", "using namespace std;\n",
        "__device__ int small(int a) { return std :: min(a, 2); }\n", "#define LEAST std::min\n"})
    CHECK(lean_header_flags(std::string(used) + kernel).empty());
}

}  // namespace
}  // namespace warpwise::base
