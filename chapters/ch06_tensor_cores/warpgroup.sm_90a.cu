/// \file
/// The product by Hopper's own instructions: wgmma, and copies of whole tiles by one thread. These
/// are rungs 9 to 11 of product.cu; code for sm_90a, which runs on no other GPU.
///
///     build/ch06_tensor_cores --only wgmma

#include "base/algorithm.h"
#include "pipelined_product.h"
#include "product_problem.h"
#include "tensor_copy.h"
#include "warpgroup_matrix.h"

namespace lesson = warpwise::lesson;

namespace tensor {
namespace {

/// 256 x 128 of C by two warpgroups, 128 x 128 each, in steps of 64 with four stages.
struct Warpgroups {
  static constexpr int block_m = 256, block_n = 128, block_k = 64, stages = 4;
  static constexpr int group_rows = 2;
  static constexpr int threads = 2 * warpgroup_threads, parts = block_m / 2 / wgmma_m;
  static constexpr int a_bytes = block_m * block_k * 2;
  static constexpr int stage_bytes = a_bytes + block_n * block_k * 2;
  static constexpr int shared_bytes = stages * stage_bytes;
  static constexpr int part_bytes = wgmma_m * block_k * 2, slice_bytes = wgmma_k * 2;
};
using T = Warpgroups;

/// What a warpgroup holds of C.
struct Sums {
  WarpgroupTile<> part[T::parts];

  /// Starts the products of a step. @param tile_a of this warpgroup. @param tile_b of the block.
  //! [start_step]
  __device__ void start_step(unsigned tile_a, unsigned tile_b) {
    begin_products();
#pragma unroll
    for (int slice = 0; slice < T::block_k / wgmma_k; ++slice) {
#pragma unroll
      for (int i = 0; i < T::parts; ++i) {
        start_product(part[i], tile_descriptor(tile_a + i * T::part_bytes + slice * T::slice_bytes),
                      tile_descriptor(tile_b + slice * T::slice_bytes));
      }
    }
    end_products();
  }
  //! [start_step]

  __device__ void store(int first_row, int first_column, float* c, int M, int N) const {
#pragma unroll
    for (int i = 0; i < T::parts; ++i) {
      tensor::store(part[i], first_row + i * wgmma_m, first_column, M, N, StoreC{c, N});
    }
  }
};

// ---- rung 9: the same copies, and a warpgroup's instruction that reads shared memory itself ----

/// While the products of a step are in flight, those of the next are started; the copies are two
/// steps ahead of them.
/// @param[in] a M x K, b N x K, row-major bf16, 16 aligned, device. @param[out] c M x N, row-major.
/// @pre K % 8 == 0; 256 threads, T::shared_bytes dynamic; a block for each 256 x 128 tile of C.
/// @cost 2 M N K flops in bf16; every element of a and b is read N / 128 and M / 256 times.
/// @source PTX manual, wgmma.
__global__ void __launch_bounds__(T::threads, 1)
    product_9_wgmma(const bf16* a, const bf16* b, float* c, int M, int N, int K) {
  extern __shared__ __align__(1024) unsigned char stages[];
  const TileOfBlock<T::group_rows> tile(ceil_div(M, T::block_m), ceil_div(N, T::block_n));
  const int first_m = tile.m * T::block_m, first_n = tile.n * T::block_n;
  const int steps = ceil_div(K, T::block_k);
  const unsigned own_rows = threadIdx.x / warpgroup_threads * T::parts * T::part_bytes;

  TileCopies<T::block_m, T::block_k, T::threads> copies_a(a, first_m, M, K);
  TileCopies<T::block_n, T::block_k, T::threads> copies_b(b, first_n, N, K);
  const auto stage_of = [&](int step) {
    return shared_address(stages) + step % T::stages * T::stage_bytes;
  };
  const auto start_copies = [&](int step) {
    copies_a.start_next(stage_of(step));
    copies_b.start_next(stage_of(step) + T::a_bytes);
    end_group();
  };
  constexpr int ahead = T::stages - 2;
  for (int step = 0; step < ahead; ++step) start_copies(step);
  Sums sums;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    wait_for_groups<ahead - 1>();
    show_to_tensor_core();
    // The step is there, and all products but those of the step before are done.
    __syncthreads();
    sums.start_step(stage_of(step) + own_rows, stage_of(step) + T::a_bytes);
    start_copies(step + ahead);
    wait_for_products<1>();
  }
  wait_for_products<0>();
  sums.store(first_m + threadIdx.x / warpgroup_threads * T::parts * wgmma_m, first_n, c, M, N);
}

// ---- rung 10: a warp of its own copies, by one instruction for each tile ----
// ---- rung 11: the same kernel, launched with one block per SM instead of one per tile ----

/// What the two sides of a block share. A turn is a step of one of the block's tiles of C.
struct Pipeline {
  unsigned stages;       ///< shared address
  StageBarrier* full;    ///< of each stage: its bytes are there
  StageBarrier* empty;   ///< of each stage: both warpgroups are done with it
  int tiles_m, tiles_n;  ///< of C
  int steps;             ///< of a tile

