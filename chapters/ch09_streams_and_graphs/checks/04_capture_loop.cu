/// \file
/// Checks exercise 04_capture_loop: steps of two small kernels, launched as a graph.
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param[out] bar n floats, after `steps`. @param start n floats.
using Heat = void(float* bar, const float* start, int n, int steps);

void attempt(lesson::Session<Heat>& session) {
  const int n = session.size()[0];
  const int steps = session.size()[1];
  const std::vector<float> start = lesson::uniform_numbers(n, 4);
  std::vector<double> from(start.begin(), start.end());
  std::vector<double> to(n);
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < n; ++i) {
      const double left = from[i == 0 ? 0 : i - 1];
      const double right = from[i == n - 1 ? i : i + 1];
      to[i] = from[i] + (left - 2 * from[i] + right) / 4 + 1.0 / n;
    }
    std::swap(from, to);
  }
  float* bar = session.output(from, {.absolute = 1e-4, .relative = 1e-5});
  session.call(bar, session.input(start), n, steps);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int steps = 57;
  return lesson::check_program<Heat>(
      argc, argv,
      {.function = "heat",
       .sizes = {{1, 1}, {31, 1}, {33, 2}, {300, 8}, {1000, steps}},
       .budget = 10'000'000,
       .lesson = "chapters/ch09_streams_and_graphs/README.md, \"The price of a launch\"",
       .gates = {{.name = "calls",
                  .what = "launches by the host for 57 steps, where a graph is one",
                  .measure = lesson::Measure::launch_calls,
                  .at_most = steps / 2 + 2,
                  .mistake = "plain_launches",
                  .announced = "few launches by the host"},
                 {.name = "graphs",
                  .what = "launches of graphs",
                  .measure = lesson::Measure::graph_launches,
                  .at_least = 1,
                  .mistake = "plain_launches",
                  .announced = "the steps are launched as a graph"},
                 {.name = "instances",
                  .what = "graphs instantiated",
                  .measure = lesson::Measure::instantiations,
                  .at_most = 2,
                  .mistake = "instantiated_each_time",
                  .announced = "at most two graphs are instantiated"},
                 lesson::waits_gate({.at_most = 3,
                                     .mistake = "waits_for_each_launch",
                                     .announced = "the host does not wait between launches"})}},
      attempt);
}
