/// \file
/// Checks exercise 05_halo: a row of cells in parts that need each other's ends.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param x count floats. @param[out] y count floats, after T steps on n devices.
using Smooth = void(const float* x, float* y, int n, int count, int T);

constexpr int last_devices = 4, last_steps = 5;

void attempt(lesson::Session<Smooth>& session) {
  const int n = session.size()[0];
  const int count = session.size()[1];
  const int T = session.size()[2];
  const std::vector<float> x = lesson::whole_numbers(count, 8, 20 + n);
  std::vector<double> y(x.begin(), x.end());
  for (int t = 0; t < T; ++t) {
    const std::vector<double> old = y;
    for (int i = 0; i < count; ++i) {
      const double left = i > 0 ? old[i - 1] : 0;
      const double right = i + 1 < count ? old[i + 1] : 0;
      y[i] = (left + 2 * old[i] + right) / 4;
    }
  }
  // A step is a division by 4: five of them are exact in float.
  float* out = session.output(y, {});
  session.call(session.input(x), out, n, count, T);
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::check_program<Smooth>(
      argc, argv,
      {.function = "smooth",
       .sizes = {{2, 2, 1}, {3, 3, 2}, {2, 97, 3}, {3, 257, 4}, {last_devices, 4003, last_steps}},
       .budget = 10'000'000,
       .lesson = "chapters/ch10_many_gpus/README.md, \"Halos\"",
       .gates = {{.name = "peer",
                  .what = "bytes between devices, per step and seam",
                  .measure = lesson::Measure::peer_bytes,
                  .per = (last_devices - 1.0) * last_steps,
                  .at_least = 8,
                  .at_most = 8,
                  .mistake = "over_the_host",
                  .announced = "two cells per step go over each seam, directly"},
                 {.name = "chain",
                  .what =
                      "operations on the longest chain, per step, but for two fills and the first "
                      "and last copies",
                  .measure = lesson::Measure::longest_chain,
                  .per = last_steps,
                  .at_least = 1,
                  .at_most = (3.0 * last_steps + 4) / last_steps,
                  .mistake = "device_after_device",
                  .announced = "all devices do a step at the same time"},
                 lesson::waits_gate({.at_most = 2 * last_devices,
                                     .mistake = "host_waits",
                                     .announced = "the host waits for each device once, at the end",
                                     .after_fills = "half of them"})},
       .gpus = last_devices},
      attempt);
}
