/// \file
/// Checks exercise 01_neighbours_memory: device 1 uses what device 0 has made.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param x n floats. @param[out] y n floats.
using TwicePlusOne = void(const float* x, float* y, int n);

constexpr int last = 100'003;

void attempt(lesson::Session<TwicePlusOne>& session) {
  const int n = session.size()[0];
  const std::vector<float> x = lesson::whole_numbers(n, 8, 21);
  std::vector<double> y(n);
  for (int i = 0; i < n; ++i) y[i] = 2 * x[i] + 1.0;
  float* out = session.output(y, {});
  session.call(session.input(x), out, n);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr double bytes = 4.0 * last;
  return lesson::check_program<TwicePlusOne>(
      argc, argv,
      {.function = "twice_plus_one",
       .sizes = {{1}, {31}, {257}, {last}},
       .budget = 100'000'000,
       .lesson = "chapters/ch10_many_gpus/README.md, \"Separate machines that share addresses\"",
       .gates = {{.name = "peer",
                  .what = "bytes that went from device to device directly, per byte of the array",
                  .measure = lesson::Measure::peer_bytes,
                  .per = bytes,
                  .at_least = 1,
                  .at_most = 1,
                  .mistake = "over_the_host",
                  .announced = "the array goes from device to device once, directly"},
                 lesson::waits_gate({.at_most = 3,
                                     .mistake = "host_waits",
                                     .announced = "the host waits once",
                                     .after_fills = "two of them"})},
       .gpus = 2},
      attempt);
}
