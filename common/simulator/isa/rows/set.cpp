#include <type_traits>

#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/formats.h"

/// Comparisons whose operator is data: set, which has many types of results, and setp of halves.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

/// The relation of two values. An operator is the set of relations in which it holds.
enum Relation : uint32_t { less = 1, equal = 2, greater = 4, unordered = 8 };

struct Operator {
  std::string_view name;
  uint32_t relations;
};
constexpr Operator operators[] = {
    {"eq", equal},
    {"ne", less | greater},
    {"lt", less},
    {"le", less | equal},
    {"gt", greater},
    {"ge", greater | equal},
    {"lo", less},
    {"ls", less | equal},
    {"hi", greater},
    {"hs", greater | equal},
    {"equ", equal | unordered},
    {"neu", less | greater | unordered},
    {"ltu", less | unordered},
    {"leu", less | equal | unordered},
    {"gtu", greater | unordered},
    {"geu", greater | equal | unordered},
    {"num", less | equal | greater},
    {"nan", unordered},
};

uint32_t relations_of(std::string_view name) {
  for (const Operator& candidate : operators)
    if (candidate.name == name) return candidate.relations;
  return 0;
}

/// The value that code/ packs into one more source.
struct Wanted {
  uint16_t relations;
  uint8_t combine;  ///< 'a'nd, 'o'r, 'x'or with the third operand, or 0
  uint8_t bytes;    ///< of a result of set
  uint32_t where_true;
};

Wanted wanted_of(const void* source) {
  Wanted wanted;
  std::memcpy(&wanted, source, sizeof wanted);
  return wanted;
}

uint64_t pack(const Variant& v, uint32_t bytes, uint32_t where_true) {
  std::string_view combine = v["bool"];
  Wanted wanted{static_cast<uint16_t>(relations_of(v["cmp"])),
                static_cast<uint8_t>(combine.empty() ? 0 : combine[0]), static_cast<uint8_t>(bytes),
                where_true};
  return std::bit_cast<uint64_t>(wanted);
}

uint32_t combined(uint32_t mask, uint32_t c, uint8_t how) {
  return how == 'a' ? mask & c : how == 'o' ? mask | c : how == 'x' ? mask ^ c : mask;
}

/// Bit i: relation of value First + i * Step of both sources is wanted.
template <class T, class Value, int First, int Step>
uint32_t compare(const Operands& o, uint32_t relations) {
  const auto *a = static_cast<const T*>(o.s[0]), *b = static_cast<const T*>(o.s[1]);
  uint32_t mask = 0;
  for (int lane = 0; lane < warp_size; ++lane) {
    auto x = Value{}(a[First + lane * Step]), y = Value{}(b[First + lane * Step]);
    uint32_t relation = x < y ? less : x > y ? greater : x == y ? equal : unordered;
    mask |= (relation & relations ? 1u : 0u) << lane;
  }
  return mask;
}

struct Itself {
  template <class T>
  T operator()(T a) const {
    return a;
  }
};
struct Flushed {
  float operator()(float a) const { return flush(a); }
};
template <class F, bool Ftz>
struct Widened {
  float operator()(uint16_t a) const {
    // A subnormal f16 is a normal float: it is flushed before.
    return widen<F>(Ftz && (a & F::infinity) == 0 ? a & F::sign_bit : a);
  }
};

/// Where there is a third operand, IMM comes after it.
const void* immediate_of(const Operands& o, bool has_third) { return o.s[has_third ? 3 : 2]; }

template <class T, class Value, bool Bool>
void set_each(const Operands& o) {
  Wanted wanted = wanted_of(immediate_of(o, Bool));
  uint32_t mask = compare<T, Value, 0, 1>(o, wanted.relations);
  if constexpr (Bool) mask = combined(mask, mask_of(o.s[2]), wanted.combine);
  for (int lane = 0; lane < warp_size; ++lane) {
    uint32_t value = mask >> lane & 1 ? wanted.where_true : 0;
    if (wanted.bytes == 2)
      static_cast<uint16_t*>(o.d)[lane] = static_cast<uint16_t>(value);
    else
      static_cast<uint32_t*>(o.d)[lane] = value;
  }
}

template <class Value, bool Bool>
void set_pairs(const Operands& o) {
  Wanted wanted = wanted_of(immediate_of(o, Bool));
  uint32_t low = compare<uint16_t, Value, 0, 2>(o, wanted.relations);
  uint32_t high = compare<uint16_t, Value, 1, 2>(o, wanted.relations);
  if constexpr (Bool) {
    low = combined(low, mask_of(o.s[2]), wanted.combine);
    high = combined(high, mask_of(o.s[2]), wanted.combine);
  }
  for (int lane = 0; lane < warp_size; ++lane)
    static_cast<uint32_t*>(o.d)[lane] = (low >> lane & 1 ? wanted.where_true & 0xffffu : 0) |
                                        (high >> lane & 1 ? wanted.where_true & 0xffff0000u : 0);
}

