#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/formats.h"
#include "simulator/isa/rows/interpolator.h"

namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

// The approximate instructions, as ptxas makes them for sm_90: the unit of interpolator.h between
// steps that bring numbers into its range. With .ftz there are few such steps.

using interpolator::select;

float from_bits(uint32_t bits) { return std::bit_cast<float>(bits); }
float choose(bool condition, float a, float b) {
  return from_bits(select(condition, bits_of(a), bits_of(b)));
}
bool is_subnormal_or_zero(float a) { return (bits_of(a) & 0x7fffffffu) < 0x00800000u; }
/// Above 2^126 a reciprocal is subnormal.
bool is_huge(float a) { return (bits_of(a) & 0x7fffffffu) > 0x7e800000u; }

/// A separate step: its product is rounded, and flushed if the instruction says so.
template <bool Ftz>
float product(float a, float b) {
  return Rounded<Product, Ftz, false>{}(a, b);
}

template <bool Ftz>
struct ReciprocalApproximation {
  float operator()(float a) const {
    if constexpr (Ftz) return from_bits(interpolator::reciprocal(bits_of(a)));
    float scale = choose(is_huge(a), 0.25f, choose(is_subnormal_or_zero(a), 0x1p24f, 1.0f));
    return product<false>(scale, from_bits(interpolator::reciprocal(bits_of(a * scale))));
  }
};

/// .full also divides by numbers so large that their reciprocals would be flushed.
template <bool Ftz, bool Full>
struct QuotientApproximation {
  float operator()(float a, float b) const {
    float scale = 1;
    if constexpr (!Ftz) scale = choose(is_subnormal_or_zero(b), 0x1p24f, scale);
    if constexpr (Full) scale = choose(is_huge(b), 0.25f, scale);
    if constexpr (!Ftz)
      a *= scale;
    else if constexpr (Full)
      a = product<true>(a, scale);
    return product<Ftz>(from_bits(interpolator::reciprocal(bits_of(b * scale))), a);
  }
};

template <bool Ftz>
struct InverseRootApproximation {
  float operator()(float a) const {
    if constexpr (Ftz) return from_bits(interpolator::inverse_root(bits_of(a)));
    bool small = is_subnormal_or_zero(a);
    float root = from_bits(interpolator::inverse_root(bits_of(choose(small, a * 0x1p24f, a))));
    return product<false>(root, choose(small, 0x1p12f, 1));
  }
};

template <bool Ftz>
struct RootApproximation {
  float operator()(float a) const {
    if constexpr (Ftz) return from_bits(interpolator::square_root(bits_of(a)));
    bool small = is_subnormal_or_zero(a);
    float root = from_bits(interpolator::square_root(bits_of(choose(small, a * 0x1p24f, a))));
    return product<false>(root, choose(small, 0x1p-12f, 1));
  }
};

template <bool Ftz>
struct ExponentialApproximation {
  float operator()(float a) const {
    if constexpr (Ftz) return from_bits(interpolator::exponential(bits_of(a)));
    // Where the result is subnormal, it is the square of the root.
    bool small = a < -126.0f;
    float power = from_bits(interpolator::exponential(bits_of(choose(small, a * 0.5f, a))));
    return product<false>(power, choose(small, power, 1));
  }
};

template <bool Ftz>
struct LogarithmApproximation {
  float operator()(float a) const {
    if constexpr (Ftz) return from_bits(interpolator::logarithm(bits_of(a)));
    bool small = is_subnormal_or_zero(a);
    float power = from_bits(interpolator::logarithm(bits_of(choose(small, a * 0x1p24f, a))));
    return canonical(power - choose(small, 24, 0));
  }
};

/// Flushed numbers make no difference to waves.
template <bool>
struct SineApproximation {
  float operator()(float a) const { return from_bits(interpolator::wave<false>(bits_of(a))); }
};
template <bool>
struct CosineApproximation {
  float operator()(float a) const { return from_bits(interpolator::wave<true>(bits_of(a))); }
};
struct TangentApproximation {
  float operator()(float a) const { return from_bits(interpolator::tangent(bits_of(a))); }
};

