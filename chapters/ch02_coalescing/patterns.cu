/// \file
/// Which lane reads which word: the same 32 loads in different arrangements.
///
/// The question: a warp asks for 32 words. How many sectors of 32 bytes does the memory deliver,
/// and how many whole lines of 128 bytes would it have been before sectors?
///
///     build/ch02_coalescing --only patterns
///     build/ch02_coalescing --only bus_utilisation
#include <set>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "lesson/results/results.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int warp_size = 32;
constexpr int block_threads = 256;
constexpr int line_bytes = 128;
constexpr int sector_bytes = 32;

/// A pattern says which word of x the lane of a warp reads. Warps are side by side.
struct Neighbours {
  static __host__ __device__ int word(int warp, int lane) { return warp * 32 + lane; }
};
struct Reversed {
  static __host__ __device__ int word(int warp, int lane) { return warp * 32 + 31 - lane; }
};
/// 11 has no factor in common with 32, so that each lane gets a word of its own.
struct Scattered {
  static __host__ __device__ int word(int warp, int lane) { return warp * 32 + lane * 11 % 32; }
};
struct OffsetByOne {
  static __host__ __device__ int word(int warp, int lane) { return warp * 32 + lane + 1; }
};
/// Eleven, eleven and ten words, in three lines.
struct ThreePieces {
  static __host__ __device__ int word(int warp, int lane) {
    return (warp * 3 + lane / 11) * 32 + 5 + lane % 11;
  }
};
struct EverySecond {
  static __host__ __device__ int word(int warp, int lane) { return (warp * 32 + lane) * 2; }
};
struct OneEachLine {
  static __host__ __device__ int word(int warp, int lane) { return (warp * 32 + lane) * 32; }
};
struct OneForAll {
  static __host__ __device__ int word(int warp, int lane) { return warp * 32 + lane * 0; }
};

/// The list of patterns: calls f(name, pattern).
template <class F>
void for_each_pattern(F&& f) {
  f("neighbours", Neighbours());
  f("neighbours, reversed", Reversed());
  f("neighbours, scattered", Scattered());
  f("offset by one", OffsetByOne());
  f("three pieces", ThreePieces());
  f("every second", EverySecond());
  f("one in each line", OneEachLine());
  f("one for all", OneForAll());
}

/// Each lane reads the word that the pattern names and stores it at its own place.
/// @param[in] x as many floats as the pattern reaches, device. @param[out] y n floats, device.
/// @pre blocks of 256 threads; a thread for each element of y.
/// @cost a request a warp; the pattern decides how many sectors it takes.
template <class Pattern>
__global__ void read_pattern(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[Pattern::word(i / warp_size, i % warp_size)];
}

template <class Pattern>
void pattern_rung(lesson::Trial& run, const char* name) {
  const int n = run.size()[0];
  std::vector<int> words(n);
  int last = 0;
  for (int i = 0; i < n; ++i) {
    words[i] = Pattern::word(i / warp_size, i % warp_size);
    last = std::max(last, words[i]);
  }
  const std::vector<float> host = lesson::uniform_numbers(last + 1);
  std::vector<double> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = host[words[i]];
  const float* x = run.input("x", host);
  float* y = run.output("y", expected, {});
  run.variant(name, read_pattern<Pattern>,
              {.grid = lesson::ceil_div(n, block_threads), .block = block_threads}, x, y, n);
}

/// What one warp of the pattern asks for and touches.
struct Footprint {
  int distinct_bytes = 0;
  int lines = 0;
};

template <class Pattern>
Footprint footprint() {
  std::set<int> words, lines;
  for (int lane = 0; lane < warp_size; ++lane) {
    const int word = Pattern::word(0, lane);
    words.insert(word);
    lines.insert(word * 4 / line_bytes);
  }
  return {static_cast<int>(words.size()) * 4, static_cast<int>(lines.size())};
}

/// The share of the moved bytes that a lane asked for: lines as Fermi moved them, sectors as
/// every GPU since Maxwell does. The sectors are counted where the patterns were run.
lesson::Demonstration bus_utilisation(const lesson::LadderResult& counted) {
  lesson::Demonstration table{
      .title = "how much of what moves is used: whole lines then, sectors now",
      .columns = {"pattern", "bytes asked for", "lines", "used then, %", "sectors", "used now, %"},
      .rows = {},
      .note = "Lines of 128 bytes: computed. Sectors of 32 bytes: counted for each request."};
  for_each_pattern([&](const char* name, auto pattern) {
    const Footprint touched = footprint<decltype(pattern)>();
    const lesson::Rung* rung = counted.find(name);
    if (rung == nullptr || rung->counts.empty()) return;
    const double sectors = rung->counts.sectors_per_load().value_or(0);
    table.rows.push_back(
        {name, std::to_string(touched.distinct_bytes), std::to_string(touched.lines),
         lesson::decimal(100.0 * touched.distinct_bytes / (touched.lines * line_bytes), 3),
         lesson::decimal(sectors, 2),
         lesson::decimal(100.0 * touched.distinct_bytes / (sectors * sector_bytes), 1)});
  });
  return table;
}

}  // namespace

void pattern_ladder(lesson::Run& run) {
  run.ladder({.name = "patterns",
              .title = "y[i] = x[word of lane i], float32",
              .full = {1 << 22},
              .small = {1 << 14},
              .awkward = {{1}, {31}, {33}, {1000}},
              .needs =
                  [](const lesson::Size& size) {
                    return lesson::Needs{.bytes = 8.0 * static_cast<double>(size.elements())};
                  }},
             [](lesson::Trial& trial) {
               for_each_pattern([&](const char* name, auto pattern) {
                 pattern_rung<decltype(pattern)>(trial, name);
               });
             });
  const lesson::LadderResult* counted = run.result("patterns");
  if (counted != nullptr) {
    run.table("bus_utilisation", [counted] { return bus_utilisation(*counted); });
  }
}
