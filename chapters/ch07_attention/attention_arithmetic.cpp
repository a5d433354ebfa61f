/// \file
/// What can be computed before anything runs: bytes, operations and floors of attention, and how
/// many tiles the busiest SM gets. The answers to the chapter's predictions are rows of these
/// tables.
///
///     build/ch07_attention --only arithmetic
#include <algorithm>
#include <cmath>
#include <vector>

#include "attention_problem.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

constexpr double B = 4, H = 12, d = head_size;

/// Bytes of attention in three kernels: q, k, v and out once, the scores four times.
double unfused_bytes(double T, double element_bytes) {
  return 4 * element_bytes * B * H * T * (d + T);
}
double fused_bytes(double T, double element_bytes) { return 4 * element_bytes * B * H * T * d; }
double flops(double T, bool causal) { return 4 * B * H * T * T * d / (causal ? 2 : 1); }

std::string megabytes(double bytes) { return lesson::decimal(bytes / 1e6, 1); }

lesson::Demonstration traffic() {
  lesson::Demonstration table{
      .title = "Bytes of attention, B 4, H 12, d 64",
      .columns = {"T", "type", "one of Q, K, V, O: MB", "score matrix: MB", "three kernels: MB",
                  "fused: MB", "ratio"},
      .rows = {},
      .note = "Three kernels write the scores, read them, write the weights and read those."};
  for (const double T : {197.0, 1024.0, 4096.0}) {
    for (const double bytes : {4.0, 2.0}) {
      table.rows.push_back({lesson::decimal(T, 0), bytes == 4 ? "fp32" : "bf16",
                            megabytes(bytes * B * H * T * d), megabytes(bytes * B * H * T * T),
                            megabytes(unfused_bytes(T, bytes)), megabytes(fused_bytes(T, bytes)),
                            lesson::decimal(1 + T / d, 1)});
    }
  }
  return table;
}

lesson::Demonstration floors(const warpwise::occupancy::Gpu& gpu) {
  lesson::Demonstration table{
      .title =
          "Floors on an " + std::string(gpu.name) + ", B 4, H 12, d 64: peaks of its data sheet",
      .columns = {"T", "type", "way", "flops per byte", "bytes: us", "arithmetic: us"},
      .rows = {}};
  const double bytes_per_us = gpu.memory_gbps * 1e3;
  for (const double T : {1024.0, 4096.0}) {
    for (const double bytes : {4.0, 2.0}) {
      const double peak = (bytes == 4 ? gpu.fp32_tflops : gpu.bf16_tensor_tflops) * 1e6;
      for (const bool fused : {false, true}) {
        const double moved = fused ? fused_bytes(T, bytes) : unfused_bytes(T, bytes);
        // Three kernels compute the masked half as well.
        const double operations = flops(T, fused);
        table.rows.push_back(
            {lesson::decimal(T, 0), bytes == 4 ? "fp32" : "bf16",
             fused ? "fused, causal" : "three kernels", lesson::decimal(operations / moved, 0),
             lesson::decimal(moved / bytes_per_us, 1), lesson::decimal(operations / peak, 1)});
      }
    }
  }
  return table;
}

/// Tiles of the busiest of `sms`, each free SM taking the next piece.
int busiest(const std::vector<int>& pieces, int sms) {
  std::vector<int> load(sms);
  for (const int piece : pieces) *std::min_element(load.begin(), load.end()) += piece;
  return *std::max_element(load.begin(), load.end());
}

/// Tiles of the busiest block where rounds go forth and back over the blocks.
int busiest_forth_and_back(const std::vector<int>& pieces, int blocks) {
  std::vector<int> load(blocks);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const int round = static_cast<int>(i) / blocks, at = static_cast<int>(i) % blocks;
    load[round % 2 ? blocks - 1 - at : at] += pieces[i];
  }
  return *std::max_element(load.begin(), load.end());
}

lesson::Demonstration order() {
  constexpr int sms = 132, heads = 48, tile = 128;
  lesson::Demonstration table{
      .title = "Causal tiles of 128 x 128 of the busiest of 132 SMs, 48 heads, one block per SM",
      .columns = {"T", "tiles in all", "mean", "natural order", "longest first",
                  "longest first, forth and back"},
      .rows = {}};
  for (const int T : {1024, 4096}) {
    const int rows = T / tile;
    std::vector<int> natural, longest;
    for (int head = 0; head < heads; ++head) {
      for (int row = 0; row < rows; ++row) natural.push_back(row + 1);
    }
    longest = natural;
    std::sort(longest.rbegin(), longest.rend());
    int all = 0;
    for (const int piece : natural) all += piece;
    table.rows.push_back({std::to_string(T), std::to_string(all), lesson::decimal(all / 132.0, 1),
                          std::to_string(busiest(natural, sms)),
                          std::to_string(busiest(longest, sms)),
                          std::to_string(busiest_forth_and_back(longest, sms))});
  }
  return table;
}

}  // namespace
}  // namespace attention

void attention_arithmetic(lesson::Run& run) {
  run.table("arithmetic_traffic", attention::traffic);
  run.table("arithmetic_floors", [&run] { return attention::floors(run.limits()); });
  run.table("arithmetic_order", attention::order);
}
