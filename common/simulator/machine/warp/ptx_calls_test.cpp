// Forms of calls and of the stack that nvcc writes seldom or never: as PTX text.

#include "simulator/machine/ptx_fixture.h"

using namespace warpwise;
using namespace warpwise::machine;
using namespace warpwise::machine::test;

namespace ptx_calls_test {

std::vector<unsigned> each_lane(unsigned (*f)(unsigned)) {
  std::vector<unsigned> values;
  for (unsigned lane = 0; lane < 32; ++lane) values.push_back(f(lane));
  return values;
}

const std::string twice = R"(
.func (.param .b32 result) twice(.param .b32 x) {
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [x];
  shl.b32 %r2, %r1, 1;
  st.param.b32 [result], %r2;
  ret;
})";

const std::string call_twice = R"(
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;
    call (b), twice, (a); ld.param.b32 %r0, [b]; })";

TEST_CASE("a guarded call, an alias, a function declared before it is defined") {
  std::string declared = ".func (.param .b32 result) twice(.param .b32 x);\n";
  CHECK(Text(kernel(declared + twice, call_twice)).run_clean() ==
        each_lane([](unsigned t) { return 2 * t; }));
  std::string alias = twice +
                      "\n.visible .func (.param .b32 result) same(.param .b32 x);\n"
                      ".alias same, twice;\n";
  std::string guarded = R"(
  mov.u32 %r0, 5;
  setp.gt.u32 %p1, %r1, 20;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; st.param.b32 [b], 7;
    @%p1 call (b), same, (a); ld.param.b32 %r0, [b]; })";
  CHECK(Text(kernel(alias, guarded)).run_clean() ==
        each_lane([](unsigned t) { return t > 20 ? 2 * t : 7u; }));
}

TEST_CASE("lanes return at different places and meet again") {
  std::string two_ways = R"(
.func (.param .b32 result) f(.param .b32 x) {
  .reg .b32 %r<3>; .reg .pred %p;
  ld.param.b32 %r1, [x];
  setp.lt.u32 %p, %r1, 10;
  st.param.b32 [result], 1;
  @%p ret;
  st.param.b32 [result], %r1;
  ret;
})";
  std::string body = R"(
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;
    call (b), f, (a); ld.param.b32 %r0, [b]; }
  activemask.b32 %r2; popc.b32 %r2, %r2; mad.lo.u32 %r0, %r2, 100, %r0;)";
  CHECK(Text(kernel(two_ways, body)).run_clean() ==
        each_lane([](unsigned t) { return 3200 + (t < 10 ? 1 : t); }));
}

TEST_CASE("values of every width go in and out, in parts and as vectors") {
  std::string mixed = R"(
.func (.param .align 8 .b8 result[24]) f(.param .align 8 .b8 x[24], .param .b64 y) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .b16 %rs<8>;
  ld.param.v2.b32 {%r1, %r2}, [x];
  ld.param.b64 %rd1, [x+8];
  ld.param.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [x+16];
  ld.param.u64 %rd2, [y];
  mov.b64 %rd3, x;
  ld.param.s8 %r3, [%rd3+17];
  add.u64 %rd1, %rd1, %rd2;
  st.param.b64 [result], %rd1;
  st.param.v2.b32 [result+8], {%r2, %r1};
  st.param.v4.b8 [result+16], {%rs4, %rs3, %rs2, %rs1};
  st.param.b32 [result+20], %r3;
  ret;
})";
  std::string body = R"(
  { .param .align 8 .b8 a[24]; .param .b64 c; .param .align 8 .b8 b[24];
    st.param.b32 [a], %r1; st.param.b32 [a+4], 11; st.param.b64 [a+8], 0x100000001;
    st.param.b8 [a+16], 1; st.param.b8 [a+17], 254; st.param.b8 [a+18], 3; st.param.b8 [a+19], 4;
    st.param.b64 [c], 41;
    call (b), f, (a, c);
    ld.param.b32 %r2, [b]; ld.param.b32 %r3, [b+4]; ld.param.v2.b32 {%r4, %r5}, [b+8];
    ld.param.b32 %r6, [b+16]; ld.param.b32 %r7, [b+20]; }
  mad.lo.u32 %r0, %r2, 3, %r3; mad.lo.u32 %r0, %r0, 5, %r4; mad.lo.u32 %r0, %r0, 7, %r5;
  mad.lo.u32 %r0, %r0, 9, %r6; mad.lo.u32 %r0, %r0, 11, %r7;)";
  CHECK(Text(kernel(mixed, body)).run_clean() == each_lane([](unsigned t) {
          unsigned r = 42 * 3 + 1;
          r = (r * 5 + 11) * 7 + t;
          return (r * 9 + 0x01fe0304u) * 11 + static_cast<unsigned>(-2);
        }));
}

TEST_CASE("brx.idx branches to the label that its index names") {
  std::string body = R"(
  rem.u32 %r2, %r1, 3;
  ts: .branchtargets $a, $b, $c;
  brx.idx %r2, ts;
$a: mov.u32 %r0, 10; bra $end;
$b: mov.u32 %r0, 20; bra $end;
$c: mov.u32 %r0, 30; bra $end;)";
  CHECK(Text(kernel("", body)).run_clean() ==
        each_lane([](unsigned t) { return 10 * (t % 3 + 1); }));
}

