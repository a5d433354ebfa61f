#pragma once
/// \file
/// Included before an exercise that is plain C++: what nvcc knows in a .cu file without an include,
/// the functions of the header cmath, lists in braces, new and <=>, and min and max of two numbers.
///
/// For a text that names nothing of std but what C has, base/lean_headers.h defines the guard of
/// what cmath includes besides.
#ifndef _GLIBCXX_BITS_SPECFUN_H
#include <algorithm>
#endif
#include <math.h>

#include <cmath>
#include <compare>
#include <cstdlib>
#include <initializer_list>
#include <new>
#include <type_traits>

// Templates, so that a learner's own function of the same name is taken instead.
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr std::common_type_t<A, B> min(
    A a, B b) {
  return b < a ? b : a;
}
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr std::common_type_t<A, B> max(
    A a, B b) {
  return a < b ? b : a;
}
