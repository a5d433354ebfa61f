#pragma once
#include <algorithm>
#include <cstddef>

#include "simulator/watch/report/report.h"

/// The launches that simulator_bench runs: how often and on what.
namespace warpwise::bench {

/// The work of a kernel on its elements as a loop on this machine, with nothing checked or counted:
/// no simulator that runs on one core is faster where memory is what takes the time.
using PlainLoop = void (*)(const float* x, float* y, std::size_t count, const int* order);

inline void plain_copy(const float* x, float* y, std::size_t count, const int*) {
  for (std::size_t i = 0; i < count; ++i) y[i] = x[i];
}
inline void plain_gather(const float* x, float* y, std::size_t count, const int*) {
  for (std::size_t i = 0; i < count; ++i) y[i] = x[static_cast<unsigned>(i) * 40503u % count];
}
inline void plain_scatter(const float* x, float* y, std::size_t count, const int* order) {
  for (std::size_t i = 0; i < count; ++i) y[order[i]] = x[i];
}
inline void plain_largest(const float*, float* y, std::size_t count, const int* order) {
  auto* const most = reinterpret_cast<int*>(y);
  for (std::size_t i = 0; i < count; ++i) {
    int& place = most[static_cast<std::size_t>(order[i]) % (count / 4)];
    place = std::max(place, static_cast<int>(i));
  }
}

/// One launch: `kernel(x, y, number, order)` on arrays of floats, and the numbers of their elements
/// in random order, which most kernels do not ask for.
struct Launch {
  const char* kernel;
  watch::Index3 grid, block;
  int number;
  bool is_cooperative = false;
  std::size_t elements = 1 << 20;  ///< of each array
  PlainLoop plain = nullptr;       ///< null: not written
};
constexpr Launch launches[] = {
    {"arithmetic", {256, 1, 1}, {128, 1, 1}, 256},
    {"block_per_row", {8192, 1, 1}, {128, 1, 1}, 128},
    {"block_by_shuffles", {8192, 1, 1}, {128, 1, 1}, 128},
    {"packs", {512, 1, 1}, {128, 1, 1}, 128},
    {"warp_per_row", {2048, 1, 1}, {128, 1, 1}, 128},
    {"transpose", {32, 32, 1}, {32, 8, 1}, 1024},
    {"copy", {512, 1, 1}, {256, 1, 1}, 1 << 20},
    {"copy_wide", {128, 1, 1}, {256, 1, 1}, 1 << 18},
    {"stencil", {4096, 1, 1}, {256, 1, 1}, 1 << 20},
    {"columns", {128, 1, 1}, {256, 1, 1}, 32},
    {"multiply", {8, 8, 1}, {16, 16, 1}, 128},
    {"histogram", {1024, 1, 1}, {256, 1, 1}, 256},
    {"multiply_tiled", {8, 8, 1}, {16, 16, 1}, 128},
    {"window", {32, 32, 1}, {16, 16, 1}, 512},
    {"gather", {4096, 1, 1}, {256, 1, 1}, 1 << 20},
    {"structures", {512, 1, 1}, {256, 1, 1}, 0},
    {"shared_bins", {128, 1, 1}, {256, 1, 1}, 1 << 20},
    {"scatter", {4096, 1, 1}, {256, 1, 1}, 1 << 20},
    {"shared_ranks", {4096, 1, 1}, {256, 1, 1}, 0},
    {"search", {256, 1, 1}, {256, 1, 1}, 1 << 18},
    {"product_half", {4, 16, 1}, {32, 4, 1}, 256},
    {"product_tf32", {4, 16, 1}, {32, 4, 1}, 256},
    {"product_bytes", {4, 16, 1}, {32, 4, 1}, 256},
    {"multiplications", {64, 1, 1}, {128, 1, 1}, 64},
    {"copy_ring", {8, 8, 1}, {16, 16, 1}, 256},
    {"copy_words", {128, 1, 1}, {256, 1, 1}, 1 << 18},
    {"sparse_rows", {400, 1, 1}, {256, 1, 1}, 1 << 20},
    {"calls", {64, 1, 1}, {128, 1, 1}, 256},
    {"scatter_random", {4096, 1, 1}, {256, 1, 1}, 1 << 20},
    {"compare_and_swap", {1024, 1, 1}, {256, 1, 1}, 1 << 20},
    {"sums_half", {4096, 1, 1}, {256, 1, 1}, 1 << 20},
    {"scatter_strides", {64, 1, 1}, {256, 1, 1}, 1 << 20},
    {"largest", {4096, 1, 1}, {256, 1, 1}, 1 << 20},
    {"updates_where_low", {1024, 1, 1}, {256, 1, 1}, 1 << 18},
    {"quicksort", {64, 1, 1}, {128, 1, 1}, 8192},
    {"grid_rounds", {132, 1, 1}, {256, 1, 1}, 24, true},
    {"counted_rounds", {132, 1, 1}, {256, 1, 1}, 24},
    {"chained_scan", {1024, 1, 1}, {256, 1, 1}, 0},
    {"spin_lock", {32, 1, 1}, {32, 1, 1}, 1},
    {"ticket_lock", {32, 1, 1}, {32, 1, 1}, 1},
    {"queue_search", {132, 1, 1}, {256, 1, 1}, 1 << 18, true},
    // Arrays that no cache holds.
    {"copy", {2048, 1, 1}, {256, 1, 1}, 1 << 24, false, 1 << 24, plain_copy},
    {"gather", {65536, 1, 1}, {256, 1, 1}, 1 << 24, false, 1 << 24, plain_gather},
    {"scatter_random", {65536, 1, 1}, {256, 1, 1}, 1 << 24, false, 1 << 24, plain_scatter},
    {"scatter_strides", {512, 1, 1}, {256, 1, 1}, 1 << 24, false, 1 << 24, plain_scatter},
    {"largest", {65536, 1, 1}, {256, 1, 1}, 1 << 24, false, 1 << 24, plain_largest},
    {"sums_half", {65536, 1, 1}, {256, 1, 1}, 1 << 24, false, 1 << 24},
    {"compare_and_swap", {4096, 1, 1}, {256, 1, 1}, 1 << 24, false, 1 << 24},
};

}  // namespace warpwise::bench
