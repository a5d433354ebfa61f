/// \file
/// Checks exercise 06_append_cache: keys and values of tokens to the slots of a cache.
#include <algorithm>
#include <numeric>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// qkv (tokens, 3, H, 64), slot (tokens), cache (2, H, tokens, 64), device, 16 aligned. @pre blocks
/// of 128 threads, a thread per four floats of the cache.
using AppendCache = void(const float* qkv, const int* slot, float* cache, int tokens, int H);

constexpr int columns = 64;

/// Each slot once, in an order of no pattern.
std::vector<int> slots(int tokens) {
  std::vector<int> slot(tokens);
  std::iota(slot.begin(), slot.end(), 0);
  for (int i = tokens - 1; i > 0; --i) {
    std::swap(slot[i], slot[lesson::uniform_indices(1, i + 1, 60 + i)[0]]);
  }
  return slot;
}

void attempt(lesson::Attempt<AppendCache>& attempt) {
  const int tokens = attempt.size()[0], H = attempt.size()[1];
  // Each float is different, up to 2^24 of them.
  std::vector<float> qkv(std::size_t{3} * tokens * H * columns);
  const std::size_t first = 1 + lesson::seeded(0) % 4096;
  for (std::size_t i = 0; i < qkv.size(); ++i) qkv[i] = static_cast<float>(first + i);
  const std::vector<int> slot = slots(tokens);
  std::vector<double> expected(std::size_t{2} * tokens * H * columns);
  for (int token = 0; token < tokens; ++token) {
    for (int part = 0; part < 2; ++part) {
      for (int h = 0; h < H; ++h) {
        const std::size_t from = ((std::size_t{3} * token + part + 1) * H + h) * columns;
        const std::size_t to = ((std::size_t{1} * part * H + h) * tokens + slot[token]) * columns;
        for (int i = 0; i < columns; ++i) expected[to + i] = qkv[from + i];
      }
    }
  }
  const float* device_qkv = attempt.input("qkv", qkv);
  const int* device_slot = attempt.input("slot", slot);
  float* cache = attempt.output("cache", expected, {}, columns);
  const int threads = tokens * 2 * H * columns / 4;
  attempt.launch({.grid = lesson::ceil_div(threads, 128), .block = 128}, device_qkv, device_slot,
                 cache, tokens, H);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{61, 3};
  const double rows = 2.0 * last[0] * last[1];
  return lesson::check_exercise<AppendCache>(
      argc, argv,
      {.kernel = "append_cache",
       .sizes = {{1, 1}, {2, 1}, {1, 5}, {7, 4}, {33, 2}, last},
       .budget = 20'000'000,
       .far_budget = 1'000'000'000,
       .lesson = "chapters/ch07_attention/README.md, \"One query\"",
       .gates = {{.name = "requests",
                  .what = "store requests per 128 floats",
                  .access = "global store",
                  .measure = lesson::Measure::requests,
                  .per = rows / 2,
                  .at_least = 1,
                  .at_most = 1.05,
                  .mistake = "one_float"},
                 {.name = "sectors",
                  .what = "sectors loaded per head's key or value",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 8,
                  .at_most = 9.1,
                  .mistake = "queries_too"},
                 {.name = "workers",
                  .what = "threads that store",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = rows * 16,
                  .array = "cache"}},
       .beyond = {{5003, 1}, {2, 1501}},
       .full = {8192, 12},
       .needs =
           [](const lesson::Size& size) {
             // Keys and values are read and stored, queries are not.
             return lesson::Needs{.bytes = 16.0 * columns * size.elements() + 4.0 * size[0]};
           }},
      attempt);
}
