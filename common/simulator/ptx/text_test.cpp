#include "simulator/ptx/text.h"

#include <doctest/doctest.h>

namespace ptx = warpwise::ptx;

TEST_CASE("instructions are written as they were read") {
  const char* const lines[] = {"ld.param.u64 %rd1, [param_0]",
                               "@!%p1 bra $L__BB0_2",
                               "ld.global.v2.f32 {%f1, %f2}, [%rd1+-8]",
                               "st.shared.f32 [tile+8], %f1",
                               "shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1",
                               "mov.f32 %f1, 0f3F800000",
                               "mov.u32 %r1, %tid.x",
                               "setp.gt.and.s32 %p1, %r1, 0, !%p2",
                               "vadd.u32.u32.u32 %r1, %r2.b0, -%r3.h1",
                               "ret"};
  std::string body =
      ".reg .pred %p<3>; .reg .f32 %f<3>; .reg .b32 %r<4>; .reg .b64 %rd<2>;\n"
      ".shared .align 4 .b8 _ZZ1kE4tile[64];\n$L__BB0_2:\n";
  for (std::string line : lines) {
    if (auto at = line.find("tile"); at != line.npos) line.replace(at, 4, "_ZZ1kE4tile");
    if (auto at = line.find("param_0"); at != line.npos) line.replace(at, 7, "k_param_0");
    body += line + ";\n";
  }
  const ptx::Module module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 "
      "k_param_0)\n{\n" +
      body + "}\n");
  const ptx::Function& k = *module.find("k");
  REQUIRE(k.body.size() == std::size(lines));
  for (std::size_t i = 0; i < k.body.size(); ++i)
    CHECK(ptx::text_of(k.body[i], k) ==
          (i == 2 ? "ld.global.v2.f32 {%f1, %f2}, [%rd1-8]" : std::string(lines[i])));
}

TEST_CASE("names as the program has them") {
  CHECK(ptx::short_name("_ZZ6kernelPiE4tile") == "tile");
  CHECK(ptx::short_name("_ZZ6kernelPiE4tile_$_1") == "tile.1");
  CHECK(ptx::short_name("i") == "i");
  CHECK(ptx::short_name("i{3}") == "i");  // of inner braces
}
