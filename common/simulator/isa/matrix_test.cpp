#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "simulator/isa/fragment.h"
#include "simulator/isa/isa_fixture.h"

namespace isa = warpwise::isa;

// The fragments here are written as the tables of the PTX manual have them: the row and the column
// of element i of a lane, for each shape on its own.
namespace matrix_test {

struct Place {
  int row, column;
};
using Table = std::function<Place(int group, int member, int i)>;

struct Case {
  std::string opcode;
  int m, n, k;
  std::string a_type, b_type, c_type;
  Table a, b, c;
};

Place accumulator_16(int g, int t, int i) { return {i < 2 ? g : g + 8, t * 2 + (i & 1)}; }
Place accumulator_8(int g, int t, int i) { return {g, t * 2 + i}; }

int bits_of(const std::string& type) {
  if (type == "b1") return 1;
  if (type == "s4" || type == "u4") return 4;
  if (type == "s8" || type == "u8" || type == "e4m3" || type == "e5m2") return 8;
  if (type == "f16" || type == "bf16") return 16;
  return type == "f64" ? 64 : 32;
}

/// The bits of a small integer; of e5m2 only powers of two.
std::uint64_t encoded(int value, const std::string& type) {
  auto shaped = [&](int exponent_bits, int fraction_bits) -> std::uint64_t {
    if (value == 0) return 0;
    int exponent = std::ilogb(std::abs(value));
    double fraction = std::abs(value) / std::ldexp(1.0, exponent) - 1;
    auto bias = static_cast<std::uint64_t>((1 << (exponent_bits - 1)) - 1);
    return (value < 0 ? 1ull << (exponent_bits + fraction_bits) : 0) |
           (bias + static_cast<std::uint64_t>(exponent)) << fraction_bits |
           static_cast<std::uint64_t>(std::ldexp(fraction, fraction_bits));
  };
  if (type == "f16") return shaped(5, 10);
  if (type == "bf16") return shaped(8, 7);
  if (type == "e4m3") return shaped(4, 3);
  if (type == "e5m2") return shaped(5, 2);
  if (type == "f32" || type == "tf32") return std::bit_cast<std::uint32_t>(float(value));
  if (type == "f64") return std::bit_cast<std::uint64_t>(double(value));
  int bits = bits_of(type);
  return static_cast<std::uint64_t>(value) & ((1ull << bits) - 1);
}

/// The registers of one operand: element i of a lane in its bits from i * size on.
struct Registers {
  Registers(int elements, const std::string& type)
      : type(type), bytes(type == "f64" ? 8 : 4), count(elements * bits_of(type) / 8 / bytes) {
    storage.resize(count * 32 * bytes, 0x5a);
    for (int i = 0; i < count; ++i) pointers.push_back(storage.data() + i * 32 * bytes);
  }
  void put(int lane, int i, std::uint64_t value) {
    int bits = bits_of(type), at = i * bits;
    std::uint8_t* word = storage.data() + (at / (8 * bytes) * 32 + lane) * bytes;
    std::uint64_t old = 0, mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
    std::memcpy(&old, word, bytes);
    int shift = at % (8 * bytes);
    old = (old & ~(mask << shift)) | value << shift;
    std::memcpy(word, &old, bytes);
  }
  std::uint64_t get(int lane, int i) const {
    int bits = bits_of(type), at = i * bits;
    std::uint64_t value = 0;
    std::memcpy(&value, storage.data() + (at / (8 * bytes) * 32 + lane) * bytes, bytes);
    return value >> at % (8 * bytes) & (bits == 64 ? ~0ull : (1ull << bits) - 1);
  }
  std::string type;
  int bytes, count;
  std::vector<std::uint8_t> storage;
  std::vector<void*> pointers;
};

void multiply(const std::string& opcode, Registers& d, const Registers& a, const Registers& b,
              const Registers& c) {
  auto match = isa::find_row(opcode);
  REQUIRE_MESSAGE(match.has_value(), opcode);
  isa::multiply(*match, d, a, b, c);
}

struct Numbers {
  std::uint32_t state = 1;
  int operator()(const std::string& type) {
    state = state * 1664525u + 1013904223u;
    int value = static_cast<int>(state >> 16) % 15 - 7;
    if (type == "b1") return value & 1;
    if (type[0] == 'u') return std::abs(value);
    if (type == "e5m2") return value % 2 ? (value > 0 ? 2 : -4) : 1;
    return value;
  }
};

/// Fills an operand by its table. Every element has to be held, and by one lane only.
std::vector<int> fill(Registers& registers, int rows, int columns, const Table& table,
                      Numbers& numbers) {
  std::vector<int> matrix(rows * columns, 1000);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < rows * columns / 32; ++i) {
      Place p = table(lane / 4, lane % 4, i);
      REQUIRE((p.row < rows && p.column < columns));
      int& element = matrix[p.row * columns + p.column];
      REQUIRE(element == 1000);
      element = numbers(registers.type);
      registers.put(lane, i, encoded(element, registers.type));
    }
  return matrix;
}

