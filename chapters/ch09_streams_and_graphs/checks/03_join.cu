/// \file
/// Checks exercise 03_join: two kernels in two streams, and one that needs both results.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param x batches * n floats. @param[out] y as many.
using Normalise = void(const float* x, float* y, int batches, int n);

void attempt(lesson::Session<Normalise>& session) {
  const int batches = session.size()[0];
  const int n = session.size()[1];
  std::vector<float> x = lesson::uniform_numbers(static_cast<std::size_t>(batches) * n, 9);
  std::vector<double> y(x.size());
  for (int batch = 0; batch < batches; ++batch) {
    double sum = 0;
    double largest = 0;
    for (int i = batch * n; i < (batch + 1) * n; ++i) {
      // Each batch has a scale of its own: the results of another one are wrong for it.
      x[i] = (x[i] + 2) * static_cast<float>(batch + 1);
      sum += x[i];
      largest = std::max(largest, std::fabs(static_cast<double>(x[i])));
    }
    for (int i = batch * n; i < (batch + 1) * n; ++i) y[i] = (x[i] - sum / n) / largest;
  }
  float* out = session.output(y, {.absolute = 1e-5});
  session.call(session.input(x), out, batches, n);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr double batches = 9;
  return lesson::check_program<Normalise>(
      argc, argv,
      {.function = "normalise",
       .sizes = {{1, 1}, {1, 31}, {2, 257}, {9, 1000}},
       .budget = 10'000'000,
       .lesson = "chapters/ch09_streams_and_graphs/README.md, \"Events\"",
       .gates = {{.name = "chain",
                  .what = "operations on the longest chain, per batch, but for the two fills",
                  .measure = lesson::Measure::longest_chain,
                  .per = batches,
                  .at_least = 4,
                  .at_most = (4 * batches + 4) / batches,
                  .mistake = "one_stream",
                  .announced = "the two searches may run side by side"},
                 lesson::waits_gate({.at_most = 2,
                                     .mistake = "host_waits",
                                     .announced = "the host does not wait between batches"})}},
      attempt);
}
