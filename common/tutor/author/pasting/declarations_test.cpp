#include "tutor/author/pasting/declarations.h"

#include <doctest/doctest.h>

namespace warpwise::tutor {
namespace {

using Kind = Declaration::Kind;
using Names = std::set<std::string>;

Declaration only(std::string_view source) {
  const auto all = declarations_of(source);
  REQUIRE(all.size() == 1);
  return all[0];
}

TEST_CASE("a kernel with its head, its parameters and those of its template") {
  const Declaration kernel = only(R"(/// \cost none
template <class T, int pack = 4>
__global__ void __launch_bounds__(T::threads, 2)
    scaled(const float* __restrict__ x, [[maybe_unused]] const std::size_t n, float4* y) {
  if (n > 2) { y[0] = {1, 2, 3, 4}; }  // } not the end
})");
  CHECK(kernel.kind == Kind::kernel);
  CHECK(kernel.names == Names{"scaled"});
  CHECK(kernel.template_parameters == std::vector<Parameter>{{"class", "T"}, {"int", "pack"}});
  CHECK(kernel.parameters ==
        std::vector<Parameter>{{"const float*", "x"}, {"size_t", "n"}, {"float4*", "y"}});
  CHECK(kernel.head.ends_with("float4* y)"));
  CHECK(kernel.text.ends_with("the end\n}"));
  CHECK(kernel.words.contains("float4"));
  CHECK_FALSE(kernel.words.contains("not"));
}

TEST_CASE("what device code may use, and what it may not") {
  const auto kind = [](std::string_view source) { return only(source).kind; };
  CHECK(kind("__device__ inline float f(float a) { return a; }") == Kind::device);
  CHECK(kind("inline constexpr int half(int a) { return a / 2; }") == Kind::device);
  CHECK(kind("constexpr int tile = 16;") == Kind::device);
  CHECK(kind("__constant__ float c[16];") == Kind::device);
  CHECK(kind("struct X { int a; };") == Kind::device);
  CHECK(kind("using bf16 = __nv_bfloat16;") == Kind::device);
  CHECK(kind("void launch(const float* x) { f<<<1, 2>>>(x); }") == Kind::host);
  CHECK(kind("__global__ void only_declared(float* y);") == Kind::host);
  CHECK(kind("static_assert(sizeof(int) == 4);") == Kind::host);
  CHECK(kind("#define A(x) \\\n  x") == Kind::directive);
}

TEST_CASE("names of variables, types and functions") {
  const auto names = [](std::string_view source) { return only(source).names; };
  CHECK(names("constexpr int a = f(1, 2), b{3}, c[2] = {4, 5};") == Names{"a", "b", "c"});
  CHECK(names("static std::array<int, 3> d;") == Names{"d"});
  CHECK(names("template <int N> struct alignas(4 * N) Pack { float v[N]; };") == Names{"Pack"});
  CHECK(names("enum class Side { left, right };") == Names{"Side"});
  CHECK(names("using namespace nvcuda;").empty());
  CHECK(names("__device__ float4 operator+(float4 a, float4 b) { return a; }") ==
        Names{"operator"});
  CHECK(names("template <> __device__ void g<float>(float) {}") == Names{"g"});
}

TEST_CASE("declarations end where they end") {
  const auto all = declarations_of(
      "#include <mma.h>\nnamespace a {\nnamespace {\nint x = {1};\nvoid f() {}\n"
      "struct S { void g() {} } s;\nint y{2}, z{3};\n}  // namespace\n}\nnamespace b = a;\n");
  std::vector<std::string> texts;
  for (const Declaration& one : all) texts.push_back(one.text);
  CHECK(texts == std::vector<std::string>{"#include <mma.h>", "namespace a {", "namespace {",
                                          "int x = {1};", "void f() {}",
                                          "struct S { void g() {} } s;", "int y{2}, z{3};", "}",
                                          "}", "namespace b = a;"});
  CHECK(all[1].names == Names{"a"});
  CHECK(all[2].names.empty());
  CHECK(all.back().kind == Kind::device);
  CHECK(all.back().names == Names{"b"});
}

TEST_CASE("unfinished text ends somewhere") {
  for (const char* text : {"", "}", "template <", "void f(", "namespace", "struct", "# ",
                           "int a =", "__global__ void f(int a", "using", "enum {", "("}) {
    CHECK(declarations_of(text).size() <= 2);
  }
}

TEST_CASE("uses of a template") {
  using Uses = std::vector<std::vector<std::string>>;
  CHECK(uses_of("k<4, F<1, 2>>(x); k<n>(x)", "k") == Uses{{"4", "F<1, 2>"}, {"n"}});
  CHECK(uses_of("k<<<1, 2>>>(x); k<8><<<1, 2>>>(x);", "k") == Uses{{"8"}});
  CHECK(uses_of("key<1>(); /* k<2> */ k", "k").empty());
}

TEST_CASE("words are replaced as a whole") {
  CHECK(with_words("N + xN * N", {{"N", "4"}}) == "4 + xN * 4");
  CHECK(with_words("a", {}) == "a");
}

}  // namespace
}  // namespace warpwise::tutor
