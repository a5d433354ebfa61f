#include <type_traits>

#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/floats.h"

namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

template <class Make>
LaneFunction with_type(Type type, Make make) {
  switch (type) {
    case Type::u8:
      return make.template operator()<uint8_t>();
    case Type::s8:
      return make.template operator()<int8_t>();
    case Type::f32:
      return make.template operator()<float>();
    case Type::f64:
      return make.template operator()<double>();
    default:
      return with_integer(type, make);
  }
}

template <class D>
struct Truncate {
  template <class A>
  D operator()(A a) const {
    return static_cast<D>(a);
  }
};

/// .sat between integers: into the range of D.
template <class D>
struct Clamp {
  template <class A>
  D operator()(A a) const {
    if (std::cmp_less(a, std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
    if (std::cmp_greater(a, std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
    return static_cast<D>(a);
  }
};

/// Float to integer rounds in the host's mode, clamps at the range, and makes NaN 0 (64-bit: the
/// lowest bit pattern with only the top bit set, as an H200 does).
template <class D, bool Ftz>
struct ToInteger {
  template <class A>
  D operator()(A a) const {
    if constexpr (Ftz && std::is_same_v<A, float>) a = flush(a);
    if (a != a) return sizeof(D) == 8 ? static_cast<D>(1ull << 63) : D(0);
    A whole = std::nearbyint(a);
    // 2^bits is exact in A, the largest integer may not be.
    constexpr A limit = static_cast<A>(std::numeric_limits<D>::max() / 2 + 1) * 2;
    if (whole >= limit) return std::numeric_limits<D>::max();
    if (whole < static_cast<A>(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
    return static_cast<D>(whole);
  }
};

/// Float to float: widening is exact, narrowing rounds in the host's mode. A NaN becomes canonical,
/// but one that is narrowed keeps its upper bits (measured on an H200).
template <class D, bool Ftz, bool Sat, bool Whole>
struct ToFloat {
  template <class A>
  D operator()(A a) const {
    if constexpr (Ftz && std::is_same_v<A, float>) a = flush(a);
    if constexpr (Whole) a = std::nearbyint(a);
    D d = static_cast<D>(a);
    if constexpr (Ftz && std::is_same_v<D, float>) d = flush(d);
    if constexpr (Sat)
      return saturate(d);
    else if constexpr (sizeof(D) < sizeof(A))
      return d;
    else
      return canonical(d);
  }
};

template <class D, class A>
LaneFunction convert(const Variant& v) {
  std::string_view rnd = v["rnd"];
  bool ftz = v.has("ftz"), sat = v.has("sat");
  if constexpr (std::is_integral_v<D> && std::is_integral_v<A>) {
    return sat ? each_lane<Clamp<D>, D, A> : each_lane<Truncate<D>, D, A>;
  } else if constexpr (std::is_integral_v<D>) {
    return ftz ? rounded<each_lane<ToInteger<D, true>, D, A>>(rnd)
               : rounded<each_lane<ToInteger<D, false>, D, A>>(rnd);
  } else if constexpr (std::is_integral_v<A>) {
    return sat ? rounded<each_lane<ToFloat<D, false, true, false>, D, A>>(rnd)
               : rounded<each_lane<ToFloat<D, false, false, false>, D, A>>(rnd);
  } else {
    bool whole = rnd.ends_with('i');
    if (ftz && sat) return rounded<each_lane<ToFloat<D, true, true, false>, D, A>>(rnd);
    if (ftz)
      return whole ? rounded<each_lane<ToFloat<D, true, false, true>, D, A>>(rnd)
                   : rounded<each_lane<ToFloat<D, true, false, false>, D, A>>(rnd);
    if (sat) return rounded<each_lane<ToFloat<D, false, true, false>, D, A>>(rnd);
    return whole ? rounded<each_lane<ToFloat<D, false, false, true>, D, A>>(rnd)
                 : rounded<each_lane<ToFloat<D, false, false, false>, D, A>>(rnd);
  }
}

LaneFunction select_convert(const Variant& v) {
  return with_type(v.type("dtype"), [&]<class D>() -> LaneFunction {
    return with_type(v.type("atype"), [&]<class A>() -> LaneFunction { return convert<D, A>(v); });
  });
}

/// Between a register and a value of another size: code/ puts it before and after instructions
/// whose type is narrower than their register.
LaneFunction select_resize(const Variant& v) {
  return with_type(v.type("dtype"), [&]<class D>() -> LaneFunction {
    return with_type(v.type("atype"), [&]<class A>() -> LaneFunction {
      if constexpr (std::is_integral_v<D> && std::is_integral_v<A>)
        return each_lane<Truncate<D>, D, A>;
      else
        return nullptr;
    });
  });
}

}  // namespace

std::span<const Row> convert_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"cvt{.rnd}{.ftz}{.sat}.dtype.atype d:dtype, a:atype; "
       ".rnd = {.rn, .rz, .rm, .rp, .rni, .rzi, .rmi, .rpi}; "
       ".dtype = {.u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64}; "
       ".atype = {.u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64}",
       K::lanes, select_convert},
      {"_resize.dtype.atype d:dtype, a:atype; "
       ".dtype = {.u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64}; "
       ".atype = {.u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64}",
       K::lanes, select_resize},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
