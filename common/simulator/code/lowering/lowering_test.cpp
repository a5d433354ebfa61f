// A program's facts about its kernel: sizes, places, needs, and unsupported parts.

#include <doctest/doctest.h>

#include <algorithm>

#include "simulator/code/code_fixture.h"
#include "simulator/code/lowering/layout.h"

using namespace warpwise;
using namespace warpwise::code;

namespace {

/// A module of PTX text with one kernel `k`.
std::string kernel(const std::string& body, const std::string& before = "") {
  return ".version 9.0\n.target sm_90\n.address_size 64\n" + before +
         ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n" + body + "\nret;\n}\n";
}

std::shared_ptr<const Program> compiled(const std::string& text) {
  ptx::Module module = ptx::parse(text);
  return compile(
      module, *module.find("k"), [](const std::string&) { return 4096ull; }, nullptr);
}

std::string failure(const std::string& text) {
  try {
    compiled(text);
  } catch (const ptx::ParseError& error) {
    return error.what();
  }
  return "";
}

std::size_t count(const Program& program, Op op) {
  return static_cast<std::size_t>(std::count_if(program.code.begin(), program.code.end(),
                                                [&](const Instruction& i) { return i.op == op; }));
}

bool overlap(Slot a, Slot a_bytes, Slot b, Slot b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

}  // namespace

TEST_CASE("a variable's name without a space has the variable's") {
  const auto program =
      compiled(kernel(".reg .b64 %d<3>; .local .align 8 .b8 v[8]; .shared .align 8 .b8 s[8];\n"
                      "mov.u64 %d0, 7; st.u64 [v], %d0; ld.u64 %d1, [v];\n"
                      "st.u64 [s], %d1; ld.u64 %d2, [s];"));
  std::size_t local = 0, shared = 0, generic = 0;
  for (const Access& access : program->accesses) {
    local += access.space == Space::local || access.space == Space::frame;
    shared += access.space == Space::shared;
    generic += access.space == Space::generic;
  }
  CHECK(local >= 2);
  CHECK(shared == 2);
  CHECK(generic == 0);
}

TEST_CASE("branches lead to entries, and every block ends") {
  test::Source source(R"(
extern "C" __global__ void k(int* p, int n) {
  int sum = 0;
  #pragma unroll 1
  for (int i = threadIdx.x; i < n; i += 3) { if (p[i] == 4) continue; if (p[i] > 9) break; sum += p[i]; }
  p[threadIdx.x] = sum;
}
)");
  auto program = source.program("k");
  CHECK(program->code.front().op == Op::enter);
  Op last = program->code.back().op;
  CHECK((last == Op::exit || last == Op::branch));
  for (const Instruction& instruction : program->code) {
    if (instruction.op == Op::branch) CHECK(program->code.at(instruction.target).op == Op::enter);
    if (instruction.op == Op::enter) CHECK(instruction.target < program->block_sizes.size());
    CHECK(instruction.place < program->places.size());
  }
  CHECK(count(*program, Op::enter) == program->block_sizes.size());
  for (const Site& site : program->sites) CHECK(program->places[site.place].line >= 5);
}

