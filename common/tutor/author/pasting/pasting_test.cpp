#include "tutor/author/pasting/pasting.h"

#include <doctest/doctest.h>

namespace warpwise::tutor {
namespace {

using Ways = std::vector<std::vector<std::string>>;

TEST_CASE("names tell the places") {
  const std::vector<Parameter> given{
      {"const float*", "x"}, {"const float*", "weight"}, {"float*", "y"}, {"int", "rows"}};
  CHECK(ways_to_call({{"float*", "y"}, {"int", "rows"}, {"const float*", "weight"}}, given, 9) ==
        Ways{{"y", "rows", "weight"}});
  CHECK(ways_to_call({{"int", "N"}, {"int", "M"}}, {{"int", "m"}, {"int", "n"}}, 9) ==
        Ways{{"n", "m"}});
  // There is one place only for what has another name.
  CHECK(ways_to_call({{"const float*", "x"}, {"const float*", "weight"}, {"float*", "z"}}, given,
                     9) == Ways{{"x", "weight", "y"}});
}

TEST_CASE("what names do not tell is tried in each place, the order of both first") {
  const std::vector<Parameter> given{
      {"const float*", "u"}, {"const float*", "v"}, {"float*", "z"}, {"int", "r"}, {"size_t", "c"}};
  const std::vector<Parameter> wanted{
      {"const float*", "a"}, {"const float*", "b"}, {"float*", "y"}, {"int", "n"}, {"int", "m"}};
  CHECK(ways_to_call(wanted, given, 9) == Ways{{"u", "v", "z", "r", "c"},
                                               {"u", "v", "z", "c", "r"},
                                               {"v", "u", "z", "r", "c"},
                                               {"v", "u", "z", "c", "r"}});
  CHECK(ways_to_call(wanted, given, 1).size() == 1);
}

TEST_CASE("what is given and not wanted is left over") {
  CHECK(ways_to_call({{"float*", "y"}}, {{"float*", "y"}, {"float", "low"}, {"int", "n"}}, 9) ==
        Ways{{"y"}});
  CHECK(ways_to_call({{"int", "k"}}, {{"int", "n"}, {"int", "m"}}, 9) == Ways{{"n"}});
  CHECK(ways_to_call({}, {{"int", "n"}}, 9) == Ways{{}});
}

TEST_CASE("what is short is used twice, or is 1") {
  // A A^T by a kernel for A B.
  const std::vector<Parameter> product{{"const float*", "a"}, {"const float*", "b"},
                                       {"float*", "c"},       {"int", "M"},
                                       {"int", "N"},          {"int", "K"}};
  const std::vector<Parameter> gram{
      {"const float*", "a"}, {"float*", "c"}, {"int", "M"}, {"int", "K"}};
  CHECK(ways_to_call(product, gram, 9) == Ways{{"a", "a", "c", "M", "M", "K"}});
  CHECK(ways_to_call({{"float", "scale"}}, {{"int", "n"}}, 9) == Ways{{"1"}});
}

TEST_CASE("a pointer to something else is cast, with the same access") {
  const std::vector<Parameter> given{{"const __half*", "a"}, {"float*", "c"}};
  CHECK(ways_to_call({{"const bf16*", "a"}, {"float*", "c"}}, given, 9) ==
        Ways{{"AsPointer{a}", "c"}});
  CHECK(ways_to_call({{"int*", "c"}}, given, 9) == Ways{{"AsPointer{c}"}});
  // The right type is better than a cast.
  CHECK(ways_to_call({{"const int*", "t"}}, {{"const float*", "x"}, {"const int*", "i"}}, 9) ==
        Ways{{"i"}});
}

TEST_CASE("a parameter without a value does not fit") {
  CHECK(ways_to_call({{"float*", "y"}}, {{"const float*", "x"}}, 9).empty());
  CHECK(ways_to_call({{"Coefficients", "c"}}, {{"const float*", "c"}, {"int", "n"}}, 9).empty());
}

TEST_CASE("a search over absurdly many parameters ends") {
  const std::vector<Parameter> many(16, {"int", "n"});
  CHECK(ways_to_call(many, many, 3).size() <= 3);
}

TEST_CASE("the kernel that a frame asks for") {
  const AskedKernel asked = asked_kernel(
      "#include <cuda_fp16.h>\n__device__ int helper() { return 1; }\n"
      "__global__ void own(const __half* a, int n) {\n  // BEGIN YOUR CODE\n  // END YOUR CODE\n}\n"
      "__global__ void other(int n) {}\n");
  CHECK(asked.head == "__global__ void own(const __half* a, int n)");
  CHECK(asked.parameters == std::vector<Parameter>{{"const __half*", "a"}, {"int", "n"}});
  CHECK(asked.includes == "#include <cuda_fp16.h>\n");
  CHECK(asked_kernel("int f() { return 1; }").head.empty());
}

TEST_CASE("a file for each way, with a kernel for each exercise that has so many") {
  const Rung rung{.name = "copy",
                  .file = {},
                  .parameters = {{"const int*", "x"}, {"float*", "y"}},
                  .scope = "pasted_rung::rows",
                  .calls = {"copy<1>", "copy<2>"},
                  .text = "namespace pasted_rung { ... }\n"};
  const AskedKernel one{.head = "__global__ void f(const float* x, float* y)",
                        .parameters = {{"const float*", "x"}, {"float*", "y"}},
                        .includes = "#include <a.h>\n"};
  const AskedKernel two{.head = "__global__ void g(const int* a, const int* b, float* y)",
                        .parameters = {{"const int*", "a"}, {"const int*", "b"}, {"float*", "y"}},
                        .includes = ""};
  const auto files = pasted_files(rung, {AskedKernel{}, one, two});
  using Indices = std::vector<std::size_t>;
  REQUIRE(files.size() == 4);
  CHECK(files[0].exercises == Indices{1, 2});
  CHECK(files[1].exercises == Indices{2});
  CHECK(files[2].exercises == Indices{1, 2});
  const std::string& text = files[2].text;
  CHECK(text.find("#include <a.h>\nnamespace pasted_rung { ... }\n") != std::string::npos);
  CHECK(
      text.ends_with("__global__ void f(const float* x, float* y) {\n"
                     "  using namespace pasted_rung::rows;\n"
                     "  pasted_rung::rows::copy<2>(AsPointer{x}, y);\n}\n"
                     "__global__ void g(const int* a, const int* b, float* y) {\n"
                     "  using namespace pasted_rung::rows;\n"
                     "  pasted_rung::rows::copy<2>(a, y);\n}\n"));
  CHECK(pasted_files(rung, {AskedKernel{}}).empty());
}

}  // namespace
}  // namespace warpwise::tutor
