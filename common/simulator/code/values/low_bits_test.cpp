// The known last bits of a register.

#include "simulator/code/values/low_bits.h"

#include <doctest/doctest.h>

#include <string>

#include "simulator/ptx/module.h"

using namespace warpwise;
using namespace warpwise::code;

namespace {

/// The low bits of %r0 after these instructions; %r1 and %r2 hold any value.
LowBits after(const std::string& text) {
  const ptx::Module module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u32 n) {\n"
      ".shared .align 4 .b8 s[64];\n.reg .b32 %r<9>;\n.reg .pred %p<3>;\n"
      "ld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\n" +
      text + "ret;\n}\n");
  const ptx::Function& kernel = module.functions.at(0);
  for (std::size_t id = 0; id < kernel.registers.size(); ++id)
    if (kernel.registers[id].name == "%r0") return low_bits(kernel, {{"s", 1056}})[id];
  return {};
}

LowBits bits(std::uint32_t modulus, std::uint32_t rest) { return {modulus, rest}; }

}  // namespace

TEST_CASE("low bits follow arithmetic") {
  CHECK(after("add.s32 %r0, %r1, 4;\n") == bits(1, 0));
  CHECK(after("mov.u32 %r0, s;\n") == bits(256, 1056 % 256));
  CHECK(after("shl.b32 %r3, %r1, 2; mov.u32 %r4, s; add.s32 %r0, %r4, %r3;\n") == bits(4, 0));
  CHECK(after("mov.u32 %r4, s; mad.lo.s32 %r0, %r1, 68, %r4;\n") == bits(4, 0));
  CHECK(after("mov.u32 %r4, s; mad.lo.s32 %r0, %r1, 48, %r4;\n") == bits(16, 0));
  CHECK(after("mul.lo.s32 %r3, %r1, 24; add.s32 %r0, %r3, 12;\n") == bits(8, 4));
  CHECK(after("mul.lo.s32 %r3, %r1, 24; sub.s32 %r0, 4, %r3;\n") == bits(8, 4));
  CHECK(after("and.b32 %r0, %r1, -16;\n") == bits(16, 0));
  CHECK(after("shl.b32 %r3, %r1, 4; or.b32 %r0, %r3, 12;\n") == bits(16, 12));
  CHECK(after("shl.b32 %r3, %r1, 4; xor.b32 %r0, %r3, %r2;\n") == bits(1, 0));
  CHECK(after("mul.hi.s32 %r0, %r1, 64;\n") == bits(1, 0));
  CHECK(after("shr.u32 %r0, %r1, 4;\n") == bits(1, 0));
}

TEST_CASE("what a register holds at several places is taken together, also around a loop") {
  CHECK(after("mov.u32 %r0, 8; setp.eq.s32 %p1, %r1, 0; @%p1 mov.u32 %r0, 24;\n") == bits(16, 8));
  CHECK(after("setp.eq.s32 %p1, %r1, 0; selp.b32 %r0, 4, 12, %p1;\n") == bits(8, 4));
  CHECK(after("mov.u32 %r0, 16;\nAGAIN: add.s32 %r0, %r0, 8; setp.lt.s32 %p1, %r0, 800;\n"
              "@%p1 bra AGAIN;\n") == bits(8, 0));
}
