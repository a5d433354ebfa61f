#include <cmath>
#include <type_traits>

#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/lanes.h"

namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

/// Wrapping arithmetic: signed overflow has a value in PTX.
constexpr auto add = [](auto a, auto b) {
  using U = Unsigned<decltype(a)>;
  return static_cast<U>(static_cast<U>(a) + static_cast<U>(b));
};
constexpr auto sub = [](auto a, auto b) {
  using U = Unsigned<decltype(a)>;
  return static_cast<U>(static_cast<U>(a) - static_cast<U>(b));
};
constexpr auto mul_lo = [](auto a, auto b) {
  // 16-bit operands would be promoted to int and could overflow it.
  return static_cast<Unsigned<decltype(a)>>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
};
constexpr auto mad_lo = [](auto a, auto b, auto c) { return add(decltype(a)(mul_lo(a, b)), c); };

template <class T>
using Wider =
    std::conditional_t<sizeof(T) == 8,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
                       std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

constexpr auto mul_hi = [](auto a, auto b) {
  using T = decltype(a);
  return static_cast<T>((static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b)) >> (8 * sizeof(T)));
};
constexpr auto mad_hi = [](auto a, auto b, auto c) { return add(decltype(a)(mul_hi(a, b)), c); };

constexpr auto minimum = [](auto a, auto b) { return a < b ? a : b; };
constexpr auto maximum = [](auto a, auto b) { return a > b ? a : b; };
constexpr auto negate = [](auto a) { return sub(decltype(a)(0), a); };
constexpr auto absolute = [](auto a) { return a < 0 ? negate(a) : Unsigned<decltype(a)>(a); };

/// The quotient of 32-bit numbers through doubles, which processors divide several at a time. Both
/// are exact as doubles, and a quotient that is not whole differs from the next whole number by
/// 2^-32 of itself or more: rounding does not reach it.
inline int32_t quotient(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<double>(a) / b);
}
/// Vector instructions convert signed numbers only.
inline double as_double(uint32_t a) {
  return static_cast<double>(static_cast<int32_t>(a ^ 0x80000000u)) + 0x1p31;
}
inline uint32_t quotient(uint32_t a, uint32_t b) {
  const double whole = std::trunc(as_double(a) / as_double(b));
  return static_cast<uint32_t>(static_cast<int32_t>(whole - 0x1p31)) ^ 0x80000000u;
}
template <class T>
T quotient(T a, T b) {
  return static_cast<T>(a / b);
}

/// An H200 gives all ones where the divisor is zero, for the quotient and for the remainder.
constexpr auto divide = [](auto a, auto b) {
  using T = decltype(a);
  const bool is_negated = std::is_signed_v<T> && b == static_cast<T>(-1);
  const T whole = quotient(a, b == 0 || is_negated ? T(1) : b);
  return b == 0 ? static_cast<T>(-1) : is_negated ? static_cast<T>(negate(a)) : whole;
};
constexpr auto remainder = [](auto a, auto b) {
  using T = decltype(a);
  const bool is_negated = std::is_signed_v<T> && b == static_cast<T>(-1);
  const T divisor = b == 0 || is_negated ? T(1) : b;
  const T rest = sub(a, static_cast<T>(mul_lo(quotient(a, divisor), divisor)));
  return b == 0 ? static_cast<T>(-1) : rest;
};

struct Wide {
  template <class T>
  using Result =
      std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
                         std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;
};
constexpr auto mul_wide = [](auto a, auto b) {
  using R = Wide::Result<decltype(a)>;
  return static_cast<R>(static_cast<R>(a) * static_cast<R>(b));
};
constexpr auto mad_wide = [](auto a, auto b, auto c) {
  using R = Wide::Result<decltype(a)>;
  return add(static_cast<R>(static_cast<R>(a) * static_cast<R>(b)), static_cast<R>(c));
};

