#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

/// \file
/// Included before a learner's file of plain C++: nvcc declares these names in every .cu file, and
/// that file ends in .cu as well.
/// \ingroup lesson

// Templates, so that a function of the learner's own with such a name goes first.

/// The smaller of two numbers, as a kernel's min().
template <class A, class B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
constexpr std::common_type_t<A, B> min(A a, B b) {
  return std::min<std::common_type_t<A, B>>(a, b);
}

/// The larger of two numbers, as a kernel's max().
template <class A, class B>
requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
constexpr std::common_type_t<A, B> max(A a, B b) {
  return std::max<std::common_type_t<A, B>>(a, b);
}

using std::abs;
using std::ceil;
using std::floor;
using std::round;
using std::size_t;
