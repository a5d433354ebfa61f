#pragma once
#include "pipelined_product.h"
#include "product_problem.h"
#include "tensor_copy.h"
#include "warpgroup_matrix.h"

/// \file
/// C = A * B^T by blocks that stay: one thread copies tiles, two warpgroups multiply them, and C
/// leaves through shared memory. Code for sm_90a.
namespace tensor {

/// Who multiplies a tile of C: both warpgroups half of it each, or the two in turns a whole one, so
/// that one stores while the other multiplies (ping-pong).
enum class Work { together, in_turns };

/// How a product is cut: tiles of block_m x block_n in steps of 64, `stages` steps in shared
/// memory.
/// @tparam group_rows_ as of TileOfBlock.
template <int block_m_, int block_n_, int stages_, int group_rows_, Work work_ = Work::together,
          int boxes_ = 2>
struct Cut {
  static constexpr int block_m = block_m_, block_n = block_n_, block_k = 64, stages = stages_;
  static constexpr int group_rows = group_rows_;
  static constexpr Work work = work_;

  /// Two warpgroups that multiply, a warp that copies.
  static constexpr int consumers = 2 * warpgroup_threads, threads = consumers + 32;
  static constexpr int rows = work == Work::together ? block_m / 2 : block_m;
  static constexpr int parts = rows / wgmma_m;  ///< of a warpgroup's tile, 64 rows each.
  static constexpr int a_bytes = block_m * block_k * 2;
  static constexpr int stage_bytes = a_bytes + block_n * block_k * 2;
  static constexpr int part_bytes = wgmma_m * block_k * 2, slice_bytes = wgmma_k * 2;
  /// 16 x 32 floats; a warp has `boxes` of them: of two, one is filled while the other leaves.
  static constexpr int box_bytes = 16 * 128, boxes = boxes_;
  static constexpr int shared_bytes = stages * stage_bytes + consumers / 32 * boxes * box_bytes;
};

/// What the two sides of a block share. A turn is a step of one of the block's tiles.
template <class T>
struct Stages {
  unsigned char* storage;
  StageBarrier* full;     ///< of each stage: its bytes are there.
  StageBarrier* empty;    ///< of each stage: no thread reads it any more.
  StageBarrier* may_run;  ///< of each warpgroup, where they take turns.
  int tiles_m, tiles_n, steps;

  __device__ unsigned stage(int turn) const {
    return shared_address(storage) + turn % T::stages * T::stage_bytes;
  }
  __device__ int tiles() const { return tiles_m * tiles_n; }
  __device__ TileOfBlock<T::group_rows> tile(int number) const {
    return {tiles_m, tiles_n, number};
  }
};

/// One thread has everything copied that the block multiplies.
template <class T>
__device__ void copy_tiles(const Stages<T>& s, const CUtensorMap& map_a, const CUtensorMap& map_b) {
  int turn = 0;
  for (int number = blockIdx.x; number < s.tiles(); number += gridDim.x) {
    const auto tile = s.tile(number);
    for (int step = 0; step < s.steps; ++step, ++turn) {
      const int round = turn / T::stages;
      StageBarrier* full = &s.full[turn % T::stages];
      if (round > 0) wait_for_phase(&s.empty[turn % T::stages], round - 1);
      arrive_expecting(full, T::stage_bytes);
      start_box(s.stage(turn), map_a, step * T::block_k, tile.m * T::block_m, full);
      start_box(s.stage(turn) + T::a_bytes, map_b, step * T::block_k, tile.n * T::block_n, full);
    }
  }
}

/// What a warpgroup holds of C.
template <class T>
struct TileSums {
  WarpgroupTile<T::block_n> part[T::parts];

  /// Starts the products of a step. @param tile_a of this warpgroup. @param tile_b of the block.
  __device__ void start_step(unsigned tile_a, unsigned tile_b) {
    const unsigned long long a = tile_descriptor(tile_a), b = tile_descriptor(tile_b);
    begin_products();
#pragma unroll
    for (int slice = 0; slice < T::block_k / wgmma_k; ++slice) {
#pragma unroll
      for (int i = 0; i < T::parts; ++i) {
        // Descriptors count 16 bytes.
        start_product(part[i], a + (i * T::part_bytes + slice * T::slice_bytes) / 16,
                      b + slice * T::slice_bytes / 16);
      }
    }
    end_products();
  }

