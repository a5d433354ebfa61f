/// \file
/// Checks exercise 02_pass_it_on: one step of the ring.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param x n rows of count floats. @param[out] y as many.
using PassItOn = void(const float* x, float* y, int n, int count);

constexpr int last_devices = 4, last_count = 4001;

/// Where chunk c of n begins. Chunks may be empty.
int chunk_begin(int c, int n, int count) {
  return static_cast<int>(static_cast<long long>(c) * count / n);
}

void attempt(lesson::Session<PassItOn>& session) {
  const int n = session.size()[0];
  const int count = session.size()[1];
  const std::vector<float> x = lesson::whole_numbers(n * count, 8, 20 + n);
  std::vector<double> y(x.begin(), x.end());
  for (int d = 0; d < n; ++d) {
    const int sender = (d + n - 1) % n;
    for (int i = chunk_begin(sender, n, count); i < chunk_begin(sender + 1, n, count); ++i) {
      y[d * count + i] += x[sender * count + i];
    }
  }
  float* out = session.output(y, {}, count);
  session.call(session.input(x), out, n, count);
}

}  // namespace

int main(int argc, char** argv) {
  return lesson::check_program<PassItOn>(
      argc, argv,
      {.function = "pass_it_on",
       .sizes = {{2, 1}, {2, 31}, {3, 2}, {3, 257}, {last_devices, 3}, {last_devices, last_count}},
       .budget = 10'000'000,
       .lesson = "chapters/ch10_many_gpus/README.md, \"The ring\"",
       .gates = {{.name = "peer",
                  .what = "bytes between devices, per byte of one array",
                  .measure = lesson::Measure::peer_bytes,
                  .per = 4.0 * last_count,
                  .at_least = 1,
                  .at_most = 1,
                  .mistake = "over_the_host",
                  .announced = "each device sends one chunk, directly"},
                 {.name = "chain",
                  .what =
                      "operations on the longest chain: two fills, copy in, copy, add, copy out",
                  .measure = lesson::Measure::longest_chain,
                  .at_least = 5,
                  .at_most = 6,
                  .mistake = "device_after_device",
                  .announced = "all devices send at the same time"},
                 lesson::waits_gate({.at_most = 2 * last_devices,
                                     .mistake = "host_waits",
                                     .announced = "the host waits for each device once, at the end",
                                     .after_fills = "half of them"})},
       .gpus = last_devices},
      attempt);
}
