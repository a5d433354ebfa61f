#pragma once
#include <bit>
#include <limits>
#include <type_traits>

#include "simulator/isa/rows/floats.h"

/// min and max of floating-point numbers.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

/// Minus zero is smaller than plus zero. A number wins over NaN, or with Nan (.NaN) loses to it.
/// With XorSign (.xorsign.abs) magnitudes are compared, and the result has the product of the
/// signs.
template <bool Larger, bool Nan, bool XorSign>
struct Extremum {
  template <std::floating_point T>
  T operator()(T a, T b) const {
    // As integers, whose comparisons become vector code (see floats.h).
    using Bits = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
    constexpr Bits magnitude = std::numeric_limits<Bits>::max();
    constexpr auto infinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
    auto first = std::bit_cast<Bits>(a), second = std::bit_cast<Bits>(b);
    const Bits sign = (first ^ second) & ~magnitude;
    if constexpr (XorSign) first &= magnitude, second &= magnitude;
    const bool first_is_nan = (first & magnitude) > infinity;
    const bool second_is_nan = (second & magnitude) > infinity;
    // Negative numbers are ordered the other way round, and minus zero comes before zero.
    const Bits first_order = first ^ ((first >> (sizeof(T) * 8 - 1)) & magnitude);
    const Bits second_order = second ^ ((second >> (sizeof(T) * 8 - 1)) & magnitude);
    Bits result =
        (Larger ? first_order > second_order : first_order < second_order) ? first : second;
    // Where both are NaN, the second with .NaN, else the first.
    const Bits instead_of_first = Nan ? first : second, instead_of_second = Nan ? second : first;
    result = first_is_nan ? instead_of_first : result;
    result = second_is_nan ? instead_of_second : result;
    if constexpr (XorSign) result = (result & magnitude) | sign;
    return std::bit_cast<T>(result);
  }
};

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
