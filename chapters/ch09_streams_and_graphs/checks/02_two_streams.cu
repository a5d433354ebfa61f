/// \file
/// Checks exercise 02_two_streams: an array in pieces, each in the next of several streams.
#include <vector>

#include "base/numbers.h"
#include "check/program.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param x n floats. @param[out] y n floats, 3 x + 1.
using LineInPieces = void(const float* x, float* y, int n, int pieces, int streams);

void attempt(lesson::Session<LineInPieces>& session) {
  const int n = session.size()[0];
  const std::vector<float> x = lesson::numbers_in_turn(n);
  std::vector<double> y(n);
  for (int i = 0; i < n; ++i) y[i] = 3.0 * x[i] + 1;
  float* out = session.output(y, {});
  session.call(session.input(x), out, n, session.size()[1], session.size()[2]);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int pieces = 16, streams = 4;
  return lesson::check_program<LineInPieces>(
      argc, argv,
      {.function = "line_in_pieces",
       .sizes = {{1, 1, 1}, {5, 2, 2}, {1003, 7, 3}, {10'007, 8, 2}, {50'003, pieces, streams}},
       .budget = 10'000'000,
       .lesson = "chapters/ch09_streams_and_graphs/README.md, \"A stream is an order\"",
       .gates = {{.name = "chain",
                  .what = "operations on the longest chain, for 16 pieces in 4 streams",
                  .measure = lesson::Measure::longest_chain,
                  .at_least = 3,
                  .at_most = 3.0 * pieces / streams,
                  .mistake = "one_stream",
                  .announced = "no piece waits for one of another stream"},
                 {.name = "overlaps",
                  .what = "copies from or to page-locked memory that may overlap a kernel",
                  .measure = lesson::Measure::overlaps,
                  .at_least = 2.0 * pieces,
                  .mistake = "one_stream",
                  .announced = "every copy may overlap a kernel"},
                 lesson::waits_gate({.at_most = 1,
                                     .mistake = "waits_in_the_loop",
                                     .announced = "the host waits once"})}},
      attempt);
}