/// setp of one half has p and its opposite; of two halves, p for the lower and q for the upper.
template <class Value, bool Bool>
void setp_each(const Operands& o) {
  Wanted wanted = wanted_of(immediate_of(o, Bool));
  uint32_t mask = compare<uint16_t, Value, 0, 1>(o, wanted.relations), opposite = ~mask;
  if constexpr (Bool) {
    uint32_t c = mask_of(o.s[2]);
    mask = combined(mask, c, wanted.combine);
    opposite = combined(opposite, c, wanted.combine);
  }
  mask_of(o.d) = mask;
  if (o.d2) mask_of(o.d2) = opposite;
}
template <class Value, bool Bool>
void setp_pairs(const Operands& o) {
  Wanted wanted = wanted_of(immediate_of(o, Bool));
  uint32_t low = compare<uint16_t, Value, 0, 2>(o, wanted.relations);
  uint32_t high = compare<uint16_t, Value, 1, 2>(o, wanted.relations);
  if constexpr (Bool) {
    uint32_t c = mask_of(o.s[2]);
    low = combined(low, c, wanted.combine);
    high = combined(high, c, wanted.combine);
  }
  mask_of(o.d) = low;
  if (o.d2) mask_of(o.d2) = high;
}

template <class Make>
LaneFunction with_half_value(Type type, bool ftz, Make make) {
  if (type == Type::f16 || type == Type::f16x2)
    return ftz ? make.template operator()<Widened<Half, true>>()
               : make.template operator()<Widened<Half, false>>();
  return make.template operator()<Widened<Bfloat, false>>();
}

template <bool Bool>
LaneFunction select_set(const Variant& v) {
  Type type = v.type("stype");
  bool ftz = v.has("ftz");
  if (type == Type::f32)
    return ftz ? set_each<float, Flushed, Bool> : set_each<float, Itself, Bool>;
  if (ftz) return nullptr;
  if (type == Type::f64) return set_each<double, Itself, Bool>;
  return with_integer(type, []<class T>() -> LaneFunction { return set_each<T, Itself, Bool>; });
}
template <bool Bool>
LaneFunction select_set_half(const Variant& v) {
  return with_half_value(v.type("stype"), v.has("ftz"), [&]<class Value>() -> LaneFunction {
    return set_each<uint16_t, Value, Bool>;
  });
}
template <bool Bool>
LaneFunction select_set_halves(const Variant& v) {
  // A result with numbers has the compared type.
  if (is_float(v.type("dtype")) && v["dtype"] != v["stype"]) return nullptr;
  return with_half_value(v.type("stype"), v.has("ftz"),
                         [&]<class Value>() -> LaneFunction { return set_pairs<Value, Bool>; });
}
template <bool Bool>
LaneFunction select_setp_half(const Variant& v) {
  bool pair = v.type() == Type::f16x2 || v.type() == Type::bf16x2;
  return with_half_value(v.type(), v.has("ftz"), [&]<class Value>() -> LaneFunction {
    return pair ? setp_pairs<Value, Bool> : setp_each<Value, Bool>;
  });
}

/// One in the type of the result: 1.0 in floats, all ones in integers.
uint64_t set_immediate(const Variant& v, std::span<const std::string_view>) {
  Type type = v.type("dtype");
  uint32_t one = type == Type::f32      ? 0x3f800000u
                 : type == Type::f16    ? 0x3c00u
                 : type == Type::bf16   ? 0x3f80u
                 : type == Type::f16x2  ? 0x3c003c00u
                 : type == Type::bf16x2 ? 0x3f803f80u
                                        : ~0u;
  return pack(v, size_bytes(type), one);
}
uint64_t setp_immediate(const Variant& v, std::span<const std::string_view>) {
  return pack(v, 0, 0);
}

}  // namespace

// The operators of floats and those of integers.
#define WARPWISE_FLOAT_OPERATORS                                                            \
  ".cmp = {.eq, .ne, .lt, .le, .gt, .ge, .equ, .neu, .ltu, .leu, .gtu, .geu, .num, .nan}; " \
  ".bool = {.and, .or, .xor}; "
