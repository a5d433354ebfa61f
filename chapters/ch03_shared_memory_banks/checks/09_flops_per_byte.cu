/// \file
/// Checks exercise 09_flops_per_byte: the roofline of a tiled product, on the traffic that it has.
#include <algorithm>

#include "base/numbers.h"
#include "check/arithmetic.h"

namespace lesson = warpwise::lesson;

namespace {

/// @return TFLOP/s.
using AttainableTflops = double(long long m, long long n, long long k, int tile, int bytes,
                                double peak_tflops, double bandwidth_gbps);

void ask(lesson::Questions<AttainableTflops>& ask) {
  const auto expect = [&](long long m, long long n, long long k, int tile, int bytes, double peak,
                          double gbps) {
    const double across = static_cast<double>((n + tile - 1) / tile);
    const double down = static_cast<double>((m + tile - 1) / tile);
    const double a = static_cast<double>(m) * static_cast<double>(k) * across;
    const double b = static_cast<double>(k) * static_cast<double>(n) * down;
    const double c = static_cast<double>(m) * static_cast<double>(n);
    const double flops = 2 * c * static_cast<double>(k);
    ask.expect(std::min(peak, flops / (bytes * (a + b + c)) * gbps / 1000), m, n, k, tile, bytes,
               peak, gbps);
  };
  // By hand: 2 flops, 12 bytes, one GB a second.
  expect(1, 1, 1, 1, 4, 1000, 1);
  expect(4096, 4096, 4096, 32, 4, 67, 4800);
  expect(4096, 4096, 4096, 16, 4, 67, 4800);
  // Above the ridge: the arithmetic is the limit.
  expect(4096, 4096, 4096, 128, 4, 67, 4800);
  expect(4096, 4096, 4096, 128, 2, 989, 4800);
  // Tiles that do not fit, and one that is larger than the matrix.
  expect(4097, 4097, 4097, 100, 4, 67, 4800);
  expect(50, 70, 90, 128, 4, 67, 3350);
  // A vector, a thin matrix, a product with little depth.
  expect(4096, 1, 4096, 32, 4, 67, 4800);
  expect(1, 50257, 768, 64, 4, 67, 4800);
  expect(100000, 100000, 8, 64, 2, 989, 4800);
  const std::vector<int> extents = lesson::uniform_indices(60, 5000, 26);
  const int tiles[] = {1, 8, 32, 100, 256};
  for (int i = 0; i < 20; ++i) {
    expect(extents[3 * i] + 1, extents[3 * i + 1] + 1, extents[3 * i + 2] + 1, tiles[i % 5],
           i % 2 == 0 ? 4 : 2, 60, 3000);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::check_arithmetic<AttainableTflops>(
      argc, argv,
      {.function = "attainable_tflops",
       .lesson = "chapters/ch03_shared_memory_banks/README.md, \"The roofline\""},
      ask);
}
