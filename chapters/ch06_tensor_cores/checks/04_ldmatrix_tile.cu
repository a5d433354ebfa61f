/// \file
/// Checks exercise 04_ldmatrix_tile: c = a * b of halfs, fragments by ldmatrix.
#include <cuda_fp16.h>

#include "check/exercise.h"
#include "half_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// Row-major, device: a is M x K, b is K x N, c is M x N. @pre blocks of 32 threads, gridDim = (N /
/// 16, M / 16) rounded up.
using LdmatrixTile = void(const __half* a, const __half* b, float* c, int M, int N, int K);

constexpr int tile = 16;

void attempt(lesson::Attempt<LdmatrixTile>& attempt) {
  const int M = attempt.size()[0], N = attempt.size()[1], K = attempt.size()[2];
  const std::vector<float> a = checks::input(static_cast<std::size_t>(M) * K, 5);
  const std::vector<float> b = checks::input(static_cast<std::size_t>(N) * K, 6);
  const __half* device_a = attempt.input("a", checks::as_half(a));
  const __half* device_b = attempt.input("b", checks::as_half(b));
  // Every product and every sum of these numbers is exact.
  float* c = attempt.output("c", lesson::product_reference(a, b, M, N, K), {}, N);
  std::vector<lesson::Slip> slips = lesson::transposed_slips(a, b, M, N, K);
  slips.push_back({"Each 8 x 8 of B is transposed.", "What does .trans change in ldmatrix?",
                   [=](std::size_t i) {
                     const std::size_t row = i / N, column = i % N;
                     double sum = 0;
                     for (std::size_t k = 0; k < static_cast<std::size_t>(K); ++k) {
                       const std::size_t from_row = k / 8 * 8 + column % 8;
                       const std::size_t from_column = column / 8 * 8 + k % 8;
                       if (from_column < static_cast<std::size_t>(N))
                         sum += double{a[row * K + k]} * b[from_row * N + from_column];
                     }
                     return sum;
                   }});
  attempt.slips(std::move(slips));
  attempt.launch({.grid = {static_cast<unsigned>((N + tile - 1) / tile),
                           static_cast<unsigned>((M + tile - 1) / tile)},
                  .block = 32},
                 device_a, device_b, c, M, N, K);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{32, 32, 64};
  const double steps = 2 * 2 * (64.0 / tile);
  return lesson::check_exercise<LdmatrixTile>(
      argc, argv,
      {.kernel = "ldmatrix_tile",
       .sizes = {{1, 1, 1}, {16, 16, 16}, {21, 9, 50}, {40, 30, 33}, {15, 17, 100}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch06_tensor_cores/README.md, \"A load for a warp: ldmatrix\"",
       .gates = {{.name = "requests",
                  .what = "shared load requests for each step of 16 in k",
                  .access = "shared load",
                  .measure = lesson::Measure::requests,
                  .per = steps,
                  .at_least = 2,
                  .at_most = 2,
                  .mistake = "two_at_a_time"},
                 {.name = "wavefronts",
                  .what = "wavefronts of these loads",
                  .access = "shared load",
                  .measure = lesson::Measure::wavefronts,
                  .per = steps,
                  .at_least = 8,
                  .at_most = 8},
                 {.name = "products",
                  .what = "products on tensor cores for each step of 16 in k",
                  .measure = lesson::Measure::matrix_products,
                  .per = steps,
                  .at_least = 2,
                  .mistake = "without_tensor_cores"},
                 {.name = "workers",
                  .what = "warps that store a tile",
                  .access = "global store",
                  .measure = lesson::Measure::warps,
                  .at_least = 2 * 2,
                  .array = "c"}},
       .beyond = {{3, 5, 40001}, {33001, 1, 3}, {1, 33001, 3}},
       .full = {1024, 1024, 1024},
       .needs =
           [](const lesson::Size& size) {
             return lesson::Needs{.flops = 2.0 * size.elements(), .tensor_cores = true};
           }},
      attempt);
}
