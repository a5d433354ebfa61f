/// \file
/// Checks exercise 05_new_argument: one instantiated graph, another scalar for each launch.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param x n floats. @param[out] end n floats. @param rates `runs` floats.
using LeakySums = void(const float* x, float* end, int n, const float* rates, int runs);

void attempt(lesson::Session<LeakySums>& session) {
  const int n = session.size()[0];
  const int runs = session.size()[1];
  const auto first = static_cast<int>(lesson::seeded(0) % 1009);
  std::vector<float> x = lesson::numbers_in_turn(n);
  std::vector<float> rates(runs);
  std::vector<double> end(n);
  for (float& number : x) number += 1;
  for (int run = 0; run < runs; ++run) {
    // No two neighbours are alike, and the last one is like no other.
    rates[run] = 0.5F + 0.0625F * static_cast<float>((first + 3 * run) % 7);
    if (run == runs - 1) rates[run] = 0.25F;
    for (int i = 0; i < n; ++i) end[i] = rates[run] * end[i] + x[i];
  }
  float* out = session.output(end, {.relative = 1e-5});
  session.call(session.input(x), out, n, session.input(rates), runs);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int runs = 40;
  return lesson::check_program<LeakySums>(
      argc, argv,
      {.function = "leaky_sums",
       .sizes = {{1, 1}, {31, 2}, {257, 3}, {1000, runs}},
       .budget = 10'000'000,
       .lesson = "chapters/ch09_streams_and_graphs/README.md, \"The price of a launch\"",
       .gates = {{.name = "instances",
                  .what = "graphs instantiated for 40 runs",
                  .measure = lesson::Measure::instantiations,
                  .at_most = 1,
                  .mistake = "instantiated_each_time",
                  .announced = "one graph is instantiated"},
                 {.name = "graphs",
                  .what = "launches of graphs for 40 runs",
                  .measure = lesson::Measure::graph_launches,
                  .at_least = runs,
                  .mistake = "plain_launches",
                  .announced = "every run is the launch of a graph"},
                 {.name = "calls",
                  .what = "launches by the host for 40 runs, where a graph is one",
                  .measure = lesson::Measure::launch_calls,
                  .at_most = runs,
                  .mistake = "plain_launches",
                  .announced = "no other launches by the host"},
                 lesson::waits_gate({.at_most = 4,
                                     .mistake = "waits_for_each_run",
                                     .announced = "the host does not wait between runs"})}},
      attempt);
}
