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
constexpr auto sine = [](float a) { return static_cast<float>(std::sin(static_cast<double>(a))); };
constexpr auto cosine = [](float a) {
  return static_cast<float>(std::cos(static_cast<double>(a)));
};
constexpr auto tangent_hyperbolic = [](float a) {
  return static_cast<float>(std::tanh(static_cast<double>(a)));
};

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
      {"ex2.approx{.ftz}.f32 d, a", K::lanes, select_f32<decltype(exponential)>},
      {"lg2.approx{.ftz}.f32 d, a", K::lanes, select_f32<decltype(logarithm)>},
      {"sin.approx{.ftz}.f32 d, a", K::lanes, select_f32<decltype(sine)>},
      {"cos.approx{.ftz}.f32 d, a", K::lanes, select_f32<decltype(cosine)>},
      {"tanh.approx.f32 d, a", K::lanes, select_f32<decltype(tangent_hyperbolic)>},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
