#include <bit>
#include <limits>
#include <string>

#include "simulator/isa/formats_reference.h"
#include "simulator/isa/isa_fixture.h"

using namespace warpwise::isa;

namespace {

float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }

/// Floats that are special, and others from all magnitudes that a narrow format has.
std::vector<float> float_samples() {
  std::vector<float> values = {0.0f, 1.0f, 448.0f, 464.0f, 480.0f, 57344.0f, 65504.0f, 65520.0f};
  for (float x : {0x1p-149f, 0x1p-133f, 0x1.8p-25f, 0x1p-25f, 0x1p-24f, 0x1.8p-14f, 0x1p-10f,
                  0x1.fffffep127f, 0x1.ffp127f, 0x1.fep127f, 6.0f, 7.0f, 7.5f, 28.0f, 1e9f})
    values.push_back(x);
  std::uint32_t random = 99;
  for (int i = 0; i < 4000; ++i) {
    random = random * 1664525 + 1013904223;
    std::uint32_t exponent = 127 - 30 + (random >> 8) % 50, fraction = random << 7 >> 9;
    // Half of them have few bits, so that ties occur.
    if (i % 2) fraction &= 0x780000u;
    if (i % 4 == 1) fraction &= 0x7c0000u;
    values.push_back(as_float(exponent << 23 | fraction));
  }
  std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  return values;
}

const ReferenceFormat& narrow_format(std::string_view name) {
  static const ReferenceFormat e4m3(4, 3, 0x7f, false), e5m2(5, 2, 0x7c, true),
      e2m3(2, 3, 32, false), e3m2(3, 2, 32, false), e2m1(2, 1, 8, false);
  return name == "e4m3x2"   ? e4m3
         : name == "e5m2x2" ? e5m2
         : name == "e2m3x2" ? e2m3
         : name == "e3m2x2" ? e3m2
                            : e2m1;
}

}  // namespace

TEST_CASE("f32 to f16 and bf16 in every rounding mode") {
  for (const char* type : {"f16", "bf16"}) {
    const ReferenceFormat& format = type[0] == 'f' ? reference_half() : reference_bfloat();
    for (const char* mode : {"rn", "rz", "rm", "rp"}) {
      std::string opcode = std::string("cvt.") + mode + "." + type + ".f32";
      int wrong = 0;
      for (float x : float_samples()) {
        auto expected = static_cast<std::uint16_t>(format.round({x, 0}, mode, false));
        auto d = run<std::uint16_t>(opcode, x);
        if (d != expected && ++wrong < 4) CHECK_MESSAGE(d == expected, opcode << " " << x);
      }
      CHECK_MESSAGE(wrong == 0, opcode);
    }
  }
}

TEST_CASE("f16 and bf16 to f32 are exact") {
  for (std::uint32_t bits = 0; bits < 0x7c00; bits += 7)
    CHECK(run<float>("cvt.f32.f16", static_cast<std::uint16_t>(bits)) ==
          static_cast<float>(reference_half().value(bits)));
  for (std::uint32_t bits = 0; bits < 0x7f80; bits += 37)
    CHECK(run<float>("cvt.f32.bf16", static_cast<std::uint16_t>(bits)) ==
          static_cast<float>(reference_bfloat().value(bits)));
  CHECK(bits_of(run<float>("cvt.f32.f16", std::uint16_t(0xfc00))) == 0xff800000u);
  CHECK(bits_of(run<float>("cvt.f32.f16", std::uint16_t(0xfe00))) == 0x7fffffffu);
  CHECK(bits_of(run<float>("cvt.f32.bf16", std::uint16_t(0xffc0))) == 0xffc00000u);
}

TEST_CASE("wider numbers are rounded to f16 and bf16 once") {
  // Just above half-way between 1 and the next number: too little for a float to show.
  CHECK(run<std::uint16_t>("cvt.rn.f16.f64", 0x1.00200000001p0) == 0x3c01);
  CHECK(run<std::uint16_t>("cvt.rn.f16.f64", 0x1.002p0) == 0x3c00);
  CHECK(run<std::uint16_t>("cvt.rn.bf16.f64", 0x1.01000000001p0) == 0x3f81);
  CHECK(run<std::uint16_t>("cvt.rp.bf16.f64", 0x1.00000000000001p0) == 0x3f80);
  CHECK(run<std::uint16_t>("cvt.rp.bf16.f64", 0x1.0000000000001p0) == 0x3f81);
  CHECK(run<std::uint16_t>("cvt.rn.f16.f64", -1e300) == 0xfc00);
  CHECK(run<std::uint16_t>("cvt.rz.f16.f64", -1e300) == 0xfbff);
  CHECK(run<std::uint16_t>("cvt.rn.bf16.s32", 0x01010001) == 0x4b81);
  CHECK(run<std::uint16_t>("cvt.rn.bf16.s64", -0x0101000000000001ll) == 0xdb81);
  CHECK(run<std::uint16_t>("cvt.rn.bf16.u64", ~0ull) == 0x5f80);
  CHECK(run<std::uint16_t>("cvt.rz.bf16.u64", ~0ull) == 0x5f7f);
  CHECK(run<std::uint16_t>("cvt.rn.bf16.s64", INT64_MIN) == 0xdf00);
  CHECK(run<std::uint16_t>("cvt.rn.f16.s32", 65519) == 0x7bff);
  CHECK(run<std::uint16_t>("cvt.rn.f16.s32", 65520) == 0x7c00);
  CHECK(run<std::uint16_t>("cvt.rn.f16.u8", std::uint8_t(255)) == 0x5bf8);
  CHECK(run<std::uint16_t>("cvt.rn.bf16.f16", std::uint16_t(0x3bff)) == 0x3f80);
}

