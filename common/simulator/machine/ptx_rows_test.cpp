// Rows whose operands are more than registers: carries, selectors, parts, 128 bits; as PTX text.

#include "simulator/machine/ptx_fixture.h"

using namespace warpwise::machine::test;

namespace ptx_rows_test {

unsigned lane_value(const std::string& body, unsigned lane = 5) {
  return Text(kernel("", body)).run_clean().at(lane);
}

TEST_CASE("a carry goes from one instruction to the next, lane by lane") {
  // 0xffffffff + lane carries for all lanes but 0.
  const std::string sum = "mov.u32 %r2, 0xffffffff; add.cc.u32 %r3, %r2, %r1; addc.u32 %r0, 0, 10;";
  auto values = Text(kernel("", sum)).run_clean();
  CHECK(values[0] == 10);
  CHECK(values[1] == 11);
  CHECK(values[31] == 11);
  CHECK(lane_value("sub.cc.u32 %r2, 3, %r1; subc.cc.u32 %r3, 0, 0; subc.u32 %r0, 9, 0;") == 8);
  CHECK(lane_value("mad.lo.cc.u32 %r2, %r1, 0x40000000, 0xc0000000; madc.hi.u32 %r0, %r1, "
                   "0x40000000, 0;") == 2);
}

TEST_CASE("a guarded addition leaves the carry of other lanes") {
  auto values = Text(kernel("", R"(
    add.cc.u32 %r2, 0xffffffff, 1;
    setp.lt.u32 %p1, %r1, 4;
    @%p1 add.cc.u32 %r2, 0, 0;
    addc.u32 %r0, 0, 0;)"))
                    .run_clean();
  CHECK(values[3] == 0);
  CHECK(values[4] == 1);
}

TEST_CASE("selectors of operands reach the video instructions") {
  CHECK(lane_value("mov.u32 %r2, 0x80ff0000; vadd.s32.s32.u32 %r0, %r2.b3, %r2.h1;") ==
        0x80ffu - 128);
  CHECK(lane_value("mov.u32 %r2, 0x11223344; vadd.u32.u32.u32 %r0.b2, %r1, 1, %r2;") ==
        0x11063344u);
  CHECK(lane_value("vadd2.u32.u32.u32 %r0.h0, %r1.h00, %r1.h00, %r1;") == 10);
  CHECK(lane_value("vabsdiff4.u32.u32.u32.add %r0, %r1, 7, 100;") == 102);
}

TEST_CASE("a predicate says whether a table of bits gave one, joined with a fifth source") {
  auto values = Text(kernel("", R"(
    setp.lt.u32 %p1, %r1, 8;
    lop3.or.b32 %r2|%p2, %r1, 1, 0, 0xc0, %p1;
    lop3.and.b32 _|%p1, %r1, 2, 0, 0xc0, !%p1;
    selp.u32 %r0, 10, 0, %p1;
    @%p2 add.u32 %r0, %r0, 100;
    add.u32 %r0, %r0, %r2;)"))
                    .run_clean();
  CHECK(values[5] == 101);
  CHECK(values[2] == 100);
  CHECK(values[12] == 0);
  CHECK(values[13] == 101);
  CHECK(values[14] == 10);
  CHECK(values[15] == 111);
}

TEST_CASE("an opcode has a row for each number of operands") {
  CHECK(lane_value("max.f32 %r0, 0f3F800000, 0f40000000, 0f3F000000;") == 0x40000000u);
  CHECK(lane_value("max.f32 %r0, 0f3F800000, 0f3F000000;") == 0x3f800000u);
  // Decimal ones are doubles, which the instruction narrows.
  CHECK(lane_value("add.f32 %r0, 0.5, -1.25e+0;") == 0xbf400000u);
}

TEST_CASE("set and setp of halves get their operator") {
  CHECK(lane_value("set.lt.u32.s32 %r0, %r1, 6;") == ~0u);
  CHECK(lane_value("set.gt.f32.u32 %r0, %r1, 6;") == 0);
  CHECK(lane_value("set.eq.f16x2.f16x2 %r0, 0x3c003c00, 0x3c000000;") == 0x3c000000u);
  CHECK(lane_value("setp.lt.f16x2 %p1|%p2, 0x3c004000, 0x40003c00; selp.u32 %r2, 1, 0, %p1; "
                   "selp.u32 %r3, 2, 0, %p2; add.u32 %r0, %r2, %r3;") == 2);
}

// As CUB loads and stores the keys of characters.
TEST_CASE("some lanes load and store registers of one byte, the others keep theirs") {
  auto values = Text(kernel(".global .align 8 .b8 bytes[32];", R"(
    .reg .u8 %b<2>;
    mov.u64 %rd1, bytes; cvt.u64.u32 %rd2, %r1; add.u64 %rd1, %rd1, %rd2;
    st.global.u8 [%rd1], %r1;
    mov.u16 %rs1, 77;
    setp.ge.u32 %p1, %r1, 10;
    @%p1 bra $kept;
    ld.global.u8 %b0, [%rd1]; cvt.u16.u8 %rs1, %b0;
  $kept:
    setp.lt.u32 %p1, %r1, 20;
    @%p1 bra $left;
    cvt.u8.u32 %b1, 200; st.global.u8 [%rd1], %b1;
  $left:
    ld.global.u8 %rs2, [%rd1];
    mov.b32 %r0, {%rs1, %rs2};)"))
                    .run_clean();
  for (unsigned lane = 0; lane < 32; ++lane)
    CHECK(values[lane] == ((lane < 10 ? lane : 77) | (lane < 20 ? lane : 200) << 16));
}

TEST_CASE("bytes are packed and unpacked") {
  CHECK(lane_value(".reg .b8 %c<4>; cvt.u8.u32 %c0, %r1; mov.b32 %r0, {%c0, %c0, %c0, %c0};") ==
        0x05050505u);
  CHECK(lane_value(".reg .b8 %c<4>; mov.b32 {%c0, %c1, %c2, %c3}, 0x12345678; "
                   "cvt.u32.u8 %r0, %c2;") == 0x34);
}

TEST_CASE("values of 128 bits are moved, chosen and stored") {
  CHECK(lane_value(R"(
    .reg .b128 %q<3>; .local .align 16 .b8 room[32];
    cvt.u64.u32 %rd1, %r1; mov.u64 %rd2, 77;
    mov.b128 %q0, {%rd2, %rd1};
    setp.eq.u32 %p1, %r1, 5;
    mov.b128 %q1, {%rd2, %rd2};
    @%p1 mov.b128 %q1, %q0;
    st.local.b128 [room+16], %q1;
    ld.local.b128 %q2, [room+16];
    mov.b128 {%rd3, %rd4}, %q2;
    add.u64 %rd3, %rd3, %rd4;
    cvt.u32.u64 %r0, %rd3;)") == 82);
}

TEST_CASE("a global variable is read and written by its name alone, in no space's name") {
  auto values = Text(kernel(".global .align 4 .u32 counts[2] = {7, 9};\n", R"(
    ld.u32 %r0, [counts+4]; st.u32 [counts], 5; ld.global.u32 %r2, [counts]; add.u32 %r0, %r0, %r2;)"))
                    .run();
  CHECK(values[5] == 14);
}

TEST_CASE("an atomic of 16 bytes names its order before or after what it does") {
  const std::string pair = ".global .align 16 .u64 pair[2] = {1, 2};\n";
  for (const std::string opcode : {"atom.relaxed.gpu.cas.b128", "atom.cas.relaxed.gpu.b128",
                                   "atom.global.cas.acq_rel.sys.b128"}) {
    auto values = Text(kernel(pair, R"(
    .reg .b128 %q<3>; mov.u64 %rd1, 1; mov.u64 %rd2, 2; mov.u64 %rd3, 30; mov.u64 %rd5, pair;
    mov.b128 %q0, {%rd1, %rd2}; mov.b128 %q1, {%rd3, %rd3}; mov.u32 %r0, 0;
    setp.ne.u32 %p1, %r1, 5; @%p1 bra $end;
    )" + opcode + R"( %q2, [%rd5], %q0, %q1;
    mov.b128 {%rd1, %rd2}, %q2; ld.global.u64 %rd3, [pair]; mad.lo.u64 %rd1, %rd2, 10, %rd1;
    add.u64 %rd1, %rd1, %rd3; cvt.u32.u64 %r0, %rd1;)"))
                      .run_clean();
    CHECK(values[5] == 1 + 20 + 30);
  }
}

}  // namespace ptx_rows_test
