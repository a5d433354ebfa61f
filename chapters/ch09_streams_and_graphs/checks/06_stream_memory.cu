/// \file
/// Checks exercise 06_stream_memory: a temporary array per piece, in the order of its stream.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param x n floats. @param[out] y n floats, (x * x + 1) / 2.
using HalfSquares = void(const float* x, float* y, int n, int pieces, int streams);

void attempt(lesson::Session<HalfSquares>& session) {
  const int n = session.size()[0];
  const std::vector<float> x = lesson::numbers_in_turn(n);
  std::vector<double> y(n);
  for (int i = 0; i < n; ++i) y[i] = (static_cast<double>(x[i]) * x[i] + 1) / 2;
  float* out = session.output(y, {});
  session.call(session.input(x), out, n, session.size()[1], session.size()[2]);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int pieces = 12, streams = 3;
  return lesson::check_program<HalfSquares>(
      argc, argv,
      {.function = "half_squares",
       .sizes = {{1, 1, 1}, {5, 2, 2}, {1003, 7, 3}, {20'011, pieces, streams}},
       .budget = 10'000'000,
       .lesson = "chapters/ch09_streams_and_graphs/README.md, \"Memory in stream order\"",
       .gates = {{.name = "allocations",
                  .what = "calls like cudaMalloc and cudaFree while the device had work",
                  .measure = lesson::Measure::allocations_in_flight,
                  .at_most = 0,
                  .mistake = "malloc_in_the_loop",
                  .announced = "no cudaMalloc or cudaFree while the device works"},
                 {.name = "chain",
                  .what = "operations on the longest chain, for 12 pieces in 3 streams",
                  .measure = lesson::Measure::longest_chain,
                  .at_least = 2,
                  .at_most = 2.0 * pieces / streams + 2,
                  .mistake = "waits_before_it_frees",
                  .announced = "pieces of different streams do not wait for each other"}}},
      attempt);
}
