#include <bit>
#include <limits>
#include <string>

#include "simulator/isa/formats_reference.h"
#include "simulator/isa/isa_fixture.h"

using namespace warpwise::isa;

namespace {

using Bits = std::uint16_t;

/// All that is special in a 16-bit format, and a spread of other values.
std::vector<Bits> samples(const ReferenceFormat& format) {
  auto infinity = static_cast<Bits>(format.count());
  auto one = static_cast<Bits>(infinity == 0x7c00 ? 0x3c00 : 0x3f80);
  auto first_normal = static_cast<Bits>(infinity == 0x7c00 ? 0x400 : 0x80);
  std::vector<Bits> values = {0, 1, 2, 3, first_normal, one, infinity};
  values.push_back(static_cast<Bits>(infinity - 1));
  values.push_back(static_cast<Bits>(first_normal - 1));
  for (int step : {-1, 1, 2, 3, 5}) values.push_back(static_cast<Bits>(one + step));
  std::uint32_t random = 12345;
  for (int i = 0; i < 60; ++i) {
    random = random * 1664525 + 1013904223;
    values.push_back(static_cast<Bits>((random >> 16) % infinity));
  }
  std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(values[i] | 0x8000);
  values.push_back(0x7fff);
  values.push_back(infinity + 1);
  return values;
}

struct Type16 {
  std::string name;
  const ReferenceFormat& format;
  bool is_nan(Bits bits) const { return (bits & 0x7fffu) > format.count(); }
  bool is_infinite(Bits bits) const { return (bits & 0x7fffu) == format.count(); }
  double value(Bits bits) const {
    if (is_nan(bits)) return std::nan("");
    double infinity = std::numeric_limits<double>::infinity();
    if (is_infinite(bits)) return bits & 0x8000 ? -infinity : infinity;
    return format.value(bits);
  }
  Bits round(Exact x) const {
    if (x.value != x.value) return 0x7fff;
    if (x.rest != x.rest) x.rest = 0;
    return static_cast<Bits>(format.round(x, "rn", false));
  }
};

const Type16 half{"f16", reference_half()};
const Type16 bfloat{"bf16", reference_bfloat()};

/// Calls check(a, b, result) for each pair of samples, 32 pairs a call.
template <class Check>
void for_pairs(const Type16& type, const std::string& opcode, Check check) {
  std::vector<Bits> values = samples(type.format);
  auto match = find_row(opcode);
  REQUIRE_MESSAGE(match.has_value(), opcode);
  alignas(64) Bits a[64], b[64], d[64];
  int count = opcode.ends_with("x2") ? 64 : 32;
  Operands operands;
  operands.d = d, operands.s[0] = a, operands.s[1] = b;
  for (Bits left : values) {
    for (std::size_t first = 0; first < values.size(); first += static_cast<std::size_t>(count)) {
      for (int i = 0; i < count; ++i) {
        a[i] = left;
        b[i] = values[(first + static_cast<std::size_t>(i)) % values.size()];
      }
      match->function(operands);
      for (int i = 0; i < count; ++i) check(a[i], b[i], d[i]);
    }
  }
}

template <class Exactly>
void check_rounded(const Type16& type, const std::string& opcode, Exactly exactly) {
  int wrong = 0;
  for_pairs(type, opcode, [&](Bits a, Bits b, Bits d) {
    Bits expected = type.round(exactly(type.value(a), type.value(b)));
    if (d == expected) return;
    if (++wrong < 4) CHECK_MESSAGE(d == expected, opcode << " " << a << " " << b);
  });
  CHECK_MESSAGE(wrong == 0, opcode);
}

}  // namespace

TEST_CASE("half arithmetic is rounded once") {
  for (const Type16& type : {half, bfloat}) {
    for (const char* pair : {"", "x2"}) {
      std::string suffix = "." + type.name + pair;
      check_rounded(type, "add" + suffix, [](double a, double b) { return exact_sum(a, b); });
      check_rounded(type, "sub.rn" + suffix, [](double a, double b) { return exact_sum(a, -b); });
      check_rounded(type, "mul" + suffix, [](double a, double b) {
        return Exact{static_cast<Quad>(a) * b, 0};
      });
    }
  }
}

