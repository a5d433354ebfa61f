#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "simulator/isa/isa_fixture.h"

namespace isa = warpwise::isa;

using warpwise::isa::run;

namespace {

std::uint32_t mask_result(std::string_view opcode, const float (&a)[32], const float (&b)[32]) {
  auto match = isa::find_row(opcode);
  REQUIRE(match.has_value());
  std::uint32_t p = 0;
  isa::Operands operands;
  operands.d = &p;
  operands.s[0] = a;
  operands.s[1] = b;
  match->function(operands);
  return p;
}

}  // namespace

TEST_CASE("opcodes are found by their syntax, and only by it") {
  CHECK(isa::find_row("add.rn.ftz.f32"));
  CHECK(isa::find_row("ld.global.nc.L1::no_allocate.v4.f32"));
  CHECK(isa::find_row("shfl.sync.bfly.b32")->variant["mode"] == "bfly");
  CHECK_FALSE(isa::find_row("add.f33"));
  CHECK_FALSE(isa::find_row("mul.wide.s64"));
  CHECK_FALSE(isa::find_row("setp.equ.s32"));
  CHECK_FALSE(isa::find_row(""));
  CHECK_FALSE(isa::find_row("."));
}

TEST_CASE("an opcode's modifiers may come in any order, its types only in theirs") {
  for (const char* opcode :
       {"lg2.approx.f32.ftz", "lg2.f32.ftz.approx", "add.ftz.rn.f32", "ld.u32.volatile.global",
        "setp.f32.lt", "atom.u32.add.global", "ld.global.u32.v2", "cvt.f32.s32.rn",
        "ldmatrix.sync.aligned.x4.trans.m8n8.shared.b16"}) {
    CAPTURE(opcode);
    CHECK(isa::find_row(opcode));
  }
  const auto convert = isa::find_row("cvt.f32.s32.rn");
  CHECK(isa::type_of(convert->syntax->operands()[0], convert->variant) == isa::Type::f32);
  CHECK(isa::type_of(convert->syntax->operands()[1], convert->variant) == isa::Type::s32);
  const bool is_the_same = isa::find_row("lg2.approx.f32.ftz")->function ==
                           isa::find_row("lg2.approx.ftz.f32")->function;
  CHECK(is_the_same);
  CHECK_FALSE(isa::find_row("lg2.approx.f32.ftz.ftz"));
  CHECK_FALSE(isa::find_row("lg2.f32.ftz"));
  CHECK_FALSE(isa::find_row("lg2..approx.f32"));
}

TEST_CASE("operands are declared by the row") {
  auto setp = isa::find_row("setp.lt.and.s32");
  const auto& operands = setp->syntax->operands();
  REQUIRE(operands.size() == 5);
  CHECK(operands[0].destination);
  CHECK(operands[1].second);
  CHECK(operands[4].type == "pred");
  CHECK(isa::type_of(operands[0], setp->variant) == isa::Type::pred);
  CHECK(isa::type_of(operands[1], setp->variant) == isa::Type::pred);
  CHECK(isa::type_of(operands[2], setp->variant) == isa::Type::s32);
  auto wide = isa::find_row("mad.wide.s32");
  CHECK(isa::type_of(wide->syntax->operands()[0], wide->variant) == isa::Type::s64);
  auto store = isa::find_row("st.shared.f32");
  CHECK(store->syntax->operands()[0].address);
  CHECK_FALSE(store->syntax->operands()[1].destination);
}

TEST_CASE("products of warpgroups have the widths that ptxas takes") {
  const std::string start = "wgmma.mma_async.sync.aligned.m64n";
  for (const char* rest : {"8k16.f32.f16.f16", "40k16.f16.f16.f16", "256k16.f32.bf16.bf16",
                           "248k8.f32.tf32.tf32", "24k32.f16.e5m2.e4m3", "24k32.s32.s8.u8",
                           "48k32.satfinite.s32.u8.u8", "256k256.s32.b1.b1.and.popc"})
    CHECK_MESSAGE(isa::find_row(start + rest).has_value(), rest);
  for (const char* rest : {"4k16.f32.f16.f16", "264k16.f32.f16.f16", "8k8.f32.f16.f16",
                           "8k16.f16.bf16.bf16", "40k32.s32.s8.s8", "8k256.s32.b1.b1.xor.popc"})
    CHECK_MESSAGE(!isa::find_row(start + rest).has_value(), rest);
}

