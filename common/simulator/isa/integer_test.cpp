#include <random>
#include <string>

#include "simulator/isa/isa_fixture.h"

using namespace warpwise::isa;

namespace {

using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

template <class T>
struct Carried {
  T value;
  u32 carry;
};

/// Runs an opcode that reads or writes the carry on one set of values.
template <class T, class... S>
Carried<T> run_carry(const std::string& opcode, u32 carry_in, S... sources) {
  auto match = find_row(opcode);
  REQUIRE_MESSAGE(match.has_value(), opcode);
  T s[sizeof...(S)][32], values[] = {sources...}, d[32];
  Operands operands;
  u32 out = 0x55555555;
  operands.d = d, operands.d2 = &out;
  std::size_t at = 0;
  for (; at < sizeof...(S); ++at) {
    std::fill_n(s[at], 32, values[at]);
    operands.s[at] = s[at];
  }
  if (match->syntax->implicit().carry_in) operands.s[at] = &carry_in;
  match->function(operands);
  return {d[3], out};
}

/// Edges and random values.
template <class T>
std::vector<T> samples() {
  std::vector<T> values = {0, 1, 2, static_cast<T>(~T(0)),
                           static_cast<T>(T(1) << (8 * sizeof(T) - 1))};
  values.push_back(static_cast<T>(values.back() - 1));
  std::mt19937_64 random(7);
  for (int i = 0; i < 20; ++i) values.push_back(static_cast<T>(random()));
  return values;
}

template <class T>
void check_carries(const std::string& suffix) {
  constexpr int bits = 8 * sizeof(T);
  for (T a : samples<T>()) {
    for (T b : samples<T>()) {
      for (u32 in : {0u, ~0u}) {
        u128 sum = u128(a) + b + (in & 1);
        auto added = run_carry<T>("addc.cc" + suffix, in, a, b);
        CHECK(added.value == static_cast<T>(sum));
        CHECK(added.carry == (sum >> bits ? ~0u : 0u));
        // No carry means that one was borrowed.
        s128 difference = s128(a) - b - (in & 1 ? 0 : 1);
        auto subtracted = run_carry<T>("subc.cc" + suffix, in, a, b);
        CHECK(subtracted.value == static_cast<T>(difference));
        CHECK(subtracted.carry == (difference < 0 ? 0u : ~0u));
      }
    }
  }
}

/// Quotients next to whole numbers, where rounding would show first, and at random.
template <class T>
void check_quotients(const std::string& type) {
  std::mt19937_64 random(11);
  const auto divide = find_row("div" + type), remainder = find_row("rem" + type);
  REQUIRE((divide && remainder));
  for (int round = 0; round < 20000; ++round) {
    T a[32], b[32], quotients[32], rests[32];
    for (int lane = 0; lane < 32; ++lane) {
      b[lane] = static_cast<T>(random() >> random() % 63);
      if (b[lane] == 0 || b[lane] == static_cast<T>(-1)) b[lane] = 1;
      const auto times = static_cast<T>(static_cast<T>(random()) / b[lane]);
      a[lane] = static_cast<T>(lane % 3 == 0 ? random()
                                             : static_cast<u64>(times) * b[lane] -
                                                   static_cast<u64>(lane % 3 - 1));
    }
    Operands operands;
    operands.s[0] = a, operands.s[1] = b;
    operands.d = quotients;
    divide->function(operands);
    operands.d = rests;
    remainder->function(operands);
    for (int lane = 0; lane < 32; ++lane) {
      const T quotient = static_cast<T>(a[lane] / b[lane]);
      if (quotients[lane] == quotient && rests[lane] == static_cast<T>(a[lane] % b[lane])) continue;
      CAPTURE(type);
      CAPTURE(a[lane]);
      CAPTURE(b[lane]);
      REQUIRE(quotients[lane] == quotient);
      REQUIRE(rests[lane] == static_cast<T>(a[lane] % b[lane]));
    }
  }
}

}  // namespace

