// Values that ptxas computes from constants.

#include "simulator/code/lowering/constant_folding.h"

#include <doctest/doctest.h>

#include <string>

using namespace warpwise;
using namespace warpwise::code;

namespace constant_folding_test {

/// The opcodes and last operands of a body that stores %f9; "-" where nothing changes.
std::string folded(const std::string& body) {
  const ptx::Module module = ptx::parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .f32 %f<20>;\n"
      ".reg .pred %p<3>;\n.reg .b32 %r<3>;\nmov.u32 %r1, %tid.x;\ncvt.rn.f32.u32 %f1, %r1;\n"
      "setp.eq.u32 %p1, %r1, 3;\n" +
      body + "\nst.global.f32 [64], %f9;\nret;\n}\n");
  const auto result = fold_constants(module.functions.at(0));
  if (!result) return "-";
  std::string text;
  for (std::size_t i = 3; i + 2 < result->body.size(); ++i) {
    const ptx::Instruction& instruction = result->body[i];
    char bits[12] = "";
    if (instruction.operands.back().kind == ptx::Operand::Kind::f32)
      std::snprintf(bits, sizeof bits, " %08x",
                    static_cast<unsigned>(instruction.operands.back().value));
    text += (text.empty() ? "" : "; ") + instruction.opcode + bits;
  }
  return text;
}

// The results of an H100, also in verification/programs/language/constants_of_approximations.cu.
TEST_CASE("an approximation of a constant is rounded correctly") {
  CHECK(folded("lg2.approx.f32 %f9, 0f3F000000;") == "mov.f32 bf800000");
  CHECK(folded("sin.approx.f32 %f9, 0f000116C2;") == "mov.f32 00000000");
  CHECK(folded("rcp.approx.ftz.f32 %f9, 0f80000000;") == "mov.f32 ff800000");
  CHECK(folded("sqrt.approx.f32 %f9, 0fBF800000;") == "mov.f32 7fffffff");
  CHECK(folded("rsqrt.approx.f32 %f9, 0f42800000;") == "mov.f32 3e000000");
}

TEST_CASE("so is what follows from it") {
  CHECK(folded("mov.f32 %f2, 0f40800000;\nlg2.approx.ftz.f32 %f3, %f2;\n"
               "mul.ftz.f32 %f9, %f3, 0f3F317218;") ==
        "mov.f32 40800000; mov.f32 40000000; mov.f32 3fb17218");
}

TEST_CASE("a quotient by a constant is a product") {
  CHECK(folded("div.approx.ftz.f32 %f9, %f1, 0f40400000;") == "mul.ftz.f32 3eaaaaab");
  CHECK(folded("div.full.f32 %f9, %f1, 0f40400000;") == "mul.f32 3eaaaaab");
  CHECK(folded("div.approx.f32 %f9, 0f3F800000, 0f40400000;") == "mov.f32 3eaaaaab");
  CHECK(folded("div.approx.f32 %f9, %f1, 0f7F61B1E6;") == "-");  // beyond 2^126
  // Division by one: ptxas makes a sum with another product.
  CHECK(folded("div.approx.ftz.f32 %f9, %f1, 0f3F800000;") == "add.ftz.f32 80000000");
  CHECK(folded("div.full.f32 %f9, %f1, 0f3F800000;") == "add.f32 80000000");
}

TEST_CASE("what may be another value stays") {
  CHECK(folded("lg2.approx.f32 %f9, %f1;") == "-");
  CHECK(folded("mov.f32 %f2, 0f40800000;\n@%p1 mov.f32 %f2, %f1;\nlg2.approx.f32 %f9, %f2;") ==
        "-");
  CHECK(folded("@%p1 lg2.approx.f32 %f9, 0f3F000000;") == "-");
}

}  // namespace constant_folding_test
