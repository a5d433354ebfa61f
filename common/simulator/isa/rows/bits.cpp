#include <bit>
#include <type_traits>

#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/lanes.h"

namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

constexpr auto bit_and = [](auto a, auto b) { return a & b; };
constexpr auto bit_or = [](auto a, auto b) { return a | b; };
constexpr auto bit_xor = [](auto a, auto b) { return a ^ b; };
constexpr auto bit_not = [](auto a) { return ~a; };
constexpr auto logical_not = [](auto a) { return a == 0 ? 1 : 0; };

/// Predicates are masks: the operation on 32 lanes is one operation on the mask.
template <class F>
void on_masks(const Operands& o) {
  mask_of(o.d) = F{}(mask_of(o.s[0]), mask_of(o.s[1]));
}
void not_mask(const Operands& o) { mask_of(o.d) = ~mask_of(o.s[0]); }

template <class F>
LaneFunction select_logic(const Variant& v) {
  if (v.type() == Type::pred) return on_masks<F>;
  return select_integer<F, 2>(v);
}
LaneFunction select_not(const Variant& v) {
  if (v.type() == Type::pred) return not_mask;
  return select_integer<decltype(bit_not), 1>(v);
}

/// Shift counts are unsigned and clamp at the width.
constexpr auto shift_left = [](auto a, uint32_t b) {
  using T = decltype(a);
  return b < 8 * sizeof(T) ? static_cast<T>(a << b) : T(0);
};
constexpr auto shift_right = [](auto a, uint32_t b) {
  using T = decltype(a);
  constexpr uint32_t last = 8 * sizeof(T) - 1;
  if constexpr (T(-1) < T(0))
    return static_cast<T>(a >> (b < last ? b : last));
  else
    return b <= last ? static_cast<T>(a >> b) : T(0);
};

template <class F>
LaneFunction select_shift(const Variant& v) {
  return with_integer(v.type(),
                      []<class T>() -> LaneFunction { return each_lane<F, T, T, uint32_t>; });
}

constexpr auto population_count = [](auto a) { return std::popcount(a); };
constexpr auto leading_zeros = [](auto a) { return std::countl_zero(a); };

template <class F>
LaneFunction select_count(const Variant& v) {
  if (v.type() == Type::b64) return each_lane<F, uint32_t, uint64_t>;
  return each_lane<F, uint32_t, uint32_t>;
}

constexpr auto reverse = [](auto a) {
  decltype(a) result = 0;
  for (unsigned bit = 0; bit < 8 * sizeof(a); ++bit) result = (result << 1) | ((a >> bit) & 1);
  return result;
};

/// Funnel shifts of the 64-bit value b:a.
template <bool Left, bool Wrap>
struct Funnel {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    uint32_t n = Wrap ? c & 31 : c < 32 ? c : 32;
    uint64_t both = static_cast<uint64_t>(b) << 32 | a;
    return static_cast<uint32_t>(Left ? (both << n) >> 32 : both >> n);
  }
};

LaneFunction select_funnel(const Variant& v) {
  bool wrap = v["mode"] == "wrap";
  if (v["direction"] == "l")
    return wrap ? each_lane<Funnel<true, true>, uint32_t, uint32_t, uint32_t, uint32_t>
                : each_lane<Funnel<true, false>, uint32_t, uint32_t, uint32_t, uint32_t>;
  return wrap ? each_lane<Funnel<false, true>, uint32_t, uint32_t, uint32_t, uint32_t>
              : each_lane<Funnel<false, false>, uint32_t, uint32_t, uint32_t, uint32_t>;
}

/// The instructions on 32 bits read the lowest byte of a position or length; those on 64 bits
/// consist of several and read all of it. Both are limited to 255, so sums do not overflow.
template <class T>
uint32_t bit_count(uint32_t n) {
  return sizeof(T) == 4 ? n & 255 : n < 255 ? n : 255;
}

/// `length` bits of a, put into b from bit `position` on.
constexpr auto insert_bits = [](auto a, auto b, uint32_t position, uint32_t length) {
  using T = decltype(a);
  constexpr uint32_t width = 8 * sizeof(T);
  position = bit_count<T>(position);
  length = bit_count<T>(length);
  if (length == 0 || position >= width) return b;
  T mask = length >= width ? ~T(0) : static_cast<T>((T(1) << length) - 1);
  return static_cast<T>((b & ~(mask << position)) | ((a & mask) << position));
};
LaneFunction select_insert(const Variant& v) {
  using F = decltype(insert_bits);
  return v.type() == Type::b64 ? each_lane<F, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t>
                               : each_lane<F, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;
}

