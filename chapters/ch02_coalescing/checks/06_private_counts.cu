/// \file
/// Checks exercise 06_private_counts: eight counters for each row, in registers.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// x bytes from 0 to 7, column by column, y eight numbers for each row, device. @pre blocks of 128
/// threads, one for each row.
using PrivateCounts = void(const unsigned char* x, float* y, int rows, int length);

constexpr int symbols = 8;
constexpr int threads = 128;

void attempt(lesson::Attempt<PrivateCounts>& attempt) {
  const int rows = attempt.size()[0];
  const int length = attempt.size()[1];
  const std::vector<int> drawn =
      lesson::uniform_indices(static_cast<std::size_t>(rows) * length, symbols, 23);
  const std::vector<unsigned char> host(drawn.begin(), drawn.end());
  std::vector<double> expected(static_cast<std::size_t>(symbols) * rows);
  for (std::size_t i = 0; i < host.size(); ++i) ++expected[host[i] * rows + i % rows];
  const unsigned char* x = attempt.input("x", host);
  // Counts are whole numbers.
  float* y = attempt.output("y", expected, {}, rows);
  attempt.launch({.grid = (rows + threads - 1) / threads, .block = threads}, x, y, rows, length);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{1024, 50};
  const double warps = last[0] / 32.0;
  return lesson::check_exercise<PrivateCounts>(
      argc, argv,
      {.kernel = "private_counts",
       .sizes = {{33, 5}, {1, 1}, {31, 200}, {128, 1}, {5, 70001}, last},
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch02_coalescing/README.md, \"Where a variable lives\"",
       .gates = {{.name = "registers",
                  .what = "bytes of a thread's arrays that are not in registers",
                  .measure = lesson::Measure::local_bytes,
                  .at_most = 0,
                  .mistake = "counted_index"},
                 {.name = "room",
                  .what = "bytes of shared memory of a block",
                  .measure = lesson::Measure::own_shared_bytes,
                  .at_most = 0,
                  .mistake = "shared_counters"},
                 {.name = "loads",
                  .what = "load requests for each 50 numbers of 32 rows",
                  .access = "global load",
                  .measure = lesson::Measure::requests,
                  .per = warps,
                  .at_least = 50,
                  .at_most = 50,
                  .mistake = "pass_per_symbol"},
                 {.name = "stores",
                  .what = "sectors stored for each 8 counts of 32 rows",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = warps,
                  .at_least = 32,
                  .at_most = 32},
                 {.name = "threads",
                  .what = "threads that store the counts of a row",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last[0]),
                  .mistake = "one_block",
                  .array = "y"}},
       .beyond = {{3, 300007}, {70001, 3}},
       .full = {1 << 18, 256}},
      attempt);
}
