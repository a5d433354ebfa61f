/// \file
/// Checks exercise 03_fp16_tile: c = a * b^T of halfs, mma.sync with plain loads.
#include <cuda_fp16.h>

#include "check/exercise.h"
#include "half_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// Row-major, device: a is M x K, b is N x K, c is M x N. @pre K % 16 == 0; blocks of 32 threads,
/// gridDim = (N / 8, M / 16) rounded up.
using Fp16Tile = void(const __half* a, const __half* b, float* c, int M, int N, int K);

constexpr int tile_m = 16, tile_n = 8, tile_k = 16;

void attempt(lesson::Attempt<Fp16Tile>& attempt) {
  const int M = attempt.size()[0], N = attempt.size()[1], K = attempt.size()[2];
  const std::vector<float> a = checks::input(static_cast<std::size_t>(M) * K, 3);
  const std::vector<float> b = checks::input(static_cast<std::size_t>(N) * K, 4);
  const __half* device_a = attempt.input("a", checks::as_half(a));
  const __half* device_b = attempt.input("b", checks::as_half(b));
  // Every product and every sum of these numbers is exact.
  float* c = attempt.output(
      "c", lesson::product_reference(a, b, M, N, K, lesson::SecondMatrix::transposed), {}, N);
  attempt.slips(lesson::transposed_slips(a, b, M, N, K, lesson::SecondMatrix::transposed));
  attempt.launch({.grid = {static_cast<unsigned>((N + tile_n - 1) / tile_n),
                           static_cast<unsigned>((M + tile_m - 1) / tile_m)},
                  .block = 32},
                 device_a, device_b, c, M, N, K);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{32, 32, 64};
  const double steps = 2 * 4 * (64.0 / tile_k);
  return lesson::check_exercise<Fp16Tile>(
      argc, argv,
      {.kernel = "fp16_tile",
       .sizes = {{1, 1, 16}, {16, 8, 16}, {21, 13, 48}, {40, 7, 32}, {9, 30, 80}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch06_tensor_cores/README.md, \"Which lane holds which element\"",
       .gates = {{.name = "requests",
                  .what = "load requests for each step of 16 in k",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = steps,
                  .at_least = 2,
                  .at_most = 6,
                  .mistake = "single_halfs"},
                 {.name = "products",
                  .what = "products on tensor cores for each step of 16 in k",
                  .measure = lesson::Measure::matrix_products,
                  .per = steps,
                  .at_least = 1,
                  .mistake = "without_tensor_cores"},
                 {.name = "workers",
                  .what = "warps that store a tile",
                  .access = "global store",
                  .measure = lesson::Measure::warps,
                  .at_least = 2 * 4,
                  .array = "c"}},
       .beyond = {{5, 3, 40016}, {33001, 1, 16}, {1, 33001, 16}},
       .full = {1024, 1024, 1024},
       .needs =
           [](const lesson::Size& size) {
             return lesson::Needs{.flops = 2.0 * size.elements(), .tensor_cores = true};
           }},
      attempt);
}