void check(const Case& c) {
  INFO(c.opcode);
  Numbers numbers;
  Registers a(c.m * c.k / 32, c.a_type), b(c.k * c.n / 32, c.b_type), acc(c.m * c.n / 32, c.c_type),
      d(c.m * c.n / 32, c.c_type);
  std::vector<int> ma = fill(a, c.m, c.k, c.a, numbers), mb = fill(b, c.k, c.n, c.b, numbers),
                   mc = fill(acc, c.m, c.n, c.c, numbers);
  multiply(c.opcode, d, a, b, acc);
  int different = 0;
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < c.m * c.n / 32; ++i) {
      Place p = c.c(lane / 4, lane % 4, i);
      int sum = mc[p.row * c.n + p.column];
      for (int l = 0; l < c.k; ++l) {
        int x = ma[p.row * c.k + l], y = mb[l * c.n + p.column];
        sum += c.opcode.find(".xor.") != std::string::npos ? x ^ y : x * y;
      }
      different += d.get(lane, i) != encoded(sum, c.c_type);
    }
  CHECK(different == 0);
}

std::vector<Case> half_cases() {
  auto a16 = [](int g, int t, int i) {
    return Place{i < 2 || (i >= 4 && i < 6) ? g : g + 8, t * 2 + (i & 1) + (i >= 4 ? 8 : 0)};
  };
  auto b16 = [](int g, int t, int i) { return Place{t * 2 + (i & 1) + (i >= 2 ? 8 : 0), g}; };
  auto a8 = [](int g, int t, int i) { return Place{i < 2 ? g : g + 8, t * 2 + (i & 1)}; };
  auto b8 = [](int g, int t, int i) { return Place{t * 2 + i, g}; };
  std::vector<Case> cases;
  for (auto [type, c] : {std::pair{"f16", "f32"}, {"f16", "f16"}, {"bf16", "f32"}}) {
    std::string t = type, types = std::string(c) + "." + t + "." + t + "." + c;
    cases.push_back({"mma.sync.aligned.m16n8k16.row.col." + types, 16, 8, 16, t, t, c, a16, b16,
                     accumulator_16});
    cases.push_back(
        {"mma.sync.aligned.m16n8k8.row.col." + types, 16, 8, 8, t, t, c, a8, b8, accumulator_16});
  }
  return cases;
}

std::vector<Case> word_cases() {
  auto a8 = [](int g, int t, int i) { return Place{i % 2 ? g + 8 : g, i < 2 ? t : t + 4}; };
  auto a4 = [](int g, int t, int i) { return Place{i ? g + 8 : g, t}; };
  auto b8 = [](int g, int t, int i) { return Place{i ? t + 4 : t, g}; };
  auto b4 = [](int g, int t, int) { return Place{t, g}; };
  auto a16 = [](int g, int t, int i) {
    return Place{i % 2 ? g + 8 : g, i % 2 ? i * 2 - 2 + t : i * 2 + t};
  };
  auto b16 = [](int g, int t, int i) { return Place{t + 4 * i, g}; };
  auto a_small = [](int g, int t, int) { return Place{g, t}; };
  const std::string mma = "mma.sync.aligned.", f64 = ".row.col.f64.f64.f64.f64",
                    tf32 = ".row.col.f32.tf32.tf32.f32";
  return {{mma + "m16n8k4" + tf32, 16, 8, 4, "tf32", "tf32", "f32", a4, b4, accumulator_16},
          {mma + "m16n8k8" + tf32, 16, 8, 8, "tf32", "tf32", "f32", a8, b8, accumulator_16},
          {mma + "m8n8k4" + f64, 8, 8, 4, "f64", "f64", "f64", a_small, b4, accumulator_8},
          {mma + "m16n8k4" + f64, 16, 8, 4, "f64", "f64", "f64", a4, b4, accumulator_16},
          {mma + "m16n8k8" + f64, 16, 8, 8, "f64", "f64", "f64", a8, b8, accumulator_16},
          {mma + "m16n8k16" + f64, 16, 8, 16, "f64", "f64", "f64", a16, b16, accumulator_16},
          {"wmma.mma.sync.aligned.row.col.m8n8k4.f64.f64.f64.f64.rn", 8, 8, 4, "f64", "f64", "f64",
           a_small, b4, accumulator_8}};
}

