/// \file
/// Checks exercise 09_bug_arrivals: bulk copies whose stages are given back by arrivals.
#include <vector>

#include "check/exercise.h"
#include "half_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// x and y pieces * 512 floats, device. @pre blocks of 128 threads, as many blocks as the size
/// says.
using Arrivals = void(const float* x, float* y, int pieces);

constexpr int piece = 512;

void attempt(lesson::Attempt<Arrivals>& attempt) {
  const int pieces = attempt.size()[0];
  const std::vector<float> x = checks::input(static_cast<std::size_t>(pieces) * piece, 11);
  std::vector<double> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t begin = i / piece * piece;
    expected[i] = double{x[i]} - x[begin + piece - 1 - (i - begin)];
  }
  const float* device_x = attempt.input("x", x);
  float* y = attempt.output("y", expected, {.absolute = 0x1p-149}, piece);
  attempt.launch({.grid = attempt.size()[1], .block = 128}, device_x, y, pieces);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{64, 8};
  const double pieces = last[0];
  return lesson::check_exercise<Arrivals>(
      argc, argv,
      {.kernel = "pieces_by_arrivals",
       .sizes = {{5, 1}, {12, 2}, {13, 3}, {3, 1}, last},
       // A piece is not an element, but 512 of them: the tenth is for few pieces.
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch06_tensor_cores/README.md, \"One thread copies: tensor maps\"",
       .gates = {{.name = "loads",
                  .what = "load requests of global memory",
                  .access = "global load",
                  .at_most = 0,
                  .mistake = "plain_loads",
                  .announced = "no loads of global memory"},
                 {.name = "staging",
                  .what = "store requests to shared memory",
                  .access = "shared store",
                  .at_most = 0},
                 // Counted are loads by the warp that copies, or, where that one loads nothing, by
                 // all: at least two for each piece. One piece in four or more has no next one.
                 {.name = "overlap",
                  .what = "loads for each piece while the next one is in flight",
                  .access = "shared load",
                  .measure = lesson::Measure::during_copies,
                  .per = pieces,
                  .at_least = 0.75,
                  .mistake = "next_after_reading"},
                 {.name = "barriers",
                  .what = "barriers of whole blocks that warps reach",
                  .measure = lesson::Measure::barriers,
                  .at_most = 4.0 * last[1],
                  .mistake = "block_barrier",
                  .announced = "one barrier of the whole block"},
                 {.name = "workers",
                  .what = "warps that store their part of a piece, three of a block or more",
                  .access = "global store",
                  .measure = lesson::Measure::warps,
                  .at_least = 3.0 * last[1],
                  .array = "y",
                  .announced = "three warps of a block work, or four"}},
       .author_test = {{1, 1}, {2, 2}, {4, 2}},
       .beyond = {{1201, 7}},
       .full = {1 << 16, 1056}},
      attempt);
}
