/// \file
/// Checks exercise 07_four_warps: a product by four warps, with copies in two stages.
#include <vector>

#include "check/exercise.h"
#include "half_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// a M x K, b N x K halfs, c M x N floats, row-major, device. @pre K is a multiple of 32; blocks of
/// 128 threads for 32 x 32 elements of c, blockIdx.x along the columns.
using FourWarps = void(const __half* a, const __half* b, float* c, int M, int N, int K);

constexpr int tile = 32;

unsigned blocks(int count) { return static_cast<unsigned>(lesson::ceil_div(count, tile)); }

/// Size: M, N, K.
void attempt(lesson::Attempt<FourWarps>& attempt) {
  const int M = attempt.size()[0], N = attempt.size()[1], K = attempt.size()[2];
  const std::vector<float> a = checks::input(static_cast<std::size_t>(M) * K, 12);
  const std::vector<float> b = checks::input(static_cast<std::size_t>(N) * K, 13);
  const __half* device_a = attempt.input("a", checks::as_half(a));
  const __half* device_b = attempt.input("b", checks::as_half(b));
  // Every product and every sum of these numbers is exact.
  float* c = attempt.output(
      "c", lesson::product_reference(a, b, M, N, K, lesson::SecondMatrix::transposed), {}, N);
  attempt.slips(lesson::transposed_slips(a, b, M, N, K, lesson::SecondMatrix::transposed));
  attempt.launch({.grid = {blocks(N), blocks(M)}, .block = 128}, device_a, device_b, c, M, N, K);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{64, 64, 128};
  // Of 32 in k, by the four warps of four blocks.
  const double steps = 4 * 4 * (128.0 / tile);
  return lesson::check_exercise<FourWarps>(
      argc, argv,
      {.kernel = "four_warps",
       .sizes = {{33, 31, 64}, {1, 1, 32}, {40, 70, 512}, {32, 32, 96}, last},
       .budget = 100'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch06_tensor_cores/README.md, \"Copies in flight: cp.async\"",
       .gates = {{.name = "products",
                  .what = "products on tensor cores for each step of a warp",
                  .measure = lesson::Measure::matrix_products,
                  .per = steps,
                  .at_least = 4,
                  .at_most = 4},
                 {.name = "requests",
                  .what = "shared load requests for each step of a warp",
                  .access = "shared load",
                  .measure = lesson::Measure::requests,
                  .per = steps,
                  .at_least = 4,
                  .at_most = 4,
                  .announced = "each part loaded once"},
                 {.name = "overlap",
                  .what = "shared load requests of these while the next copy is in flight",
                  .access = "shared load",
                  .measure = lesson::Measure::during_copies,
                  .per = steps,
                  .at_least = 3,
                  .mistake = "waits_for_all"},
                 {.name = "staging",
                  .what = "store requests to shared memory",
                  .access = "shared store",
                  .at_most = 0},
                 {.name = "threads",
                  .what = "threads that store elements of c",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = 4.0 * 128,
                  .array = "c"}},
       .beyond = {{20001, 1, 32}, {1, 20001, 32}, {2, 1, 65568}},
       .full = {1024, 1024, 1024},
       .needs =
           [](const lesson::Size& size) {
             return lesson::Needs{.flops = 2.0 * size.elements(), .tensor_cores = true};
           }},
      attempt);
}
