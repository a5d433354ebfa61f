#pragma once
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "lesson/run.h"
#include "rows.h"

/// \file
/// Softmax: its reference and its inputs, and one number of a warp, for the ladder of long rows and
/// for that of short ones.
namespace rows {

/// exp(x - largest) over its sum, for each row of `columns` numbers, in double.
inline std::vector<double> softmax_reference(const std::vector<float>& x, int columns) {
  std::vector<double> y(x.size());
  for (std::size_t begin = 0; begin < x.size(); begin += columns) {
    const double largest = *std::max_element(&x[begin], &x[begin] + columns);
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += y[begin + i] = std::exp(x[begin + i] - largest);
    for (int i = 0; i < columns; ++i) y[begin + i] /= sum;
  }
  return y;
}

/// Numbers in [-8, 8) that repeat on every machine; row 1 shifted so far that exp overflows.
inline std::vector<float> softmax_input(int rows, int columns) {
  std::vector<float> x(static_cast<std::size_t>(rows) * columns);
  warpwise::lesson::RandomBits bits(5);
  for (float& value : x) value = 8 * bits.signed_fraction();
  if (rows > 1) std::for_each(&x[columns], &x[columns] + columns, [](float& v) { v += 200; });
  return x;
}

/// expf is good to two units in the last place; the sum of many adds a few more.
inline constexpr warpwise::lesson::Tolerance softmax_tolerance{.absolute = 1e-10, .relative = 4e-5};

__device__ inline float larger(float a, float b) { return fmaxf(a, b); }
__device__ inline float added(float a, float b) { return a + b; }

/// The values of each `lanes` neighbouring lanes as one, in every lane, by a butterfly.
/// @pre all 32 lanes call it.
template <float (*Combine)(float, float), int lanes = warp_size>
__device__ float combined_in_warp(float value) {
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    value = Combine(value, __shfl_xor_sync(0xFFFFFFFF, value, distance));
  }
  return value;
}

/// The values of a block as one, in every thread: each warp combines the warps' once more.
/// @tparam warps of the block, a power of two. @param partial shared, one for each warp; free again
/// after the next barrier.
/// @pre all threads of the block call it.
template <float (*Combine)(float, float), int warps>
__device__ float combined_in_block(float value, float* partial) {
  value = combined_in_warp<Combine>(value);
  const int lane = threadIdx.x % warp_size;
  if (lane == 0) partial[threadIdx.x / warp_size] = value;
  __syncthreads();
  return combined_in_warp<Combine, warps>(partial[lane % warps]);
}

/// Floats of a line of the caches.
inline constexpr int line = 32;

/// A row, or a block's part of one, as a copy sees it: from the start of a cache line, in whole
/// packs of 16 bytes.
struct Place {
  std::size_t begin;  ///< in x, a multiple of `line`.
  int first, end;     ///< of the elements, counted from there; none where they are equal.
  int copied;  ///< to before this one; of the last pack of x there may be less than 16 bytes.

  /// @param rank which of `parts` parts of the row: the first ones have as many lines each.
  __device__ Place(int row, int rows, int columns, int rank = 0, int parts = 1) {
    begin = row_begin(row, columns) / line * line;
    const int before = static_cast<int>(row_begin(row, columns) - begin);
    const int lines = (before + columns + line - 1) / line;
    const int most = (lines + parts - 1) / parts * line;
    begin += static_cast<std::size_t>(rank) * most;
    first = rank == 0 ? before : 0;
    end = min(max(before + columns - rank * most, 0), most);
    copied = (row + 1 == rows ? end : end + 3) / 4 * 4;
  }

  /// Whether an element belongs to it. @param at from `begin`, of pack i of a thread: only the
  /// first of a thread can belong to the row before.
  __device__ bool has(int at, int i) const { return at < end && (i > 0 || at >= first); }
};

/// Takes what has come to shared memory into registers: pack i of a thread follows those of all
/// threads before. Places outside have minus infinity. @tparam threads of the block.
/// @param[out] kept the packs. @param[in,out] coming shared; what the copy left out of the last
/// row, up to three elements, is fetched from x first. @return the thread's largest number.
/// @pre all threads of the block call it.
template <int threads, int packs>
__device__ float take_from(Pack<4> (&kept)[packs], float* coming, const float* x,
                           const Place& place) {
  if (place.copied < place.end) {
    const int at = place.copied + threadIdx.x;
    if (threadIdx.x < 4) coming[at] = at < place.end ? x[place.begin + at] : 0.0F;
    __syncthreads();
  }
  float largest = -INFINITY;
#pragma unroll
  for (int i = 0; i < packs; ++i) {
    const int first = (i * threads + threadIdx.x) * 4;
    if (first < place.end) kept[i] = *reinterpret_cast<const Pack<4>*>(coming + first);
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      if (!place.has(first + e, i)) kept[i].value[e] = -INFINITY;
      largest = fmaxf(largest, kept[i].value[e]);
    }
  }
  return largest;
}

/// Rung 6: softmax_clusters.sm_90.cu.
void cluster_rung(warpwise::lesson::Trial& run, const float* x, float* y, int rows, int columns);

/// What an operation that reads and writes a matrix once needs, with four flops an element.
inline warpwise::lesson::Needs softmax_needs(const warpwise::lesson::Size& size) {
  const auto elements = static_cast<double>(size.elements());
  return {.bytes = 8 * elements, .flops = 4 * elements};
}

}  // namespace rows
