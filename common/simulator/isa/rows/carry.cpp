#include <type_traits>

#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/lanes.h"

/// Additions and subtractions in several steps: the carry of each lane is a bit of a mask.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

template <class T>
struct Sum {
  T value;
  bool carry;
};

struct AddWith {
  static constexpr bool no_carry = false;
  template <class T>
  Sum<T> operator()(T a, T b, bool carry) const {
    T sum, all;
    bool first = __builtin_add_overflow(a, b, &sum);
    bool second = __builtin_add_overflow(sum, T(carry), &all);
    return {all, first || second};
  }
};
/// The carry of a subtraction is that of a + ~b + 1: set where there is no borrow.
struct SubtractWith {
  static constexpr bool no_carry = true;
  template <class T>
  Sum<T> operator()(T a, T b, bool carry) const {
    T difference, all;
    bool first = __builtin_sub_overflow(a, b, &difference);
    bool second = __builtin_sub_overflow(difference, T(!carry), &all);
    return {all, !first && !second};
  }
};
/// The half of the product is signed or not; the carry is that of the addition.
template <class Signed, bool High>
struct MultiplyAddWith {
  static constexpr bool no_carry = false;
  template <class T>
  Sum<T> operator()(T a, T b, T c, bool carry) const {
    using S = std::conditional_t<Signed::value, std::make_signed_t<T>, T>;
    using Wide = std::conditional_t<Signed::value, __int128, unsigned __int128>;
    auto product = static_cast<unsigned __int128>(static_cast<Wide>(static_cast<S>(a)) *
                                                  static_cast<Wide>(static_cast<S>(b)));
    return AddWith{}(static_cast<T>(High ? product >> (8 * sizeof(T)) : product), c, carry);
  }
};

/// d|carry = F(s0, s1, ..., carry); without In there is none at first, without Out it is kept.
template <class F, class T, std::size_t Arity, bool In, bool Out>
void with_carry(const Operands& o) {
  uint32_t in = In ? mask_of(o.s[Arity]) : 0, out = 0;
  auto* d = static_cast<T*>(o.d);
  for (int lane = 0; lane < warp_size; ++lane) {
    auto s = [&](int i) { return static_cast<const T*>(o.s[i])[lane]; };
    bool carry = In ? in >> lane & 1 : F::no_carry;
    Sum<T> sum;
    if constexpr (Arity == 2)
      sum = F{}(s(0), s(1), carry);
    else
      sum = F{}(s(0), s(1), s(2), carry);
    d[lane] = sum.value;
    out |= sum.carry ? 1u << lane : 0u;
  }
  if (Out && o.d2) mask_of(o.d2) = out;
}

template <class F, std::size_t Arity, bool In, bool Out>
LaneFunction by_width(const Variant& v) {
  return size_bytes(v.last_type()) == 8 ? with_carry<F, uint64_t, Arity, In, Out>
                                        : with_carry<F, uint32_t, Arity, In, Out>;
}

template <bool In, bool Out>
LaneFunction select_multiply_add(const Variant& v) {
  bool high = v["half"] == "hi";
  if (is_signed(v.last_type()))
    return high ? by_width<MultiplyAddWith<std::true_type, true>, 3, In, Out>(v)
                : by_width<MultiplyAddWith<std::true_type, false>, 3, In, Out>(v);
  return high ? by_width<MultiplyAddWith<std::false_type, true>, 3, In, Out>(v)
              : by_width<MultiplyAddWith<std::false_type, false>, 3, In, Out>(v);
}

}  // namespace

std::span<const Row> carry_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"add.cc.type d|CC, a, b; .type = {.u32, .u64, .s32, .s64}", K::lanes,
       by_width<AddWith, 2, false, true>},
      {"addc.type d, a, b, CC; .type = {.u32, .u64, .s32, .s64}", K::lanes,
       by_width<AddWith, 2, true, false>},
      {"addc.cc.type d|CC, a, b, CC; .type = {.u32, .u64, .s32, .s64}", K::lanes,
       by_width<AddWith, 2, true, true>},
      {"sub.cc.type d|CC, a, b; .type = {.u32, .u64, .s32, .s64}", K::lanes,
       by_width<SubtractWith, 2, false, true>},
      {"subc.type d, a, b, CC; .type = {.u32, .u64, .s32, .s64}", K::lanes,
       by_width<SubtractWith, 2, true, false>},
      {"subc.cc.type d|CC, a, b, CC; .type = {.u32, .u64, .s32, .s64}", K::lanes,
       by_width<SubtractWith, 2, true, true>},
      {"mad.half.cc.type d|CC, a, b, c; .half = {.lo, .hi}; .type = {.u32, .u64, .s32, .s64}",
       K::lanes, select_multiply_add<false, true>},
      {"madc.half.type d, a, b, c, CC; .half = {.lo, .hi}; .type = {.u32, .u64, .s32, .s64}",
       K::lanes, select_multiply_add<true, false>},
      {"madc.half.cc.type d|CC, a, b, c, CC; .half = {.lo, .hi}; .type = {.u32, .u64, .s32, .s64}",
       K::lanes, select_multiply_add<true, true>},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
