#include <type_traits>

#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/formats.h"

namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

/// A register's 16-bit value of the format F.
template <class F>
struct Narrow {
  uint16_t bits;
};
template <class T>
constexpr bool is_narrow = false;
template <class F>
constexpr bool is_narrow<Narrow<F>> = true;

/// Integers and wide floats are themselves.
template <class T>
T value_of(T a) {
  return a;
}
template <class F>
float value_of(Narrow<F> a) {
  return widen<F>(a.bits);
}

template <class Make>
LaneFunction with_type(Type type, Make make) {
  switch (type) {
    case Type::u8:
      return make.template operator()<uint8_t>();
    case Type::s8:
      return make.template operator()<int8_t>();
    case Type::f16:
      return make.template operator()<Narrow<Half>>();
    case Type::bf16:
      return make.template operator()<Narrow<Bfloat>>();
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

/// Float to integer rounds in the host's mode and clamps at the range. NaN becomes 0; from f64 or
/// to 64 bits it becomes the pattern with only the top bit set, as an H200 does.
template <class D, bool Ftz>
struct ToInteger {
  template <class A>
  D operator()(A narrow_or_wide) const {
    auto a = value_of(narrow_or_wide);
    if constexpr (Ftz && std::is_same_v<A, float>) a = flush(a);
    constexpr bool top_bit = sizeof(D) == 8 || std::is_same_v<A, double>;
    if (a != a) return top_bit ? static_cast<D>(1ull << (8 * sizeof(D) - 1)) : D(0);
    auto whole = std::nearbyint(a);
    // 2^bits is exact in A, the largest integer may not be.
    constexpr auto limit = static_cast<decltype(a)>(std::numeric_limits<D>::max() / 2 + 1) * 2;
    if (whole >= limit) return std::numeric_limits<D>::max();
    if (whole < static_cast<decltype(a)>(std::numeric_limits<D>::min()))
      return std::numeric_limits<D>::min();
    return static_cast<D>(whole);
  }
};

/// To f32 and f64: widening is exact, narrowing rounds in the host's mode. As measured on an H200,
/// a NaN of f32 becomes canonical where it is widened from f16, rounded to a whole number or passed
/// through .ftz; everywhere else it keeps its sign and as many upper bits as fit.
template <class D, bool Ftz, bool Sat, bool Whole>
struct ToFloat {
  template <class A>
  D operator()(A narrow_or_wide) const {
    auto a = value_of(narrow_or_wide);
    if constexpr (Ftz && std::is_same_v<A, float>) a = canonical(flush(a));
    if constexpr (Whole) a = std::nearbyint(a);
    D d = static_cast<D>(a);
    if constexpr (Ftz && std::is_same_v<D, float> && std::is_same_v<A, double>) {
      constexpr double scale = underflow_scale;
      if (is_underflow(static_cast<float>(a * scale))) d = std::copysign(0.0f, d);
    } else if constexpr (Ftz && std::is_same_v<D, float>) {
      d = flush(d);
    }
    constexpr bool keeps_nan =
        std::is_same_v<D, double> || std::is_same_v<A, double> ||
        (!Ftz && !Whole && (std::is_same_v<A, float> || std::is_same_v<A, Narrow<Bfloat>>));
    if constexpr (Sat)
      return saturate(d);
    else if constexpr (keeps_nan)
      return d;
    else
      return canonical(d);
  }
};

template <class D, class A>
LaneFunction convert_to_float(const Variant& v) {
  std::string_view rnd = v["rnd"];
  bool ftz = v.has("ftz"), sat = v.has("sat");
  if constexpr (std::is_integral_v<A>) {
    return sat ? rounded<each_lane<ToFloat<D, false, true, false>, D, A>>(rnd)
               : rounded<each_lane<ToFloat<D, false, false, false>, D, A>>(rnd);
  } else {
    bool whole = rnd.ends_with('i');
    constexpr bool can_ftz = std::is_same_v<D, float> || std::is_same_v<A, float>;
    if (ftz && sat)
      return whole ? rounded<each_lane<ToFloat<D, can_ftz, true, true>, D, A>>(rnd)
                   : rounded<each_lane<ToFloat<D, can_ftz, true, false>, D, A>>(rnd);
    if (ftz)
      return whole ? rounded<each_lane<ToFloat<D, can_ftz, false, true>, D, A>>(rnd)
                   : rounded<each_lane<ToFloat<D, can_ftz, false, false>, D, A>>(rnd);
    if (sat)
      return whole ? rounded<each_lane<ToFloat<D, false, true, true>, D, A>>(rnd)
                   : rounded<each_lane<ToFloat<D, false, true, false>, D, A>>(rnd);
    return whole ? rounded<each_lane<ToFloat<D, false, false, true>, D, A>>(rnd)
                 : rounded<each_lane<ToFloat<D, false, false, false>, D, A>>(rnd);
  }
}

/// The step before a value is rounded to f16 or bf16.
struct AsItIs {
  float operator()(float a) const { return a; }
};
struct SubnormalsFlushed {
  float operator()(float a) const { return flush(a); }
};
struct Saturated {
  float operator()(float a) const { return saturate(a); }
};
struct NegativeCut {
  float operator()(float a) const { return cut_negative(a); }
};
struct WholeNumber {
  float operator()(float a) const { return std::nearbyint(a); }
};
struct WholeNumberSaturated {
  float operator()(float a) const { return saturate(std::nearbyint(a)); }
};

/// A NaN of f64 keeps its sign and as many upper bits as fit.
template <class F>
uint16_t narrow_nan(double nan) {
  auto bits = static_cast<uint32_t>(std::bit_cast<uint64_t>(quiet(nan)) >> 32);
  return static_cast<uint16_t>((bits >> 31 ? F::sign_bit : 0) | F::infinity |
                               (bits & 0xfffff) >> (20 - F::fraction_bits));
}

/// A chunk of the values to round.
template <class A, class Before>
void take_chunk(const A* a, float* values) {
  for (int i = 0; i < chunk; ++i) {
    if constexpr (std::is_same_v<A, float> || is_narrow<A>)
      values[i] = Before{}(value_of(a[i]));
    else
      values[i] = Before{}(odd_float(a[i]));
  }
}
/// Not inlined: all roundings of a type share it.
template <class A, class Before>
[[gnu::noinline]] void take_rare_chunk(const A* a, float* values) {
  take_chunk<A, Before>(a, values);
}

template <class F, class A, class Before, Rounding Mode, bool Saturate>
[[gnu::noinline]] void to_narrow(const Operands& o) {
  const auto* a = static_cast<const A*>(o.s[0]);
  for (int first = 0; first < warp_size; first += chunk) {
    float values[chunk];
    uint16_t bits[chunk];
    if constexpr (std::is_same_v<A, float> || is_narrow<A>)
      take_chunk<A, Before>(a + first, values);
    else
      take_rare_chunk<A, Before>(a + first, values);
    narrow_chunk<F, Mode, Saturate>(values, bits);
    if constexpr (std::is_same_v<A, double> && std::is_same_v<Before, AsItIs>)
      for (int i = 0; i < chunk; ++i)
        if (values[i] != values[i]) bits[i] = narrow_nan<F>(a[first + i]);
    std::memcpy(static_cast<uint16_t*>(o.d) + first, bits, sizeof bits);
  }
}

template <class F, class A>
LaneFunction convert_to_narrow(const Variant& v) {
  std::string_view rnd = v["rnd"];
  if constexpr (is_narrow<A>)
    if (rnd.ends_with('i'))
      return v.has("sat") ? rounded<to_narrow<F, A, WholeNumberSaturated, Rounding::rn, false>>(rnd)
                          : rounded<to_narrow<F, A, WholeNumber, Rounding::rn, false>>(rnd);
  if (rnd.ends_with('i')) return nullptr;
  return with_rounding(rnd, [&]<Rounding Mode>() -> LaneFunction {
    if (v.has("sat")) return to_narrow<F, A, Saturated, Mode, false>;
    if constexpr (std::is_same_v<A, float>) {
      // To f16 .ftz changes nothing: a subnormal may be rounded up to the smallest f16.
      if (v.has("ftz") && std::is_same_v<F, Bfloat>)
        return to_narrow<F, A, SubnormalsFlushed, Mode, false>;
      if (v.has("relu"))
        return v.has("satfinite") ? to_narrow<F, A, NegativeCut, Mode, true>
                                  : to_narrow<F, A, NegativeCut, Mode, false>;
      if (v.has("satfinite")) return to_narrow<F, A, AsItIs, Mode, true>;
    }
    return to_narrow<F, A, AsItIs, Mode, false>;
  });
}

void widen_halves(const Operands& o) {
  auto* d = static_cast<float*>(o.d);
  for (int first = 0; first < warp_size; first += chunk) {
    widen_chunk<Half>(static_cast<const uint16_t*>(o.s[0]) + first, d + first);
    for (int i = 0; i < chunk; ++i) d[first + i] = canonical(d[first + i]);
  }
}

template <class D, class A>
LaneFunction convert(const Variant& v) {
  std::string_view rnd = v["rnd"];
  if constexpr (is_narrow<D>) {
    if constexpr (std::is_same_v<D, Narrow<Half>>)
      return convert_to_narrow<Half, A>(v);
    else
      return convert_to_narrow<Bfloat, A>(v);
  } else if constexpr (std::is_integral_v<D> && std::is_integral_v<A>) {
    return v.has("sat") ? each_lane<Clamp<D>, D, A> : each_lane<Truncate<D>, D, A>;
  } else if constexpr (std::is_integral_v<D>) {
    // Only an f32 can be flushed.
    constexpr bool can_ftz = std::is_same_v<A, float>;
    return v.has("ftz") ? rounded<each_lane<ToInteger<D, can_ftz>, D, A>>(rnd)
                        : rounded<each_lane<ToInteger<D, false>, D, A>>(rnd);
  } else if constexpr (std::is_same_v<D, float> && std::is_same_v<A, Narrow<Half>>) {
    return v.has("sat") ? each_lane<ToFloat<D, false, true, false>, D, A> : widen_halves;
  } else {
    return convert_to_float<D, A>(v);
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
       ".dtype = {.u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f16, .bf16, .f32, .f64}; "
       ".atype = {.u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f16, .bf16, .f32, .f64}",
       K::lanes, select_convert},
      {"cvt.rnd{.relu}{.satfinite}.dtype.atype d:dtype, a:atype; .rnd = {.rn, .rz}; "
       ".dtype = {.f16, .bf16}; .atype = {.f32}",
       K::lanes, select_convert},
      {"cvt.rnd{.satfinite}{.relu}.dtype.atype d:dtype, a:atype; .rnd = {.rn, .rz}; "
       ".dtype = {.f16, .bf16}; .atype = {.f32}",
       K::lanes, select_convert},
      {"_resize.dtype.atype d:dtype, a:atype; "
       ".dtype = {.u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64}; "
       ".atype = {.u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64}",
       K::lanes, select_resize},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