/// `length` bits of a from bit `position` on; signed types repeat the highest bit of the field.
constexpr auto extract_bits = [](auto a, uint32_t position, uint32_t length) {
  using T = decltype(a);
  using U = std::make_unsigned_t<T>;
  constexpr uint32_t width = 8 * sizeof(T);
  position = bit_count<T>(position);
  length = bit_count<T>(length);
  uint32_t top = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
  bool negative = T(-1) < T(0) && length != 0 && (static_cast<U>(a) >> top & 1);
  U taken = position < width ? static_cast<U>(static_cast<U>(a) >> position) : U(0);
  uint32_t kept = position + length < width ? length : position < width ? width - position : 0;
  U mask = kept >= width ? ~U(0) : static_cast<U>((U(1) << kept) - 1);
  return static_cast<T>((taken & mask) | (negative ? static_cast<U>(~mask) : U(0)));
};
LaneFunction select_extract(const Variant& v) {
  return with_integer(v.type(), []<class T>() -> LaneFunction {
    return each_lane<decltype(extract_bits), T, T, uint32_t, uint32_t>;
  });
}

/// The highest bit that differs from the sign; all ones where there is none.
template <bool ShiftAmount>
struct FindBit {
  template <class T>
  uint32_t operator()(T a) const {
    auto bits = static_cast<std::make_unsigned_t<T>>(a);
    if (a < T(0)) bits = ~bits;
    if (bits == 0) return ~0u;
    uint32_t position = std::bit_width(bits) - 1;
    return ShiftAmount ? 8 * sizeof(T) - 1 - position : position;
  }
};
LaneFunction select_find_bit(const Variant& v) {
  return with_integer(v.type(), [&]<class T>() -> LaneFunction {
    return v.has("shiftamt") ? each_lane<FindBit<true>, uint32_t, T>
                             : each_lane<FindBit<false>, uint32_t, T>;
  });
}

/// `length` ones from bit `position` on.
template <bool Wrap>
struct BitMask {
  uint32_t operator()(uint32_t position, uint32_t length) const {
    if (Wrap) position &= 31, length &= 31;
    if (position >= 32) return 0;
    uint64_t ones = length >= 32 ? ~0u : (uint64_t{1} << length) - 1;
    return static_cast<uint32_t>(ones << position);
  }
};
LaneFunction select_bit_mask(const Variant& v) {
  return v["mode"] == "wrap" ? each_lane<BitMask<true>, uint32_t, uint32_t, uint32_t>
                             : each_lane<BitMask<false>, uint32_t, uint32_t, uint32_t>;
}

/// Each nibble of c picks one of the eight bytes of b:a; its top bit asks for that byte's sign
/// instead.
constexpr auto permute = [](uint32_t a, uint32_t b, uint32_t c) {
  uint64_t both = static_cast<uint64_t>(b) << 32 | a;
  uint32_t result = 0;
  for (int byte = 0; byte < 4; ++byte) {
    uint32_t selector = c >> (4 * byte) & 15;
    uint32_t value = static_cast<uint32_t>(both >> (8 * (selector & 7))) & 0xff;
    if (selector & 8) value = value & 0x80 ? 0xff : 0;
    result |= value << (8 * byte);
  }
  return result;
};

/// The modes of prmt pick bytes by the two lower bits of c alone.
enum class Pick { forward, backward, replicate, clamp_left, clamp_right, halves };
template <Pick Mode>
struct PermuteBy {
  uint32_t operator()(uint32_t a, uint32_t b, uint32_t c) const {
    uint32_t n = c & 3, selectors = 0;
    for (uint32_t byte = 0; byte < 4; ++byte) {
      uint32_t from = Mode == Pick::forward       ? n + byte
                      : Mode == Pick::backward    ? (n - byte) & 7
                      : Mode == Pick::replicate   ? n
                      : Mode == Pick::clamp_left  ? (byte > n ? byte : n)
                      : Mode == Pick::clamp_right ? (byte < n ? byte : n)
                                                  : 2 * (n & 1) + byte % 2;
      selectors |= from << (4 * byte);
    }
    return permute(a, b, selectors);
  }
};
LaneFunction select_permute(const Variant& v) {
  std::string_view mode = v["mode"];
  if (mode == "f4e") return same_type<PermuteBy<Pick::forward>, uint32_t, 3>();
  if (mode == "b4e") return same_type<PermuteBy<Pick::backward>, uint32_t, 3>();
  if (mode == "rc8") return same_type<PermuteBy<Pick::replicate>, uint32_t, 3>();
  if (mode == "ecl") return same_type<PermuteBy<Pick::clamp_left>, uint32_t, 3>();
  if (mode == "ecr") return same_type<PermuteBy<Pick::clamp_right>, uint32_t, 3>();
  if (mode == "rc16") return same_type<PermuteBy<Pick::halves>, uint32_t, 3>();
  return same_type<decltype(permute), uint32_t, 3>();
}

