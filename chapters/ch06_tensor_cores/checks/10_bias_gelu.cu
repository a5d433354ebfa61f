/// \file
/// Checks exercise 10_bias_gelu: bias and gelu in the epilogue of a product.
#include <cmath>

#include "check/exercise.h"
#include "half_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// Row-major, device: a is M x K, b is N x K, bias N, y is M x N. @pre K % 8 == 0; blocks of 32
/// threads, gridDim = (N / 8, M / 16) rounded up.
using BiasGelu = void(const float* a, const float* b, const float* bias, float* y, int M, int N,
                      int K);

constexpr int tile_m = 16, tile_n = 8;

double gelu(double v) { return v / 2 * (1 + std::erf(v / std::sqrt(2.0))); }

/// Smaller numbers, so that gelu is neither zero nor its argument.
std::vector<float> small_input(std::size_t count, std::uint32_t state, float scale) {
  std::vector<float> values = checks::input(count, state);
  for (float& value : values) value *= scale;
  return values;
}

void attempt(lesson::Attempt<BiasGelu>& attempt) {
  const int M = attempt.size()[0], N = attempt.size()[1], K = attempt.size()[2];
  const std::vector<float> a = small_input(static_cast<std::size_t>(M) * K, 7, 0.25F);
  const std::vector<float> b = small_input(static_cast<std::size_t>(N) * K, 8, 0.25F);
  const std::vector<float> bias = small_input(static_cast<std::size_t>(N), 9, 1);
  // The product of these numbers is exact in TF32 with sums in fp32.
  std::vector<double> expected =
      lesson::product_reference(a, b, M, N, K, lesson::SecondMatrix::transposed);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = gelu(expected[i] + bias[i % N]);
  const float* device_a = attempt.input("a", a);
  const float* device_b = attempt.input("b", b);
  const float* device_bias = attempt.input("bias", bias);
  // erff is good to two units in the last place, and where it is near -1 the sum with 1 keeps
  // absolute precision only.
  float* y = attempt.output("y", expected, {.absolute = 2e-6, .relative = 1e-6}, N);
  attempt.slips(
      lesson::transposed_slips(a, b, M, N, K, lesson::SecondMatrix::transposed,
                               [=](double sum, std::size_t i) { return gelu(sum + bias[i % N]); }));
  attempt.launch({.grid = {static_cast<unsigned>((N + tile_n - 1) / tile_n),
                           static_cast<unsigned>((M + tile_m - 1) / tile_m)},
                  .block = 32},
                 device_a, device_b, device_bias, y, M, N, K);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{32, 32, 32};
  const double tiles_of_last = 2 * 4;
  return lesson::check_exercise<BiasGelu>(
      argc, argv,
      {.kernel = "bias_gelu",
       .sizes = {{1, 1, 8}, {16, 8, 8}, {21, 13, 24}, {40, 7, 16}, {9, 30, 40}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch06_tensor_cores/README.md, \"The epilogue\"",
       .gates = {{.name = "stores",
                  .what = "sectors stored for each tile of 16 x 8",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = tiles_of_last,
                  .at_least = 16,
                  .at_most = 32,
                  .mistake = "through_memory"},
                 {.name = "products",
                  .what = "products on tensor cores for each step of 8 in k",
                  .measure = lesson::Measure::matrix_products,
                  .per = tiles_of_last * (32.0 / 8),
                  .at_least = 1,
                  .mistake = "without_tensor_cores"},
                 {.name = "workers",
                  .what = "warps that store a tile",
                  .access = "global store",
                  .measure = lesson::Measure::warps,
                  .at_least = tiles_of_last,
                  .array = "y"}},
       .beyond = {{3, 5, 40008}, {33001, 1, 8}, {1, 33001, 8}},
       .full = {1024, 1024, 512},
       .needs =
           [](const lesson::Size& size) {
             return lesson::Needs{.flops = 2.0 * size.elements(), .tensor_cores = true};
           }},
      attempt);
}
