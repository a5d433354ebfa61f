/// \file
/// Checks exercise 04_replayed_position: a captured step of a decoder, replayed.
#include <cmath>
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param[out] cache `steps` floats. @param[out] last a float.
using Generate = void(int first, int steps, float* cache, float* last);

void attempt(lesson::Session<Generate>& session) {
  const int steps = session.size()[0];
  const int first = static_cast<int>((session.size()[1] + lesson::seeded(0) % 1009) % 1009);
  std::vector<double> cache;
  double token = first;
  for (int step = 0; step < steps; ++step) {
    cache.push_back(token);
    // At most 64 tokens below 1009: below 2^24, so that floats are exact in any order.
    double sum = 17;
    for (int i = 0; i <= step; ++i) sum += (i + 1) * cache[i];
    token = std::fmod(sum, 1009);
  }
  float* out = session.output(cache, {});
  float* last = session.output({token}, {});
  session.call(first, steps, out, last);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int steps = 61;
  return lesson::check_program<Generate>(
      argc, argv,
      {.function = "generate",
       .sizes = {{2, 5}, {3, 900}, {1, 17}, {33, 1}, {steps, 64}},
       .budget = 10'000'000,
       .lesson = "chapters/ch08_transformer/README.md, \"One graph\"",
       .gates = {{.name = "instances",
                  .what = "graphs instantiated for 61 steps",
                  .measure = lesson::Measure::instantiations,
                  .at_most = 1,
                  .mistake = "captured_each_time",
                  .announced = "one graph is instantiated"},
                 {.name = "graphs",
                  .what = "launches of graphs for 61 steps",
                  .measure = lesson::Measure::graph_launches,
                  .at_least = steps,
                  .mistake = "plain_launches",
                  .announced = "every step is the launch of a graph"},
                 {.name = "calls",
                  .what = "launches by the host for 61 steps, where a graph is one",
                  .measure = lesson::Measure::launch_calls,
                  .at_most = steps + 1,
                  .mistake = "plain_launches",
                  .announced = "no other launches by the host"},
                 lesson::waits_gate({.at_most = 8,
                                     .mistake = "waits_for_each_step",
                                     .announced = "the host does not wait between steps"})},
       .author_test = {{1, 5}, {1, 700}}},
      attempt);
}
