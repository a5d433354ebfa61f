/// \file
/// Checks exercise 03_causal_tiles: a causal product of products, without the tiles that do not
/// count.
#include <algorithm>
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"

namespace lesson = warpwise::lesson;

namespace {

/// q, k, v, y T x 32, row-major, device. @pre blocks of (32, 32) threads, one per 32 queries.
using CausalTiles = void(const float* q, const float* k, const float* v, float* y, int T);

constexpr int columns = 32, tile = 32;

/// Whole numbers between -most and most: every sum is exact.
std::vector<float> whole(int T, int most, std::uint32_t seed) {
  std::vector<float> values;
  for (const int index : lesson::uniform_indices(std::size_t{columns} * T, 2 * most + 1, seed)) {
    values.push_back(static_cast<float>(index - most));
  }
  return values;
}

void attempt(lesson::Attempt<CausalTiles>& attempt) {
  const int T = attempt.size()[0];
  const std::vector<float> q = whole(T, 1, 41), k = whole(T, 1, 42), v = whole(T, 2, 43);
  std::vector<double> expected(std::size_t{columns} * T);
  for (int query = 0; query < T; ++query) {
    for (int key = 0; key <= query; ++key) {
      double score = 0;
      for (int i = 0; i < columns; ++i) score += q[query * columns + i] * k[key * columns + i];
      for (int i = 0; i < columns; ++i)
        expected[query * columns + i] += score * v[key * columns + i];
    }
  }
  const float *device_q = attempt.input("q", q), *device_k = attempt.input("k", k);
  const float* device_v = attempt.input("v", v);
  float* y = attempt.output("y", expected, {}, columns);
  attempt.launch({.grid = lesson::ceil_div(T, tile), .block = {32, 32}}, device_q, device_k,
                 device_v, y, T);
}

/// Sectors of q once, and of k and v for each tile that counts.
double sectors_needed(int T) {
  const auto rows = [&](int first) { return std::min(tile, T - first); };
  double sectors = 0;
  for (int query = 0; query < T; query += tile) {
    sectors += 4 * rows(query);
    for (int key = 0; key <= query; key += tile) sectors += 2 * 4 * rows(key);
  }
  return sectors;
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{251};
  const double needed = sectors_needed(last[0]);
  return lesson::check_exercise<CausalTiles>(
      argc, argv,
      {.kernel = "causal_tiles",
       .sizes = {{1}, {31}, {32}, {33}, {64}, {97}, last},
       .budget = 600'000'000,
       .far_budget = 6'000'000'000,
       .lesson = "chapters/ch07_attention/README.md, \"Tiles\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded, per sector of the tiles that count",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = needed,
                  .at_least = 1,
                  .at_most = 1,
                  .mistake = "all_tiles",
                  .announced = "no tile above the diagonal is loaded"},
                 {.name = "workers",
                  .what = "threads that load keys",
                  .access = "global load",
                  .measure = lesson::Measure::threads,
                  .at_least = 251.0 * 32,
                  .array = "k"}},
       .beyond = {{1283}},
       .full = {8192},
       .needs =
           [](const lesson::Size& size) {
             const double pairs = 0.5 * size[0] * (size[0] + 1.0);
             return lesson::Needs{.bytes = 16.0 * columns * size[0], .flops = 4 * columns * pairs};
           }},
      attempt);
}