template <template <bool> class F>
LaneFunction select_f32(const Variant& v) {
  return v.has("ftz") ? each_lane<F<true>, float, float> : each_lane<F<false>, float, float>;
}
LaneFunction select_quotient(const Variant& v) {
  if (v["rnd"] == "full")
    return v.has("ftz") ? each_lane<QuotientApproximation<true, true>, float, float, float>
                        : each_lane<QuotientApproximation<false, true>, float, float, float>;
  return v.has("ftz") ? each_lane<QuotientApproximation<true, false>, float, float, float>
                      : each_lane<QuotientApproximation<false, false>, float, float, float>;
}

/// The approximations of f64 with .ftz read the upper half of their source and make the upper half
/// of the result: the same function of f32 with its result cut to 20 bits of fraction. Exponents
/// outside the range of f32 are removed before and restored afterwards.
struct HalvedReciprocal {
  double operator()(double a) const {
    auto upper = static_cast<uint32_t>(std::bit_cast<uint64_t>(a) >> 32);
    uint32_t sign = upper & interpolator::sign_bit, magnitude = upper ^ sign;
    uint32_t exponent = magnitude >> 20;
    // 1 <= x < 2 as f32; its reciprocal has the exponent 126, or 127 where it is 1.
    uint32_t one = 127u << 23 | (magnitude & 0xfffffu) << 3;
    uint32_t digits = (interpolator::reciprocal(one) - (126u << 23)) >> 3;
    auto bits = static_cast<int32_t>(((2045 - exponent) << 20) + digits);
    uint32_t result = bits < 0x100000 ? 0 : static_cast<uint32_t>(bits);
    result = exponent == 0 ? 0x7ff00000u : exponent == 0x7ff ? 0 : result;
    result = magnitude > 0x7ff00000u ? interpolator::the_nan : result | sign;
    return std::bit_cast<double>(static_cast<uint64_t>(result) << 32);
  }
};
struct HalvedInverseRoot {
  double operator()(double a) const {
    auto upper = static_cast<uint32_t>(std::bit_cast<uint64_t>(a) >> 32);
    uint32_t sign = upper & interpolator::sign_bit, magnitude = upper ^ sign;
    uint32_t exponent = magnitude >> 20;
    // 1 <= x < 4 as f32.
    uint32_t four = (128 - (exponent & 1)) << 23 | (magnitude & 0xfffffu) << 3;
    uint32_t digits = (interpolator::inverse_root(four) - (126u << 23)) >> 3;
    uint32_t result = ((1534 - ((exponent + 1) >> 1)) << 20) + digits;
    result = exponent == 0x7ff ? 0 : result;
    result = sign != 0 || magnitude > 0x7ff00000u ? interpolator::the_nan : result;
    result = exponent == 0 ? sign | 0x7ff00000u : result;
    return std::bit_cast<double>(static_cast<uint64_t>(result) << 32);
  }
};

/// Without .ftz one step of a higher order follows, which leaves the result nearly rounded.
struct InverseRoot64 {
  double operator()(double a) const {
    constexpr uint64_t sign = uint64_t{1} << 63, infinity = uint64_t{0x7ff} << 52;
    auto bits = std::bit_cast<uint64_t>(a);
    bool small = bits < uint64_t{1} << 52;
    double scaled = a * (small ? 0x1p54 : 1.0);
    double root = HalvedInverseRoot{}(scaled);
    double error = std::fma(scaled, -(root * root), 1.0);
    double better = std::fma(std::fma(error, 0.375, 0.5), root * error, root);
    auto result = std::bit_cast<uint64_t>(better * (small ? 0x1p27 : 1.0));
    uint64_t special = bits < sign ? 0 : uint64_t{0xfff8} << 48;
    special = (bits & ~sign) == 0 ? bits | infinity : special;
    special = (bits & ~sign) > infinity ? bits | uint64_t{1} << 51 : special;
    bool ordinary = bits - 1 < infinity - 1;
    return std::bit_cast<double>(ordinary ? result : special);
  }
};
template <class F>
LaneFunction each_double(const Variant&) {
  return each_lane<F, double, double>;
}

