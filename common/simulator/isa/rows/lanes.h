#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

#include "simulator/isa/row.h"

/// How a function of single values becomes a function of 32 lanes. This header is compiled once per
/// level, each in its own namespace, so that no level's code can end up in another.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

using std::int16_t, std::int32_t, std::int64_t, std::uint16_t, std::uint32_t, std::uint64_t;

constexpr int warp_size = 32;

/// d[lane] = F(s0[lane], s1[lane], ...). Not inlined: code that runs it in another rounding mode
/// calls it.
template <class F, class D, class... S>
[[gnu::noinline]] void each_lane(const Operands& o) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    auto* d = static_cast<D*>(o.d);
    // A register overlaps another only as a whole, lane on lane: no lane reads what another wrote.
#pragma GCC ivdep
    for (int lane = 0; lane < warp_size; ++lane)
      d[lane] = static_cast<D>(F{}(static_cast<const S*>(o.s[I])[lane]...));
  }
  (std::index_sequence_for<S...>{});
}

/// Bit `lane` of d = F(s0[lane], s1[lane]); where there is a second destination, it gets the
/// opposite.
template <class F, class... S>
std::uint32_t each_lane_mask(const Operands& o) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::uint32_t bits[warp_size];
    for (int lane = 0; lane < warp_size; ++lane)
      bits[lane] = F{}(static_cast<const S*>(o.s[I])[lane]...) ? 1u << lane : 0u;
    std::uint32_t mask = 0;
    for (std::uint32_t bit : bits) mask |= bit;
    return mask;
  }
  (std::index_sequence_for<S...>{});
}

inline std::uint32_t& mask_of(void* p) { return *static_cast<std::uint32_t*>(p); }
inline std::uint32_t mask_of(const void* p) { return *static_cast<const std::uint32_t*>(p); }

/// Calls `make.template operator()<T>()` with the C++ type of an integer type, signed or not.
template <class Make>
LaneFunction with_integer(Type type, Make make) {
  switch (type) {
    case Type::u16:
    case Type::b16:
      return make.template operator()<uint16_t>();
    case Type::s16:
      return make.template operator()<int16_t>();
    case Type::u32:
    case Type::b32:
      return make.template operator()<uint32_t>();
    case Type::s32:
      return make.template operator()<int32_t>();
    case Type::u64:
    case Type::b64:
      return make.template operator()<uint64_t>();
    case Type::s64:
      return make.template operator()<int64_t>();
    default:
      return nullptr;
  }
}

/// d = F(a, ...) with all operands of one C++ type.
template <class F, class T, std::size_t Arity>
constexpr LaneFunction same_type() {
  if constexpr (Arity == 1)
    return each_lane<F, T, T>;
  else if constexpr (Arity == 2)
    return each_lane<F, T, T, T>;
  else
    return each_lane<F, T, T, T, T>;
}

/// A selector for d = F(a, ...) with all operands of the integer type `.type`.
template <class F, std::size_t Arity>
LaneFunction select_integer(const Variant& v) {
  return with_integer(v.type(), []<class T>() -> LaneFunction { return same_type<F, T, Arity>(); });
}

template <std::size_t Arity = 2, class F>
constexpr Selector integer(F) {
  return select_integer<F, Arity>;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
