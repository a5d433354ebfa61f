#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/floats.h"

namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

constexpr auto equal = [](auto a, auto b) { return a == b; };
constexpr auto not_equal = [](auto a, auto b) { return a < b || a > b; };
constexpr auto less = [](auto a, auto b) { return a < b; };
constexpr auto less_equal = [](auto a, auto b) { return a <= b; };
constexpr auto greater = [](auto a, auto b) { return a > b; };
constexpr auto greater_equal = [](auto a, auto b) { return a >= b; };
/// The unordered forms are true where either side is NaN.
constexpr auto equal_or_nan = [](auto a, auto b) { return !(a < b || a > b); };
constexpr auto different = [](auto a, auto b) { return !(a == b); };
constexpr auto less_or_nan = [](auto a, auto b) { return !(a >= b); };
constexpr auto less_equal_or_nan = [](auto a, auto b) { return !(a > b); };
constexpr auto greater_or_nan = [](auto a, auto b) { return !(a <= b); };
constexpr auto greater_equal_or_nan = [](auto a, auto b) { return !(a < b); };
constexpr auto both_numbers = [](auto a, auto b) { return a == a && b == b; };
constexpr auto any_nan = [](auto a, auto b) { return a != a || b != b; };

template <class F>
struct Flushed {
  bool operator()(float a, float b) const { return F{}(flush(a), flush(b)); }
};

/// Boolean operators on the comparison and the third operand, as masks.
struct Alone {};
struct And {
  uint32_t operator()(uint32_t compared, const Operands& o) const {
    return compared & mask_of(o.s[2]);
  }
};
struct Or {
  uint32_t operator()(uint32_t compared, const Operands& o) const {
    return compared | mask_of(o.s[2]);
  }
};
struct Xor {
  uint32_t operator()(uint32_t compared, const Operands& o) const {
    return compared ^ mask_of(o.s[2]);
  }
};

/// Not inlined: the forms with a boolean operator call it.
template <class F, class T>
[[gnu::noinline]] uint32_t compared_lanes(const Operands& o) {
  return each_lane_mask<F, T, T>(o);
}

template <class F, class T, class Combine>
void compare(const Operands& o) {
  uint32_t p, q;
  if constexpr (std::is_same_v<Combine, Alone>) {
    p = each_lane_mask<F, T, T>(o), q = ~p;
  } else {
    const uint32_t mask = compared_lanes<F, T>(o);
    p = Combine{}(mask, o), q = Combine{}(~mask, o);
  }
  mask_of(o.d) = p;
  if (o.d2) mask_of(o.d2) = q;
}

template <class F, class Combine>
LaneFunction of_floats(const Variant& v) {
  if (v.type() == Type::f64) return compare<F, double, Combine>;
  return v.has("ftz") ? compare<Flushed<F>, float, Combine> : compare<F, float, Combine>;
}
template <class F, class Combine>
LaneFunction of_integers(const Variant& v) {
  return with_integer(v.type(), []<class T>() -> LaneFunction { return compare<F, T, Combine>; });
}
template <class F, class Combine>
LaneFunction by_type(const Variant& v) {
  return is_float(v.type()) ? of_floats<F, Combine>(v) : of_integers<F, Combine>(v);
}

