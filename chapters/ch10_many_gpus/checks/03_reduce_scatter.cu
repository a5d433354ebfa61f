/// \file
/// Checks exercise 03_reduce_scatter: the sums of each chunk, on one device each.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param x n rows of count floats. @param[out] y count sums.
using ReduceScatter = void(const float* x, float* y, int n, int count);

constexpr int last_devices = 4, last_count = 10'007;

void attempt(lesson::Session<ReduceScatter>& session) {
  const int n = session.size()[0];
  const int count = session.size()[1];
  const std::vector<float> x = lesson::whole_numbers(n * count, 8, 20 + n);
  std::vector<double> y(count);
  for (int d = 0; d < n; ++d) {
    for (int i = 0; i < count; ++i) y[i] += x[d * count + i];
  }
  float* out = session.output(y, {});
  session.call(session.input(x), out, n, count);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int steps = last_devices - 1;
  return lesson::check_program<ReduceScatter>(
      argc, argv,
      {.function = "reduce_scatter",
       .sizes = {{2, 1}, {2, 31}, {3, 2}, {3, 1001}, {4, 3}, {4, 4}, {last_devices, last_count}},
       .budget = 10'000'000,
       .lesson = "chapters/ch10_many_gpus/README.md, \"The ring\"",
       .gates = {{.name = "peer",
                  .what = "bytes between devices, per step and byte of one array",
                  .measure = lesson::Measure::peer_bytes,
                  .per = 4.0 * last_count * steps,
                  .at_least = 1,
                  .at_most = 1,
                  .mistake = "over_the_host",
                  .announced = "each device sends one chunk per step, directly"},
                 {.name = "chain",
                  .what =
                      "operations on the longest chain: two fills, copy in, copy and add per step, "
                      "copy out",
                  .measure = lesson::Measure::longest_chain,
                  .at_least = 4 + steps,
                  .at_most = 4 + 2 * steps,
                  .mistake = "device_after_device",
                  .announced = "all devices send at the same time"},
                 lesson::waits_gate({.at_most = 2 * last_devices,
                                     .mistake = "host_waits",
                                     .announced = "the host waits for each device once, at the end",
                                     .after_fills = "half of them"})},
       .gpus = last_devices},
      attempt);
}