TEST_CASE("half fma is rounded once, whatever the distance of product and addend") {
  for (const Type16& type : {half, bfloat}) {
    std::vector<Bits> values = samples(type.format);
    auto match = find_row("fma.rn." + type.name);
    REQUIRE(match.has_value());
    alignas(64) Bits a[32], b[32], c[32], d[32];
    Operands operands;
    operands.d = d, operands.s[0] = a, operands.s[1] = b, operands.s[2] = c;
    std::uint32_t random = 1;
    auto any = [&] {
      random = random * 1664525 + 1013904223;
      return values[(random >> 12) % values.size()];
    };
    int wrong = 0;
    for (int round = 0; round < 20000; ++round) {
      for (int i = 0; i < 32; ++i) a[i] = any(), b[i] = any(), c[i] = any();
      match->function(operands);
      for (int i = 0; i < 32; ++i) {
        Quad product = static_cast<Quad>(type.value(a[i])) * type.value(b[i]);
        Bits expected = type.round(exact_sum(product, type.value(c[i])));
        if (d[i] != expected && ++wrong < 4)
          CHECK_MESSAGE(d[i] == expected, type.name << " " << a[i] << " " << b[i] << " " << c[i]);
      }
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("half fma: the addend far below decides a tie") {
  // The product is half-way between two numbers; the addend is far below their distance.
  Bits product_a = 0x3f81, product_b = 0x3fc0;
  Bits tiny = 0x0d80, negative_tiny = 0x8d80;
  CHECK(run<Bits>("fma.rn.bf16", product_a, product_b, Bits(0)) == 0x3fc2);
  CHECK(run<Bits>("fma.rn.bf16", product_a, product_b, tiny) == 0x3fc2);
  CHECK(run<Bits>("fma.rn.bf16", product_a, product_b, negative_tiny) == 0x3fc1);
}

TEST_CASE("half modifiers flush, saturate, cut at zero") {
  CHECK(run<Bits>("add.ftz.f16", Bits(0x8001), Bits(0x8001)) == 0x8000);
  CHECK(run<Bits>("mul.ftz.f16", Bits(0x0400), Bits(0x3800)) == 0);
  CHECK(run<Bits>("mul.f16", Bits(0x0400), Bits(0x3800)) == 0x0200);
  CHECK(run<Bits>("add.sat.f16", Bits(0x3c00), Bits(0x3c00)) == 0x3c00);
  CHECK(run<Bits>("add.sat.f16", Bits(0xbc00), Bits(0x3800)) == 0);
  CHECK(run<Bits>("add.sat.f16", Bits(0x7e00), Bits(0x3800)) == 0);
  CHECK(run<Bits>("fma.rn.relu.f16", Bits(0xbc00), Bits(0x3c00), Bits(0)) == 0);
  CHECK(run<Bits>("fma.rn.relu.f16", Bits(0x7e00), Bits(0x3c00), Bits(0)) == 0x7fff);
  CHECK(run<Bits>("fma.rn.relu.bf16", Bits(0x3f80), Bits(0x3f80), Bits(0x3f80)) == 0x4000);
  CHECK(run<std::uint32_t>("fma.rn.relu.bf16x2", 0xbf803f80u, 0x3f803f80u, 0x00003f80u) == 0x4000);
}

TEST_CASE("half min and max order zeros and prefer numbers") {
  CHECK(run<Bits>("min.f16", Bits(0), Bits(0x8000)) == 0x8000);
  CHECK(run<Bits>("max.f16", Bits(0x8000), Bits(0)) == 0);
  CHECK(run<Bits>("max.f16", Bits(0x7e00), Bits(0xc000)) == 0xc000);
  CHECK(run<Bits>("max.NaN.f16", Bits(0xfe00), Bits(0xc000)) == 0x7fff);
  CHECK(run<Bits>("min.f16", Bits(0x7e00), Bits(0xfe01)) == 0x7fff);
  CHECK(run<Bits>("min.xorsign.abs.f16", Bits(0xc000), Bits(0x3c00)) == 0xbc00);
  CHECK(run<Bits>("max.xorsign.abs.bf16", Bits(0xc000), Bits(0xbf80)) == 0x4000);
  CHECK(run<std::uint32_t>("max.bf16x2", 0x3f80bf80u, 0x40003f80u) == 0x40003f80u);
  CHECK_FALSE(find_row("max.xorsign.f16"));
}

TEST_CASE("half signs, powers of two and tangents") {
  CHECK(run<Bits>("neg.f16", Bits(0x3c00)) == 0xbc00);
  CHECK(run<Bits>("abs.bf16", Bits(0x8000)) == 0);
  CHECK(run<Bits>("neg.ftz.f16", Bits(0x0001)) == 0x8000);
  CHECK(run<std::uint32_t>("abs.f16x2", 0xbc00fc00u) == 0x3c007c00u);
  CHECK(run<Bits>("ex2.approx.f16", Bits(0xc000)) == 0x3400);
  CHECK(run<Bits>("ex2.approx.ftz.bf16", Bits(0x4040)) == 0x4100);
  CHECK(run<Bits>("tanh.approx.f16", Bits(0x7c00)) == 0x3c00);
  CHECK(run<Bits>("tanh.approx.bf16", Bits(0x8000)) == 0x8000);
}
