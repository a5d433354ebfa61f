#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/lanes.h"

/// Integer operations on the two halves of a register, and those that cut at zero.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

constexpr auto add = [](auto a, auto b) {
  return static_cast<uint16_t>(static_cast<uint16_t>(a) + static_cast<uint16_t>(b));
};
constexpr auto minimum = [](auto a, auto b) { return a < b ? a : b; };
constexpr auto maximum = [](auto a, auto b) { return a > b ? a : b; };

/// .relu: negative values become zero.
template <class F>
struct Cut {
  template <class T>
  T operator()(T a, T b) const {
    T result = F{}(a, b);
    return result > 0 ? result : T(0);
  }
};

template <class F, class T>
void each_of_two(const Operands& o) {
  auto* d = static_cast<T*>(o.d);
  const auto *a = static_cast<const T*>(o.s[0]), *b = static_cast<const T*>(o.s[1]);
#pragma GCC ivdep
  for (int i = 0; i < 2 * warp_size; ++i) d[i] = static_cast<T>(F{}(a[i], b[i]));
}

template <class F>
LaneFunction select_pair(const Variant& v) {
  return v.last_type() == Type::s16x2 ? each_of_two<F, int16_t> : each_of_two<F, uint16_t>;
}
template <class F>
LaneFunction select_cut(const Variant& v) {
  if (v.last_type() == Type::s16x2) return each_of_two<Cut<F>, int16_t>;
  return each_lane<Cut<F>, int32_t, int32_t, int32_t>;
}

}  // namespace

std::span<const Row> packed_integer_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"add.type d, a, b; .type = {.u16x2, .s16x2}", K::lanes, select_pair<decltype(add)>},
      {"min.type d, a, b; .type = {.u16x2, .s16x2}", K::lanes, select_pair<decltype(minimum)>},
      {"max.type d, a, b; .type = {.u16x2, .s16x2}", K::lanes, select_pair<decltype(maximum)>},
      // The manual's order, and that of the CUDA headers.
      {"min.relu.type d, a, b; .type = {.s16x2, .s32}", K::lanes, select_cut<decltype(minimum)>},
      {"min.type.relu d, a, b; .type = {.s16x2, .s32}", K::lanes, select_cut<decltype(minimum)>},
      {"max.relu.type d, a, b; .type = {.s16x2, .s32}", K::lanes, select_cut<decltype(maximum)>},
      {"max.type.relu d, a, b; .type = {.s16x2, .s32}", K::lanes, select_cut<decltype(maximum)>},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
