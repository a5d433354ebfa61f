#include "base/lean_headers.h"

#include <doctest/doctest.h>

namespace warpwise::base {
namespace {

std::vector<std::string> flags_added_for(std::string_view source) {
  std::vector<std::string> command;
  leave_headers_out(command, source);
  return command;
}

TEST_CASE("headers are left out for a text that can use no name of theirs") {
  const char* const kernel = "__global__ void k(float* x) { x[threadIdx.x] = sqrtf(2); }\n";
  CHECK(flags_added_for(kernel).size() == 1);
  CHECK(flags_added_for(std::string("// std::min, #include <limits>\n") + kernel).size() == 1);
  CHECK(flags_added_for(std::string("#include <cmath>\n") + kernel).size() == 1);
  for (const char* used :
       {"#include <algorithm>\n", "#  include \"own.h\"\n", "#include STDIO\n", "#include <cstdio",
        "#import <vector>\n", "#include_next <cstdio>\n", "using namespace std;\n",
        "#include <cmath>\n__device__ float root(float a) { return std::sqrt(a); }\n",
        "namespace std {}\n", "#define LEAST std::min\n",
        "__device__ int small(int a) { return std :: min(a, 2); }\n"})
    CHECK_MESSAGE(flags_added_for(std::string(used) + kernel).empty(), used);
  CHECK(flags_added_for("using std").empty());
}

TEST_CASE("headers are left out for a program that needs what C has") {
  const char* const program =
      "#include <cstdio>\n# include <cuda_fp16.h>\nint main() { std::printf(\"std::min\"); }\n";
  CHECK(flags_added_for(program).size() == 1);
  CHECK(flags_added_for(std::string("#include <vector>\n") + program).empty());
  CHECK(flags_added_for(std::string(program) + "std::string name;\n").empty());
}

}  // namespace
}  // namespace warpwise::base