template <class Combine>
LaneFunction by_operator(const Variant& v) {
  std::string_view op = v["cmp"];
  if (op == "eq") return by_type<decltype(equal), Combine>(v);
  if (op == "ne")
    return is_float(v.type()) ? of_floats<decltype(not_equal), Combine>(v)
                              : of_integers<decltype(different), Combine>(v);
  if (op == "lt" || op == "lo") return by_type<decltype(less), Combine>(v);
  if (op == "le" || op == "ls") return by_type<decltype(less_equal), Combine>(v);
  if (op == "gt" || op == "hi") return by_type<decltype(greater), Combine>(v);
  if (op == "ge" || op == "hs") return by_type<decltype(greater_equal), Combine>(v);
  if (!is_float(v.type())) return nullptr;
  if (op == "equ") return of_floats<decltype(equal_or_nan), Combine>(v);
  if (op == "neu") return of_floats<decltype(different), Combine>(v);
  if (op == "ltu") return of_floats<decltype(less_or_nan), Combine>(v);
  if (op == "leu") return of_floats<decltype(less_equal_or_nan), Combine>(v);
  if (op == "gtu") return of_floats<decltype(greater_or_nan), Combine>(v);
  if (op == "geu") return of_floats<decltype(greater_equal_or_nan), Combine>(v);
  if (op == "num") return of_floats<decltype(both_numbers), Combine>(v);
  return of_floats<decltype(any_nan), Combine>(v);
}

LaneFunction select_setp(const Variant& v) { return by_operator<Alone>(v); }
LaneFunction select_setp_bool(const Variant& v) {
  if (v["bool"] == "and") return by_operator<And>(v);
  if (v["bool"] == "or") return by_operator<Or>(v);
  return by_operator<Xor>(v);
}

template <class T>
void choose(const Operands& o) {
  auto* d = static_cast<T*>(o.d);
  const auto *a = static_cast<const T*>(o.s[0]), *b = static_cast<const T*>(o.s[1]);
  uint32_t mask = mask_of(o.s[2]);
#pragma GCC ivdep
  for (int lane = 0; lane < warp_size; ++lane) d[lane] = mask >> lane & 1 ? a[lane] : b[lane];
}

LaneFunction select_choose(const Variant& v) {
  switch (size_bytes(v.type())) {
    case 2:
      return choose<uint16_t>;
    case 4:
      return choose<uint32_t>;
    default:
      return choose<uint64_t>;
  }
}

/// -0 counts as positive, NaN does not.
template <bool Ftz>
struct ChooseBySign {
  template <class T, class C>
  T operator()(T a, T b, C c) const {
    if constexpr (Ftz) c = flush(c);
    return c >= 0 ? a : b;
  }
};
template <class T>
LaneFunction choose_by_sign(const Variant& v) {
  if (v["ctype"] == "s32")
    return v.has("ftz") ? nullptr : each_lane<ChooseBySign<false>, T, T, T, int32_t>;
  return v.has("ftz") ? each_lane<ChooseBySign<true>, T, T, T, float>
                      : each_lane<ChooseBySign<false>, T, T, T, float>;
}
LaneFunction select_slct(const Variant& v) {
  switch (size_bytes(v.type())) {
    case 2:
      return choose_by_sign<uint16_t>(v);
    case 4:
      return choose_by_sign<uint32_t>(v);
    default:
      return choose_by_sign<uint64_t>(v);
  }
}

}  // namespace

std::span<const Row> compare_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"setp.cmp{.ftz}.type p|q, a, b; "
       ".cmp = {.eq, .ne, .lt, .le, .gt, .ge, .lo, .ls, .hi, .hs, .equ, .neu, .ltu, .leu, .gtu, "
       ".geu, "
       ".num, .nan}; "
       ".type = {.b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64}",
       K::lanes, select_setp},
      {"setp.cmp.bool{.ftz}.type p|q, a, b, c:pred; .bool = {.and, .or, .xor}; "
       ".cmp = {.eq, .ne, .lt, .le, .gt, .ge, .lo, .ls, .hi, .hs, .equ, .neu, .ltu, .leu, .gtu, "
       ".geu, "
       ".num, .nan}; "
       ".type = {.b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64}",
       K::lanes, select_setp_bool},
      {"selp.type d, a, b, c:pred; "
       ".type = {.b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64}",
       K::lanes, select_choose},
      {"slct{.ftz}.type.ctype d:type, a:type, b:type, c:ctype; .ctype = {.s32, .f32}; "
       ".type = {.b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64}",
       K::lanes, select_slct},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
