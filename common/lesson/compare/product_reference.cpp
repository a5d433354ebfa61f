#include "lesson/compare/product_reference.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <thread>

#include "base/numbers.h"

// The same source twice on x86-64: with 256-bit arithmetic where the processor has it.
#if defined(__x86_64__)
#define WARPWISE_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define WARPWISE_CLONES
#endif

namespace warpwise::lesson {
namespace {

/// C is computed in pieces of 4 x 8, whose sums stay in registers.
constexpr int strip_rows = 4;
constexpr int panel_columns = 8;

/// Doubles that the compiler adds and multiplies together.
using Lanes = double __attribute__((vector_size(4 * sizeof(double))));

/// @param strip K x 4 elements of A, k by k. @param panel K x 8 of B. @param[out] c 4 x 8.
WARPWISE_CLONES void multiply_piece(const double* strip, const double* panel, int K, double* c) {
  Lanes sums[strip_rows][2] = {};
  for (int k = 0; k < K; ++k) {
    Lanes b[2];
    std::memcpy(b, panel + std::size_t{panel_columns} * k, sizeof b);
    for (int row = 0; row < strip_rows; ++row) {
      const double a = strip[std::size_t{strip_rows} * k + row];
      sums[row][0] += a * b[0];
      sums[row][1] += a * b[1];
    }
  }
  std::memcpy(c, sums, sizeof sums);
}

/// Calls `body` with 0 to count - 1, on all cores when that is worth it.
void for_each_index(int count, bool parallel, const std::function<void(int)>& body) {
  std::atomic<int> next{0};
  const auto work = [&] {
    for (int i = next++; i < count; i = next++) body(i);
  };
  std::vector<std::thread> helpers;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  for (int i = 1; parallel && i < std::min(cores, count); ++i) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
}

/// Rows of a matrix in strips: `width` rows side by side, k by k, zeros below the last row.
/// @param element (row, k).
std::vector<double> packed(int rows, int K, int width, bool parallel,
                           const std::function<double(int, int)>& element) {
  const int strips = ceil_div(rows, width);
  std::vector<double> result(static_cast<std::size_t>(strips) * width * K);
  for_each_index(strips, parallel, [&](int strip) {
    double* to = result.data() + static_cast<std::size_t>(strip) * width * K;
    for (int row = strip * width; row < std::min(rows, (strip + 1) * width); ++row) {
      for (int k = 0; k < K; ++k) {
        to[static_cast<std::size_t>(k) * width + row % width] = element(row, k);
      }
    }
  });
  return result;
}

}  // namespace

std::vector<Slip> transposed_slips(std::span<const float> a, std::span<const float> b, int M, int N,
                                   int K, SecondMatrix layout,
                                   const std::function<double(double, std::size_t)>& finish) {
  struct Factors {
    std::vector<float> a, b;
  };
  const auto factors =
      std::make_shared<const Factors>(Factors{{a.begin(), a.end()}, {b.begin(), b.end()}});
  const auto product = [=](bool turn_a, bool turn_b) -> std::function<double(std::size_t)> {
    const bool by_columns = (layout == SecondMatrix::transposed) != turn_b;
    return [=](std::size_t element) {
      const std::size_t row = element / N, column = element % N;
      double sum = 0;
      for (int k = 0; k < K; ++k) {
        const auto along = static_cast<std::size_t>(k);
        const double left = factors->a[turn_a ? along * M + row : row * K + along];
        sum += left * factors->b[by_columns ? column * K + along : along * N + column];
      }
      return finish ? finish(sum, element) : sum;
    };
  };
  const std::string of_a = "A is read as if its columns lay one after another.",
                    of_b = layout == SecondMatrix::transposed
                               ? "This is A B, not A B^T: row k of b is taken for row k of the "
                                 "second factor, but it holds the factor's column k."
                               : "This is A B^T, not A B: row k of b is taken for column k of the "
                                 "second factor.";
  const char* asks = "Which index is multiplied by the length of a row?";
  return {{of_b, asks, product(false, true)},
          {of_a, asks, product(true, false)},
          {"Both factors are read as if their columns lay one after another.", asks,
           product(true, true)}};
}

std::vector<double> product_reference(std::span<const float> a, std::span<const float> b, int M,
                                      int N, int K, SecondMatrix layout) {
  constexpr double worth_threads = 1e6;
  const bool parallel = static_cast<double>(M) * N * K > worth_threads;
  const auto at = [](std::span<const float> matrix, int row, int column, int columns) {
    return static_cast<double>(matrix[static_cast<std::size_t>(row) * columns + column]);
  };
  const std::vector<double> strips =
      packed(M, K, strip_rows, parallel, [&](int row, int k) { return at(a, row, k, K); });
  const bool transposed = layout == SecondMatrix::transposed;
  const std::vector<double> panels = packed(N, K, panel_columns, parallel, [&](int column, int k) {
    return transposed ? at(b, column, k, K) : at(b, k, column, N);
  });

  std::vector<double> c(static_cast<std::size_t>(M) * N);
  for_each_index(ceil_div(N, panel_columns), parallel, [&](int panel) {
    const double* columns = panels.data() + static_cast<std::size_t>(panel) * panel_columns * K;
    const int first = panel * panel_columns;
    for (int strip = 0; strip < ceil_div(M, strip_rows); ++strip) {
      double piece[strip_rows][panel_columns];
      multiply_piece(strips.data() + static_cast<std::size_t>(strip) * strip_rows * K, columns, K,
                     piece[0]);
      for (int row = strip * strip_rows; row < std::min(M, (strip + 1) * strip_rows); ++row) {
        std::copy_n(piece[row % strip_rows], std::min(panel_columns, N - first),
                    c.data() + static_cast<std::size_t>(row) * N + first);
      }
    }
  });
  return c;
}

}  // namespace warpwise::lesson
