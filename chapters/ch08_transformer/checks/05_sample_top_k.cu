/// \file
/// Checks exercise 05_sample_top_k: a token from the k largest logits of a row.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// logits (rows, V), u and token rows, device. @pre k <= 8; k <= V; blocks of (32, 4) threads, a
/// warp per row.
using SampleTopK = void(const float* logits, const float* u, float* token, int rows, int V, int k,
                        float temperature);

constexpr float temperature = 0.7F;

/// Rows of negative logits, of logits around 200, of logits in steps of a quarter, and others.
std::vector<float> logits_of(int rows, int V) {
  std::vector<float> logits = lesson::uniform_numbers(std::size_t{1} * rows * V, 91);
  for (int row = 0; row < rows; ++row) {
    for (int v = 0; v < V; ++v) {
      float& value = logits[std::size_t{1} * row * V + v];
      value *= 4;
      if (row % 4 == 0) value -= 50;
      if (row % 4 == 1) value += 200;
      if (row % 4 == 2) value = std::round(value);
    }
  }
  return logits;
}

/// The k best of a row, in order.
std::vector<int> candidates(const float* row, int V, int k) {
  std::vector<int> best(V);
  std::iota(best.begin(), best.end(), 0);
  std::partial_sort(best.begin(), best.begin() + k, best.end(),
                    [row](int a, int b) { return row[a] > row[b] || (row[a] == row[b] && a < b); });
  best.resize(k);
  return best;
}

/// The place of the candidate that u draws. @param[in,out] u is moved to the middle of its piece
/// where it is so near a border that rounding could decide.
int place_of(const float* row, const std::vector<int>& best, float& u) {
  constexpr double near = 1e-3;
  std::vector<double> reached;
  double sum = 0;
  for (const int v : best) {
    reached.push_back(sum += std::exp((double{row[v]} - row[best[0]]) / temperature));
  }
  for (std::size_t i = 0; i < best.size(); ++i) {
    const double first = i == 0 ? 0 : reached[i - 1] / sum, end = reached[i] / sum;
    if (u >= end && i + 1 < best.size()) continue;
    if (u > 0 && (u - first < near || end - u < near)) u = static_cast<float>((first + end) / 2);
    return static_cast<int>(i);
  }
  return 0;
}

void attempt(lesson::Attempt<SampleTopK>& attempt) {
  const int rows = attempt.size()[0], V = attempt.size()[1], k = attempt.size()[2];
  const std::vector<float> logits = logits_of(rows, V);
  std::vector<float> u = lesson::uniform_numbers(rows, 92);
  std::vector<double> expected;
  for (int r = 0; r < rows; ++r) {
    const float* row = &logits[std::size_t{1} * r * V];
    const std::vector<int> best = candidates(row, V, k);
    u[r] = r % 5 == 4 ? 0 : std::min(std::fabs(u[r]), 0.999F);
    expected.push_back(best[place_of(row, best, u[r])]);
  }
  const float* device_logits = attempt.input("logits", logits);
  const float* device_u = attempt.input("u", u);
  float* token = attempt.output("token", std::move(expected), {});
  attempt.launch({.grid = lesson::ceil_div(rows, 4), .block = {32, 4}}, device_logits, device_u,
                 token, rows, V, k, temperature);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{47, 512, 8};
  const double rows = last[0];
  return lesson::check_exercise<SampleTopK>(
      argc, argv,
      {.kernel = "sample_top_k",
       .sizes = {{7, 5, 3}, {1, 1, 1}, {9, 33, 1}, {30, 257, 5}, {13, 9, 8}, last},
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch08_transformer/README.md, \"What it writes\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded per row of 512 logits",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = rows,
                  .at_least = 64,
                  .at_most = 66,
                  .mistake = "read_k_times"},
                 {.name = "workers",
                  .what = "threads that load logits",
                  .access = "global load",
                  .measure = lesson::Measure::threads,
                  .at_least = rows * 32,
                  .array = "logits"},
                 {.name = "warps",
                  .what = "warps that store a token",
                  .access = "global store",
                  .measure = lesson::Measure::warps,
                  .at_least = rows,
                  .array = "token"}},
       .beyond = {{2, 70001, 8}, {33001, 3, 2}},
       .full = {1024, 50257, 8}},
      attempt);
}
