/// \file
/// Checks exercise 07_class_position: a class token, patches, and positions.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// patches (B, T - 1, columns), first (columns), positions (T, columns), x (B, T, columns), device,
/// 16 aligned. @pre blocks of 128 threads, a thread per four floats of x.
using ClassPosition = void(const float* patches, const float* first, const float* positions,
                           float* x, int B, int T, int columns);

void attempt(lesson::Attempt<ClassPosition>& attempt) {
  const int B = attempt.size()[0], T = attempt.size()[1], columns = attempt.size()[2];
  const auto numbers = [columns](int rows, std::uint32_t seed) {
    return lesson::uniform_numbers(std::size_t{1} * rows * columns, seed);
  };
  const auto patches = numbers(B * (T - 1), 1), first = numbers(1, 2), positions = numbers(T, 3);
  std::vector<double> expected;
  for (int row = 0; row < B * T; ++row) {
    const int t = row % T, b = row / T;
    for (int c = 0; c < columns; ++c) {
      const float token =
          t == 0 ? first[c] : patches[(std::size_t{1} * b * (T - 1) + t - 1) * columns + c];
      expected.push_back(token + positions[std::size_t{1} * t * columns + c]);
    }
  }
  const float* of_patches = attempt.input("patches", patches);
  const float* of_first = attempt.input("first", first);
  const float* of_positions = attempt.input("positions", positions);
  float* x = attempt.output("x", std::move(expected), {}, columns);
  const int threads = B * T * columns / 4;
  attempt.launch({.grid = lesson::ceil_div(threads, 128), .block = 128}, of_patches, of_first,
                 of_positions, x, B, T, columns);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{5, 17, 192};
  const double packs = static_cast<double>(last.elements()) / 4;
  return lesson::check_exercise<ClassPosition>(
      argc, argv,
      {.kernel = "class_position",
       .sizes = {{1, 2, 4}, {2, 2, 4}, {3, 5, 36}, {1, 17, 64}, {2, 197, 12}, last},
       .budget = 20'000'000,
       .far_budget = 1'000'000'000,
       .lesson = "chapters/ch08_transformer/README.md, \"A picture is 197 words\"",
       .gates = {{.name = "requests",
                  .what = "load requests per 128 floats of x",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = packs / 32,
                  .at_least = 2,
                  .at_most = 2.5,
                  .mistake = "one_float"},
                 {.name = "workers",
                  .what = "threads that store",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = packs,
                  .array = "x"}},
       .beyond = {{70001, 2, 4}, {1, 70001, 4}, {1, 2, 270004}},
       .full = {128, 197, 768}},
      attempt);
}
