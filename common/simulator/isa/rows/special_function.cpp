#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/floats.h"

namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

// The .approx instructions: computed in double and rounded, which is within the error that the
// manual allows the hardware. Their bits may differ from it.
constexpr auto inverse_root = [](auto a) {
  return static_cast<decltype(a)>(1.0 / std::sqrt(static_cast<double>(a)));
};
constexpr auto exponential = [](float a) {
  return static_cast<float>(std::exp2(static_cast<double>(a)));
};
constexpr auto logarithm = [](float a) {
  return static_cast<float>(std::log2(static_cast<double>(a)));
};
/// The compiled code turns the angle into full turns first, by a float product rounded towards
/// zero; far from zero that decides the result.
double turned(float a) {
  double exact = static_cast<double>(a) * static_cast<double>(0.15915493667125701904f);
  auto turns = static_cast<float>(exact);
  if (std::fabs(static_cast<double>(turns)) > std::fabs(exact))
    turns = std::bit_cast<float>(std::bit_cast<uint32_t>(turns) - 1);
  // A zero keeps its sign.
  return 6.283185307179586 * (turns == 0 ? turns : turns - std::nearbyint(turns));
}
constexpr auto sine = [](float a) { return static_cast<float>(std::sin(turned(a))); };
constexpr auto cosine = [](float a) { return static_cast<float>(std::cos(turned(a))); };
constexpr auto tangent_hyperbolic = [](float a) {
  return static_cast<float>(std::tanh(static_cast<double>(a)));
};

/// The gross approximations of f64 look at the upper half of their source, make only the upper half
/// of the result, and flush subnormals. On an H200 they are those of f32, cut to 20 bits of
/// fraction; the units of f32 themselves round otherwise than here in one case of sixty.
template <class F>
struct UpperHalf {
  double operator()(double a) const {
    constexpr uint64_t exponent = 0x7ff0000000000000, sign = uint64_t{1} << 63;
    auto upper = [](uint64_t bits) {
      bits &= ~uint64_t{0xffffffff};
      return std::bit_cast<double>((bits & exponent) == 0 ? bits & sign : bits);
    };
    double result = F{}(upper(std::bit_cast<uint64_t>(a)));
    if (result != result) return std::bit_cast<double>(uint64_t{0x7fffffff} << 32);
    // Half a unit of f32.
    constexpr uint64_t half = uint64_t{1} << (52 - 23 - 1);
    return upper(std::bit_cast<uint64_t>(result) + (std::isfinite(result) ? half : 0));
  }
};
constexpr auto reciprocal = [](double a) { return 1.0 / a; };
template <class F>
LaneFunction select_upper_half(const Variant&) {
  return each_lane<UpperHalf<F>, double, double>;
}

template <class F>
LaneFunction select_f32(const Variant& v) {
  return v.has("ftz") ? each_lane<Rounded<F, true, false>, float, float>
                      : each_lane<Rounded<F, false, false>, float, float>;
}

}  // namespace

std::span<const Row> special_function_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"rsqrt.approx{.ftz}.f32 d, a", K::lanes, floating<1>(inverse_root)},
      {"rsqrt.approx.f64 d, a", K::lanes, floating<1>(inverse_root)},
      {"rsqrt.approx.ftz.f64 d, a", K::lanes, select_upper_half<decltype(inverse_root)>},
      {"rcp.approx.ftz.f64 d, a", K::lanes, select_upper_half<decltype(reciprocal)>},
      {"ex2.approx{.ftz}.f32 d, a", K::lanes, select_f32<decltype(exponential)>},
      {"lg2.approx{.ftz}.f32 d, a", K::lanes, select_f32<decltype(logarithm)>},
      {"sin.approx{.ftz}.f32 d, a", K::lanes, select_f32<decltype(sine)>},
      {"cos.approx{.ftz}.f32 d, a", K::lanes, select_f32<decltype(cosine)>},
      {"tanh.approx.f32 d, a", K::lanes, select_f32<decltype(tangent_hyperbolic)>},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
