#include "simulator/code/flow/look_before.h"

#include <doctest/doctest.h>

#include <string>

#include "simulator/ptx/module.h"

namespace look_before_test {

using namespace warpwise;

const std::string head = R"(
.version 9.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 p, .param .u32 i) {
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f<4>; .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [i];
  mul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3;
)";

struct Kernel {
  explicit Kernel(const std::string& body)
      : module(ptx::parse(head + body + "after: ret;\n}\n")), text(*module.find("kernel")) {}
  /// The first instruction after the parameters that starts with this text.
  std::size_t at(const std::string& start) const {
    for (std::size_t i = 4; i < text.body.size(); ++i)
      if (text.body[i].opcode.starts_with(start)) return i;
    FAIL("no " << start);
    return 0;
  }
  std::optional<code::LookBefore> before(const std::string& write) const {
    return code::look_before(text, at(write));
  }
  ptx::Module module;
  const ptx::Function& text;
};

const std::string look = "ld.u32 %r2, [%rd4];\n";

TEST_CASE("a look that decides whether to write is distinguished from one that makes the value") {
  const Kernel claims(look + "setp.ne.s32 %p1, %r2, 0; @%p1 bra after;\nst.u32 [%rd4], 1;\n");
  auto found = claims.before("st.");
  REQUIRE(found);
  CHECK(found->decides);
  CHECK_FALSE(found->compares_size);
  CHECK(found->load == claims.at("ld.u32"));
  found = Kernel(look + "add.s32 %r3, %r2, 1; st.u32 [%rd4], %r3;\n").before("st.");
  REQUIRE(found);
  CHECK_FALSE(found->decides);
}

TEST_CASE("a write by a thread with a certain index is distinguished from one by any thread") {
  const std::string decides = look + "setp.lt.s32 %p1, %r2, %r1; @%p1 bra after;\n";
  const std::string store = "@%p2 bra after; st.u32 [%rd4], 1;\n";
  const auto is_by_chosen = [&](const std::string& asks) {
    const auto found = Kernel(decides + asks + store).before("st.");
    REQUIRE(found);
    CHECK(found->compares_size);
    return found->is_by_chosen;
  };
  CHECK(is_by_chosen("mov.u32 %r3, %tid.x; setp.ne.s32 %p2, %r3, 0;\n"));
  CHECK(
      is_by_chosen("mov.u32 %r3, %tid.x; mov.u32 %r4, %tid.y; or.b32 %r5, %r3, %r4; "
                   "setp.ne.s32 %p2, %r5, 0;\n"));
  CHECK_FALSE(is_by_chosen("mov.u32 %r3, %tid.x; setp.gt.s32 %p2, %r3, 100;\n"));
  CHECK_FALSE(is_by_chosen("mov.u32 %r3, %ctaid.x; setp.ne.s32 %p2, %r3, 0;\n"));
}

TEST_CASE("what is compared says which atomic would do") {
  auto found = Kernel(look + "setp.le.s32 %p1, %r2, %r1; @%p1 bra after; st.u32 [%rd4], %r1;\n")
                   .before("st.");
  REQUIRE(found);
  CHECK(found->compares_size);
  CHECK_FALSE(found->is_float);
  found = Kernel("ld.f32 %f1, [%rd4]; setp.geu.f32 %p1, %f1, %f2; @!%p1 st.f32 [%rd4], %f2;\n")
              .before("st.");
  REQUIRE(found);
  CHECK(found->compares_size);
  CHECK(found->is_float);
}

TEST_CASE("no look before: another place, a barrier in between, a value that decides otherwise") {
  const std::string decides = "setp.ne.s32 %p1, %r2, 0; @%p1 bra after;\n";
  CHECK_FALSE(Kernel(look + decides + "st.u32 [%rd4+4], 1;\n").before("st."));
  CHECK_FALSE(Kernel(look + decides + "bar.sync 0; st.u32 [%rd4], 1;\n").before("st."));
  // Both ways lead to the store.
  CHECK_FALSE(Kernel(look + "setp.ne.s32 %p1, %r2, 0; @%p1 bra on;\nmov.u32 %r5, 1;\n"
                            "on: st.u32 [%rd4], 1;\n")
                  .before("st."));
}

TEST_CASE("no look before: the register of the look has another value by then") {
  CHECK_FALSE(Kernel(look + "bra after;\nld.u32 %r2, [%rd1]; st.u32 [%rd4], %r2;\n").before("st."));
}

TEST_CASE("a read of what an atomic has made is a look after it, unless a barrier parts them") {
  const Kernel counts("red.add.u32 [%rd4], 1; ld.u32 %r2, [%rd4];\n");
  CHECK(code::looks_behind(counts.text, counts.at("red"), counts.at("ld.u32")));
  const Kernel meets("red.add.u32 [%rd4], 1; bar.sync 0; ld.u32 %r2, [%rd4];\n");
  CHECK_FALSE(code::looks_behind(meets.text, meets.at("red"), meets.at("ld.u32")));
  const Kernel other("red.add.u32 [%rd4], 1; ld.u32 %r2, [%rd1];\n");
  CHECK_FALSE(code::looks_behind(other.text, other.at("red"), other.at("ld.u32")));
}

}  // namespace look_before_test