TEST_CASE("quotients of 32 bits, which are made of doubles, are exact") {
  check_quotients<u32>(".u32");
  check_quotients<s32>(".s32");
  CHECK(run<u32>("div.u32", ~0u, 1u) == ~0u);
  CHECK(run<u32>("div.u32", ~0u, ~0u) == 1);
  CHECK(run<u32>("rem.u32", 0x80000000u, ~0u) == 0x80000000u);
  CHECK(run<s32>("div.s32", INT32_MIN, 1) == INT32_MIN);
  CHECK(run<s32>("div.s32", INT32_MIN, INT32_MAX) == -1);
  CHECK(run<s32>("rem.s32", INT32_MIN, INT32_MIN) == 0);
}

TEST_CASE("carries run through sums and differences") {
  check_carries<u32>(".u32");
  check_carries<u64>(".s64");
  CHECK(run_carry<u32>("add.cc.u32", ~0u, ~0u, 1u).carry == ~0u);
  CHECK(run_carry<u32>("add.cc.u32", ~0u, 1u, 1u).value == 2);
  CHECK(run_carry<u32>("addc.u32", ~0u, 1u, 1u).value == 3);
  CHECK(run_carry<u32>("addc.u32", ~0u, 1u, 1u).carry == 0x55555555);
  CHECK(run_carry<u32>("sub.cc.s32", 0u, 1u, 2u).carry == 0u);
  CHECK(run_carry<u32>("sub.cc.s32", 0u, 2u, 1u).value == 1u);
  CHECK(run_carry<u64>("subc.u64", 8u, u64(5), u64(2)).value == 3);
  // Only lane 3 has a carry.
  CHECK(run_carry<u32>("addc.cc.u32", 8u, ~0u, 0u).carry == 8u);
}

TEST_CASE("carries run through products") {
  for (u32 a : samples<u32>()) {
    for (u32 b : samples<u32>()) {
      u128 low = u128(static_cast<u32>(a * b)) + 0x80000001u + 1;
      auto lower = run_carry<u32>("madc.lo.cc.u32", ~0u, a, b, 0x80000001u);
      CHECK(lower.value == static_cast<u32>(low));
      CHECK(lower.carry == (low >> 32 ? ~0u : 0u));
      u32 high = static_cast<u32>(
          static_cast<std::int64_t>(static_cast<s32>(a)) * static_cast<s32>(b) >> 32);
      auto upper = run_carry<u32>("mad.hi.cc.s32", ~0u, a, b, 7u);
      CHECK(upper.value == high + 7);
      CHECK(upper.carry == (u64(high) + 7 > ~0u ? ~0u : 0u));
    }
  }
  CHECK(run_carry<u64>("madc.hi.u64", ~0u, ~u64(0), ~u64(0), u64(1)).value == ~u64(0) - 1 + 2);
}

TEST_CASE("products of 24 bits") {
  CHECK(run<u32>("mul24.lo.u32", 0xff000003u, 5u) == 15);
  CHECK(run<s32>("mul24.lo.s32", 0xffffff, 5) == -5);
  CHECK(run<u32>("mul24.hi.u32", 0xffffffu, 0xffffffu) == 0xfffffe00u);
  CHECK(run<s32>("mul24.hi.s32", -0x800000, -0x800000) == 0x40000000);
  CHECK(run<s32>("mad24.lo.s32", -3, 4, 2) == -10);
  CHECK(run<s32>("mad24.hi.sat.s32", -0x800000, -0x800000, 0x7fffffff) == INT32_MAX);
  CHECK(run<s32>("mad.hi.sat.s32", INT32_MIN, INT32_MIN, 0x7fffffff) == INT32_MAX);
  CHECK(run<s32>("mad.hi.sat.s32", INT32_MIN, INT32_MAX, INT32_MIN) == INT32_MIN);
  CHECK(run<s32>("mad.hi.sat.s32", 1 << 20, 1 << 20, -5) == 251);
}