TEST_CASE("f16 and bf16 to integers and whole numbers") {
  CHECK(run<std::int32_t>("cvt.rni.s32.f16", std::uint16_t(0x4100)) == 2);  // 2.5
  CHECK(run<std::int32_t>("cvt.rpi.s32.bf16", std::uint16_t(0xc020)) == -2);
  CHECK(run<std::uint32_t>("cvt.rzi.u32.f16", std::uint16_t(0xc100)) == 0);
  CHECK(run<std::int16_t>("cvt.rzi.s16.f16", std::uint16_t(0x7c00)) == 32767);
  CHECK(run<std::int8_t>("cvt.rzi.s8.f16", std::uint16_t(0xfc00)) == -128);
  CHECK(run<std::int32_t>("cvt.rzi.s32.f16", std::uint16_t(0x7e00)) == 0);
  CHECK(run<std::int64_t>("cvt.rzi.s64.bf16", std::uint16_t(0x7fc0)) == INT64_MIN);
  CHECK(run<std::uint16_t>("cvt.rni.f16.f16", std::uint16_t(0x3e00)) == 0x4000);  // 1.5 -> 2
  CHECK(run<std::uint16_t>("cvt.rmi.bf16.bf16", std::uint16_t(0xbf00)) == 0xbf80);
  CHECK(run<std::uint16_t>("cvt.rzi.f16.f16", std::uint16_t(0xb800)) == 0x8000);
}

TEST_CASE("f16 and bf16 conversions saturate, cut and stay finite") {
  CHECK(run<std::uint16_t>("cvt.rn.relu.f16.f32", -3.0f) == 0);
  CHECK(run<std::uint16_t>("cvt.rn.relu.bf16.f32", std::nanf("")) == 0x7fff);
  CHECK(run<std::uint16_t>("cvt.rn.satfinite.f16.f32", 1e9f) == 0x7bff);
  CHECK(run<std::uint16_t>("cvt.rn.relu.satfinite.bf16.f32", INFINITY) == 0x7f7f);
  CHECK(run<std::uint16_t>("cvt.rn.sat.f16.f32", 7.0f) == 0x3c00);
  CHECK(run<std::uint16_t>("cvt.sat.f16.f16", std::uint16_t(0x7e00)) == 0);
  CHECK(run<std::uint32_t>("cvt.rn.f16x2.f32", 1.0f, -2.0f) == 0x3c00c000u);
  CHECK(run<std::uint32_t>("cvt.rz.bf16x2.f32", 0x1.ffp0f, -0x1.ffp0f) == 0x3fffbfffu);
  CHECK(run<std::uint32_t>("cvt.rn.relu.bf16x2.f32", -1.0f, 1.0f) == 0x00003f80u);
  CHECK(run<std::uint32_t>("cvt.rn.satfinite.f16x2.f32", INFINITY, -INFINITY) == 0x7bfffbffu);
}

TEST_CASE("formats of eight bits and less") {
  for (const char* type : {"e4m3x2", "e5m2x2", "e2m3x2", "e3m2x2", "e2m1x2"}) {
    const ReferenceFormat& format = narrow_format(type);
    std::string opcode = std::string("cvt.rn.satfinite.") + type + ".f32";
    int shift = std::string_view(type) == "e2m1x2" ? 4 : 8, wrong = 0;
    for (float x : float_samples()) {
      std::uint32_t expected = format.round({x, 0}, "rn", true);
      expected |= format.round({-x, 0}, "rn", true) << shift;
      std::uint32_t d =
          shift == 4 ? run<std::uint8_t>(opcode, -x, x) : run<std::uint16_t>(opcode, -x, x);
      if (d != expected && ++wrong < 4) CHECK_MESSAGE(d == expected, opcode << " " << x);
    }
    CHECK_MESSAGE(wrong == 0, opcode);
    for (std::uint32_t bits = 0; bits < format.count(); ++bits) {
      std::string back = std::string("cvt.rn.f16x2.") + type;
      std::uint32_t half = reference_half().round({format.value(bits), 0}, "rn", false);
      std::uint32_t pair = bits | bits << shift;
      std::uint32_t d = shift == 4 ? run<std::uint32_t>(back, static_cast<std::uint8_t>(pair))
                                   : run<std::uint32_t>(back, static_cast<std::uint16_t>(pair));
      CHECK_MESSAGE(d == (half | half << 16), back << " " << bits);
    }
  }
  CHECK(run<std::uint16_t>("cvt.rn.satfinite.e4m3x2.f32", std::nanf(""), INFINITY) == 0x7f7e);
  CHECK(run<std::uint16_t>("cvt.rn.satfinite.e5m2x2.f32", std::nanf(""), -INFINITY) == 0x7ffb);
  CHECK(run<std::uint16_t>("cvt.rn.satfinite.e2m3x2.f32", std::nanf(""), -1e9f) == 0x1f3f);
  CHECK(run<std::uint16_t>("cvt.rn.satfinite.e4m3x2.f16x2", 0x3c00c000u) == 0x38c0);
  CHECK(run<std::uint16_t>("cvt.rn.satfinite.relu.e5m2x2.f16x2", 0x3c00c000u) == 0x3c00);
  CHECK(run<std::uint32_t>("cvt.rn.f16x2.e4m3x2", std::uint16_t(0xff7f)) == 0x7fff7fffu);
  CHECK(run<std::uint32_t>("cvt.rn.f16x2.e5m2x2", std::uint16_t(0xfc7c)) == 0xfc007c00u);
}

