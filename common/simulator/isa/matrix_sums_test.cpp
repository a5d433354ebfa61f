#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "simulator/isa/fragment.h"
#include "simulator/isa/isa_fixture.h"

namespace isa = warpwise::isa;

// Every element of a product against the definition of its sum, written down here term by term in
// double, for numbers on both sides of where the fast way has to give up.
namespace matrix_sums_test {

struct Format {
  std::string name;
  int exponent_bits, fraction_bits, dropped_bits;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int width() const { return 1 + exponent_bits + fraction_bits + dropped_bits; }
  double value(std::uint32_t raw) const {
    const std::uint32_t bits = raw >> dropped_bits;
    const int field = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    const int fraction = static_cast<int>(bits & ((1u << fraction_bits) - 1));
    const bool is_negative = bits >> (exponent_bits + fraction_bits) & 1;
    double magnitude = field ? std::ldexp(fraction + (1 << fraction_bits), field - bias())
                             : std::ldexp(fraction, 1 - bias());
    magnitude = std::ldexp(magnitude, -fraction_bits);
    if (field == (1 << exponent_bits) - 1) magnitude = fraction ? NAN : HUGE_VAL;
    return is_negative ? -magnitude : magnitude;
  }
  /// The exponent of a number other than zero: its leading bit's; the least one for a subnormal
  /// number.
  int exponent(double value) const { return std::max(std::ilogb(value), 1 - bias()); }
};
const Format f16{"f16", 5, 10, 0}, bf16{"bf16", 8, 7, 0}, tf32{"tf32", 8, 10, 13},
    f32{"f32", 8, 23, 0};

std::uint32_t rounded(double value, const Format& format) {
  if (std::isnan(value)) return format.name == "f16" ? 0x7fff : 0x7fffffff;
  if (value == 0) return 0;
  const std::uint32_t sign = std::signbit(value) ? 1u << (format.width() - 1) : 0;
  const std::uint32_t infinity = ((1u << format.exponent_bits) - 1) << format.fraction_bits;
  const double magnitude = std::fabs(value);
  if (std::isinf(value)) return sign | infinity;
  const int exponent = format.exponent(value);
  const double units = std::ldexp(magnitude, format.fraction_bits - exponent);
  const double kept = format.name == "f16" ? std::nearbyint(units) : std::trunc(units);
  if (kept == 0) return format.name == "f16" ? 0 : sign;
  const auto bits =
      static_cast<std::uint64_t>(kept) +
      (static_cast<std::uint64_t>(exponent + format.bias() - 1) << format.fraction_bits);
  return sign | static_cast<std::uint32_t>(std::min<std::uint64_t>(bits, infinity));
}

/// The sum of some products and C.
std::uint32_t fused(const std::vector<double>& a, const Format& of_a, const std::vector<double>& b,
                    double c, const Format& of_c) {
  constexpr int kept = 25;
  double special = c;
  int largest = c == 0 || !std::isfinite(c) ? -900 : of_c.exponent(c);
  for (std::size_t l = 0; l < a.size(); ++l) {
    special += a[l] * b[l];
    if (a[l] == 0 || b[l] == 0 || !std::isfinite(a[l] * b[l])) continue;
    largest = std::max(largest, of_a.exponent(a[l]) + of_a.exponent(b[l]));
  }
  if (!std::isfinite(special)) return rounded(special, of_c);
  double sum = std::trunc(std::ldexp(c, kept - largest));
  for (std::size_t l = 0; l < a.size(); ++l)
    sum += std::trunc(std::ldexp(a[l] * b[l], kept - largest));
  return rounded(std::ldexp(sum, largest - kept), of_c);
}

/// Numbers of one kind.
struct Kind {
  const char* name;
  int lowest, highest;  ///< exponents, as far as the format has them
  int zeros;            ///< of ten
  bool any_bits;
  int fraction_bits = 32;  ///< at most
  bool is_full = false;    ///< all bits but the sign are set that can be
};
constexpr Kind kinds[] = {
    {"about one", -2, 2, 0, false},       {"moderate", -20, 20, 1, false},
    {"sparse", -10, 10, 8, false},        {"nothing", 0, 0, 10, false},
    {"low edge", -47, -42, 0, false},     {"high edge", 42, 47, 0, false},
    {"edge of C", -92, -88, 5, false},    {"tiny", -140, -100, 1, false},
    {"huge", 100, 127, 1, false},         {"from end to end", -150, 127, 2, false},
    {"any bits", 0, 0, 0, true},          {"small integers", 0, 3, 2, false, 0},
    {"few bits", -3, 3, 1, false, 2},     {"as many as fit", -3, 3, 0, false, 5},
    {"one too many", -4, 4, 0, false, 5}, {"nearly two", 0, 0, 0, false, 32, true}};

std::uint32_t number(const Format& format, const Kind& kind, std::mt19937& random) {
  const auto bits = kind.is_full ? 0x7fffffff : static_cast<std::uint32_t>(random());
  if (kind.any_bits) return format.width() == 32 ? bits : bits & ((1u << format.width()) - 1);
  const std::uint32_t sign = bits >> 31 << (format.width() - 1);
  if (static_cast<int>(random() % 10) < kind.zeros) return sign;
  const int range = kind.highest - kind.lowest + 1;
  const int exponent = kind.lowest + static_cast<int>(random() % static_cast<unsigned>(range));
  const int field = std::clamp(exponent + format.bias(), 0, (1 << format.exponent_bits) - 2);
  const int below = format.fraction_bits + format.dropped_bits;
  const std::uint32_t fraction = bits & ((1u << below) - 1);
  const int unused = std::max(below - kind.fraction_bits, 0);
  return sign | static_cast<std::uint32_t>(field) << below | fraction >> unused << unused;
}

/// One operand: a number in each place of the matrix, and the registers that hold them.
struct Operand {
  isa::Fragment fragment;
  const Format* format;
  std::vector<std::uint32_t> raw;
  std::vector<std::uint32_t> storage;
  std::vector<void*> pointers;

