/// \file
/// Checks exercise 01_wmma_tile: products of 16 x K and K x 16 halfs, a warp for each.
#include <cuda_fp16.h>

#include "check/exercise.h"
#include "half_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// Row-major, device, without gaps. @pre K % 16 == 0; blocks of (32, 4) threads, a warp for each
/// product, a quarter as many blocks as products, rounded up.
using WmmaTile = void(const __half* a, const __half* b, float* c, int products, int K);

constexpr int side = 16;
constexpr int warps_per_block = 4;

void attempt(lesson::Attempt<WmmaTile>& attempt) {
  const int products = attempt.size()[0];
  const int K = attempt.size()[1];
  const std::vector<float> a = checks::input(std::size_t{side} * products * K, 1);
  const std::vector<float> b = checks::input(std::size_t{side} * products * K, 2);
  std::vector<double> expected;
  for (int i = 0; i < products; ++i) {
    const std::size_t first = std::size_t{side} * i * K;
    const std::size_t count = std::size_t{side} * K;
    const std::vector<double> c =
        lesson::product_reference({&a[first], count}, {&b[first], count}, side, side, K);
    expected.insert(expected.end(), c.begin(), c.end());
  }
  const __half* device_a = attempt.input("a", checks::as_half(a));
  const __half* device_b = attempt.input("b", checks::as_half(b));
  // Every product and every sum of these numbers is exact.
  float* c = attempt.output("c", expected, {}, side);
  attempt.launch(
      {.grid = (products + warps_per_block - 1) / warps_per_block, .block = {32, warps_per_block}},
      device_a, device_b, c, products, K);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{16, 64};
  return lesson::check_exercise<WmmaTile>(
      argc, argv,
      {.kernel = "wmma_tile",
       .sizes = {{1, 16}, {3, 48}, {5, 32}, {6, 80}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch06_tensor_cores/README.md, \"A product for a warp\"",
       .gates = {{.name = "requests",
                  .what = "load requests for each step of 16 in k",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = 16.0 * 64 / 16,
                  .at_least = 1,
                  .at_most = 32,
                  .mistake = "without_tensor_cores"},
                 {.name = "products",
                  .what = "products on tensor cores for each step of 16 in k",
                  .measure = lesson::Measure::matrix_products,
                  .per = 16.0 * 64 / 16,
                  .at_least = 1,
                  .mistake = "through_shared"},
                 {.name = "workers",
                  .what = "warps that store a product",
                  .access = "global store",
                  .measure = lesson::Measure::warps,
                  .at_least = static_cast<double>(last[0]),
                  .array = "c"}},
       .beyond = {{2, 40016}, {2051, 16}},
       .full = {4096, 512}},
      attempt);
}
