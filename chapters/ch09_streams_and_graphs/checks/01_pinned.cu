/// \file
/// Checks exercise 01_pinned: an array through page-locked memory to the device and back.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Pageable host memory. @param x n floats. @param[out] y n floats, a * x + b.
using LineOnDevice = void(const float* x, float* y, int n, float a, float b);

void attempt(lesson::Session<LineOnDevice>& session) {
  const int n = session.size()[0];
  const std::vector<float> x = lesson::numbers_in_turn(n);
  const float a = 3;
  const float b = static_cast<float>(static_cast<int>(x[0]) % 7) + 1;
  std::vector<double> y(n);
  for (int i = 0; i < n; ++i) y[i] = static_cast<double>(a) * x[i] + b;
  float* out = session.output(y, {});
  session.call(session.input(x), out, n, a, b);
}

}  // namespace

int main(int argc, char** argv) {
  // equal kernels_in_stream_0: the default stream waits for the copy in, and the copy out for it
  constexpr double last_bytes = 100'003 * sizeof(float);
  return lesson::check_program<LineOnDevice>(
      argc, argv,
      {.function = "line_on_device",
       .sizes = {{1}, {31}, {257}, {30'011}, {100'003}},
       .budget = 10'000'000,
       .lesson = "chapters/ch09_streams_and_graphs/README.md, \"Where host data waits\"",
       .gates = {{.name = "pinned",
                  .what = "bytes copied to the device from page-locked memory",
                  .measure = lesson::Measure::pinned_bytes_in,
                  .at_least = last_bytes,
                  .mistake = "pageable",
                  .announced = "the copies use page-locked memory"},
                 {.name = "back",
                  .what = "bytes copied from the device to page-locked memory",
                  .measure = lesson::Measure::pinned_bytes_out,
                  .at_least = last_bytes,
                  .mistake = "pageable_back",
                  .announced = "the copies use page-locked memory"},
                 lesson::waits_gate({.at_most = 1,
                                     .mistake = "waits_in_each_copy",
                                     .announced = "the host waits once"})}},
      attempt);
}
