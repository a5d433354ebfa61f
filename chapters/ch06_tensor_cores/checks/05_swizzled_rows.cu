/// \file
/// Checks exercise 05_swizzled_rows: where a chunk of 16 bytes of a tile is stored, and found
/// again.
#include <vector>

#include "check/exercise.h"
#include "half_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// a M x K, b 8 x K halfs, c M x 8 floats, row-major, device. @pre K is a multiple of 32; blocks of
/// 32 threads, one for each 32 rows of a.
using SwizzledRows = void(const __half* a, const __half* b, float* c, int M, int K);

constexpr int rows = 32;
constexpr int columns = 8;

/// Size: M, K.
void attempt(lesson::Attempt<SwizzledRows>& attempt) {
  const int M = attempt.size()[0], K = attempt.size()[1];
  const std::vector<float> a = checks::input(static_cast<std::size_t>(M) * K, 9);
  const std::vector<float> b = checks::input(static_cast<std::size_t>(columns) * K, 10);
  const __half* device_a = attempt.input("a", checks::as_half(a));
  const __half* device_b = attempt.input("b", checks::as_half(b));
  // Every product and every sum of these numbers is exact.
  float* c = attempt.output(
      "c", lesson::product_reference(a, b, M, columns, K, lesson::SecondMatrix::transposed), {},
      columns);
  attempt.slips(lesson::transposed_slips(a, b, M, columns, K, lesson::SecondMatrix::transposed));
  attempt.launch({.grid = (M + rows - 1) / rows, .block = 32}, device_a, device_b, c, M, K);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{64, 128};
  const double steps = 2 * (128.0 / 32);  // Of 32 in k, for 32 rows.
  return lesson::check_exercise<SwizzledRows>(
      argc, argv,
      {.kernel = "swizzled_rows",
       .sizes = {{31, 96}, {1, 32}, {32, 64}, {100, 4096}, last},
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch06_tensor_cores/README.md, \"Chunks change places\"",
       .gates = {{.name = "wavefronts",
                  .what = "wavefronts for each ldmatrix of four matrices",
                  .access = "shared load",
                  .measure = lesson::Measure::wavefronts,
                  .per = 5 * steps,
                  .at_least = 4,
                  .at_most = 4,
                  .mistake = "as_it_is",
                  .announced = "no bank conflicts"},
                 {.name = "stores",
                  .what = "wavefronts for each 16-byte store of a warp",
                  .access = "shared store",
                  .measure = lesson::Measure::wavefronts,
                  .per = 5 * steps,
                  .at_least = 4,
                  .at_most = 4},
                 {.name = "products",
                  .what = "products on tensor cores for each step of 32 in k",
                  .measure = lesson::Measure::matrix_products,
                  .per = steps,
                  .at_least = 4,
                  .at_most = 4},
                 {.name = "threads",
                  .what = "threads that store elements of c",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last[0]),
                  .array = "c"}},
       .beyond = {{20001, 32}},
       .full = {1 << 17, 256}},
      attempt);
}