/// Bytes, nibbles and bits: P of them in a register.
template <int P>
std::vector<Case> packed_cases(const std::string& a, const std::string& b, const std::string& c,
                               const std::string& end) {
  auto a_8 = [](int g, int t, int i) { return Place{g, t * P + i}; };
  auto a_16 = [](int g, int t, int i) { return Place{i < P ? g : g + 8, t * P + i % P}; };
  auto a_long = [](int g, int t, int i) {
    return Place{i < P || (i >= 2 * P && i < 3 * P) ? g : g + 8,
                 i < 2 * P ? t * P + i % P : t * P + i % P + 4 * P};
  };
  auto b_short = [](int g, int t, int i) { return Place{t * P + i, g}; };
  auto b_long = [](int g, int t, int i) {
    return Place{i < P ? t * P + i : t * P + i % P + 4 * P, g};
  };
  auto opcode = [&](int m, int k) {
    return "mma.sync.aligned.m" + std::to_string(m) + "n8k" + std::to_string(k) + ".row.col." + c +
           "." + a + "." + b + "." + c + end;
  };
  std::vector<Case> cases = {
      {opcode(16, 4 * P), 16, 8, 4 * P, a, b, c, a_16, b_short, accumulator_16},
      {opcode(16, 8 * P), 16, 8, 8 * P, a, b, c, a_long, b_long, accumulator_16}};
  if (c == "s32")
    cases.push_back({opcode(8, 4 * P), 8, 8, 4 * P, a, b, c, a_8, b_short, accumulator_8});
  return cases;
}

/// One row of A, one column of B and one element of C, all else zero; the element of D.
template <class T>
T one_sum(const std::string& opcode, const std::vector<std::uint64_t>& a,
          const std::vector<std::uint64_t>& b, std::uint64_t c) {
  auto find = [&](isa::Role role) {
    return *isa::fragment_of(isa::find_row(opcode)->variant, role, false);
  };
  std::string c_type = sizeof(T) == 2 ? "f16" : "f32";
  isa::Fragment fa = find(isa::Role::a), fb = find(isa::Role::b);
  std::string types[] = {fa.bits == 16 ? "f16" : fa.bits == 8 ? "e4m3" : "tf32"};
  Registers ra(16 * fa.shape.k / 32, types[0]), rb(8 * fa.shape.k / 32, types[0]);
  Registers rc(4, c_type), rd(4, c_type);
  for (Registers* r : {&ra, &rb, &rc}) std::fill(r->storage.begin(), r->storage.end(), 0);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned reg = 0; reg < fa.registers; ++reg)
      for (unsigned part = 0; part < fa.per_register(); ++part) {
        int i = static_cast<int>(reg * fa.per_register() + part);
        isa::Position p = isa::position_of(fa, lane, reg, part);
        if (p.row == 0 && p.column < a.size()) ra.put(int(lane), i, a[p.column]);
        if (reg >= fb.registers) continue;
        p = isa::position_of(fb, lane, reg, part);
        if (p.column == 0 && p.row < b.size()) rb.put(int(lane), i, b[p.row]);
      }
  rc.put(0, 0, c);
  multiply(opcode, rd, ra, rb, rc);
  return static_cast<T>(rd.get(0, 0));
}

const std::string f16_f32 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

float sum_f32(std::vector<std::uint64_t> a, std::vector<std::uint64_t> b, float c) {
  return std::bit_cast<float>(
      one_sum<std::uint32_t>(f16_f32, a, b, std::bit_cast<std::uint32_t>(c)));
}

constexpr std::uint64_t one = 0x3c00, two_to_minus_12 = 0x0c00, two_to_minus_13 = 0x0800,
                        infinity = 0x7c00, not_a_number = 0x7e00;