TEST_CASE("halves of a register and values cut at zero") {
  CHECK(run<u32>("add.u16x2", 0xffff0001u, 0x00020003u) == 0x00010004u);
  CHECK(run<u32>("min.s16x2", 0xffff0001u, 0x00020003u) == 0xffff0001u);
  CHECK(run<u32>("min.u16x2", 0xffff0001u, 0x00020003u) == 0x00020001u);
  CHECK(run<u32>("max.s16x2.relu", 0xfffffffeu, 0x8000ffffu) == 0);
  CHECK(run<u32>("min.relu.s16x2", 0x7fff0005u, 0x00038000u) == 0x00030000u);
  CHECK(run<s32>("max.s32.relu", -7, -3) == 0);
  CHECK(run<s32>("min.relu.s32", 7, 3) == 3);
}

TEST_CASE("any function of three bits") {
  u32 a = 0xf0f0f0f0, b = 0xcccccccc, c = 0xaaaaaaaa;
  CHECK(run<u32>("lop3.b32", a, b, c, 0x80u) == (a & b & c));
  CHECK(run<u32>("lop3.b32", a, b, c, 0xfeu) == (a | b | c));
  CHECK(run<u32>("lop3.b32", a, b, c, 0x96u) == (a ^ b ^ c));
  CHECK(run<u32>("lop3.b32", a, b, c, 0xcau) == ((a & b) | (~a & c)));
  CHECK(run<u32>("lop3.b32", a, b, c, 0u) == 0);
}

TEST_CASE("bytes are permuted by the modes of prmt") {
  u32 a = 0x33221100, b = 0x77665544;
  CHECK(run<u32>("prmt.b32.f4e", a, b, 1u) == 0x44332211u);
  CHECK(run<u32>("prmt.b32.f4e", a, b, 7u) == 0x66554433u);  // only two bits of c count
  CHECK(run<u32>("prmt.b32.b4e", a, b, 1u) == 0x66770011u);
  CHECK(run<u32>("prmt.b32.rc8", a, b, 2u) == 0x22222222u);
  CHECK(run<u32>("prmt.b32.ecl", a, b, 2u) == 0x33222222u);
  CHECK(run<u32>("prmt.b32.ecr", a, b, 2u) == 0x22221100u);
  CHECK(run<u32>("prmt.b32.rc16", a, b, 1u) == 0x33223322u);
}

TEST_CASE("bits are extended and the n-th is found") {
  CHECK(run<u32>("szext.clamp.u32", 0xffffffffu, 5u) == 31);
  CHECK(run<s32>("szext.clamp.s32", 0x10, 5u) == -16);
  CHECK(run<u32>("szext.wrap.u32", 0xffffffffu, 33u) == 1);
  CHECK(run<u32>("szext.clamp.u32", 0xffffffffu, 33u) == ~0u);
  CHECK(run<u32>("szext.clamp.s32", 0xffffffffu, 0u) == 0);
  CHECK(run<u32>("fns.b32", 0x00000111u, 0u, 2) == 4);
  CHECK(run<u32>("fns.b32", 0x00000111u, 8u, -2) == 4);
  CHECK(run<u32>("fns.b32", 0x00000111u, 0u, 4) == ~0u);
  CHECK(run<u32>("fns.b32", 0x00000111u, 4u, 0) == 4);
  CHECK(run<u32>("fns.b32", 0x00000111u, 5u, 0) == ~0u);
}

TEST_CASE("parts of wider registers") {
  CHECK(run<std::uint8_t>("_extract.3.b8.b32", 0x12345678u) == 0x12);
  CHECK(run<u32>("_insert.1.b8.b32", 0x12345678u, std::uint8_t(0xff)) == 0x1234ff78u);
  u128 whole = u128(1) << 64 | 2;
  CHECK(run<u64>("_extract.1.b64.b128", whole) == 1);
  CHECK(run<u64>("_extract.0.b64.b128", whole) == 2);
  CHECK((run<u128>("_insert.1.b64.b128", whole, u64(9)) == (u128(9) << 64 | 2)));
  CHECK((run<u128>("mov.b128", whole) == whole));
  CHECK_FALSE(find_row("_extract.2.b64.b128"));
  CHECK(run<u32>("_join.8.b32", 0x12u, 0x34u) == 0x3412u);
  CHECK(run<u32>("_join.16.b32", 0x3412u, 0x5678u) == 0x56783412u);
}
