#include "simulator/code/sinking_loads.h"

#include <doctest/doctest.h>

#include <string>

#include "simulator/ptx/module.h"

namespace sinking_loads_test {

using namespace warpwise;

TEST_CASE("a value may have gone through as many instructions as a kernel has") {
  constexpr int steps = 200'000;
  std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry long(.param .u64 p) {\n"
      ".reg .b64 %rd<2>; .reg .pred %p<1>;\n";
  const auto r = [](int i) { return "%r" + std::to_string(i); };
  text += ".reg .b32 %r<" + std::to_string(steps + 1) + ">;\n";
  text += "ld.param.u64 %rd0, [p]; ld.param.u64 %rd1, [p]; ld.global.u32 %r0, [%rd0];\n";
  for (int i = 0; i < steps; ++i) text += "add.u32 " + r(i + 1) + ", " + r(i) + ", 1;\n";
  text += "setp.eq.u64 %p0, %rd0, %rd1; @%p0 bra behind;\n";
  text += "st.global.u32 [%rd0], " + r(steps) + ";\nbehind: ret;\n}\n";
  const ptx::Module module = ptx::parse(text);
  const ptx::Function& function = *module.find("long");
  const std::vector<code::BasicBlock> blocks = code::basic_blocks(function);
  const std::vector<code::SinkingLoad> sinking = code::sinking_loads(function, blocks);
  REQUIRE(sinking.size() == 1);
  CHECK(sinking[0].at == 2);
  CHECK(sinking[0].to == 1);
}

}  // namespace sinking_loads_test