TEST_CASE("products of every shape put elements where the manual has them") {
  std::vector<Case> all = half_cases();
  auto add = [&](const std::vector<Case>& cases) {
    all.insert(all.end(), cases.begin(), cases.end());
  };
  add(word_cases());
  for (auto [a, b] : {std::pair{"s8", "s8"}, {"s8", "u8"}, {"u8", "s8"}, {"u8", "u8"}})
    add(packed_cases<4>(a, b, "s32", ""));
  for (auto [a, b] : {std::pair{"s4", "s4"}, {"s4", "u4"}, {"u4", "s4"}, {"u4", "u4"}})
    add(packed_cases<8>(a, b, "s32", ""));
  for (const char* op : {".and.popc", ".xor.popc"}) add(packed_cases<32>("b1", "b1", "s32", op));
  for (auto [a, b] :
       {std::pair{"e4m3", "e4m3"}, {"e4m3", "e5m2"}, {"e5m2", "e4m3"}, {"e5m2", "e5m2"}})
    for (const char* c : {"f32", "f16"}) add(packed_cases<4>(a, b, c, ""));
  CHECK(all.size() == 6 + 7 + 12 + 12 + 6 + 16);
  for (const Case& c : all) check(c);
}

TEST_CASE("integer products wrap, or saturate where the instruction says so") {
  for (bool saturates : {false, true}) {
    std::string opcode = saturates ? "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32"
                                   : "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32";
    Registers a(16, "u8"), b(8, "u8"), c(4, "s32"), d(4, "s32");
    std::fill(a.storage.begin(), a.storage.end(), 255);
    std::fill(b.storage.begin(), b.storage.end(), 255);
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < 4; ++i) c.put(lane, i, 0x7fffffff - 5);
    multiply(opcode, d, a, b, c);
    CHECK(d.get(17, 2) == (saturates ? 0x7fffffffu : 0x7fffffffu - 5 + 32u * 255 * 255));
  }
}

TEST_CASE("float sums keep 25 bits below the largest term and are cut, not rounded") {
  // 1 + 3 * 2^-24: between two floats, nearer to the upper one.
  std::vector<std::uint64_t> three(3, two_to_minus_12);
  CHECK(sum_f32(three, three, 1.0f) == 1.0f + 0x1p-23f);
  CHECK(sum_f32(three, three, -1.0f) == -1.0f + 3 * 0x1p-24f);
  // 16 * 2^-26: more than a unit of the result, but each term is below what is kept.
  std::vector<std::uint64_t> small(16, two_to_minus_13);
  CHECK(sum_f32(small, small, 1.0f) == 1.0f);
  CHECK(sum_f32(small, small, 0.25f) == 0.25f + 0x1p-22f);
  // A product of 1.5 * 1.5 counts with the exponent 0, though it is more than 2.
  CHECK(sum_f32({0x3e00, 0xbe00, two_to_minus_12}, {0x3e00, 0x3e00, two_to_minus_13}, 0) ==
        0x1p-25f);
  // The largest term may be one that cancels.
  CHECK(sum_f32({one, one | 0x8000, two_to_minus_13}, {one, one, two_to_minus_13}, 0) == 0.0f);
  // Subnormal factors count in full.
  CHECK(sum_f32({1}, {1}, 0) == 0x1p-48f);
}

TEST_CASE("f16 results are rounded to nearest even") {
  const std::string opcode = "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16";
  auto sum = [&](std::vector<std::uint64_t> a, std::vector<std::uint64_t> b, std::uint64_t c) {
    return one_sum<std::uint16_t>(opcode, a, b, c);
  };
  CHECK(sum({0x1000}, {one}, one) == 0x3c00);          // 1 + 2^-11: a tie
  CHECK(sum({0x1000, 1}, {one, one}, one) == 0x3c01);  // a little more
  CHECK(sum({0x1000}, {one}, 0x3c01) == 0x3c02);
  CHECK(sum({0x7bff}, {one}, 0x4c00) == 0x7c00);  // 65504 + 16 rounds to infinity
  CHECK(sum({0x8001}, {0x3800}, 0) == 0);         // half of the smallest subnormal: a tie
  CHECK(sum({3}, {0x3800}, 0) == 2);
  CHECK(sum({not_a_number}, {one}, 0) == 0x7fff);
}

TEST_CASE("NaN comes out canonical, infinities go through") {
  auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
  CHECK(bits(sum_f32({not_a_number}, {one}, 1)) == 0x7fffffff);
  CHECK(bits(sum_f32({infinity}, {0}, 1)) == 0x7fffffff);
  CHECK(bits(sum_f32({infinity, infinity | 0x8000}, {one, one}, 1)) == 0x7fffffff);
  CHECK(sum_f32({infinity}, {one}, 1) == INFINITY);
  CHECK(sum_f32({one}, {one}, -INFINITY) == -INFINITY);
  CHECK(bits(sum_f32({0x8000}, {one}, -0.0f)) == 0);
}