  Operand(const isa::Variant& variant, isa::Role role, bool is_destination, const Format& format)
      : fragment(*isa::fragment_of(variant, role, is_destination)), format(&format) {
    raw.resize(fragment.rows() * fragment.columns());
    storage.resize(fragment.registers * 32);
    for (unsigned reg = 0; reg < fragment.registers; ++reg)
      pointers.push_back(storage.data() + std::size_t{reg} * 32);
  }
  /// Calls visit(place in the matrix, element in the storage).
  template <class Visit>
  void for_elements(Visit visit) const {
    for (unsigned reg = 0; reg < fragment.registers; ++reg)
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned part = 0; part < fragment.per_register(); ++part) {
          const isa::Position at = isa::position_of(fragment, lane, reg, part);
          visit(at.row * fragment.columns() + at.column,
                (reg * 32 + lane) * fragment.per_register() + part);
        }
  }
  void fill(const Kind& kind, std::mt19937& random) {
    for (std::uint32_t& value : raw) value = number(*format, kind, random);
    const std::size_t bytes = fragment.bits / 8;
    for_elements([&](unsigned place, unsigned element) {
      std::memcpy(reinterpret_cast<char*>(storage.data()) + element * bytes, &raw[place], bytes);
    });
  }
  void read() {
    const std::size_t bytes = fragment.bits / 8;
    for_elements([&](unsigned place, unsigned element) {
      raw[place] = 0;
      std::memcpy(&raw[place], reinterpret_cast<char*>(storage.data()) + element * bytes, bytes);
    });
  }
  double value(unsigned row, unsigned column) const {
    return format->value(raw[row * fragment.columns() + column]);
  }
};

struct Product {
  const char* opcode;
  const Format &factors, &sums;
  unsigned at_once;
};

void compare(const Product& product, const Kind& of_factors, const Kind& of_c,
             std::mt19937& random) {
  const auto match = isa::find_row(product.opcode);
  REQUIRE(match.has_value());
  Operand a(match->variant, isa::Role::a, false, product.factors);
  Operand b(match->variant, isa::Role::b, false, product.factors);
  Operand c(match->variant, isa::Role::accumulator, false, product.sums);
  Operand d(match->variant, isa::Role::accumulator, true, product.sums);
  for (Operand* operand : {&a, &b}) operand->fill(of_factors, random);
  c.fill(of_c, random);
  isa::multiply(*match, d, a, b, c);
  d.read();
  const isa::Shape shape = a.fragment.shape;
  unsigned wrong = 0;
  for (unsigned i = 0; i < shape.m; ++i)
    for (unsigned j = 0; j < shape.n; ++j) {
      const unsigned place = i * shape.n + j;
      std::uint32_t sum = c.raw[place];
      for (unsigned first = 0; first < shape.k; first += product.at_once) {
        std::vector<double> left, right;
        for (unsigned l = first; l < std::min(shape.k, first + product.at_once); ++l) {
          left.push_back(a.value(i, l));
          right.push_back(b.value(l, j));
        }
        sum = fused(left, product.factors, right, product.sums.value(sum), product.sums);
      }
      wrong += d.raw[place] != sum;
    }
  INFO(product.opcode, ", factors: ", of_factors.name, ", C: ", of_c.name);
  CHECK(wrong == 0);
}

TEST_CASE("every element is the sum that the definition says, whatever the exponents") {
  std::mt19937 random(7);
  const Product products[] = {
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", f16, f32, 16},
      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", f16, f32, 16},
      {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", f16, f16, 16},
      {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", bf16, f32, 16},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", tf32, f32, 16},
      {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", f16, f32, 16},
      {"wmma.mma.sync.aligned.row.col.m32n8k16.f16.f16", f16, f16, 16},
      {"wmma.mma.sync.aligned.row.col.m8n32k16.f32.bf16.bf16.f32", bf16, f32, 16},
      {"wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", tf32, f32, 4},
  };
  for (const Product& product : products)
    for (const Kind& of_factors : kinds)
      for (const Kind& of_c : kinds)
        for (int times = 0; times < 3; ++times) compare(product, of_factors, of_c, random);
}

TEST_CASE("a sum of negative zeros has no sign") {
  for (const char* opcode : {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                             "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"}) {
    CAPTURE(opcode);
    const auto match = isa::find_row(opcode);
    REQUIRE(match.has_value());
    const Format& sums = match->variant["ctype"] == "f32" ? f32 : f16;
    Operand a(match->variant, isa::Role::a, false, f16),
        b(match->variant, isa::Role::b, false, f16);
    Operand c(match->variant, isa::Role::accumulator, false, sums), d = c;
    for (unsigned reg = 0; reg < d.fragment.registers; ++reg)
      d.pointers[reg] = d.storage.data() + std::size_t{reg} * 32;
    std::fill(a.storage.begin(), a.storage.end(), 0x80008000u);
    std::fill(b.storage.begin(), b.storage.end(), 0x3c003c00u);
    std::fill(c.storage.begin(), c.storage.end(), sums.width() == 32 ? 0x80000000u : 0x80008000u);
    isa::multiply(*match, d, a, b, c);
    d.read();
    CHECK(std::count(d.raw.begin(), d.raw.end(), 0u) == std::ssize(d.raw));
  }
}

}  // namespace matrix_sums_test
