#include "simulator/code/flow/optimistic_reads.h"

#include <doctest/doctest.h>

#include <string>

#include "simulator/ptx/module.h"

namespace optimistic_reads_test {

using namespace warpwise;
using code::OptimisticRead;

// As nvcc writes it without optimisation: the atomic is a function, and addresses are made twice.
const std::string functions = R"(
.version 9.0
.target sm_90
.address_size 64
.func (.param .b32 result) swap(.param .b64 place, .param .b32 expected, .param .b32 wanted) {
  .reg .b32 %r<4>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [place]; ld.param.u32 %r1, [expected]; ld.param.u32 %r2, [wanted];
  mov.b64 %rd2, %rd1;
  atom.cas.b32 %r3, [%rd2], %r1, %r2;
  st.param.b32 [result+0], %r3;
  ret;
}
)";

const std::string head = R"(
.visible .entry kernel(.param .u64 p, .param .u32 i) {
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [i];
  cvt.s64.s32 %rd2, %r1; shl.b64 %rd3, %rd2, 2; add.s64 %rd4, %rd1, %rd3;
)";

const std::string again =
    "cvt.s64.s32 %rd5, %r1; shl.b64 %rd6, %rd5, 2; add.s64 %rd7, %rd1, %rd6;\n";

std::string call(const std::string& place, const std::string& expected, const std::string& result) {
  return "{ .param .b64 a; st.param.b64 [a+0], " + place + "; .param .b32 b; st.param.b32 [b+0], " +
         expected +
         "; .param .b32 c; st.param.b32 [c+0], 1; .param .b32 d; call.uni (d), swap, (a, b, c); "
         "ld.param.b32 " +
         result + ", [d+0]; }\n";
}

/// The kind of the first load that begins with `load`, in a kernel with that body.
OptimisticRead optimistic_read_of(const std::string& body, const char* load = "ld.u32") {
  const ptx::Module module = ptx::parse(functions + head + body + "ret;\n}\n");
  const ptx::Function& kernel = *module.find("kernel");
  const auto all =
      code::optimistic_reads(kernel, code::atomic_parameters(code::callees_of(module, kernel)));
  for (std::size_t i = 0; i < all.size(); ++i)
    if (kernel.body[i].opcode.starts_with(load)) return all[i];
  FAIL("no load");
  return OptimisticRead::none;
}

const std::string look = "ld.u32 %r2, [%rd4];\n";
const std::string use = "st.u32 [%rd1], %r5;\n";

TEST_CASE("what a compare-and-swap compares with is an optimistic read, through moves and calls") {
  CHECK(optimistic_read_of(look + "atom.cas.b32 %r5, [%rd4], %r2, 7;\n" + use) ==
        OptimisticRead::swapped);
  CHECK(optimistic_read_of(look + "mov.u32 %r3, %r2;\n" + call("%rd4", "%r3", "%r5") + use) ==
        OptimisticRead::swapped);
}

TEST_CASE(
    "what is read in shared memory is no optimistic read of what a swap finds in global memory") {
  const std::string swap = "atom.global.cas.b32 %r5, [%rd4], %r3, 7;\n" + use;
  CHECK(optimistic_read_of("ld.global.u32 %r2, [%rd4]; mov.u32 %r3, %r2;\n" + swap, "ld.global") ==
        OptimisticRead::swapped);
  CHECK(optimistic_read_of("ld.shared.u32 %r2, [%rd4]; mov.u32 %r3, %r2;\n" + swap, "ld.shared") ==
        OptimisticRead::none);
  // A generic address may be either's.
  CHECK(optimistic_read_of("ld.u32 %r2, [%rd4]; mov.u32 %r3, %r2;\n" + swap) ==
        OptimisticRead::swapped);
  CHECK(optimistic_read_of("ld.shared.u32 %r2, [%rd4]; mov.u32 %r3, %r2;\n"
                           "atom.cas.b32 %r5, [%rd4], %r3, 7;\n" +
                               use,
                           "ld.shared") == OptimisticRead::swapped);
}

TEST_CASE("a swap whose success is never checked confirms no optimistic read") {
  CHECK(optimistic_read_of(look + "atom.cas.b32 %r5, [%rd4], %r2, 7;\n") == OptimisticRead::none);
  CHECK(optimistic_read_of(look + call("%rd4", "%r2", "%r5")) == OptimisticRead::none);
}

TEST_CASE("a value that only decides whether an atomic looks at the same place is a glance") {
  const std::string decides = look + "setp.ne.s32 %p1, %r2, -1;\n@%p1 bra after;\n";
  CHECK(optimistic_read_of(decides + again + "atom.cas.b32 %r5, [%rd7], -1, 7;\n" + use +
                           "after: ") == OptimisticRead::glance);
  CHECK(optimistic_read_of(decides + again + call("%rd7", "-1", "%r5") + use + "after: ") ==
        OptimisticRead::glance);
  CHECK(optimistic_read_of(decides + "atom.min.s32 %r5, [%rd4], 3;\nafter: ") ==
        OptimisticRead::glance);
  CHECK(optimistic_read_of(look +
                           "and.b32 %r3, %r2, 8; setp.ne.s32 %p1, %r3, 0; @%p1 bra after;\n" +
                           "red.or.b32 [%rd4], 8;\nafter: ") == OptimisticRead::glance);
}

TEST_CASE("no glance: another place, an atomic that does not look, a value that is used") {
  const std::string decides = look + "setp.ne.s32 %p1, %r2, -1;\n@%p1 bra after;\n";
  CHECK(optimistic_read_of(decides + "atom.min.s32 %r5, [%rd1], 3;\nafter: ") ==
        OptimisticRead::none);
  CHECK(optimistic_read_of(decides + "atom.min.s32 %r5, [%rd4+4], 3;\nafter: ") ==
        OptimisticRead::none);
  CHECK(optimistic_read_of(decides + "atom.add.s32 %r5, [%rd4], 3;\n" + use + "after: ") ==
        OptimisticRead::none);
  CHECK(optimistic_read_of(decides + "atom.exch.b32 %r5, [%rd4], 3;\nafter: ") ==
        OptimisticRead::none);
  CHECK(
      optimistic_read_of(decides + "atom.min.s32 %r5, [%rd4], 3;\nst.u32 [%rd1], %r2;\nafter: ") ==
      OptimisticRead::none);
}

}  // namespace optimistic_reads_test
