#include "lesson/compare/product_reference.h"

#include <doctest/doctest.h>

#include <cstdint>

#include "base/numbers.h"
#include "lesson/compare/compare.h"

namespace warpwise::lesson {
namespace {

/// Integers small enough that every order of adding gives the same sum.
std::vector<float> integers(std::size_t count, std::uint32_t seed) {
  RandomBits bits(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(bits() >> 24) - 128;
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

TEST_CASE("a product with a factor taken for its transpose is known by its first wrong row") {
  const int M = 5, N = 9, K = 7;
  const std::vector<float> a = integers(M * K, 3), b = integers(N * K, 4);
  const auto found = [&](SecondMatrix asked, SecondMatrix done, double factor = 1) {
    std::vector<float> got;
    for (const double sum : product_reference(a, b, M, N, K, done))
      got.push_back(static_cast<float>(sum * factor));
    const auto slips = transposed_slips(a, b, M, N, K, asked,
                                        [=](double sum, std::size_t) { return sum * factor; });
    return compare(product_reference(a, b, M, N, K, asked), got, {}, N, slips).values.says;
  };
  CHECK(found(SecondMatrix::transposed, SecondMatrix::plain)
            .starts_with("In row 0: This is A B, not A B^T"));
  CHECK(found(SecondMatrix::plain, SecondMatrix::transposed, 3)
            .starts_with("In row 0: This is A B^T, not A B"));
  std::vector<float> turned(a.size());
  for (int row = 0; row < M; ++row)
    for (int k = 0; k < K; ++k) turned[row * K + k] = a[k * M + row];
  const std::vector<double> of_turned = product_reference(turned, b, M, N, K);
  const std::vector<float> got(of_turned.begin(), of_turned.end());
  CHECK(compare(product_reference(a, b, M, N, K), got, {}, N, transposed_slips(a, b, M, N, K))
            .values.says == "In row 0: A is read as if its columns lay one after another.");
}

}  // namespace
}  // namespace warpwise::lesson
