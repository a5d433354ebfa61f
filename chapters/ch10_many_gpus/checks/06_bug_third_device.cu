/// \file
/// Checks exercise 06_bug_third_device: an all-gather around a ring.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param x count floats. @param[out] y n rows of count floats, the squares.
using AllGather = void(const float* x, float* y, int n, int count);

constexpr int last_devices = 4, last_count = 10'007;

void attempt(lesson::Session<AllGather>& session) {
  const int n = session.size()[0];
  const int count = session.size()[1];
  const std::vector<float> x = lesson::whole_numbers(count, 8, 20 + n);
  std::vector<double> y;
  for (int d = 0; d < n; ++d) {
    for (const float one : x) y.push_back(static_cast<double>(one) * one);
  }
  float* out = session.output(y, {}, count);
  session.call(session.input(x), out, n, count);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int steps = last_devices - 1;
  return lesson::check_program<AllGather>(
      argc, argv,
      {.function = "all_gather",
       .sizes = {{3, 2}, {3, 1001}, {4, 3}, {4, 4}, {last_devices, last_count}},
       .budget = 10'000'000,
       .lesson = "chapters/ch10_many_gpus/README.md, \"The ring\"",
       .gates =
           {{.name = "peer",
             .what = "bytes between devices, per step and byte of the array",
             .measure = lesson::Measure::peer_bytes,
             .per = 4.0 * last_count * steps,
             .at_least = 1,
             .at_most = 1,
             .mistake = "over_the_host",
             .announced = "each chunk reaches each other device once, directly"},
            {.name = "chain",
             .what =
                 "operations on the longest chain: a fill, copy in, kernel, a copy per step, copy "
                 "out",
             .measure = lesson::Measure::longest_chain,
             .at_least = 4,
             .at_most = 4 + steps,
             .mistake = "device_after_device",
             .announced = "all devices send at the same time"},
            lesson::waits_gate({.at_most = 2 * last_devices,
                                .mistake = "host_waits",
                                .announced = "the host waits for each device once, at the end",
                                .after_fills = "half of them"})},
       .author_test = {{2, 1}, {2, 31}, {2, 1000}},
       .gpus = last_devices},
      attempt);
}
