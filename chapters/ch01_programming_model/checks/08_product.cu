/// \file
/// Checks exercise 08_product: a linear layer whose weights are stored by rows.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"
#include "lesson/compare/product_reference.h"

namespace lesson = warpwise::lesson;

namespace {

/// Row-major, device: x is rows x inner, w columns x inner, bias columns, y rows x columns.
/// @pre blocks of (16, 8) threads; enough of them for columns in x and rows in y.
using Linear = void(const float* x, const float* w, const float* bias, float* y, int rows,
                    int inner, int columns);

void attempt(lesson::Attempt<Linear>& attempt) {
  const int rows = attempt.size()[0];
  const int inner = attempt.size()[1];
  const int columns = attempt.size()[2];
  const auto count = [](int a, int b) { return static_cast<std::size_t>(a) * b; };
  const std::vector<float> x_host = lesson::uniform_numbers(count(rows, inner), 1);
  const std::vector<float> w_host = lesson::uniform_numbers(count(columns, inner), 2);
  const std::vector<float> bias_host = lesson::uniform_numbers(columns, 3);
  std::vector<double> expected = lesson::product_reference(x_host, w_host, rows, columns, inner,
                                                           lesson::SecondMatrix::transposed);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += bias_host[i % columns];
  const float* x = attempt.input("x", x_host);
  const float* w = attempt.input("w", w_host);
  const float* bias = attempt.input("bias", bias_host);
  // Products of numbers below 1 in any order: a hundred of them, and 2100 at one size.
  float* y = attempt.output("y", expected, {.absolute = inner <= 100 ? 2e-5 : 1e-3}, columns);
  attempt.slips(lesson::transposed_slips(
      x_host, w_host, rows, columns, inner, lesson::SecondMatrix::transposed,
      [=](double sum, std::size_t i) { return sum + bias_host[i % columns]; }));
  const dim3 grid(lesson::ceil_div(columns, 16), lesson::ceil_div(rows, 8));
  attempt.launch({.grid = grid, .block = {16, 8}}, x, w, bias, y, rows, inner, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{32, 64, 48};
  // A warp of 16 x 2 threads stores two rows of 16 floats, two sectors each.
  const double rows = last[0];
  return lesson::check_exercise<Linear>(
      argc, argv,
      {.kernel = "linear",
       .sizes = {{3, 5, 7}, {17, 33, 15}, {16, 100, 16}, {31, 7, 40}, {33, 1, 1}, {1, 1, 1}, last},
       .budget = 50'000'000,
       .lesson = "chapters/ch01_programming_model/README.md, \"The ladder\"",
       .gates = {{.name = "stores",
                  .what = "sectors stored for each row of 48 floats",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 6,
                  .at_most = 6,
                  .mistake = "one_column"},
                 {.name = "threads",
                  .what = "threads that store an element",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = rows * last[2],
                  .mistake = "one_block",
                  .array = "y"}},
       .beyond = {{3, 2100, 5}, {40009, 3, 2}, {3, 2, 40009}},
       .full = {1024, 1024, 1024},
       .needs =
           [](const lesson::Size& size) { return lesson::Needs{.flops = 2.0 * size.elements()}; }},
      attempt);
}
