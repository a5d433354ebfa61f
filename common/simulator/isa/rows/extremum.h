#pragma once
#include "simulator/isa/rows/floats.h"

/// min and max of floating-point numbers.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

/// A zero with a sign is smaller than one without. A number wins over NaN, or with Nan (.NaN) loses
/// against it. With XorSign (.xorsign.abs) magnitudes are compared, and the result has the product
/// of the signs.
template <bool Larger, bool Nan, bool XorSign>
struct Extremum {
  template <std::floating_point T>
  T operator()(T a, T b) const {
    bool negative = std::signbit(a) != std::signbit(b);
    if constexpr (XorSign) a = std::fabs(a), b = std::fabs(b);
    bool first =
        Larger ? a > b || (a == b && !std::signbit(a)) : a < b || (a == b && std::signbit(a));
    T result = first ? a : b;
    if constexpr (Nan) {
      if (a != a) result = a;
      if (b != b) result = b;
    } else {
      if (a != a) result = b;
      if (b != b) result = a;
    }
    if constexpr (XorSign) result = std::copysign(result, negative ? T(-1) : T(1));
    return result;
  }
};

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