TEST_CASE("constants, parameters and special registers need no instruction of their own") {
  auto program = compiled(kernel(R"(
.reg .b32 %r<6>; .reg .b64 %rd<4>;
ld.param.u64 %rd1, [p];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
mov.u32 %r3, 77;
mad.lo.s32 %r4, %r2, %r3, %r1;
st.global.u32 [%rd1], %r4;
)"));
  CHECK(count(*program, Op::lanes) == 1);
  CHECK(program->parameter_slots.size() == 2);
  CHECK(program->specials.size() == 1);
  CHECK(program->undefined_at_start.empty());
  CHECK(program->block_sizes == std::vector<std::uint32_t>{7});
}

TEST_CASE("a register that may be read before it is written never shares a constant's place") {
  auto program = compiled(kernel(R"(
.reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .pred %p<3>;
ld.param.u64 %rd1, [p];
ld.param.u32 %r1, [n];
mov.u32 %r5, 0;
$loop:
setp.eq.u32 %p1, %r5, 0;
@%p1 bra $skip;
st.global.u32 [%rd1], %r3;
$skip:
mov.u32 %r3, 77;
add.u32 %r5, %r5, 1;
setp.lt.u32 %p2, %r5, %r1;
@%p2 bra $loop;
)"));
  REQUIRE(program->undefined_at_start.size() == 1);
  auto range = program->undefined_at_start[0];
  for (const auto& constant : program->constants)
    CHECK_FALSE(
        overlap(range.slot, range.bytes, constant.slot, 32u * std::max<Slot>(constant.bytes, 1)));
  // The store in the loop reads what the mov after it has written.
  CHECK(program->accesses.at(0).data[0] == range.slot);
  CHECK(std::count_if(program->code.begin(), program->code.end(), [&](const Instruction& i) {
          return i.op == Op::lanes && i.d == range.slot;
        }) == 1);
}

TEST_CASE("no two values share a place") {
  test::Source source(R"(
extern "C" __global__ void k(const float* x, const double* d, float* y, short n, bool b) {
  int i = threadIdx.x;
  double sum = b ? 1.0 : 2.5;
  for (int k = 0; k < n; ++k) sum += x[i + k] * d[k] + (x[k] > 3 ? 7.0f : 9.0f) + blockIdx.y;
  y[i] = sum;
}
)");
  auto program = source.program("k");
  std::vector<std::pair<Slot, Slot>> taken;
  for (const auto& constant : program->constants)
    taken.emplace_back(constant.slot, std::max(4, 32 * constant.bytes));
  for (const auto& parameter : program->parameter_slots)
    taken.emplace_back(parameter.slot, 32 * parameter.bytes);
  for (const auto& special : program->specials)
    taken.emplace_back(special.slot, 32 * special.bytes);
  for (std::size_t a = 0; a < taken.size(); ++a) {
    CHECK(taken[a].first % slot_unit == 0);
    CHECK(taken[a].first + taken[a].second <= program->register_bytes);
    for (std::size_t b = 0; b < a; ++b)
      CHECK_FALSE(overlap(taken[a].first, taken[a].second, taken[b].first, taken[b].second));
    // None of them is ever written.
    for (const Instruction& instruction : program->code)
      if (instruction.op == Op::lanes) CHECK(instruction.d != taken[a].first);
  }
}

TEST_CASE("shared and local memory are laid out without overlap, dynamic memory last") {
  const std::string before =
      ".shared .align 8 .b8 first[20];\n.shared .align 16 .b8 second[32];\n"
      ".extern .shared .align 32 .b8 pool[];\n.shared .b8 of_another_kernel[512];\n";
  ptx::Module module = ptx::parse(kernel(R"(
.local .align 16 .b8 depot[40];
.reg .b32 %r<4>; .reg .b64 %rd<2>;
mov.u32 %r1, first; mov.u32 %r2, second; mov.u32 %r3, pool; mov.u64 %rd1, depot;
)",
                                         before));
  Program program;
  SharedLayout layout = lay_out_shared(module, *module.find("k"), {}, program);
  CHECK(layout.at("first") == shared_base);
  CHECK(layout.at("second") == shared_base + 32);
  CHECK(layout.at("pool") == shared_base + 64);
  CHECK_FALSE(layout.count("of_another_kernel"));
  CHECK(program.static_shared_bytes == 64);
  CHECK(program.dynamic_shared_offset == 64);
  Layout own = lay_out(*module.find("k"), program);
  CHECK(own.local.at("depot") == 0);
  CHECK(program.local_bytes == 40);
  CHECK(own.parameters.at("n") == 8);
}

TEST_CASE("launches whose blocks may tell each other something are known") {
  const std::string start =
      ".reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .f32 %f<2>; ld.param.u64 %rd1, [p];\n";
  const std::string use = "st.global.u32 [%rd1 + 4], %r1;";
  CHECK_FALSE(compiled(kernel(start + "ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd1], %r1;"))
                  ->blocks_communicate);
  CHECK(compiled(kernel(start + "atom.global.add.u32 %r1, [%rd1], 1;" + use))->blocks_communicate);
  CHECK(compiled(kernel(start + "atom.add.u32 %r1, [%rd1], 1;" + use))->blocks_communicate);
  // Without a result integers come to the same in any order, floats do not.
  CHECK_FALSE(compiled(kernel(start + "atom.global.add.u32 %r1, [%rd1], 1;"))->blocks_communicate);
  CHECK_FALSE(compiled(kernel(start + "red.global.add.u32 [%rd1], 1;"))->blocks_communicate);
  CHECK(compiled(kernel(start + "red.global.add.f32 [%rd1], 0f3F800000;"))->blocks_communicate);
  CHECK(compiled(kernel(start + "atom.global.exch.b32 %r1, [%rd1], 1;"))->blocks_communicate);
  CHECK(compiled(kernel(start + "ld.volatile.global.u32 %r1, [%rd1];"))->blocks_communicate);
  CHECK_FALSE(compiled(kernel(start + "mov.u32 %r2, s; atom.shared.add.u32 %r1, [%r2], 1;",
                              ".shared .align 4 .b8 s[4];\n"))
                  ->blocks_communicate);
}

TEST_CASE("what cannot be run says so, with the PTX line") {
  const std::string start =
      ".reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .f32 %f<2>; ld.param.u64 %rd1, [p];\n";
  CHECK(failure(kernel(start + "mov.u32 %r1, %foo;")).find("%foo") != std::string::npos);
  CHECK(failure(kernel(start + "mov.u64 %rd1, nowhere;")) != "");
  CHECK(failure(kernel(start + "bra $nowhere;")).find("$nowhere") != std::string::npos);
  CHECK(
      failure(kernel(start + "atom.global.min.f32 %f1, [%rd1], %f1;")).find("no such operation") !=
      std::string::npos);
  CHECK(failure(kernel(start + "mov.u32 %r1, %smid2;")).find("PTX line 7") != std::string::npos);
}

TEST_CASE("the selector of a sparse product names lanes that exist") {
  auto product = [](const std::string& shape, const std::string& type, const std::string& factor,
                    const std::string& last) {
    const std::string sum = "%f1, %f1, %f1, %f1";
    return failure(kernel(".reg .b32 %r<4>; .reg .f32 %f<2>;\nmma.sp.sync.aligned." + shape +
                          ".row.col." + type + " {" + sum + "}, {" + factor + "}, {" + factor +
                          "}, {" + sum + "}, " + last + ";"));
  };
  const std::string f16 = "f32.f16.f16.f32", two = "%r1, %r2", four = two + ", " + two;
  CHECK(product("m16n8k16", f16, two, "%r3, 3") == "");
  CHECK(product("m16n8k16", f16, two, "%r3, 4").find("below 4") != std::string::npos);
  CHECK(product("m16n8k32", f16, four, "%r3, 1") == "");
  CHECK(product("m16n8k32", f16, four, "%r3, 2").find("below 2") != std::string::npos);
  CHECK(product("m16n8k32", f16, four, "%r3, %r1").find("below 2") != std::string::npos);
  CHECK(product("m16n8k32", f16, two, "%r3, 0").find("registers") != std::string::npos);
  CHECK(product("m16n8k8", "f32.tf32.tf32.f32", two, "%r3, 4").find("below 4") !=
        std::string::npos);
}

TEST_CASE("instructions are counted as the text has them") {
  auto program = compiled(kernel(".reg .b32 %r<4>;\nmov.u32 %r1, 5;\ncall (%r2), f, (%r1);",
                                 ".func (.reg .u32 %q) f (.reg .u32 %a) {\n"
                                 "add.u32 %q, %a, 1; ret; }\n"));
  // The kernel's blocks, split after the call, and the function's.
  CHECK(program->block_sizes == std::vector<std::uint32_t>{2, 1, 2});
}
