#include "tutor/author/pasting/template_arguments.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace warpwise::tutor {
namespace {

using Texts = std::vector<std::string>;

Texts arguments_in(const std::string& source) {
  const std::vector<Declaration> all = declarations_of(source);
  const auto kernel = std::find_if(all.begin(), all.end(), [](const Declaration& one) {
    return one.kind == Declaration::Kind::kernel;
  });
  REQUIRE(kernel != all.end());
  return template_arguments(*kernel, all);
}

const std::string by_int = "template <int N>\n__global__ void k(int* y) {}\n";
const std::string by_type = "template <class T>\n__global__ void k(int* y) {}\n";

TEST_CASE("no template, no arguments") {
  CHECK(arguments_in("__global__ void k(int* y) {}") == Texts{""});
}

TEST_CASE("as the source uses it: at most two, the first and the last") {
  CHECK(arguments_in(by_int + "void f() { a(k<2>); a(k<2>); }") == Texts{"<2>"});
  CHECK(arguments_in(by_int + "void f() { a(k<2>); a(k<4>); a(k<8>); }") == Texts{"<2>", "<8>"});
  CHECK(arguments_in("constexpr int n = 7;\n" + by_int + "void f() { a(k<n>); }") == Texts{"<n>"});
}

TEST_CASE("through the templates around a use") {
  CHECK(arguments_in(by_int + "template <int M> void f() { a(k<8 / M>); }\n"
                              "template <int L> void g() { f<L>(); }\n"
                              "void h() { g<4>(); g<1>(); }") == Texts{"<8 / 4>", "<8 / 1>"});
  CHECK(arguments_in("struct Tile {};\n" + by_type +
                     "template <class U> void f() { a(k<U>); }\n"
                     "void h() { f<Tile>(); }") == Texts{"<Tile>"});
}

TEST_CASE("what cannot be read is likely") {
  CHECK(arguments_in(by_int) == Texts{"<4>"});
  CHECK(arguments_in(by_type) == Texts{"<float>", "<float4>"});
  CHECK(arguments_in(by_int + "void f() { auto n = g(); a(k<decltype(n)::value>); }") ==
        Texts{"<4>"});
  CHECK(arguments_in("struct A {};\nstruct B {};\nstruct C {};\n" + by_type +
                     "void f() { each(A()); each(B()); }") == Texts{"<A>", "<B>"});
  CHECK(arguments_in("template <bool b>\n__global__ void k(int* y) {}") ==
        Texts{"<false>", "<true>"});
  // A function that calls itself.
  CHECK(arguments_in(by_int + "template <int M> void f() { a(k<M>); f<M>(); f<M - 1>(); }") ==
        Texts{"<4>"});
}

}  // namespace
}  // namespace warpwise::tutor