TEST_CASE("scales are powers of two") {
  CHECK(run<std::uint16_t>("cvt.rz.ue8m0x2.f32", 1.5f, -4.0f) == 0x7f81);
  CHECK(run<std::uint16_t>("cvt.rp.ue8m0x2.f32", 1.5f, 4.0f) == 0x8081);
  CHECK(run<std::uint16_t>("cvt.rp.satfinite.ue8m0x2.f32", INFINITY, 0x1.8p127f) == 0xfefe);
  CHECK(run<std::uint16_t>("cvt.rz.ue8m0x2.f32", std::nanf(""), 0.0f) == 0xff00);
  CHECK(run<std::uint16_t>("cvt.rp.ue8m0x2.bf16x2", 0x3f803f81u) == 0x7f80);
  CHECK(run<std::uint32_t>("cvt.rn.bf16x2.ue8m0x2", std::uint16_t(0xff00)) == 0x7fff0040u);
}

TEST_CASE("tf32 has ten bits of fraction in the upper part of a register") {
  static const ReferenceFormat format(8, 10, 0x3fc00, true);
  for (float x : float_samples()) {
    CHECK(run<std::uint32_t>("cvt.rna.tf32.f32", x) == format.round({x, 0}, "rna", false) << 13);
    CHECK(run<std::uint32_t>("cvt.rn.tf32.f32", x) == format.round({x, 0}, "rn", false) << 13);
    CHECK(run<std::uint32_t>("cvt.rz.tf32.f32", x) == format.round({x, 0}, "rz", false) << 13);
  }
  CHECK(run<std::uint32_t>("cvt.rz.relu.tf32.f32", -1.0f) == 0);
  CHECK(run<std::uint32_t>("cvt.rna.satfinite.tf32.f32", -INFINITY) == 0xff7fe000u);
}

TEST_CASE("NaN becomes an integer") {
  const double nan = std::nan("");
  CHECK(run<std::int32_t>("cvt.rzi.s32.f32", std::nanf("")) == 0);
  CHECK(run<std::int32_t>("cvt.rzi.s32.f64", nan) == INT32_MIN);
  CHECK(run<std::uint32_t>("cvt.rni.u32.f64", nan) == 0x80000000u);
  CHECK(run<std::uint64_t>("cvt.rzi.u64.f32", std::nanf("")) == 1ull << 63);
  CHECK(run<std::int64_t>("cvt.rzi.s64.f64", nan) == INT64_MIN);
  CHECK(bits_of(run<float>("cvt.rn.f32.f64", std::bit_cast<double>(0x7ff8123400000000ull))) ==
        0x7fc091a0u);
  CHECK(bits_of(run<float>("cvt.f32.f32", as_float(0xffc12345u))) == 0xffc12345u);
  CHECK(bits_of(run<float>("cvt.rni.f32.f32", as_float(0xffc12345u))) == 0x7fffffffu);
}

TEST_CASE("integers are cut to fewer bits and packed, above them the lower bits of a third") {
  CHECK(run<std::uint32_t>("cvt.pack.sat.s16.s32", 40000, -3) == 0x7ffffffdu);
  CHECK(run<std::uint32_t>("cvt.pack.sat.u16.s32", -1, 70000) == 0x0000ffffu);
  CHECK(run<std::uint32_t>("cvt.pack.sat.u8.s32.b32", 300, -5, 0x12345678u) == 0x5678ff00u);
  CHECK(run<std::uint32_t>("cvt.pack.sat.s8.s32.b32", -300, 5, 0x12345678u) == 0x56788005u);
  CHECK(run<std::uint32_t>("cvt.pack.sat.s4.s32.b32", -9, 9, 0x12345678u) == 0x34567887u);
  CHECK(run<std::uint32_t>("cvt.pack.sat.u2.s32.b32", 2, 9, 0xffffffffu) == 0xfffffffbu);
}
