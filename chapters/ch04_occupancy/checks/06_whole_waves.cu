/// \file
/// Checks exercise 06_whole_waves: a grid that is one full wave, whatever an SM holds.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param x n floats. @param[out] y n floats. @param bytes of shared memory that each
/// block reserves.
using ScaleOnDevice = void(const float* x, float* y, int n, int bytes);

/// Size: n, reserved bytes.
void attempt(lesson::Session<ScaleOnDevice>& session) {
  const int n = session.size()[0], bytes = session.size()[1];
  const std::vector<float> x = lesson::uniform_numbers(n, 43);
  std::vector<double> y(n);
  for (int i = 0; i < n; ++i) y[i] = 3 * double{x[i]};
  float* out = session.output(y, {.absolute = 0x1p-149, .relative = 0x1p-24});
  session.call(session.input(x), out, n, bytes);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{1'000'003, 24'000};
  return lesson::check_program<ScaleOnDevice>(
      argc, argv,
      {.function = "scale_on_device",
       .sizes = {{1, 24'000},
                 {191, 16},
                 {193, 24'000},
                 {100'000, 24'000},
                 {300'001, 48'000},
                 {1'000'003, 8'000},
                 last},
       .budget = 200'000'000,
       .lesson = "chapters/ch04_occupancy/README.md, \"Waves\"",
       .gates = {{.name = "waves",
                  .what = "waves of the fullest launch",
                  .measure = lesson::Measure::waves,
                  .at_least = 0.99,
                  .at_most = 1,
                  .mistake = "block_per_192",
                  .announced = "one full wave, and never more"},
                 {.name = "stores",
                  .what = "sectors stored for each 8 numbers",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = last[0] / 8.0,
                  .at_least = 0.99,
                  .at_most = 1.01}}},
      attempt);
}
