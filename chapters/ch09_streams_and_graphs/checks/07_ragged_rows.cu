/// \file
/// Checks exercise 07_ragged_rows: a child launch per row, and a tail launch after them.
#include <vector>

#include "base/numbers.h"
#include "check/parent.h"

namespace lesson = warpwise::lesson;

namespace {

/// Host memory. @param numbers of all rows. @param starts rows + 1. @param[out] shares rows floats.
using RaggedShares = void(const float* numbers, const int* starts, float* shares, int rows);

/// How many numbers row r has: some none, most few, some many.
int length_of(int r, int rows) {
  if (rows == 1) return 3;
  if (r % 7 == 1) return 0;
  return r % 5 == 3 ? 700 + r : 1 + 3 * (r % 11);
}

void attempt(lesson::Session<RaggedShares>& session) {
  const int rows = session.size()[0];
  const auto first = static_cast<int>(lesson::seeded(0) % 1009);
  std::vector<float> numbers;
  std::vector<int> starts{0};
  std::vector<double> sums(rows);
  double all = 0;
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < length_of(r, rows); ++i) {
      // Small whole numbers: the sums are exact.
      numbers.push_back(static_cast<float>((first + 13 * r + i) % 19 + 1));
      sums[r] += numbers.back();
    }
    all += sums[r];
    starts.push_back(static_cast<int>(numbers.size()));
  }
  for (double& share : sums) share /= all;
  float* shares = session.output(sums, {.relative = 1e-6});
  session.call(session.input(numbers), session.input(starts), shares, rows);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int rows = 300;
  int filled = 0;
  for (int r = 0; r < rows; ++r) filled += length_of(r, rows) > 0 ? 1 : 0;
  return lesson::check_program<RaggedShares>(
      argc, argv,
      {.function = "ragged_shares",
       .sizes = {{1}, {3}, {40}, {rows}},
       .budget = 10'000'000,
       .lesson = "chapters/ch09_streams_and_graphs/README.md, \"Kernels that launch kernels\"",
       .gates = {{.name = "calls",
                  .what = "launches by the host",
                  .measure = lesson::Measure::launch_calls,
                  .at_least = 1,
                  .at_most = 1,
                  .announced = "the host launches once"},
                 {.name = "children",
                  .what = "launches by kernels, for 300 rows of which 43 are empty",
                  .measure = lesson::Measure::child_launches,
                  .at_least = filled + 1.0,
                  .at_most = filled + 1.0,
                  .mistake = "every_thread_launches_finish",
                  .announced = "a child per row that has numbers, and one tail"}}},
      attempt);
}