  __device__ unsigned stage(int turn) const { return stages + turn % T::stages * T::stage_bytes; }
};

/// One thread has all tiles of A and B copied that the block multiplies.
__device__ void copy_tiles(const Pipeline& p, const CUtensorMap& map_a, const CUtensorMap& map_b) {
  int turn = 0;
  for (int number = blockIdx.x; number < p.tiles_m * p.tiles_n; number += gridDim.x) {
    const TileOfBlock<T::group_rows> tile(p.tiles_m, p.tiles_n, number);
    for (int step = 0; step < p.steps; ++step, ++turn) {
      const int round = turn / T::stages;
      StageBarrier* full = &p.full[turn % T::stages];
      if (round > 0) wait_for_phase(&p.empty[turn % T::stages], round - 1);
      arrive_expecting(full, T::stage_bytes);
      start_box(p.stage(turn), map_a, step * T::block_k, tile.m * T::block_m, full);
      start_box(p.stage(turn) + T::a_bytes, map_b, step * T::block_k, tile.n * T::block_n, full);
    }
  }
}

/// A warpgroup multiplies them, and stores its part of C. @param group 0 or 1.
__device__ void multiply_tiles(const Pipeline& p, int group, float* c, int M, int N) {
  const bool speaks = threadIdx.x % warpgroup_threads == 0;
  const auto leave = [&](int turn) {
    if (speaks) arrive(&p.empty[turn % T::stages]);
  };
  int turn = 0;
  for (int number = blockIdx.x; number < p.tiles_m * p.tiles_n; number += gridDim.x) {
    const TileOfBlock<T::group_rows> tile(p.tiles_m, p.tiles_n, number);
    Sums sums;
    for (int step = 0; step < p.steps; ++step, ++turn) {
      wait_for_phase(&p.full[turn % T::stages], turn / T::stages);
      sums.start_step(p.stage(turn) + group * T::parts * T::part_bytes, p.stage(turn) + T::a_bytes);
      wait_for_products<1>();
      // The step before has been multiplied: its stage may be filled again.
      if (step > 0) leave(turn - 1);
    }
    wait_for_products<0>();
    leave(turn - 1);
    sums.store(tile.m * T::block_m + group * T::parts * wgmma_m, tile.n * T::block_n, c, M, N);
  }
}

/// Two warpgroups multiply; a ninth warp, of which one thread does anything, has the tiles copied.
/// Two barriers a stage take the place of __syncthreads(). Where a block has several tiles of C,
/// those of the next are copied while the sums of this one are stored.
/// @param map_a, map_b of A in boxes of 256 rows, of B in boxes of 128.
/// @param[out] c M x N, row-major, device.
/// @pre 288 threads, T::shared_bytes dynamic; at most a block for each 256 x 128 tile of C.
/// @cost as product_9_wgmma.
/// @source PTX manual, cp.async.bulk.tensor; NVIDIA CUTLASS, warp-specialised persistent kernels.
__global__ void __launch_bounds__(T::threads + 32, 1)
    product_10_bulk_copies(const __grid_constant__ CUtensorMap map_a,
                           const __grid_constant__ CUtensorMap map_b, float* c, int M, int N,
                           int K) {
  extern __shared__ __align__(1024) unsigned char stages[];
  __shared__ StageBarrier full[T::stages], empty[T::stages];
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < T::stages; ++stage) {
      start_barrier(&full[stage], 1);
      start_barrier(&empty[stage], 2);
    }
    show_barriers();
  }
  __syncthreads();
  const Pipeline pipeline = {
      shared_address(stages), full, empty, ceil_div(M, T::block_m), ceil_div(N, T::block_n),
      ceil_div(K, T::block_k)};
  const int group = threadIdx.x / warpgroup_threads;
  if (group < 2)
    multiply_tiles(pipeline, group, c, M, N);
  else if (threadIdx.x == T::threads)
    copy_tiles(pipeline, map_a, map_b);
}

/// As many blocks as there are SMs, but two tiles of C for each at least.
unsigned blocks_that_stay(unsigned tiles) {
  int sms = 0;
  lesson::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  return std::clamp(tiles / 2, 1U, static_cast<unsigned>(sms));
}

}  // namespace

void warpgroup_rungs(lesson::Trial& run, const Product& p) {
  const auto tiles = static_cast<unsigned>(ceil_div(p.M, T::block_m) * ceil_div(p.N, T::block_n));
  run.variant("wgmma bf16, cp.async x 4", product_9_wgmma,
              {.grid = tiles, .block = T::threads, .shared_bytes = T::shared_bytes}, p.a_bf16,
              p.b_bf16, p.c, p.M, p.N, p.depth);
  const auto bulk_rung = [&](const char* name, unsigned blocks) {
    run.variant(name, product_10_bulk_copies,
                {.grid = blocks, .block = T::threads + 32, .shared_bytes = T::shared_bytes},
                tensor_map(p.a_bf16, p.M, p.depth, T::block_m),
                tensor_map(p.b_bf16, p.N, p.depth, T::block_n), p.c, p.M, p.N, p.depth);
  };
  bulk_rung("wgmma bf16, bulk x 4", tiles);
  bulk_rung("wgmma bf16, persistent", blocks_that_stay(tiles));
}

}  // namespace tensor