#define WARPWISE_INTEGER_OPERATORS                              \
  ".cmp = {.eq, .ne, .lt, .le, .gt, .ge, .lo, .ls, .hi, .hs}; " \
  ".bool = {.and, .or, .xor}; "                                 \
  ".stype = {.b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64}; "

std::span<const Row> set_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"set.cmp{.ftz}.dtype.stype d:dtype, a, b, IMM; " WARPWISE_FLOAT_OPERATORS
       ".dtype = {.u32, .s32, .f32}; .stype = {.f32, .f64}",
       K::lanes, select_set<false>, set_immediate},
      {"set.cmp.bool{.ftz}.dtype.stype d:dtype, a, b, c:pred, IMM; " WARPWISE_FLOAT_OPERATORS
       ".dtype = {.u32, .s32, .f32}; .stype = {.f32, .f64}",
       K::lanes, select_set<true>, set_immediate},
      {"set.cmp.dtype.stype d:dtype, a, b, IMM; .dtype = {.u32, .s32, "
       ".f32}; " WARPWISE_INTEGER_OPERATORS,
       K::lanes, select_set<false>, set_immediate},
      {"set.cmp.bool.dtype.stype d:dtype, a, b, c:pred, IMM; .dtype = {.u32, .s32, "
       ".f32}; " WARPWISE_INTEGER_OPERATORS,
       K::lanes, select_set<true>, set_immediate},
      {"set.cmp{.ftz}.dtype.stype d:dtype, a, b, IMM; " WARPWISE_FLOAT_OPERATORS
       ".dtype = {.f16, .u16, .s16, .u32, .s32}; .stype = {.f16}",
       K::lanes, select_set_half<false>, set_immediate},
      {"set.cmp.bool{.ftz}.dtype.stype d:dtype, a, b, c:pred, IMM; " WARPWISE_FLOAT_OPERATORS
       ".dtype = {.f16, .u16, .s16, .u32, .s32}; .stype = {.f16}",
       K::lanes, select_set_half<true>, set_immediate},
      {"set.cmp.dtype.stype d:dtype, a, b, IMM; " WARPWISE_FLOAT_OPERATORS
       ".dtype = {.bf16, .u16, .s16, .u32, .s32}; .stype = {.bf16}",
       K::lanes, select_set_half<false>, set_immediate},
      {"set.cmp.bool.dtype.stype d:dtype, a, b, c:pred, IMM; " WARPWISE_FLOAT_OPERATORS
       ".dtype = {.bf16, .u16, .s16, .u32, .s32}; .stype = {.bf16}",
       K::lanes, select_set_half<true>, set_immediate},
      {"set.cmp{.ftz}.dtype.stype d:dtype, a, b, IMM; " WARPWISE_FLOAT_OPERATORS
       ".dtype = {.f16x2, .u32, .s32}; .stype = {.f16x2}",
       K::lanes, select_set_halves<false>, set_immediate},
      {"set.cmp.bool{.ftz}.dtype.stype d:dtype, a, b, c:pred, IMM; " WARPWISE_FLOAT_OPERATORS
       ".dtype = {.f16x2, .u32, .s32}; .stype = {.f16x2}",
       K::lanes, select_set_halves<true>, set_immediate},
      {"set.cmp.dtype.stype d:dtype, a, b, IMM; " WARPWISE_FLOAT_OPERATORS
       ".dtype = {.bf16x2, .u32, .s32}; .stype = {.bf16x2}",
       K::lanes, select_set_halves<false>, set_immediate},
      {"set.cmp.bool.dtype.stype d:dtype, a, b, c:pred, IMM; " WARPWISE_FLOAT_OPERATORS
       ".dtype = {.bf16x2, .u32, .s32}; .stype = {.bf16x2}",
       K::lanes, select_set_halves<true>, set_immediate},
      {"setp.cmp{.ftz}.type p|q, a, b, IMM; " WARPWISE_FLOAT_OPERATORS ".type = {.f16, .f16x2}",
       K::lanes, select_setp_half<false>, setp_immediate},
      {"setp.cmp.bool{.ftz}.type p|q, a, b, c:pred, IMM; " WARPWISE_FLOAT_OPERATORS
       ".type = {.f16, .f16x2}",
       K::lanes, select_setp_half<true>, setp_immediate},
      {"setp.cmp.type p|q, a, b, IMM; " WARPWISE_FLOAT_OPERATORS ".type = {.bf16, .bf16x2}",
       K::lanes, select_setp_half<false>, setp_immediate},
      {"setp.cmp.bool.type p|q, a, b, c:pred, IMM; " WARPWISE_FLOAT_OPERATORS
       ".type = {.bf16, .bf16x2}",
       K::lanes, select_setp_half<true>, setp_immediate},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
