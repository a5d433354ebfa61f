/// \file
/// Softmax of short causal rows: row i of a head's T x T scores has i + 1 numbers that count.
///
/// The question: chapter 5's softmax gave a block to each long row. A row of at most 1024 scores
/// fits the registers of one warp. What does that save, and what does the mask save?
///
///     build/ch07_attention --only softmax_rows
///
/// The rungs of `softmax_rows`, as the table lists them, and their kernels:
///
///      1  three passes                  softmax_rows_1_passes
///      2  row in registers              softmax_rows_2_kept
///      3  row in registers, 16 bytes    softmax_rows_3_packs
#include <cmath>

#include "../ch05_warp_reduce/softmax.h"
#include "attention_problem.h"
#include "base/algorithm.h"
#include "base/numbers.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

constexpr int row_warps = 8;
/// The longest row of rungs 2 and 3: 32 floats per lane.
constexpr int most_columns = 1024;
constexpr float log2_of_e = 1.4426950408889634F;

/// The warp's row; its columns past `length` become 0.
struct Row {
  int row, length;
  std::size_t begin;

  __device__ Row(int columns)
      : row(blockIdx.x * row_warps + threadIdx.y),
        length(row % columns + 1),
        begin(static_cast<std::size_t>(row) * columns) {}
};

/// A warp per row reads it three times: for the largest, for the sum, for the result.
/// @param[in] x, @param[out] y rows x columns, row-major, device; row r has r % columns + 1 numbers
/// that count.
/// @pre blocks of (32, 8) threads, a warp per row.
/// @cost 16 bytes per number that counts, 4 per other one.
__global__ void softmax_rows_1_passes(const float* x, float* y, int rows, int columns) {
  const Row own(columns);
  if (own.row >= rows) return;
  const float* in = x + own.begin;
  const int lane = threadIdx.x;
  float largest = -INFINITY, sum = 0;
  for (int i = lane; i < own.length; i += 32) largest = fmaxf(largest, in[i]);
  largest = rows::combined_in_warp<rows::larger>(largest);
  for (int i = lane; i < own.length; i += 32) sum += power_of_two((in[i] - largest) * log2_of_e);
  sum = rows::warp_sum(sum);
  for (int i = lane; i < columns; i += 32) {
    y[own.begin + i] = i < own.length ? power_of_two((in[i] - largest) * log2_of_e) / sum : 0.0F;
  }
}

/// The row stays in registers: what does not count is never read.
/// \copydetails softmax_rows_1_passes
/// @pre columns <= 1024 @cost 4 bytes per number that counts, and 4 per number.
__global__ void __launch_bounds__(32 * row_warps)
    softmax_rows_2_kept(const float* x, float* y, int rows, int columns) {
  constexpr int numbers = most_columns / 32;
  const Row own(columns);
  if (own.row >= rows) return;
  const int lane = threadIdx.x;
  float kept[numbers], largest = -INFINITY, sum = 0;
#pragma unroll
  for (int i = 0; i < numbers; ++i) {
    const int column = i * 32 + lane;
    kept[i] = column < own.length ? x[own.begin + column] : -INFINITY;
    largest = fmaxf(largest, kept[i]);
  }
  largest = rows::combined_in_warp<rows::larger>(largest);
#pragma unroll
  for (int i = 0; i < numbers; ++i) {
    kept[i] = power_of_two((kept[i] - largest) * log2_of_e);
    sum += kept[i];
  }
  const float inverse = 1 / rows::warp_sum(sum);
#pragma unroll
  for (int i = 0; i < numbers; ++i) {
    const int column = i * 32 + lane;
    if (column < columns) y[own.begin + column] = kept[i] * inverse;
  }
}

/// Four neighbouring columns per load and store.
/// \copydetails softmax_rows_2_kept
/// @pre columns % 4 == 0, so that each row begins at a multiple of 16 bytes
__global__ void __launch_bounds__(32 * row_warps)
    softmax_rows_3_packs(const float* x, float* y, int rows, int columns) {
  constexpr int packs = most_columns / 128;
  const Row own(columns);
  if (own.row >= rows) return;
  const int lane = threadIdx.x;
  float kept[packs][4], largest = -INFINITY, sum = 0;
#pragma unroll
  for (int i = 0; i < packs; ++i) {
    const int column = i * 128 + lane * 4;
    float4 four = {};
    if (column < own.length) four = *reinterpret_cast<const float4*>(x + own.begin + column);
    const float values[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      kept[i][k] = column + k < own.length ? values[k] : -INFINITY;
      largest = fmaxf(largest, kept[i][k]);
    }
  }
  largest = rows::combined_in_warp<rows::larger>(largest);
#pragma unroll
  for (auto& pack : kept) {
#pragma unroll
    for (float& value : pack) {
      value = power_of_two((value - largest) * log2_of_e);
      sum += value;
    }
  }
  const float inverse = 1 / rows::warp_sum(sum);
#pragma unroll
  for (int i = 0; i < packs; ++i) {
    const int column = i * 128 + lane * 4;
    if (column < columns) {
      *reinterpret_cast<float4*>(y + own.begin + column) = {
          kept[i][0] * inverse, kept[i][1] * inverse, kept[i][2] * inverse, kept[i][3] * inverse};
    }
  }
}

void softmax_rungs(lesson::Trial& run) {
  const int rows = run.size()[0], columns = run.size()[1];
  std::vector<float> host = lesson::uniform_numbers(static_cast<std::size_t>(rows) * columns, 9);
  for (float& value : host) value *= 8;
  std::vector<double> expected(host.size());
  for (int row = 0; row < rows; ++row) {
    const std::size_t begin = static_cast<std::size_t>(row) * columns;
    const int length = row % columns + 1;
    const double largest = *std::max_element(&host[begin], &host[begin] + length);
    double sum = 0;
    for (int i = 0; i < length; ++i)
      sum += expected[begin + i] = std::exp(host[begin + i] - largest);
    for (int i = 0; i < length; ++i) expected[begin + i] /= sum;
  }
  const float* x = run.input("x", host);
  float* y = run.output("y", std::move(expected), {.absolute = 1e-10, .relative = 4e-6}, columns);
  const lesson::Shape shape = {.grid = ceil_div(rows, row_warps), .block = {32, row_warps}};
  run.variant("three passes", softmax_rows_1_passes, shape, x, y, rows, columns);
  const char *kept = "row in registers", *packs = "row in registers, 16 bytes";
  if (columns > most_columns) {
    for (const char* name : {kept, packs}) run.skip(name, "a lane keeps 32 floats at most");
    return;
  }
  run.variant(kept, softmax_rows_2_kept, shape, x, y, rows, columns);
  if (columns % 4 == 0)
    run.variant(packs, softmax_rows_3_packs, shape, x, y, rows, columns);
  else
    run.skip(packs, "rows of other lengths do not begin at multiples of 16 bytes");
}

}  // namespace
}  // namespace attention

void softmax_rows_ladder(lesson::Run& run) {
  run.ladder({.name = "softmax_rows",
              .title = "softmax of causal rows: row r has r % columns + 1 numbers that count",
              .full = {49152, 1024},
              .small = {512, 256},
              .awkward = {{1, 1}, {62, 31}, {64, 64}, {130, 65}, {9, 2051}},
              .needs =
                  [](const lesson::Size& size) {
                    // Half of the numbers are read; all are written.
                    const auto elements = static_cast<double>(size.elements());
                    return lesson::Needs{.bytes = 6 * elements, .flops = 2 * elements};
                  }},
             attention::softmax_rungs);
}