TEST_CASE("the stack is given back where it was saved") {
  // A thousand times a kilobyte is more than a thread may have.
  std::string body = R"(
  mov.u32 %r2, 0; mov.u32 %r0, 0;
$loop:
  stacksave.u64 %rd1;
  alloca.u64 %rd2, 1024, 16;
  mov.u32 %r4, 7;
  st.local.u32 [%rd2+1020], %r2;
  ld.local.u32 %r3, [%rd2+1020];
  add.u32 %r0, %r0, %r3;
  stackrestore.u64 %rd1;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, 1000;
  @%p1 bra $loop;)";
  CHECK(Text(kernel("", body)).run_clean() == std::vector<unsigned>(32, 499500));
  // Lanes that have exited inside a function hold nothing back.
  std::string gone = R"(
.func gone(.param .b32 x) {
  .reg .b32 %r<2>; .reg .pred %p;
  ld.param.b32 %r1, [x];
  setp.gt.u32 %p, %r1, 20;
  @%p exit;
  ret;
})";
  Text shorter(kernel(gone, "{ .param .b32 a; st.param.b32 [a], %r1; call gone, (a); }" + body));
  auto values = shorter.run_clean();
  CHECK(std::count(values.begin(), values.end(), 499500) == 21);
  std::string kept = body;
  kept.erase(kept.find("  stackrestore"), std::strlen("  stackrestore.u64 %rd1;\n"));
  Text overflow(kernel("", kept));
  overflow.run();
  REQUIRE(overflow.report.diagnoses.size() == 1);
  CHECK(overflow.report.diagnoses[0].kind == "out-of-bounds");
}

TEST_CASE("a function that cannot run spoils only its callers") {
  std::string broken =
      ".func g() { wobble.b32 x; ret; }\n"
      ".global .align 8 .u64 table[2] = {g, twice};\n";
  std::string body = R"(
  ld.global.u64 %rd1, [table+8];
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;
    proto: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (b), %rd1, (a), proto; ld.param.b32 %r0, [b]; })";
  CHECK(Text(kernel(twice + broken, body)).run_clean() ==
        each_lane([](unsigned t) { return 2 * t; }));
  body.replace(body.find("table+8"), 7, "table+0");
  Text through_pointer(kernel(twice + broken, body));
  through_pointer.run();
  REQUIRE(through_pointer.report.diagnoses.size() == 1);
  CHECK(through_pointer.report.diagnoses[0].kind == "unsupported");
  CHECK(through_pointer.report.diagnoses[0].message.find("wobble") != std::string::npos);
  Text by_name(kernel(twice + broken, "call g;"));
  by_name.run();
  CHECK(by_name.report.unsupported.find("wobble") != std::string::npos);
}

TEST_CASE("calls that cannot be are refused in words") {
  auto refusal = [](const std::string& before, const std::string& body) {
    Text text(kernel(before, body));
    text.run();
    return text.report.unsupported;
  };
  CHECK(refusal("", "call nowhere;").find("calls to nowhere") != std::string::npos);
  CHECK(refusal("", "call;").find("names no function") != std::string::npos);
  CHECK(refusal(twice, "{ .param .b32 a; st.param.b64 [a], %rd1; }").find("beyond a") !=
        std::string::npos);
  CHECK(refusal(twice, "call (nothing), twice, (%r2);").find(".param") != std::string::npos);
  CHECK(refusal("", "st.param.b32 [%rd1], %r1;").find("cannot be written") != std::string::npos);
  CHECK(refusal("", "ld.param.b32 %r1, [nothing];").find("nothing") != std::string::npos);
  CHECK(refusal("", "brx.idx %r1, nothing;").find("nothing") != std::string::npos);
  CHECK(refusal("", "alloca.u64 %rd1;").find("lacks operands") != std::string::npos);
}

TEST_CASE("a kernel has the PTX version of its own unit, for every library linked to it") {
  const auto unit = [](std::uint32_t number, unsigned architecture, const std::string& name) {
    image::Entry entry{};
    entry.kind = image::Entry::Kind::ptx;
    entry.architecture = architecture;
    entry.unit = number;
    const std::string text = fmt::format(
        ".version 9.0\n.target sm_{}\n.address_size 64\n.visible .entry {}() {{ ret; }}\n",
        architecture, name);
    const auto bytes = std::as_bytes(std::span(text));
    entry.payload.assign(bytes.begin(), bytes.end());
    return entry;
  };
  memory::AddressSpace memory(64ull << 20);
  auto module = load({unit(1, 90, "own"), unit(2, 121, "library")}, 90, memory);
  REQUIRE(module->kernel("own") != nullptr);
  CHECK(module->kernel("own")->ptx_architecture == 90);
  CHECK(module->kernel("library")->ptx_architecture == 121);
  CHECK(module->note() == "");
  auto newer = load({unit(1, 100, "own")}, 90, memory);
  CHECK(newer->note().find("compute_100") != std::string::npos);
}

}  // namespace ptx_calls_test
