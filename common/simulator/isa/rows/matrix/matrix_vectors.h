#pragma once
#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "simulator/isa/rows/lanes.h"

/// Vectors of eight elements, and the functions that split and join them.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

// Vectors go by reference: how they are passed by value depends on the level.
using EightFloats = float __attribute__((vector_size(32)));
using EightInts = int32_t __attribute__((vector_size(32)));
using EightWords = uint32_t __attribute__((vector_size(32)));
using EightShorts = uint16_t __attribute__((vector_size(16)));
using EightSignedShorts = int16_t __attribute__((vector_size(16)));
using EightBytes = uint8_t __attribute__((vector_size(8)));
using SixteenBytes = uint8_t __attribute__((vector_size(16)));
using SixteenShorts = uint16_t __attribute__((vector_size(32)));
using TwoEights = int16_t __attribute__((vector_size(32)));
using FourWords = uint32_t __attribute__((vector_size(16)));
using FourInts = int32_t __attribute__((vector_size(16)));
using FourDoubles = double __attribute__((vector_size(32)));

template <class Vector, class Element>
[[gnu::always_inline]] inline void load(Vector& value, const Element* from) {
  std::memcpy(&value, from, sizeof value);
}
template <class Vector, class Element>
[[gnu::always_inline]] inline void store(const Vector& value, Element* to) {
  std::memcpy(to, &value, sizeof value);
}

[[gnu::always_inline]] inline EightInts& make_magnitude(EightInts& value) {
  value = value < 0 ? -value : value;
  return value;
}
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define WARPWISE_HAS_SHUFFLES
#endif
#endif

/// The lowest or the highest element.
template <bool Highest, class Vector>
[[gnu::always_inline]] inline auto extreme_of(const Vector& all_values) {
  Vector values = all_values;
  constexpr int count = sizeof values / sizeof values[0];
  // Of two halves, four quarters and so on.
  auto meet = [&]<int Distance, int... I>(std::integer_sequence<int, I...>)
      __attribute__((always_inline)) {
#ifdef WARPWISE_HAS_SHUFFLES
    const Vector moved = __builtin_shufflevector(values, values, (I ^ Distance)...);
#else
    Vector moved;
    (..., (moved[I] = values[I ^ Distance]));
#endif
    values = Highest ? (values > moved ? values : moved) : (values < moved ? values : moved);
  };
  constexpr auto all = std::make_integer_sequence<int, count>{};
  if constexpr (count == 16) meet.template operator()<8>(all);
  meet.template operator()<4>(all);
  meet.template operator()<2>(all);
  meet.template operator()<1>(all);
  const auto first = values[0];
  return first;
}

/// All bits of any element.
template <class Vector>
[[gnu::always_inline]] inline uint32_t joined(const Vector& values) {
  uint64_t parts[sizeof values / 8], all = 0;
  std::memcpy(parts, &values, sizeof parts);
  for (uint64_t part : parts) all |= part;
  all |= all >> 32;
  if (sizeof values[0] == 2) all |= all >> 16;
  return static_cast<uint32_t>(all);
}

/// Eight numbers from one place and eight from another.
[[gnu::always_inline]] inline void join(const int16_t* first, const int16_t* second,
                                        TwoEights& joined) {
#ifdef WARPWISE_HAS_SHUFFLES
  EightSignedShorts low, high;
  load(low, first);
  load(high, second);
  joined = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#else
  std::memcpy(&joined, first, 16);
  std::memcpy(reinterpret_cast<char*>(&joined) + 16, second, 16);
#endif
}

/// Each half full of its element number Index.
template <int Index>
[[gnu::always_inline]] inline void spread(const TwoEights& from, TwoEights& to) {
#ifdef WARPWISE_HAS_SHUFFLES
  constexpr int i = Index, j = Index + 8;
  to = __builtin_shufflevector(from, from, i, i, i, i, i, i, i, i, j, j, j, j, j, j, j, j);
#else
  for (int lane = 0; lane < 16; ++lane) to[lane] = from[lane / 8 * 8 + Index];
#endif
}

/// The halves, each as eight wider numbers.
[[gnu::always_inline]] inline void divide(const TwoEights& whole, EightInts& first,
                                          EightInts& second) {
  EightSignedShorts halves[2];
#ifdef WARPWISE_HAS_SHUFFLES
  halves[0] = __builtin_shufflevector(whole, whole, 0, 1, 2, 3, 4, 5, 6, 7);
  halves[1] = __builtin_shufflevector(whole, whole, 8, 9, 10, 11, 12, 13, 14, 15);
#else
  std::memcpy(halves, &whole, sizeof whole);
#endif
  first = __builtin_convertvector(halves[0], EightInts);
  second = __builtin_convertvector(halves[1], EightInts);
}

/// The elements of two vectors in turn.
template <class Vector>
[[gnu::always_inline]] inline void interleave(const Vector& a, const Vector& b, Vector& low,
                                              Vector& high) {
  constexpr int count = sizeof(Vector) / sizeof(a[0]);
  [&]<int... I>(std::integer_sequence<int, I...>) {
#ifdef WARPWISE_HAS_SHUFFLES
    low = __builtin_shufflevector(a, b, (I % 2 * count + I / 2)...);
    high = __builtin_shufflevector(a, b, (I % 2 * count + (I + count) / 2)...);
#else
    (..., (low[I] = I % 2 ? b[I / 2] : a[I / 2]));
    (..., (high[I] = I % 2 ? b[(I + count) / 2] : a[(I + count) / 2]));
#endif
  }
  (std::make_integer_sequence<int, count>{});
}

/// The other way: those in even places, and those in odd ones.
template <class Vector>
[[gnu::always_inline]] inline void separate(const Vector& low, const Vector& high, Vector& even,
                                            Vector& odd) {
  constexpr int count = sizeof(Vector) / sizeof(low[0]);
  [&]<int... I>(std::integer_sequence<int, I...>) {
#ifdef WARPWISE_HAS_SHUFFLES
    even = __builtin_shufflevector(low, high, (2 * I)...);
    odd = __builtin_shufflevector(low, high, (2 * I + 1)...);
#else
    (..., (even[I] = 2 * I < count ? low[2 * I] : high[2 * I - count]));
    (..., (odd[I] = 2 * I < count ? low[2 * I + 1] : high[2 * I + 1 - count]));
#endif
  }
  (std::make_integer_sequence<int, count>{});
}

/// Eight vectors as one row of elements, numbered in bits: each pass makes the highest bit of an
/// element's place its lowest one.
template <int Passes, class Vector>
[[gnu::always_inline]] inline void rotate_places(Vector (&vectors)[8]) {
#pragma GCC unroll 3
  for (int pass = 0; pass < Passes; ++pass) {
    Vector turned[8];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
      interleave(vectors[i], vectors[i + 4], turned[2 * i], turned[2 * i + 1]);
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) vectors[i] = turned[i];
  }
}

/// Eight rows of 16 bytes become columns: rows of eight elements.
template <class Element>
[[gnu::always_inline]] inline void transpose_rows(const Element* rows, Element* columns) {
  typedef Element Row __attribute__((vector_size(16)));
  Row row[8];
  std::memcpy(row, rows, sizeof row);
  rotate_places<3>(row);
  std::memcpy(columns, row, sizeof row);
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