TEST_CASE("every row has a syntax that its own opcode matches once") {
  std::set<std::string_view> seen;
  for (const isa::Row& row : isa::rows()) {
    isa::Syntax syntax(row);
    CHECK_FALSE(syntax.mnemonic().empty());
    CHECK_MESSAGE(seen.insert(row.syntax).second, row.syntax);
    bool is_pure = row.kind == isa::Kind::lanes || row.kind == isa::Kind::matrix ||
                   row.kind == isa::Kind::warpgroup_product;
    bool is_move = row.kind == isa::Kind::matrix_load || row.kind == isa::Kind::matrix_store;
    CHECK((is_move || is_pure == (row.select != nullptr)));
  }
  CHECK(seen.size() > 80);
}

TEST_CASE("integers wrap, saturate, divide as the hardware does") {
  CHECK(run<std::int32_t>("add.s32", INT32_MAX, 1) == INT32_MIN);
  CHECK(run<std::int32_t>("add.sat.s32", INT32_MAX, 1) == INT32_MAX);
  CHECK(run<std::uint16_t>("mul.lo.u16", std::uint16_t(65535), std::uint16_t(65535)) == 1);
  CHECK(run<std::int64_t>("mul.wide.s32", -3, INT32_MAX) == -3ll * INT32_MAX);
  CHECK(run<std::int64_t>("mad.wide.s32", -3, 5, 100ll) == 85);
  CHECK(run<std::uint64_t>("mul.hi.u64", ~0ull, ~0ull) == ~1ull);
  CHECK(run<std::uint32_t>("div.u32", 7u, 0u) == ~0u);
  CHECK(run<std::int32_t>("div.s32", INT32_MIN, -1) == INT32_MIN);
  CHECK(run<std::int32_t>("rem.s32", -7, 3) == -1);
  CHECK(run<std::uint32_t>("shl.b32", 1u, 32u) == 0);
  CHECK(run<std::int32_t>("shr.s32", -8, 40u) == -1);
  CHECK(run<std::uint64_t>("shr.u64", 1ull << 63, 63u) == 1);
  CHECK(run<std::uint32_t>("shf.l.wrap.b32", 0x80000000u, 1u, 33u) == 3);
  CHECK(run<std::uint32_t>("shf.r.clamp.b32", 0x80000000u, 1u, 40u) == 1);
  CHECK(run<std::uint32_t>("brev.b32", 1u) == 0x80000000u);
  CHECK(run<std::uint32_t>("popc.b64", ~0ull) == 64);
}

TEST_CASE("bits are found, masked and permuted") {
  CHECK(run<std::uint32_t>("bfind.u32", 0x00010000u) == 16);
  CHECK(run<std::uint32_t>("bfind.u32", 0u) == ~0u);
  CHECK(run<std::uint32_t>("bfind.s32", -1) == ~0u);
  CHECK(run<std::uint32_t>("bfind.s32", -3) == 1);
  CHECK(run<std::uint32_t>("bfind.shiftamt.u32", 1u) == 31);
  CHECK(run<std::uint32_t>("bfind.u64", 1ull << 40) == 40);
  CHECK(run<std::uint32_t>("bmsk.clamp.b32", 4u, 3u) == 0x70);
  CHECK(run<std::uint32_t>("bmsk.clamp.b32", 30u, 8u) == 0xc0000000u);
  CHECK(run<std::uint32_t>("bmsk.clamp.b32", 0u, 40u) == ~0u);
  CHECK(run<std::uint32_t>("bmsk.clamp.b32", 32u, 1u) == 0);
  CHECK(run<std::uint32_t>("prmt.b32", 0x33221100u, 0x77665544u, 0x7531u) == 0x77553311u);
  CHECK(run<std::uint32_t>("prmt.b32", 0x00008000u, 0u, 0x0919u) == 0x00ff80ffu);
}

TEST_CASE("atomics in each order of their modifiers") {
  for (const char* opcode :
       {"atom.global.add.u32", "atom.add.relaxed.gpu.s32", "atom.global.cta.add.u32",
        "atom.relaxed.gpu.global.add.f32", "atom.cas.acquire.gpu.b32"})
    CHECK_MESSAGE(isa::find_row(opcode).has_value(), opcode);
}

