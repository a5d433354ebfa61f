/// \file
/// Checks exercise 04_flatten_3d: the first two dimensions of a tensor change places.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// Row-major, device: x is batches x rows x width, y rows x batches x width.
/// @pre blocks of (32, 4, 2) threads; enough of them for width, rows and batches, in this order.
using SwapFirstTwo = void(const float* x, float* y, int batches, int rows, int width);

void attempt(lesson::Attempt<SwapFirstTwo>& attempt) {
  const dim3 block(32, 4, 2);
  const int batches = attempt.size()[0];
  const int rows = attempt.size()[1];
  const int width = attempt.size()[2];
  const std::vector<float> host = lesson::uniform_numbers(attempt.size().elements());
  std::vector<double> expected(host.size());
  std::size_t from = 0;
  for (int b = 0; b < batches; ++b) {
    for (int n = 0; n < rows; ++n) {
      const std::size_t to = (static_cast<std::size_t>(n) * batches + b) * width;
      for (int d = 0; d < width; ++d) expected[to + d] = host[from++];
    }
  }
  const float* x = attempt.input("x", host);
  // Values are moved, not computed.
  float* y = attempt.output("y", expected, {}, static_cast<std::size_t>(batches) * width);
  const dim3 grid(lesson::ceil_div(width, 32), lesson::ceil_div(rows, 4),
                  lesson::ceil_div(batches, 2));
  attempt.launch({.grid = grid, .block = block}, x, y, batches, rows, width);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{4, 9, 64};
  // 64 floats are 8 sectors.
  const double lines = last[0] * last[1];
  const auto gate = [&](const char* name, const char* what, const char* access) {
    lesson::Gate result;
    result.name = name;
    result.what = what;
    result.access = access;
    result.measure = lesson::Measure::sectors;
    result.per = lines;
    result.at_least = 8;
    result.at_most = 8;
    result.mistake = "other_order";
    return result;
  };
  return lesson::check_exercise<SwapFirstTwo>(
      argc, argv,
      {.kernel = "swap_first_two",
       .sizes = {{2, 3, 5}, {3, 7, 33}, {5, 2, 31}, {1, 4, 40}, {7, 1, 3}, {1, 1, 1}, last},
       .budget = 20'000'000,
       .lesson = "chapters/ch01_programming_model/README.md, \"Threads, blocks, grid\"",
       .gates = {gate("sectors", "sectors loaded for each 64 floats", "global load"),
                 gate("stores", "sectors stored for each 64 floats", "global store"),
                 {.name = "threads",
                  .what = "threads that store an element",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last.elements()),
                  .mistake = "one_block",
                  .array = "y"}},
       .beyond = {{1030, 2, 3}, {2, 2050, 3}, {2, 3, 40009}},
       .full = {64, 2048, 256}},
      attempt);
}
