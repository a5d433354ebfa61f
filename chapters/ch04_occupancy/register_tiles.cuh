#pragma once
/// \file
/// The parts of a product by register tiles: how it is cut, what a thread carries to shared memory,
/// reads from there, multiplies and stores.
#include <cstddef>

/// N neighbouring floats, moved together. Aligned to their size: a 16-byte access needs that.
template <int N>
struct alignas(4 * N) Pack {
  float value[N];
};

/// How a product is cut. A block computes BM x BN of C in steps of BK; each of its warps WM x WN of
/// that; each lane TM x TN. A lane's rows and columns come in fours, so that it reads its operands
/// from shared memory 16 bytes at a time.
template <int BM_, int BN_, int BK_, int WM_, int WN_, int TM_, int TN_, int blocks_per_sm_>
struct Tiling {
  static constexpr int BM = BM_, BN = BN_, BK = BK_, WM = WM_, WN = WN_, TM = TM_, TN = TN_;
  static constexpr int blocks_per_sm = blocks_per_sm_;  ///< what the registers are limited for.
  static constexpr int warps_across = BN / WN;
  static constexpr int threads = BM / WM * warps_across * 32;
  static constexpr int lanes_across = WN / TN;
  static constexpr int lanes_down = WM / TM;
  /// A column of A in shared memory is this long: four more, so that storing it has fewer
  /// conflicts.
  static constexpr int BM_padded = BM + 4;
  static_assert(lanes_across * lanes_down == 32, "32 lanes cover a warp's tile");
  static_assert(BM * BK % (4 * threads) == 0 && BK * BN % (4 * threads) == 0,
                "every thread moves as many 16-byte packs");
};

/// The part of a rows x columns tile that one thread carries from device to shared memory.
/// @tparam N floats of a pack: 4, or 1 where rows do not begin at a multiple of 16 bytes.
template <int rows, int columns, int threads, int N>
struct Carried {
  static constexpr int packs_in_row = columns / N;
  static constexpr int count = rows * packs_in_row / threads;
  Pack<N> pack[count];

  /// Row and first column, in the tile, of pack i.
  static __device__ int row(int i) { return (i * threads + threadIdx.x) / packs_in_row; }
  static __device__ int column(int i) { return (i * threads + threadIdx.x) % packs_in_row * N; }

  /// Zeros outside the matrix: they add nothing to a sum.
  /// @param from total_rows * total_columns, row-major, device.
  __device__ void load(const float* from, int first_row, int first_column, int total_rows,
                       int total_columns) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const int y = first_row + row(i), x = first_column + column(i);
      const bool inside = y < total_rows && x < total_columns;
      const float* at = from + static_cast<std::size_t>(y) * total_columns + x;
      pack[i] = inside ? *reinterpret_cast<const Pack<N>*>(at) : Pack<N>{};
    }
  }
  /// @param to shared, row-major, `columns` in a row.
  __device__ void store(float* to) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      *reinterpret_cast<Pack<N>*>(to + row(i) * columns + column(i)) = pack[i];
    }
  }
  /// @param to shared, column by column, `length` from one to the next.
  __device__ void store_transposed(float* to, int length) const {
#pragma unroll
    for (int i = 0; i < count; ++i) {
#pragma unroll
      for (int j = 0; j < N; ++j) to[(column(i) + j) * length + row(i)] = pack[i].value[j];
    }
  }
};

/// Reads `count` floats in fours, `distance` apart.
template <int count>
__device__ void read_fours(float (&values)[count], const float* from, int distance) {
#pragma unroll
  for (int i = 0; i < count; i += 4) {
    const auto four = *reinterpret_cast<const Pack<4>*>(from + i / 4 * distance);
#pragma unroll
    for (int j = 0; j < 4; ++j) values[i + j] = four.value[j];
  }
}

/// Adds the outer product of a column of A and a row of B.
template <int TM, int TN>
__device__ void add_outer_product(float (&sum)[TM][TN], const float (&a)[TM],
                                  const float (&b)[TN]) {
#pragma unroll
  for (int i = 0; i < TM; ++i) {
#pragma unroll
    for (int j = 0; j < TN; ++j) sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
  }
}

/// Writes a thread's outputs, whose rows and columns come in fours.
/// @param row, column of the first one. @param down, across from one four to the next.
template <int pack, int TM, int TN>
__device__ void store_fours(float* C, const float (&sum)[TM][TN], int row, int column, int down,
                            int across, int M, int N) {
#pragma unroll
  for (int i = 0; i < TM; ++i) {
    const int y = row + i / 4 * down + i % 4;
#pragma unroll
    for (int j = 0; j < TN; j += pack) {
      const int x = column + j / 4 * across + j % 4;
      if (y >= M || x >= N) continue;
      Pack<pack> out;
#pragma unroll
      for (int l = 0; l < pack; ++l) out.value[l] = sum[i][j + l];
      *reinterpret_cast<Pack<pack>*>(C + static_cast<std::size_t>(y) * N + x) = out;
    }
  }
}
