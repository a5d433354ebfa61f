#include "lesson/compare/product_reference.h"

#include <doctest/doctest.h>

#include <cstdint>

namespace warpwise::lesson {
namespace {

/// Integers small enough that every order of adding gives the same sum.
std::vector<float> integers(std::size_t count, std::uint32_t state) {
  std::vector<float> values(count);
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(state >> 24) - 128;
  }
  return values;
}

TEST_CASE("the reference of a product equals three plain loops, whatever the edges") {
  const int sizes[][3] = {{1, 1, 1}, {3, 9, 2}, {4, 8, 16}, {5, 7, 31}, {130, 67, 129}};
  for (const auto& [M, N, K] : sizes) {
    const std::vector<float> a = integers(static_cast<std::size_t>(M) * K, 1);
    const std::vector<float> b = integers(static_cast<std::size_t>(K) * N, 2);
    std::vector<float> turned(b.size());
    std::vector<double> expected(static_cast<std::size_t>(M) * N);
    for (int k = 0; k < K; ++k) {
      for (int column = 0; column < N; ++column) {
        turned[static_cast<std::size_t>(column) * K + k] = b[k * N + column];
        for (int row = 0; row < M; ++row) {
          expected[row * N + column] += a[row * K + k] * b[k * N + column];
        }
      }
    }
    CAPTURE(M);
    CHECK(product_reference(a, b, M, N, K) == expected);
    CHECK(product_reference(a, turned, M, N, K, SecondMatrix::transposed) == expected);
  }
}

}  // namespace
}  // namespace warpwise::lesson