TEST_CASE("f64 products hand a NaN on, B's before C's before A's") {
  auto product = [](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    Registers ra(1, "f64"), rb(1, "f64"), rc(2, "f64"), rd(2, "f64");
    for (Registers* r : {&ra, &rb, &rc}) std::fill(r->storage.begin(), r->storage.end(), 0);
    ra.put(0, 0, a);
    rb.put(0, 0, b);
    rc.put(0, 0, c);
    multiply("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", rd, ra, rb, rc);
    return rd.get(0, 0);
  };
  constexpr std::uint64_t x = 0x7ff0000000000001, y = 0xfff0000000000002, z = 0x7ff8000000000003,
                          quiet = 1ull << 51, infinite = 0x7ff0000000000000;
  CHECK(product(x, y, z) == (y | quiet));
  CHECK(product(x, 0, z) == z);
  CHECK(product(x, 0, 0) == (x | quiet));
  CHECK(product(infinite, 0, 0) == 0xfff8000000000000);
}

TEST_CASE("what is subnormal in 8 bits counts with its own exponent, as it does in f16") {
  // An H200 gave these bits.
  CHECK(one_sum<std::uint32_t>("mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32",
                               {0x84, 0x9d, 0xc1, 0x15, 0x32, 0xa7, 0x87, 0xef, 0x10, 0x57, 0x9f,
                                0x0b, 0xe1, 0x25, 0xce, 0xfe},
                               {0x7b, 0xed, 0xd0, 0x1b, 0x84, 0x9d, 0xc1, 0x15, 0x32, 0xa7, 0x87,
                                0xef, 0x10, 0x57, 0x9f, 0x0b},
                               0x40ddb38a) == 0x4198c788);
}

TEST_CASE("products by quarters to f16 add C to the first two products") {
  // An H200 gave these bits.
  Registers a(4, "f16"), b(4, "f16"), c(8, "f16"), d(8, "f16");
  for (Registers* r : {&a, &b, &c}) std::fill(r->storage.begin(), r->storage.end(), 0);
  const std::uint64_t row[] = {0xba0e, 0xc271, 0x4418, 0x31b3},
                      column[] = {0xccf1, 0xbead, 0xc89e, 0xc484};
  for (int i = 0; i < 4; ++i) {
    a.put(0, i, row[i]);
    b.put(0, i, column[i]);
  }
  c.put(0, 0, 0x4cf4);
  multiply("mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16", d, a, b, c);
  CHECK(d.get(0, 0) == 0x3e28);
}

TEST_CASE("8-bit floats: two sums of every other pair, then C") {
  // Large terms that cancel at k = 0 and 1; at k = 2, which is in the second sum, 2^-18.
  std::vector<std::uint64_t> a(32), b(32);
  a[0] = a[1] = b[0] = 0x7e;
  b[1] = 0xfe;
  a[2] = b[2] = 0x01;
  const std::string opcode = "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32";
  CHECK(std::bit_cast<float>(one_sum<std::uint32_t>(opcode, a, b, 0)) == 0x1p-18f);
  a[0] = b[0] = 0x38;
  a[1] = b[1] = 0;
  // C is added to the rounded sum, to nearest: half a unit and a little more rounds up.
  CHECK(std::bit_cast<float>(one_sum<std::uint32_t>(opcode, a, b, 0x4b800000)) == 0x1p24f + 2);
  CHECK(std::bit_cast<float>(one_sum<std::uint32_t>(opcode, a, b, 0x4b800001)) == 0x1p24f + 4);
}

TEST_CASE("tf32 ignores the lowest 13 bits") {
  CHECK(one_sum<std::uint32_t>("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", {0x3f801fff},
                               {0x3f800000}, 0) == 0x3f800000);
}

