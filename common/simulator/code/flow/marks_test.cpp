#include "simulator/code/flow/marks.h"

#include <doctest/doctest.h>

#include <string>

namespace marks_test {

using namespace warpwise;

/// Whether the first store of a kernel marks what a load looks at, by default a neighbour's level.
/// The parameters are an array of neighbours, an array of levels and the level of this launch.
bool marks(const std::string& body, const std::string& look = "ld.global.u32 %r4") {
  const ptx::Module module = ptx::parse(R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 to, .param .u64 level, .param .u32 now) {
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .shared .align 4 .u32 s;
  ld.param.u64 %rd1, [to]; ld.param.u64 %rd2, [level]; ld.param.u32 %r1, [now];
  cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd4, %rd2;
  mov.u32 %r2, %tid.x; mul.wide.u32 %rd5, %r2, 4;
  add.s64 %rd6, %rd3, %rd5; ld.global.u32 %r3, [%rd6];
  mul.wide.u32 %rd7, %r3, 4; add.s64 %rd8, %rd4, %rd7;
  ld.global.u32 %r4, [%rd8]; setp.ne.s32 %p1, %r4, -1;
)" + body + "behind: ret;\n}\n");
  const ptx::Function& kernel = *module.find("kernel");
  const auto first = [&](const auto& is_wanted) {
    std::size_t at = 0;
    while (at < kernel.body.size() && !is_wanted(kernel.body[at])) ++at;
    REQUIRE(at < kernel.body.size());
    return at;
  };
  const std::string destination = look.substr(look.rfind(' ') + 1);
  return code::is_benign_mark_race(
      kernel, first([&](const ptx::Instruction& one) {
        return one.kind() == isa::Kind::load && one.operands[0].kind == ptx::Operand::Kind::reg &&
               kernel.registers[static_cast<std::size_t>(one.operands[0].id)].name == destination;
      }),
      first([](const ptx::Instruction& one) { return one.kind() == isa::Kind::store; }));
}

const std::string next = "@%p1 bra after; add.s32 %r5, %r1, 1; st.global.u32 [%rd8], %r5;\n";

TEST_CASE("a store of one value for all at a place that was looked up is a mark") {
  CHECK(marks(next));
  CHECK(marks("st.global.u32 [%rd8], 1;\n"));
  CHECK(marks(next + "add.s32 %r6, %r1, 1; st.global.u32 [%rd8+4], %r6;\n"));
  CHECK(marks(next + "mov.u32 %r6, 1; st.global.u8 [%rd4], %r6;\n"));
}

TEST_CASE("so is one at a place of the thread's own that others look up, but no flag for all") {
  CHECK(marks("st.global.u32 [%rd6], 1;\n"));
  CHECK_FALSE(marks("st.global.u32 [%rd6], 1;\n", "ld.global.u32 %r3"));
  CHECK_FALSE(marks("st.global.u32 [%rd4], 1; ld.global.u32 %r6, [%rd4];\n", "ld.global.u32 %r6"));
}

TEST_CASE("a value that threads differ in is not a mark") {
  CHECK_FALSE(marks("st.global.u32 [%rd8], %r2;\n"));
  CHECK_FALSE(marks("add.s32 %r5, %r4, 1; st.global.u32 [%rd8], %r5;\n"));
  CHECK_FALSE(marks("mov.u32 %r5, 1; @%p1 mov.u32 %r5, 2; st.global.u32 [%rd8], %r5;\n"));
}

TEST_CASE("where the kernel does more than mark, a mark left out or made twice may matter") {
  CHECK_FALSE(marks(next + "atom.global.add.u32 %r6, [%rd4], 1;\n"));
  CHECK_FALSE(marks(next + "st.global.u32 [%rd6], %r2;\n"));
  CHECK_FALSE(marks(next + "st.shared.u32 [s], 1;\n"));
  CHECK_FALSE(marks(next + "st.global.u32 [%rd8], 0;\n"));
  CHECK_FALSE(marks(next + "bar.sync 0; ld.global.u32 %r6, [%rd6];\n"));
}

}  // namespace marks_test
