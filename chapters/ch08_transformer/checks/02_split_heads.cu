/// \file
/// Checks exercise 02_split_heads: queries, keys and values of a row per token, as matrices of
/// heads.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// qkv (B, T, 3, H, 64), split (3, B, H, T, 64), device, 16 aligned. @pre blocks of 128 threads, a
/// thread per four floats.
using SplitHeads = void(const float* qkv, float* split, int B, int T, int H);

constexpr int columns = 64;

void attempt(lesson::Attempt<SplitHeads>& attempt) {
  const int B = attempt.size()[0], T = attempt.size()[1], H = attempt.size()[2];
  // Each float is different, up to 2^24 of them.
  std::vector<float> qkv(std::size_t{3} * B * T * H * columns);
  const std::size_t first = 1 + lesson::seeded(0) % 4096;
  for (std::size_t i = 0; i < qkv.size(); ++i) qkv[i] = static_cast<float>(first + i);
  std::vector<double> expected;
  expected.reserve(qkv.size());
  for (int part = 0; part < 3; ++part) {
    for (int head = 0; head < B * H; ++head) {
      for (int t = 0; t < T; ++t) {
        const std::size_t token = std::size_t{1} * (head / H) * T + t;
        const float* from = &qkv[((3 * token + part) * H + head % H) * columns];
        expected.insert(expected.end(), from, from + columns);
      }
    }
  }
  const float* device_qkv = attempt.input("qkv", qkv);
  float* split = attempt.output("split", std::move(expected), {}, columns);
  const int threads = 3 * B * T * H * columns / 4;
  attempt.launch({.grid = lesson::ceil_div(threads, 128), .block = 128}, device_qkv, split, B, T,
                 H);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{2, 31, 5};
  const double pieces = 3 * static_cast<double>(last.elements());
  return lesson::check_exercise<SplitHeads>(
      argc, argv,
      {.kernel = "split_heads",
       .sizes = {{1, 1, 1}, {1, 5, 1}, {1, 1, 5}, {2, 3, 4}, {3, 33, 2}, last},
       .budget = 20'000'000,
       .far_budget = 1'000'000'000,
       .lesson = "chapters/ch08_transformer/README.md, \"Fusions\"",
       .gates = {{.name = "requests",
                  .what = "store requests per 128 floats",
                  .access = "global store",
                  .measure = lesson::Measure::requests,
                  .per = pieces / 2,
                  .at_least = 1,
                  .at_most = 1.05,
                  .mistake = "one_float"},
                 {.name = "sectors",
                  .what = "sectors loaded per 64 floats of a head",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = pieces,
                  .at_least = 8,
                  .at_most = 8.1,
                  .mistake = "tokens_side_by_side"},
                 {.name = "workers",
                  .what = "threads that store",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = pieces * 16,
                  .array = "split"}},
       .beyond = {{5003, 1, 1}, {1, 5003, 1}, {1, 2, 2501}},
       .full = {8, 1024, 12}},
      attempt);
}
