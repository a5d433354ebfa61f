/// \file
/// Checks exercise 06_two_stages: pieces of 512 floats turned around, by copies in two stages.
#include <vector>

#include "check/exercise.h"
#include "half_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// x and y pieces * 512 floats, device. @pre blocks of 128 threads, a quarter as many as pieces.
using TwoStages = void(const float* x, float* y, int pieces);

constexpr int piece = 512;

void attempt(lesson::Attempt<TwoStages>& attempt) {
  const int pieces = attempt.size()[0];
  // Each number is different.
  std::vector<float> host(static_cast<std::size_t>(pieces) * piece);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i + 1);
  std::vector<double> expected(host.size());
  for (std::size_t i = 0; i < host.size(); ++i) {
    const std::size_t begin = i / piece * piece;
    expected[i] = host[begin + piece - 1 - (i - begin)];
  }
  const float* x = attempt.input("x", host);
  float* y = attempt.output("y", expected, {}, piece);
  attempt.launch({.grid = (pieces + 3) / 4, .block = 128}, x, y, pieces);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{32};
  const double pieces = last[0];
  return lesson::check_exercise<TwoStages>(
      argc, argv,
      {.kernel = "two_stages",
       .sizes = {{1}, {2}, {3}, {5}, {13}, last},
       // A piece is not an element, but 512 of them: the tenth is for few pieces.
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch06_tensor_cores/README.md, \"Copies in flight: cp.async\"",
       .gates = {{.name = "staging",
                  .what = "store requests to shared memory for each piece",
                  .access = "shared store",
                  .measure = lesson::Measure::requests,
                  .per = pieces,
                  .at_most = 0,
                  .mistake = "through_registers"},
                 {.name = "loads",
                  .what = "load requests of shared memory for each piece",
                  .access = "shared load",
                  .measure = lesson::Measure::requests,
                  .per = pieces,
                  .at_least = 4,
                  .at_most = 16},
                 // Three pieces of four have a next one; the fewest loads are of 16 bytes.
                 {.name = "overlap",
                  .what = "loads of shared memory for each piece while another is in flight",
                  .access = "shared load",
                  .measure = lesson::Measure::during_copies,
                  .per = pieces,
                  .at_least = 3,
                  .mistake = "waits_for_all"},
                 {.name = "workers",
                  .what = "warps that store their part of a piece",
                  .access = "global store",
                  .measure = lesson::Measure::warps,
                  .at_least = pieces / 4 * 4,
                  .array = "y"}},
       .beyond = {{1201}},
       .full = {1 << 16}},
      attempt);
}