/// A function of f16 or bf16 is that of f32 with its result cut; but beyond the range of f16 it is
/// infinity.
template <class Function, class F, int Count>
void each_cut_half(const Operands& o) {
  constexpr int size = warp_size * Count;
  uint16_t bits[size];
  float values[size];
  std::memcpy(bits, o.s[0], sizeof bits);
  for (int i = 0; i < size; i += chunk) widen_chunk<F>(bits + i, values + i);
  for (int i = 0; i < size; ++i) values[i] = Function{}(values[i]);
  if constexpr (std::is_same_v<F, Half>) {
    for (float& value : values)
      value = choose(value >= 65536.0f, from_bits(interpolator::infinity), value);
    for (int i = 0; i < size; i += chunk) narrow_chunk<F, Rounding::rz>(values + i, bits + i);
  } else {
    for (int i = 0; i < size; ++i) bits[i] = static_cast<uint16_t>(bits_of(values[i]) >> 16);
  }
  std::memcpy(o.d, bits, sizeof bits);
}

template <class Function>
LaneFunction select_cut_half(const Variant& v) {
  switch (v.last_type()) {
    case Type::f16:
      return each_cut_half<Function, Half, 1>;
    case Type::f16x2:
      return each_cut_half<Function, Half, 2>;
    case Type::bf16:
      return each_cut_half<Function, Bfloat, 1>;
    default:
      return each_cut_half<Function, Bfloat, 2>;
  }
}

}  // namespace

std::span<const Row> special_function_rows() {
  using K = Kind;
  constexpr Selector exponential_of_halves = select_cut_half<ExponentialApproximation<true>>;
  static constexpr Row rows[] = {
      {"div.rnd{.ftz}.f32 d, a, b; .rnd = {.approx, .full}", K::lanes, select_quotient},
      {"rcp.approx{.ftz}.f32 d, a", K::lanes, select_f32<ReciprocalApproximation>},
      {"rcp.approx.ftz.f64 d, a", K::lanes, each_double<HalvedReciprocal>},
      {"sqrt.approx{.ftz}.f32 d, a", K::lanes, select_f32<RootApproximation>},
      {"rsqrt.approx{.ftz}.f32 d, a", K::lanes, select_f32<InverseRootApproximation>},
      {"rsqrt.approx.f64 d, a", K::lanes, each_double<InverseRoot64>},
      {"rsqrt.approx.ftz.f64 d, a", K::lanes, each_double<HalvedInverseRoot>},
      {"ex2.approx{.ftz}.f32 d, a", K::lanes, select_f32<ExponentialApproximation>},
      {"ex2.approx.type d, a; .type = {.f16, .f16x2}", K::lanes, exponential_of_halves},
      {"ex2.approx.ftz.type d, a; .type = {.bf16, .bf16x2}", K::lanes, exponential_of_halves},
      {"lg2.approx{.ftz}.f32 d, a", K::lanes, select_f32<LogarithmApproximation>},
      {"sin.approx{.ftz}.f32 d, a", K::lanes, select_f32<SineApproximation>},
      {"cos.approx{.ftz}.f32 d, a", K::lanes, select_f32<CosineApproximation>},
      {"tanh.approx.f32 d, a", K::lanes,
       [](const Variant&) -> LaneFunction {
         return each_lane<TangentApproximation, float, float>;
       }},
      {"tanh.approx.type d, a; .type = {.f16, .f16x2, .bf16, .bf16x2}", K::lanes,
       select_cut_half<TangentApproximation>},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