  /// Each warp by itself, 16 rows x 32 columns at a time: into a box in shared memory, then the
  /// copy engine takes it along. Nothing waits for the memory but the box after next.
  /// @param boxes of this warp, shared, 1024 aligned. @param row, column of the warpgroup's tile.
  //! [store]
  __device__ void store(unsigned char* boxes, const CUtensorMap& map_c, int row, int column) const {
    const int lane = threadIdx.x % 32, warp = threadIdx.x % warpgroup_threads / 32;
    const int down = lane / 4;
    // Two rows that share a line's chunks would meet in the banks: every other row swaps the
    // halves.
    const bool odd = down % 2 == 1;
#pragma unroll
    for (int i = 0; i < T::parts; ++i) {
#pragma unroll
      for (int q = 0; q < T::block_n / 32; ++q) {
        unsigned char* box = boxes + q % T::boxes * T::box_bytes;
        if (lane == 0) wait_for_stores<T::boxes - 1>();
        // The copy engine has read what the box held.
        __syncwarp();
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const float* here = &part[i].value[(q * 4 + j) * 4];
          const float* there = &part[i].value[(q * 4 + (j ^ 2)) * 4];
          float v[4];
#pragma unroll
          for (int e = 0; e < 4; ++e) v[e] = odd ? there[e] : here[e];
          const int chunk = ((odd ? j ^ 2 : j) * 2 + lane % 4 / 2) ^ down;
          unsigned char* to = box + down * 128 + chunk * 16 + lane % 2 * 8;
          *reinterpret_cast<float2*>(to) = {v[0], v[1]};
          *reinterpret_cast<float2*>(to + 8 * 128) = {v[2], v[3]};
        }
        show_to_tensor_core();  // and to the copy engine
        // All lanes have written their part.
        __syncwarp();
        if (lane == 0) {
          start_store(map_c, column + q * 32, row + i * wgmma_m + warp * 16, shared_address(box));
        }
      }
    }
  }
  //! [store]
};

/// A warpgroup multiplies its half of each tile, or every other tile, and stores it.
/// @param group 0 or 1, the same in all lanes of a warp. @param finish as of product_of_block().
template <class T, class Finish>
__device__ void multiply_tiles(const Stages<T>& s, int group, const Finish& finish) {
  constexpr bool in_turns = T::work == Work::in_turns;
  const bool speaks = threadIdx.x % warpgroup_threads == 0;
  const auto leave = [&](int turn) {
    if (speaks) arrive(&s.empty[turn % T::stages]);
  };
  unsigned char* boxes =
      s.storage + T::stages * T::stage_bytes + threadIdx.x / 32 * T::boxes * T::box_bytes;
  const unsigned own_rows = in_turns ? 0 : group * T::parts * T::part_bytes;
  int turn = 0, count = 0;
  for (int number = blockIdx.x; number < s.tiles(); number += gridDim.x, ++count) {
    if (in_turns && count % 2 != group) {
      turn += s.steps;
      continue;
    }
    // A phase is known by its last bit: a warpgroup may not wait for one more than a round ahead.
    if (in_turns && count > 0) wait_for_phase(&s.may_run[group], (count - 1) / 2);
    TileSums<T> sums;
    for (int step = 0; step < s.steps; ++step, ++turn) {
      wait_for_phase(&s.full[turn % T::stages], turn / T::stages);
      sums.start_step(s.stage(turn) + own_rows, s.stage(turn) + T::a_bytes);
      wait_for_products<1>();
      // The step before has been multiplied: its stage may be filled again.
      if (step > 0) leave(turn - 1);
    }
    if (in_turns && speaks) arrive(&s.may_run[1 - group]);
    wait_for_products<0>();
    leave(turn - 1);
    const auto tile = s.tile(number);
    finish(sums, boxes, tile.m * T::block_m + (in_turns ? 0 : group * T::rows),
           tile.n * T::block_n);
  }
  // The boxes are shared memory of this block: it ends when they have been read.
  if (threadIdx.x % 32 == 0) wait_for_stores<0>();
}

/// A block's tiles: two warpgroups multiply, a ninth warp has tiles copied.
/// @param finish (sums, boxes, row, column) stores a warpgroup's tile, which begins at that row and
/// column, by way of the warp's boxes in shared memory.
/// @pre as product_by_boxes, all threads call it.
template <class T, class Finish>
__device__ void product_of_block(const CUtensorMap& map_a, const CUtensorMap& map_b,
                                 const CUtensorMap& map_c, int M, int N, int K,
                                 const Finish& finish) {
  extern __shared__ __align__(1024) unsigned char storage[];
  __shared__ StageBarrier full[T::stages], empty[T::stages], may_run[2];
  if (threadIdx.x == T::consumers) {
    fetch_map(map_a);
    fetch_map(map_b);
    fetch_map(map_c);
    for (int stage = 0; stage < T::stages; ++stage) {
      start_barrier(&full[stage], 1);
      start_barrier(&empty[stage], T::work == Work::together ? 2 : 1);
    }
    for (StageBarrier& barrier : may_run) start_barrier(&barrier, 1);
    show_barriers();
  }
  __syncthreads();
  const Stages<T> s = {storage,
                       full,
                       empty,
                       may_run,
                       ceil_div(M, T::block_m),
                       ceil_div(N, T::block_n),
                       ceil_div(K, T::block_k)};
  // From lane 0, so that the compiler knows: the same in the whole warp.
  const int group = __shfl_sync(0xFFFFFFFF, threadIdx.x / warpgroup_threads, 0);
  if (group < 2)
    multiply_tiles(s, group, finish);
  else if (threadIdx.x == T::consumers)
    copy_tiles(s, map_a, map_b);
}

