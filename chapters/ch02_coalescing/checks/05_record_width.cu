/// \file
/// Checks exercise 05_record_width: records of 8 bytes, each in one load.
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// words two for each record, y a number for each, device. @pre blocks of 256 threads, one for each
/// record.
using RecordValues = void(const unsigned* words, float* y, int n);

constexpr int threads = 256;

void attempt(lesson::Attempt<RecordValues>& attempt) {
  const int n = attempt.size()[0];
  const std::vector<float> values = lesson::uniform_numbers(n, 21);
  const std::vector<int> times = lesson::uniform_indices(n, 1 << 30, 22);
  std::vector<unsigned> words(2 * static_cast<std::size_t>(n));
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) {
    words[2 * i] = static_cast<unsigned>(times[i]);
    std::memcpy(&words[2 * i + 1], &values[i], sizeof(float));
    expected[i] = times[i] % 2 == 1 ? -double{values[i]} : double{values[i]};
  }
  const unsigned* x = attempt.input("words", words);
  float* y = attempt.output("y", expected, {});
  attempt.launch({.grid = (n + threads - 1) / threads, .block = threads}, x, y, n);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{4096};
  const double warps = last[0] / 32.0;
  return lesson::check_exercise<RecordValues>(
      argc, argv,
      {.kernel = "record_values",
       .sizes = {{31}, {1}, {257}, {100003}, last},
       .budget = 20'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch02_coalescing/README.md, \"Structures of arrays\"",
       .gates = {{.name = "loads",
                  .what = "load requests for each 32 records",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = warps,
                  .at_least = 1,
                  .at_most = 1,
                  .mistake = "plain_struct"},
                 {.name = "sectors",
                  .what = "sectors loaded for each 32 records",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 8,
                  .at_most = 8,
                  .mistake = "plain_struct"},
                 {.name = "stores",
                  .what = "sectors stored for each 32 records",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 4,
                  .at_most = 4},
                 {.name = "threads",
                  .what = "threads that store a value",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last[0]),
                  .mistake = "one_block",
                  .array = "y"}},
       .beyond = {{1000003}},
       .full = {1 << 24}},
      attempt);
}