TEST_CASE("fragments of wmma hold every element as often as there is room") {
  struct Want {
    const char* opcode;
    isa::Role role;
    unsigned registers, times;
  };
  const std::string f16 = "wmma.mma.sync.aligned.row.col.";
  for (const auto& [opcode, role, registers, times] :
       {Want{"m16n16k16.f32.f32", isa::Role::a, 8, 2},
        {"m16n16k16.f32.f32", isa::Role::b, 8, 2},
        {"m32n8k16.f32.f32", isa::Role::a, 8, 1},
        {"m32n8k16.f32.f32", isa::Role::b, 8, 4},
        {"m8n32k16.f32.f32", isa::Role::a, 8, 4},
        {"m8n32k16.f32.f32", isa::Role::b, 8, 1},
        {"m8n32k16.f32.f32", isa::Role::accumulator, 8, 1},
        {"m16n16k16.f16.f16", isa::Role::accumulator, 4, 1},
        {"m8n32k16.s32.s8.s8.s32", isa::Role::b, 4, 1},
        {"m16n16k8.f32.tf32.tf32.f32", isa::Role::a, 4, 1}}) {
    INFO(opcode);
    auto fragment = isa::fragment_of(isa::find_row(f16 + opcode)->variant, role, true);
    REQUIRE(fragment.has_value());
    CHECK(fragment->registers == registers);
    std::vector<unsigned> held(fragment->rows() * fragment->columns());
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned reg = 0; reg < fragment->registers; ++reg)
        for (unsigned part = 0; part < fragment->per_register(); ++part) {
          isa::Position p = isa::position_of(*fragment, lane, reg, part);
          ++held.at(p.row * fragment->columns() + p.column);
        }
    for (unsigned count : held) CHECK(count == times);
  }
}

/// Lanes and elements of D that are not zero where one element of A and one of B are 1.
std::vector<std::pair<int, int>> lit(const std::string& layouts, const std::string& type,
                                     std::pair<int, int> a, std::pair<int, int> b) {
  Registers ra(4, "f16"), rb(4, "f16"), rc(8, type), rd(8, type);
  for (Registers* r : {&ra, &rb, &rc}) std::fill(r->storage.begin(), r->storage.end(), 0);
  ra.put(a.first, a.second, one);
  rb.put(b.first, b.second, one);
  multiply("mma.sync.aligned.m8n8k4." + layouts + "." + type + ".f16.f16." + type, rd, ra, rb, rc);
  std::vector<std::pair<int, int>> found;
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 8; ++i)
      if (rd.get(lane, i)) found.push_back({lane, i});
  return found;
}

TEST_CASE("four products of 8 x 8 x 4: elements are where the manual has them") {
  using Places = std::vector<std::pair<int, int>>;
  CHECK(lit("row.col", "f32", {17, 2}, {2, 2}) == Places{{19, 0}});   // row 5, k 2, column 2
  CHECK(lit("row.col", "f32", {25, 2}, {10, 2}) == Places{{27, 0}});  // of the third product
  CHECK(lit("col.row", "f16", {1, 3}, {17, 2}) == Places{{3, 6}});    // row 3, k 1, column 6
  CHECK(lit("row.row", "f32", {2, 3}, {3, 1}) == Places{{0, 3}});     // row 2, k 3, column 1
  CHECK(lit("col.col", "f16", {18, 0}, {20, 2}).empty());             // of different products
}

TEST_CASE("four products of 8 x 8 x 4 are added in f32 as an H200 adds them") {
  auto sum = [](const std::string& types, std::array<std::uint64_t, 4> a, std::uint64_t c) {
    const std::string type = types.substr(0, 3), c_type = types.substr(types.size() - 3);
    Registers ra(4, "f16"), rb(4, "f16"), rc(8, c_type), rd(8, type);
    for (Registers* r : {&ra, &rb, &rc}) std::fill(r->storage.begin(), r->storage.end(), 0);
    for (int i = 0; i < 4; ++i) ra.put(0, i, a[i]), rb.put(0, i, one);
    rc.put(0, 0, c);
    multiply("mma.sync.aligned.m8n8k4.row.col." + types, rd, ra, rb, rc);
    return rd.get(0, 0);
  };
  // 1 + 2^-24 is 1, three times over; C is added last.
  CHECK(sum("f32.f16.f16.f32", {one, 1, 1, 1}, 0x34000000) == 0x3f800001);
  CHECK(sum("f32.f16.f16.f16", {1, 1, one, 0}, one) == 0x40000000);
  // The first two, and the others: 1 + (2^-24 - 1).
  CHECK(sum("f16.f16.f16.f16", {one, 1, 1, one | 0x8000}, 0) == 1);
  CHECK(sum("f16.f16.f16.f16", {infinity, infinity | 0x8000, one, one}, 0) == 0x7fff);
}

}  // namespace matrix_test
