#include "check/verdict/signature.h"

#include <doctest/doctest.h>

using namespace warpwise::lesson;

TEST_CASE("signatures are shown as they are written") {
  CHECK(written_signature("k(float const*, float*, int)") == "k(const float*, float*, int)");
  CHECK(written_signature("k()") == "k()");
  CHECK(written_signature("void k<3>(int)") == "k<3>(int)");
  CHECK(written_signature("k") == "k");
  CHECK(written_signature("") == "");
  CHECK(written_parameters("void (float const*, int)") == "(const float*, int)");
  CHECK(written_parameters("nonsense").empty());
}

TEST_CASE("a signature that differs is shown next to the declared one") {
  Signature signature{"k(float*, int)", {"k(float*, int)", "other()"}};
  CHECK(signature.matches());
  CHECK(signature.text().empty());
  CHECK(signature.next().empty());
  signature.found = {"other()", "k(const float*)"};
  CHECK_FALSE(signature.matches());
  CHECK(signature.text() ==
        "The parameters of k are not those that the check passes.\n"
        "       wanted        yours\n"
        "    1  float*        const float*  <-\n"
        "    2  int           -             <-");
  CHECK(signature.next() ==
        "Write the declaration as the stub has it: __global__ void k(float*, int).");
  signature.found = {"k(float*, int, int)"};
  CHECK(signature.text().find("    1  float*    float*\n") != std::string::npos);
}

TEST_CASE("a name that is missing, or that hides its parameters") {
  Signature signature{"k(float*, int)", {}};
  CHECK(signature.text() ==
        "Your file has no kernel k.\nWanted is:\n   __global__ void k(float*, int)");
  signature.found = {"kk(float*, int)"};
  CHECK(signature.text().find("It has:\n   kk(float*, int)\n") != std::string::npos);
  signature.found = {"k"};
  CHECK(signature.text().find("extern \"C\"") != std::string::npos);
  CHECK(signature.next().ends_with("k(float*, int)."));
  CHECK(Signature{"int f(int)", {}, "", "function of that name"}.next() ==
        "Write the declaration as the stub has it: int f(int). The check cannot call a function "
        "that is static, a template, in a namespace or consteval.");
  const Signature function{"int f(int)", {"f(float)"}, "", "function of that name"};
  CHECK(function.text().find("    1  int       float     <-") != std::string::npos);
}
