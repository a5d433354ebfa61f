#include "simulator/code/confirm/moved_loads.h"

#include <doctest/doctest.h>

#include <string>

#include "simulator/ptx/module.h"

namespace moved_loads_test {

using namespace warpwise;

/// The loads among the kernel's instructions that may move, and to where.
std::vector<code::MovedLoad> moved_in(const std::string& body) {
  const ptx::Module module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
      ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<9>; ld.param.u64 %rd0, [p];\n" +
      body + "ret;\n}\n");
  const ptx::Function& function = *module.find("k");
  return code::moved_loads(function, code::basic_blocks(function));
}

TEST_CASE("a value that goes through a register written twice may be loaded after the branch") {
  const auto body = [](const std::string& reader) {
    return "mov.u32 %r1, %tid.x; setp.eq.u32 %p0, %r1, 0; mov.u32 %r2, 5;\n"
           "ld.global.u32 %r0, [%rd0]; @%p0 bra join; add.u32 %r2, %r0, 1; join: " +
           reader + " st.global.u32 [%rd0], %r2;\n";
  };
  const std::vector<code::MovedLoad> moved = moved_in(body(""));
  REQUIRE(moved.size() == 1);
  CHECK(moved[0].at == 4);
  CHECK((moved[0].from == 0 && moved[0].to == 1));
  CHECK(moved_in(body("add.u32 %r2, %r2, %r0;")).empty());
}

TEST_CASE("a load of the same word in every iteration of a loop may move before it") {
  const auto body = [](const std::string& address, const std::string& store) {
    return "mov.u32 %r1, 0; mov.u32 %r2, 0; add.u64 %rd1, %rd0, 64;\n"
           "turn: add.u64 %rd2, " +
           address +
           ", 8; ld.global.u32 %r0, [%rd2];\n"
           "add.u32 %r2, %r2, %r0; " +
           store +
           " add.u64 %rd1, %rd1, 4; add.u32 %r1, %r1, 1;\n"
           "setp.lt.u32 %p0, %r1, 9; @%p0 bra turn; st.global.u32 [%rd0], %r2;\n";
  };
  const std::vector<code::MovedLoad> moved = moved_in(body("%rd0", ""));
  REQUIRE(moved.size() == 1);
  CHECK((moved[0].from == 1 && moved[0].to == 0));
  CHECK(moved_in(body("%rd1", "")).empty());
  CHECK(moved_in(body("%rd0", "st.global.u32 [%rd1], %r2;")).empty());
  CHECK(moved_in(body("%rd0", "bar.sync 0;")).empty());
}

TEST_CASE("what a loop in a loop loads anew may move before both, each iteration for itself") {
  const auto body = [](const std::string& start, const std::string& store) {
    return "mov.u32 %r1, 0; mov.u32 %r2, 0; add.u64 %rd1, %rd0, 64;\n"
           "outer: mov.u64 %rd2, " +
           start +
           "; mov.u32 %r3, 0;\n"
           "inner: ld.global.u32 %r0, [%rd2]; add.u64 %rd2, %rd2, 4; add.u32 %r2, %r2, %r0;\n"
           "add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 4; @%p1 bra inner;\n" +
           store +
           " add.u64 %rd1, %rd1, 4; add.u32 %r1, %r1, 1;\n"
           "setp.lt.u32 %p0, %r1, 9; @%p0 bra outer; st.global.u32 [%rd0], %r2;\n";
  };
  const std::vector<code::MovedLoad> moved = moved_in(body("%rd0", ""));
  REQUIRE(moved.size() == 1);
  CHECK(moved[0].is_unrolled);
  CHECK((moved[0].from == 1 && moved[0].to == 0));
  CHECK(moved_in(body("%rd1", "")).empty());
  CHECK(moved_in(body("%rd2", "")).empty());
  CHECK(moved_in(body("%rd0", "st.global.u32 [%rd1], %r2;")).empty());
}

TEST_CASE("a value may have gone through as many instructions as a kernel has") {
  constexpr int steps = 200'000;
  std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry long(.param .u64 p) {\n"
      ".reg .b64 %rd<2>; .reg .pred %p<1>;\n";
  const auto r = [](int i) { return "%r" + std::to_string(i); };
  text += ".reg .b32 %r<" + std::to_string(steps + 1) + ">;\n";
  text += "ld.param.u64 %rd0, [p]; ld.param.u64 %rd1, [p]; ld.global.u32 %r0, [%rd0];\n";
  for (int i = 0; i < steps; ++i) text += "add.u32 " + r(i + 1) + ", " + r(i) + ", 1;\n";
  text += "setp.eq.u64 %p0, %rd0, %rd1; @%p0 bra after;\n";
  text += "st.global.u32 [%rd0], " + r(steps) + ";\nafter: ret;\n}\n";
  const ptx::Module module = ptx::parse(text);
  const ptx::Function& function = *module.find("long");
  const std::vector<code::BasicBlock> blocks = code::basic_blocks(function);
  const std::vector<code::MovedLoad> moved = code::moved_loads(function, blocks);
  REQUIRE(moved.size() == 1);
  CHECK(moved[0].at == 2);
  CHECK(moved[0].to == 1);
}

}  // namespace moved_loads_test
