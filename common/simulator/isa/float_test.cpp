#include <bit>
#include <cmath>
#include <limits>

#include "simulator/isa/isa_fixture.h"

using namespace warpwise::isa;

namespace float_test {

const float quiet_nan = std::numeric_limits<float>::quiet_NaN();
const float infinity = std::numeric_limits<float>::infinity();

std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
std::uint64_t pair_of(float low, float high) {
  return static_cast<std::uint64_t>(bits_of(high)) << 32 | bits_of(low);
}

/// p and q of an opcode with two predicates, for sources that are the same in all lanes.
std::pair<bool, bool> run_pair(std::string_view opcode, std::uint32_t a, std::uint32_t b,
                               std::uint32_t c = 0) {
  auto match = find_row(opcode);
  REQUIRE_MESSAGE(match.has_value(), opcode);
  std::uint32_t p = 0, q = 0;
  std::uint64_t immediate[32];
  std::fill_n(immediate, 32, match->syntax->row().immediate(match->variant, {}));
  std::uint32_t x[32], y[32];
  std::fill_n(x, 32, a), std::fill_n(y, 32, b);
  bool has_third = !match->variant["bool"].empty();
  Operands operands{&p, &q, {x, y, immediate, nullptr}};
  if (has_third) operands.s[2] = &c, operands.s[3] = immediate;
  match->function(operands);
  return {p & 1, q & 1};
}

TEST_CASE("rounded towards zero or one side and flushed, large terms cancel as on an H200") {
  constexpr float largest = 0x1.fffffep+127f, addend = 0x1.93e594p+99f;
  CHECK(run<float>("fma.rz.ftz.f32", largest, -1.0f, addend) == -0x1.fffffcp+127f);
  CHECK(run<float>("fma.rm.ftz.f32", largest, -1.0f, addend) == -largest);
  CHECK(run<float>("fma.rn.ftz.f32", largest, -1.0f, addend) == -largest);
  CHECK(run<float>("fma.rz.ftz.f32", 0x1p-100f, 0x1p-27f, 0.0f) == 0);
}

TEST_CASE("min and max of magnitudes carry the product of the signs") {
  CHECK(run<float>("min.xorsign.abs.f32", -3.0f, 2.0f) == -2.0f);
  CHECK(run<float>("max.xorsign.abs.f32", -3.0f, -2.0f) == 3.0f);
  CHECK(bits_of(run<float>("max.NaN.xorsign.abs.f32", -3.0f, quiet_nan)) == 0x7fffffffu);
  CHECK(run<float>("min.ftz.xorsign.abs.f32", 0x1p-140f, 1.0f) == 0.0f);
  CHECK_FALSE(find_row("min.abs.f64"));
}

TEST_CASE("min and max of three") {
  CHECK(run<float>("max.f32", 1.0f, 3.0f, 2.0f) == 3.0f);
  CHECK(run<float>("min.f32", 1.0f, quiet_nan, -2.0f) == -2.0f);
  CHECK(bits_of(run<float>("min.NaN.f32", 1.0f, quiet_nan, -2.0f)) == 0x7fffffffu);
  CHECK(run<float>("max.abs.f32", 1.0f, -3.0f, 2.0f) == 3.0f);
  CHECK(run<float>("max.f32", 1.0f, 3.0f) == 3.0f);
}

TEST_CASE("two floats in a register") {
  std::uint64_t a = pair_of(1.0f, 0x1p-100f), b = pair_of(0x1.8p-24f, 0x1p-40f);
  CHECK(run<std::uint64_t>("add.rz.f32x2", a, b) == pair_of(1.0f, 0x1p-40f));
  CHECK(run<std::uint64_t>("add.rn.f32x2", a, b) == pair_of(1.0f + 0x1p-23f, 0x1p-40f));
  CHECK(run<std::uint64_t>("mul.ftz.f32x2", a, b) == pair_of(0x1.8p-24f, 0.0f));
  CHECK(run<std::uint64_t>("sub.f32x2", a, a) == 0);
  CHECK(run<std::uint64_t>("fma.rn.f32x2", a, b, pair_of(quiet_nan, 1.0f)) ==
        (0x3f80000000000000u | 0x7fffffffu));
}

TEST_CASE("halves among floats") {
  CHECK(run<float>("add.f32.bf16", std::uint16_t(0x3f80), 2.0f) == 3.0f);
  CHECK(run<float>("sub.f32.f16", std::uint16_t(0x3c00), 0x1p-30f) == 1.0f);
  CHECK(run<float>("sub.rz.f32.f16", std::uint16_t(0x3c00), 0x1p-30f) == 1.0f - 0x1p-24f);
  CHECK(run<float>("fma.rn.f32.f16", std::uint16_t(0x4000), std::uint16_t(0x4200), 1.0f) == 7.0f);
  CHECK(run<float>("add.sat.f32.f16", std::uint16_t(0x4000), 2.0f) == 1.0f);
  CHECK(bits_of(run<float>("add.f32.f16", std::uint16_t(0xfe00), 2.0f)) == 0x7fffffffu);
}

TEST_CASE("properties of numbers") {
  auto test = [](std::string_view opcode, float x) {
    float a[32];
    std::fill_n(a, 32, x);
    std::uint32_t p = 0;
    find_row(opcode)->function(Operands{&p, nullptr, {a}});
    return p == ~0u;
  };
  CHECK(test("testp.finite.f32", 0.0f));
  CHECK_FALSE(test("testp.finite.f32", -infinity));
  CHECK(test("testp.infinite.f32", -infinity));
  CHECK(test("testp.number.f32", infinity));
  CHECK(test("testp.notanumber.f32", quiet_nan));
  CHECK(test("testp.normal.f32", -1.0f));
  CHECK(test("testp.normal.f32", -0.0f));
  CHECK_FALSE(test("testp.normal.f32", 0x1p-140f));
  CHECK(test("testp.subnormal.f32", 0x1p-140f));
  CHECK_FALSE(test("testp.subnormal.f32", 0.0f));
}

TEST_CASE("set gives numbers or all ones") {
  CHECK(run<std::uint32_t>("set.lt.u32.f32", 1.0f, 2.0f) == ~0u);
  CHECK(run<float>("set.lt.f32.f32", 1.0f, 2.0f) == 1.0f);
  CHECK(run<float>("set.ge.f32.f64", 1.0, 2.0) == 0.0f);
  CHECK(run<std::int32_t>("set.hi.s32.u64", ~0ull, 1ull) == -1);
  CHECK(run<std::uint32_t>("set.lt.u32.s16", std::int16_t(-1), std::int16_t(1)) == ~0u);
  CHECK(run<std::uint32_t>("set.ne.u32.f32", quiet_nan, 1.0f) == 0);
  CHECK(run<std::uint32_t>("set.neu.u32.f32", quiet_nan, 1.0f) == ~0u);
  CHECK(run<std::uint32_t>("set.nan.u32.f32", 1.0f, quiet_nan) == ~0u);
  CHECK(run<std::uint32_t>("set.gt.ftz.u32.f32", 0x1p-140f, 0.0f) == 0);
  CHECK(run<std::uint32_t>("set.lt.and.u32.f32", 1.0f, 2.0f, 0u) == 0);
  CHECK(run<std::uint32_t>("set.lt.xor.u32.s32", 1, 2, ~0u) == 0);
  CHECK(run<std::uint16_t>("set.eq.f16.f16", std::uint16_t(0), std::uint16_t(0x8000)) == 0x3c00);
  CHECK(run<std::uint16_t>("set.le.bf16.bf16", std::uint16_t(1), std::uint16_t(2)) == 0x3f80);
  CHECK(run<std::uint16_t>("set.eq.u16.f16", std::uint16_t(5), std::uint16_t(5)) == 0xffff);
  CHECK(run<std::uint32_t>("set.eq.f16x2.f16x2", 0x3c003c00u, 0x3c004000u) == 0x3c000000u);
  CHECK(run<std::uint32_t>("set.ltu.u32.bf16x2", 0x7fff3f80u, 0x3f803f80u) == 0xffff0000u);
  CHECK(run<std::uint32_t>("set.gt.ftz.u32.f16x2", 0x00013c00u, 0u) == 0x0000ffffu);
}

TEST_CASE("setp of halves") {
  using Pair = std::pair<bool, bool>;
  CHECK((run_pair("setp.lt.f16x2", 0x3c004000u, 0x40003c00u) == Pair(false, true)));
  CHECK((run_pair("setp.geu.bf16x2", 0x3f807fffu, 0x40003f80u) == Pair(true, false)));
  CHECK((run_pair("setp.lt.and.f16x2", 0x3c003c00u, 0x40004000u, 0) == Pair(false, false)));
  CHECK((run_pair("setp.eq.f16", 0x3c003c00u, 0x3c003c00u) == Pair(true, false)));
  CHECK((run_pair("setp.ne.or.bf16", 0x3c003c00u, 0x3c003c00u, ~0u) == Pair(true, true)));
}

TEST_CASE("slct chooses by a sign") {
  CHECK(run<std::uint32_t>("slct.u32.f32", 1u, 2u, -0.0f) == 1);
  CHECK(run<std::uint32_t>("slct.u32.f32", 1u, 2u, quiet_nan) == 2);
  CHECK(run<std::uint32_t>("slct.u32.f32", 1u, 2u, -0x1p-140f) == 2);
  CHECK(run<std::uint32_t>("slct.ftz.u32.f32", 1u, 2u, -0x1p-140f) == 1);
  CHECK(run<std::uint16_t>("slct.b16.s32", std::uint16_t(1), std::uint16_t(2), -1) == 2);
}

TEST_CASE("gross approximations of f64 make the upper half of a result") {
  double third = run<double>("rcp.approx.ftz.f64", 3.0);
  CHECK((std::bit_cast<std::uint64_t>(third) & 0xffffffff) == 0);
  CHECK(std::abs(third * 3.0 - 1.0) < 0x1p-20);
  CHECK(run<double>("rcp.approx.ftz.f64", 0x1p-1060) == std::numeric_limits<double>::infinity());
  CHECK(run<double>("rsqrt.approx.ftz.f64", 0.25) == 2.0);
  // As an H200 gave them.
  auto upper = [](const char* opcode, std::uint64_t bits) {
    return std::bit_cast<std::uint64_t>(run<double>(opcode, std::bit_cast<double>(bits)));
  };
  CHECK(upper("rcp.approx.ftz.f64", 0x001f7affd450a954) == 0x7fc0439900000000);
  CHECK(upper("rcp.approx.ftz.f64", 0x7fdbfe5220e84729) == 0);
  CHECK(upper("rcp.approx.ftz.f64", 0xfff00000ffffffff) == 0x8000000000000000);
  CHECK(upper("rcp.approx.ftz.f64", 0xfff7e430b2421613) == 0x7fffffff00000000);
  CHECK(upper("rsqrt.approx.ftz.f64", 0x002f24798a6a2e20) == 0x5fd0380200000000);
  CHECK(upper("rsqrt.approx.ftz.f64", 0xbe80000000000000) == 0x7fffffff00000000);
}

TEST_CASE("approximations stay within the manual's error") {
  CHECK(run<float>("div.approx.f32", 1.0f, 0x1p127f) == 0.0f);
  CHECK(std::isnan(run<float>("div.approx.f32", infinity, 0x1p127f)));
  CHECK(run<float>("div.approx.f32", 1.0f, 0x1p126f) == 0x1p-126f);
  CHECK(run<float>("div.full.f32", 6.0f, 0x1p127f) == 0x1.8p-125f);
  for (float x = -3.1f; x < 3.1f; x += 0.01f) {
    CHECK(std::abs(run<float>("sin.approx.f32", x) - std::sin(static_cast<double>(x))) < 0x1p-20);
    CHECK(std::abs(run<float>("cos.approx.f32", x) - std::cos(static_cast<double>(x))) < 0x1p-20);
    double tangent = std::tanh(static_cast<double>(x));
    CHECK(std::abs(run<float>("tanh.approx.f32", x) - tangent) <= std::abs(tangent) * 0x1p-10);
    double power = std::exp2(static_cast<double>(x));
    CHECK(std::abs(run<float>("ex2.approx.f32", x) - power) <= power * 0x1p-22);
  }
  CHECK(std::isnan(run<float>("sin.approx.f32", infinity)));
  CHECK(std::signbit(run<float>("sin.approx.f32", -0.0f)));
  CHECK(run<float>("lg2.approx.f32", 8.0f) == 3.0f);
  CHECK(run<float>("rsqrt.approx.f32", 4.0f) == 0.5f);
}

}  // namespace float_test