template <class F, bool Accumulate>
LaneFunction select_wide(const Variant& v) {
  return with_integer(v.type(), []<class T>() -> LaneFunction {
    if constexpr (sizeof(T) == 8)
      return nullptr;
    else if constexpr (Accumulate)
      return each_lane<F, Wide::Result<T>, T, T, Wide::Result<T>>;
    else
      return each_lane<F, Wide::Result<T>, T, T>;
  });
}

/// Signed saturation exists for add and sub of s32 only.
int32_t clamped(int64_t value) {
  return static_cast<int32_t>(value > INT32_MAX   ? INT32_MAX
                              : value < INT32_MIN ? INT32_MIN
                                                  : value);
}
constexpr auto add_sat = [](auto a, auto b) { return clamped(static_cast<int64_t>(a) + b); };
constexpr auto sub_sat = [](auto a, auto b) { return clamped(static_cast<int64_t>(a) - b); };
constexpr auto mad_hi_sat = [](int32_t a, int32_t b, int32_t c) {
  return clamped(static_cast<int64_t>(mul_hi(a, b)) + c);
};

/// The lower 24 bits of a, with the sign that they have as such a number.
template <class T>
int64_t low_24(T a) {
  uint32_t low = static_cast<uint32_t>(a) & 0xffffffu;
  bool negative = std::is_signed_v<T> && (low & 0x800000u);
  return static_cast<int64_t>(low) - (negative ? 0x1000000 : 0);
}
/// The lower or upper 32 bits of a 48-bit product.
template <bool High>
struct Multiply24 {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(low_24(a) * low_24(b) >> (High ? 16 : 0));
  }
};
template <bool High>
struct MultiplyAdd24 {
  template <class T>
  T operator()(T a, T b, T c) const {
    return static_cast<T>(add(Multiply24<High>{}(a, b), c));
  }
};
constexpr auto mad24_hi_sat = [](int32_t a, int32_t b, int32_t c) {
  return clamped(static_cast<int64_t>(Multiply24<true>{}(a, b)) + c);
};
LaneFunction select_mul24(const Variant& v) {
  return v["half"] == "hi" ? select_integer<Multiply24<true>, 2>(v)
                           : select_integer<Multiply24<false>, 2>(v);
}
LaneFunction select_mad24(const Variant& v) {
  return v["half"] == "hi" ? select_integer<MultiplyAdd24<true>, 3>(v)
                           : select_integer<MultiplyAdd24<false>, 3>(v);
}
/// For the few operations that exist for s32 alone.
template <class F, std::size_t Arity>
LaneFunction select_s32(const Variant&) {
  return same_type<F, int32_t, Arity>();
}

constexpr auto sad = [](auto a, auto b, auto c) {
  using U = Unsigned<decltype(a)>;
  U distance = a < b ? static_cast<U>(static_cast<U>(b) - static_cast<U>(a))
                     : static_cast<U>(static_cast<U>(a) - static_cast<U>(b));
  return static_cast<U>(static_cast<U>(c) + distance);
};

/// Part `index` of a, as wide as Part, extended by its own sign.
template <class Part>
uint32_t part_of(uint32_t a, int index) {
  return static_cast<uint32_t>(static_cast<Part>(a >> (index * 8 * sizeof(Part))));
}

/// c plus the products of the parts of a with as many bytes of b, from byte First on.
template <class A, class B, int First>
struct Dot {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    for (int i = 0; i < static_cast<int>(4 / sizeof(A)); ++i)
      c += part_of<A>(a, i) * part_of<B>(b, First + i);
    return c;
  }
};