/// Bit 4a + 2b + c of the table is the result where the sources have the bits a, b, c.
constexpr auto look_up = [](uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
  uint32_t result = 0;
  for (uint32_t row = 0; row < 8; ++row) {
    uint32_t match = (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    result |= match & (0u - (table >> row & 1));
  }
  return result;
};

/// The predicate says whether the result has a bit. code/ joins it with q, a fifth source.
void look_up_and_ask(const Operands& o) {
  each_lane<decltype(look_up), uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>(o);
  const auto* d = static_cast<const uint32_t*>(o.d);
  uint32_t found = 0;
  for (int lane = 0; lane < warp_size; ++lane) found |= (d[lane] != 0 ? 1u : 0u) << lane;
  mask_of(o.d2) = found;
}

/// The lower `length` bits of a; signed types repeat their highest.
template <bool Wrap>
struct ExtendBits {
  template <class T>
  uint32_t operator()(T a, uint32_t length) const {
    uint32_t bits = static_cast<uint32_t>(a);
    if (Wrap) length &= 31;
    if (length >= 32) return bits;
    if (length == 0) return 0;
    uint32_t low = bits & ((1u << length) - 1);
    bool negative = std::is_signed_v<T> && (low >> (length - 1) & 1);
    return negative ? low | ~0u << length : low;
  }
};
LaneFunction select_extend(const Variant& v) {
  return with_integer(v.type(), [&]<class T>() -> LaneFunction {
    return v["mode"] == "wrap" ? each_lane<ExtendBits<true>, uint32_t, T, uint32_t>
                               : each_lane<ExtendBits<false>, uint32_t, T, uint32_t>;
  });
}

/// The position of the n-th set bit of `mask` from `base` on: upwards, for negative n downwards;
/// with n = 0 base itself, if set. All ones where there is none, but 0 for the least n.
constexpr auto find_nth = [](uint32_t mask, uint32_t base, int32_t n) {
  if (n == INT32_MIN) return 0u;
  int step = n < 0 ? -1 : 1;
  int64_t wanted = n == 0 ? 1 : n < 0 ? -static_cast<int64_t>(n) : n;
  for (int64_t at = base; at >= 0 && at < 32; at += step) {
    if (mask >> at & 1) --wanted;
    if (wanted == 0) return static_cast<uint32_t>(at);
    if (n == 0) break;
  }
  return ~0u;
};

}  // namespace

std::span<const Row> bit_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"and.type d, a, b; .type = {.pred, .b16, .b32, .b64}", K::lanes,
       select_logic<decltype(bit_and)>},
      {"or.type d, a, b; .type = {.pred, .b16, .b32, .b64}", K::lanes,
       select_logic<decltype(bit_or)>},
      {"xor.type d, a, b; .type = {.pred, .b16, .b32, .b64}", K::lanes,
       select_logic<decltype(bit_xor)>},
      {"not.type d, a; .type = {.pred, .b16, .b32, .b64}", K::lanes, select_not},
      {"cnot.type d, a; .type = {.b16, .b32, .b64}", K::lanes, integer<1>(logical_not)},
      {"shl.type d, a, b:u32; .type = {.b16, .b32, .b64}", K::lanes,
       select_shift<decltype(shift_left)>},
      {"shr.type d, a, b:u32; .type = {.b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64}",
       K::lanes, select_shift<decltype(shift_right)>},
      {"shf.direction.mode.b32 d, a, b, c; .direction = {.l, .r}; .mode = {.clamp, .wrap}",
       K::lanes, select_funnel},
      {"popc.type d:u32, a; .type = {.b32, .b64}", K::lanes,
       select_count<decltype(population_count)>},
      {"clz.type d:u32, a; .type = {.b32, .b64}", K::lanes, select_count<decltype(leading_zeros)>},
      {"bfi.type d, a, b, c:u32, e:u32; .type = {.b32, .b64}", K::lanes, select_insert},
      {"bfe.type d, a, b:u32, c:u32; .type = {.u32, .u64, .s32, .s64}", K::lanes, select_extract},
      {"bfind{.shiftamt}.type d:u32, a; .type = {.u32, .u64, .s32, .s64}", K::lanes,
       select_find_bit},
      {"bmsk.mode.b32 d, a, b; .mode = {.clamp, .wrap}", K::lanes, select_bit_mask},
      {"prmt.b32{.mode} d, a, b, c; .mode = {.f4e, .b4e, .rc8, .ecl, .ecr, .rc16}", K::lanes,
       select_permute},
      {"lop3.b32 d, a, b, c, immLut", K::lanes,
       [](const Variant&) -> LaneFunction {
         return each_lane<decltype(look_up), uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;
       }},
      {"lop3.bool.b32 d|p:pred, a, b, c, immLut, q:pred; .bool = {.and, .or}", K::lanes,
       [](const Variant&) -> LaneFunction { return look_up_and_ask; }},
      {"szext.mode.type d, a, b:u32; .mode = {.clamp, .wrap}; .type = {.u32, .s32}", K::lanes,
       select_extend},
      {"fns.b32 d, a, b:u32, c:s32", K::lanes,
       [](const Variant&) -> LaneFunction {
         return each_lane<decltype(find_nth), uint32_t, uint32_t, uint32_t, int32_t>;
       }},
      {"brev.type d, a; .type = {.b32, .b64}", K::lanes, integer<1>(reverse)},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
