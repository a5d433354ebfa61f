/// \file
/// Checks exercise 03_residual_in_place: a gated residual, added in place and normalised.
#include <cmath>
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param before, added rows * columns, gain columns. @param[out] x, n as before.
using AddAndNormalise = void(const float* before, const float* added, const float* gain, float* x,
                             float* n, int rows, int columns, float epsilon);

void attempt(lesson::Session<AddAndNormalise>& session) {
  const int rows = session.size()[0], columns = session.size()[1];
  // 10^-5 or 10^-12, as models have them.
  const float epsilon = session.size()[2] == 5 ? 1e-5F : 1e-12F;
  const std::size_t count = std::size_t{1} * rows * columns;
  std::vector<float> before = lesson::uniform_numbers(count, 81);
  std::vector<float> added = lesson::uniform_numbers(count, 82);
  std::vector<float> gain = lesson::uniform_numbers(columns, 83);
  for (float& value : gain) value = value / 4 + 0.5F;
  // Multiples of 2^-10 around 3, whose sums are exact; a variance of some 1e-6.
  for (int row = 1; row < rows; row += 3) {
    for (int c = 0; c < columns; ++c) {
      const std::size_t i = std::size_t{1} * row * columns + c;
      before[i] = 3 + std::round(2 * before[i]) * 0x1p-10F;
      added[i] = 0;
    }
  }
  std::vector<double> x(count), n(count);
  for (std::size_t begin = 0; begin < count; begin += columns) {
    double sum = 0, squares = 0;
    for (int c = 0; c < columns; ++c) {
      x[begin + c] = std::fma(gain[c], added[begin + c], before[begin + c]);
      sum += x[begin + c];
    }
    const double mean = sum / columns;
    for (int c = 0; c < columns; ++c) squares += std::pow(x[begin + c] - mean, 2);
    const double deviation = std::sqrt(squares / columns + epsilon);
    for (int c = 0; c < columns; ++c) n[begin + c] = (x[begin + c] - mean) / deviation;
  }
  float* out_x = session.output(x, {.absolute = 2e-7, .relative = 2e-7}, columns);
  // In a flat row the mean is off by 2^-23, a ten-thousandth of the deviation.
  float* out_n = session.output(n, {.absolute = 5e-4, .relative = 1e-4}, columns);
  session.call(session.input(before), session.input(added), session.input(gain), out_x, out_n, rows,
               columns, epsilon);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{40, 256, 5};
  const double rows = last[0];
  return lesson::check_program<AddAndNormalise>(
      argc, argv,
      {.function = "add_and_normalise",
       .sizes = {{2, 4, 5}, {7, 36, 12}, {5, 132, 5}, {3, 768, 12}, {9, 1024, 5}, last},
       .budget = 20'000'000,
       .lesson = "chapters/ch08_transformer/README.md, \"Fusions\"",
       .gates = {{.name = "requests",
                  .what = "load requests per row of 256 floats",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = rows,
                  .at_least = 6,
                  .at_most = 6.1,
                  .mistake = "one_float"},
                 {.name = "sectors",
                  .what = "sectors loaded per row of 256 floats",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 96,
                  .at_most = 97,
                  .mistake = "read_again"},
                 {.name = "stores",
                  .what = "sectors stored per row of 256 floats",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 64,
                  .at_most = 64,
                  .announced = "x and n are stored once"},
                 {.name = "workers",
                  .what = "threads that store",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = rows * 32}}},
      attempt);
}