template <class Signed, int First>
LaneFunction select_dot(const Variant& v) {
  auto with = []<class A, class B>() -> LaneFunction {
    return each_lane<Dot<A, B, First>, uint32_t, uint32_t, uint32_t, uint32_t>;
  };
  using U = Unsigned<Signed>;
  bool a = v["atype"] == "s32", b = v["btype"] == "s32";
  if (a)
    return b ? with.template operator()<Signed, int8_t>()
             : with.template operator()<Signed, uint8_t>();
  return b ? with.template operator()<U, int8_t>() : with.template operator()<U, uint8_t>();
}
LaneFunction select_dot_of_two(const Variant& v) {
  return v["half"] == "lo" ? select_dot<int16_t, 0>(v) : select_dot<int16_t, 2>(v);
}

}  // namespace

std::span<const Row> integer_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"add.type d, a, b; .type = {.u16, .u32, .u64, .s16, .s32, .s64}", K::lanes, integer(add)},
      {"add.sat.type d, a, b; .type = {.s32}", K::lanes, integer(add_sat)},
      {"sub.type d, a, b; .type = {.u16, .u32, .u64, .s16, .s32, .s64}", K::lanes, integer(sub)},
      {"sub.sat.type d, a, b; .type = {.s32}", K::lanes, integer(sub_sat)},
      {"mul.lo.type d, a, b; .type = {.u16, .u32, .u64, .s16, .s32, .s64}", K::lanes,
       integer(mul_lo)},
      {"mul.hi.type d, a, b; .type = {.u16, .u32, .u64, .s16, .s32, .s64}", K::lanes,
       integer(mul_hi)},
      {"mul.wide.type d:wide, a, b; .type = {.u16, .u32, .s16, .s32}", K::lanes,
       select_wide<decltype(mul_wide), false>},
      {"mad.lo.type d, a, b, c; .type = {.u16, .u32, .u64, .s16, .s32, .s64}", K::lanes,
       integer<3>(mad_lo)},
      {"mad.hi.type d, a, b, c; .type = {.u16, .u32, .u64, .s16, .s32, .s64}", K::lanes,
       integer<3>(mad_hi)},
      {"mad.wide.type d:wide, a, b, c:wide; .type = {.u16, .u32, .s16, .s32}", K::lanes,
       select_wide<decltype(mad_wide), true>},
      {"div.type d, a, b; .type = {.u16, .u32, .u64, .s16, .s32, .s64}", K::lanes, integer(divide)},
      {"rem.type d, a, b; .type = {.u16, .u32, .u64, .s16, .s32, .s64}", K::lanes,
       integer(remainder)},
      {"min.type d, a, b; .type = {.u16, .u32, .u64, .s16, .s32, .s64}", K::lanes,
       integer(minimum)},
      {"max.type d, a, b; .type = {.u16, .u32, .u64, .s16, .s32, .s64}", K::lanes,
       integer(maximum)},
      {"neg.type d, a; .type = {.s16, .s32, .s64}", K::lanes, integer<1>(negate)},
      {"abs.type d, a; .type = {.s16, .s32, .s64}", K::lanes, integer<1>(absolute)},
      {"sad.type d, a, b, c; .type = {.u16, .u32, .u64, .s16, .s32, .s64}", K::lanes,
       integer<3>(sad)},
      {"mad.hi.sat.s32 d, a, b, c", K::lanes, select_s32<decltype(mad_hi_sat), 3>},
      {"mul24.half.type d, a, b; .half = {.lo, .hi}; .type = {.u32, .s32}", K::lanes, select_mul24},
      {"mad24.half.type d, a, b, c; .half = {.lo, .hi}; .type = {.u32, .s32}", K::lanes,
       select_mad24},
      {"mad24.hi.sat.s32 d, a, b, c", K::lanes, select_s32<decltype(mad24_hi_sat), 3>},
      {"dp4a.atype.btype d, a, b, c; .atype = {.u32, .s32}; .btype = {.u32, .s32}", K::lanes,
       select_dot<int8_t, 0>},
      {"dp2a.half.atype.btype d, a, b, c; .half = {.lo, .hi}; .atype = {.u32, .s32}; "
       ".btype = {.u32, .s32}",
       K::lanes, select_dot_of_two},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