TEST_CASE("floats round, flush and canonicalise") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::bit_cast<std::uint32_t>(run<float>("add.f32", nan, 1.0f)) == 0x7fffffff);
  CHECK(run<float>("add.rz.f32", 1.0f, 0x1.8p-24f) == 1.0f);
  CHECK(run<float>("add.rn.f32", 1.0f, 0x1.8p-24f) == 1.0f + 0x1p-23f);
  CHECK(run<float>("add.rp.f32", 1.0f, 0x1p-30f) == 1.0f + 0x1p-23f);
  CHECK(run<float>("mul.ftz.f32", 0x1p-100f, 0x1p-40f) == 0.0f);
  CHECK(run<float>("mul.f32", 0x1p-100f, 0x1p-40f) == 0x1p-140f);
  CHECK(run<float>("mul.sat.f32", 3.0f, 2.0f) == 1.0f);
  CHECK(run<float>("fma.rn.f32", 1.0f + 0x1p-12f, 1.0f + 0x1p-12f, -1.0f - 0x1p-11f) == 0x1p-24f);
  CHECK(run<float>("max.f32", nan, 2.0f) == 2.0f);
  CHECK(run<float>("max.f32", 2.0f, nan) == 2.0f);
  CHECK(std::isnan(run<float>("max.NaN.f32", 2.0f, nan)));
  CHECK(std::signbit(run<float>("min.f32", 0.0f, -0.0f)));
  CHECK_FALSE(std::signbit(run<float>("max.f32", -0.0f, 0.0f)));
  CHECK(run<float>("div.rn.f32", 1.0f, 3.0f) == 1.0f / 3.0f);
  CHECK(run<double>("fma.rn.f64", 0.1, 10.0, -1.0) == std::fma(0.1, 10.0, -1.0));
}

TEST_CASE("dot products of bytes and halves extend each part by its own sign") {
  std::uint32_t a = 0x01fe0380, b = 0xff02ff10, c = 1000;
  CHECK(run<std::uint32_t>("dp4a.u32.u32", a, b, c) ==
        1000 + 0x80 * 0x10 + 3 * 255 + 254 * 2 + 255);
  CHECK(run<std::int32_t>("dp4a.s32.s32", a, b, c) == 1000 - 128 * 16 - 3 - 2 * 2 - 1);
  CHECK(run<std::int32_t>("dp4a.s32.u32", a, b, c) == 1000 - 128 * 16 + 3 * 255 - 2 * 2 + 255);
  CHECK(run<std::uint32_t>("dp2a.lo.u32.u32", a, b, c) == 1000 + 0x0380 * 0x10 + 0x01fe * 255);
  CHECK(run<std::int32_t>("dp2a.hi.s32.s32", 0xffff0003u, b, c) == 1000 + 3 * 2 + 1);
}

TEST_CASE("conversions clamp, round and extend") {
  CHECK(run<std::int32_t>("cvt.rzi.s32.f32", 1e20f) == INT32_MAX);
  CHECK(run<std::int32_t>("cvt.rzi.s32.f32", std::nanf("")) == 0);
  CHECK(run<std::int32_t>("cvt.rni.s32.f32", 2.5f) == 2);
  CHECK(run<std::int32_t>("cvt.rpi.s32.f32", 2.1f) == 3);
  CHECK(run<std::uint32_t>("cvt.rzi.u32.f32", -5.0f) == 0);
  CHECK(run<std::int64_t>("cvt.s64.s32", -2) == -2);
  CHECK(run<std::uint64_t>("cvt.u64.u32", ~0u) == 0xffffffffull);
  CHECK(run<float>("cvt.rn.f32.u32", 0xffffffffu) == 4294967296.0f);
  CHECK(run<float>("cvt.rz.f32.s32", INT32_MAX) == 2147483520.0f);
  CHECK(run<float>("cvt.rmi.f32.f32", -1.5f) == -2.0f);
  CHECK(run<std::uint8_t>("cvt.sat.u8.s32", -4) == 0);
}

TEST_CASE("comparisons make masks; NaN is unordered") {
  float a[32], b[32];
  for (int i = 0; i < 32; ++i) a[i] = static_cast<float>(i), b[i] = 15.5f;
  a[3] = std::numeric_limits<float>::quiet_NaN();
  CHECK(mask_result("setp.lt.f32", a, b) == (0x0000ffffu & ~8u));
  CHECK(mask_result("setp.ltu.f32", a, b) == 0x0000ffffu);
  CHECK(mask_result("setp.ne.f32", a, b) == ~8u);
  CHECK(mask_result("setp.neu.f32", a, b) == ~0u);
  CHECK(mask_result("setp.nan.f32", a, b) == 8u);
}