/// Two warpgroups multiply, a ninth warp has tiles copied, C leaves by boxes.
/// @param map_a, map_b in boxes of block_m and block_n rows. @param map_c of tensor_map_of_c().
/// @pre N % 4 == 0, K % 8 == 0; T::threads threads, T::shared_bytes dynamic; any number of blocks.
/// @cost 2 M N K flops in bf16; every element of a and b is read N / block_n and M / block_m times.
/// @source NVIDIA CUTLASS, warp-specialised persistent kernels, cooperative and ping-pong.
template <class T>
__global__ void __launch_bounds__(T::threads, 1)
    product_by_boxes(const __grid_constant__ CUtensorMap map_a,
                     const __grid_constant__ CUtensorMap map_b,
                     const __grid_constant__ CUtensorMap map_c, int M, int N, int K) {
  product_of_block<T>(map_a, map_b, map_c, M, N, K,
                      [&](const TileSums<T>& sums, unsigned char* boxes, int row, int column) {
                        sums.store(boxes, map_c, row, column);
                      });
}

/// Rung 8's products with rung 11's copies: eight warps multiply by mma.sync, one thread has the
/// tiles copied. A warp computes no address of global memory, and waits for the bytes of a stage
/// only, never for the other warps. Its fragments and sums need more registers than twelve warps
/// can have alike: the four that copy give theirs away.
/// @tparam T its tiles, with what a block copies. @tparam W a Tiling of the same tiles: the warps'.
/// @param map_a, map_b as of product_by_boxes. @param[out] c M x N, row-major, device.
/// @pre K % 8 == 0; 384 threads, T::stages * T::stage_bytes dynamic; any number of blocks.
/// @cost as product_by_pipeline.
/// @source PTX manual, setmaxnreg.
template <class T, class W>
__global__ void __launch_bounds__(T::consumers + warpgroup_threads, 1)
    product_12_bulk_mma(const __grid_constant__ CUtensorMap map_a,
                        const __grid_constant__ CUtensorMap map_b, float* c, int M, int N, int K) {
  static_assert(W::threads == T::consumers && W::a_bytes == T::a_bytes);
  extern __shared__ __align__(1024) unsigned char storage[];
  __shared__ StageBarrier full[T::stages], empty[T::stages];
  if (threadIdx.x == T::consumers) {
    for (int stage = 0; stage < T::stages; ++stage) {
      start_barrier(&full[stage], 1);
      start_barrier(&empty[stage], T::consumers / 32);
    }
    show_barriers();
  }
  __syncthreads();
  const Stages<T> s = {storage,
                       full,
                       empty,
                       nullptr,
                       ceil_div(M, T::block_m),
                       ceil_div(N, T::block_n),
                       ceil_div(K, T::block_k)};
  const int warp = __shfl_sync(0xFFFFFFFF, threadIdx.x / 32, 0);
  if (warp >= T::consumers / 32) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == T::consumers) copy_tiles(s, map_a, map_b);
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  const int row_m = warp / W::warps_n * W::warp_m, row_n = warp % W::warps_n * W::warp_n;
  const int turns = (s.tiles() - static_cast<int>(blockIdx.x) + static_cast<int>(gridDim.x) - 1) /
                    static_cast<int>(gridDim.x) * s.steps;
  Fragments<W> fragments[2];
  int turn = 0;
  const auto load = [&](int slice) {
    fragments[slice % 2].template load<Swizzled<T::block_k>>(
        s.stage(turn), s.stage(turn) + T::a_bytes, row_m, row_n, slice);
  };
  wait_for_phase(&full[0], 0);
  load(0);
  for (int number = blockIdx.x; number < s.tiles(); number += gridDim.x) {
    WarpTile<W> part;
#pragma unroll 1
    for (int step = 0; step < s.steps; ++step) {
#pragma unroll
      for (int slice = 0; slice < W::slices; ++slice) {
        if (slice + 1 < W::slices) load(slice + 1);
        part.multiply_add(fragments[slice % 2]);
      }
      // A load may still be under way when the instruction behind it runs, and the copy engine does
      // not wait for it. The products have used all fragments of the stage: they are in registers.
      __syncwarp();
      if (threadIdx.x % 32 == 0) arrive(&empty[turn % T::stages]);
      ++turn;
      if (turn < turns) {
        wait_for_phase(&full[turn % T::stages], turn / T::stages);
        load(0);
      }
    }
    const auto tile = s.tile(number);
    part.store(tile.m * T::block_m + row_m, tile.n * T::block_n + row_n, M, N, StoreC{c, N});
  }
}

}  // namespace tensor
