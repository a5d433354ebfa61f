#include "tutor/author/code_text.h"

#include <doctest/doctest.h>

namespace warpwise::tutor {
namespace {

TEST_CASE("where a name is declared, and whether as a function") {
  const std::string text =
      "// int gone = 1;\nint factor = 2;\nfloat square(float v) { return v * v; }\n"
      "__global__ void k(const float* x, int n) {\n  float sum = x[n] * n;\n  factor = sum;\n}\n";
  CHECK(declaration_of("gone", text).line == 0);
  CHECK(declaration_of("factor", text).line == 2);
  CHECK(declaration_of("factor", text).at_top);
  CHECK(declaration_of("square", text).is_function);
  CHECK(declaration_of("n", text).line == 4);
  CHECK(declaration_of("sum", text).line == 5);
  CHECK_FALSE(declaration_of("sum", text).at_top);
  CHECK(declaration_of("nowhere", text).line == 0);
}

TEST_CASE("lines of device code are those inside of __global__ and __device__ functions") {
  const std::string text =
      "#include <vector>\nint host() {\n  return 1;\n}\n__device__ int d() {\n  return 2;\n}\n"
      "int last() {\n  return 3;\n}\n";
  CHECK_FALSE(is_device_code(text, 3));
  CHECK(is_device_code(text, 6));
  CHECK_FALSE(is_device_code(text, 9));
}

TEST_CASE("the nearest name is the one that was meant, or none") {
  const std::vector<std::string> names = {"threadIdx", "__syncthreads", "cudaMemcpyHostToDevice",
                                          "row",       "rows",          "columns"};
  CHECK(nearest_name("threadidx", names) == "threadIdx");
  CHECK(nearest_name("__syncthread", names) == "__syncthreads");
  CHECK(nearest_name("HostToDevice", names) == "cudaMemcpyHostToDevice");
  CHECK(nearest_name("colums", names) == "columns");
  CHECK(nearest_name("colmuns", names) == "columns");
  CHECK(nearest_name("rowx", names).empty());  // row or rows
  CHECK(nearest_name("i", {"j", "k"}).empty());
  CHECK(nearest_name("pressure", names).empty());
}

}  // namespace
}  // namespace warpwise::tutor
