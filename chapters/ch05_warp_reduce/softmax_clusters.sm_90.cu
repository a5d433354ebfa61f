/// \file
/// Rung 6 of `softmax`: a cluster of four blocks, on four SMs, shares a row.
#include <cooperative_groups.h>

#include <type_traits>

#include "base/algorithm.h"
#include "bulk_copy.h"
#include "rows.h"
#include "softmax.h"

namespace lesson = warpwise::lesson;

namespace rows {
namespace {

constexpr int cluster_blocks = 4;
constexpr int threads = 256, warps = threads / warp_size;
/// An SM holds two blocks, of different rows: while one waits, the other works.
constexpr int blocks_per_sm = 2;

/// The largest value of some numbers, and the sum of exp(x - largest).
using State = float2;

/// Two states as one. @pre one of them has a number: minus infinity less itself would be a NaN.
__device__ State joined(State a, State b) {
  const float largest = fmaxf(a.x, b.x);
  return {largest, a.y * expf(a.x - largest) + b.y * expf(b.x - largest)};
}

/// Stores a state in another block's shared memory and goes on; its bytes count on a barrier there.
/// @param to, arrived places in this block's shared memory: those of the same name are meant.
/// @param rank of the other block.
/// @source PTX manual, mapa and st.async.
__device__ void send(State state, State* to, BulkBarrier* arrived, int rank) {
  asm volatile(
      "{\n"
      ".reg .b32 place, barrier;\n"
      "mapa.shared::cluster.u32 place, %0, %4;\n"
      "mapa.shared::cluster.u32 barrier, %1, %4;\n"
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [place], {%2, %3}, "
      "[barrier];\n"
      "}" ::"r"(shared_address_of(to)),
      "r"(shared_address_of(arrived)), "f"(state.x), "f"(state.y), "r"(rank)
      : "memory");
}

/// As rung 5, but a row is on four SMs. A block has room for its quarter of a row that comes and of
/// one that leaves, and both are copied while the threads work. The blocks send each other the
/// largest value and the sum of their quarters.
/// @tparam packs of a thread, 4 floats each.
/// @param[in] x, @param[out] y rows * columns, row-major, device, on 128-byte boundaries.
/// @pre (columns + 31) / 4, rounded up to 32, is at most 1024 * packs; clusters of 4 blocks of 256
/// threads, 2 * 1024 * packs floats of dynamic shared memory; sm_90.
/// @cost the 8 bytes an element that are needed; one exp.
/// @source CUDA C++ Programming Guide, distributed shared memory; PTX manual, cp.async.bulk.
template <int packs>
__global__ void __cluster_dims__(cluster_blocks) __launch_bounds__(threads, blocks_per_sm)
    softmax_6_cluster(const float* x, float* y, int rows, int columns) {
  extern __shared__ __align__(128) float coming[];
  float* leaving = coming + 4 * packs * threads;
  __shared__ BulkBarrier arrived;
  // Rows take turns: another block is one row ahead at most, since it needs this block's state.
  __shared__ State states[2][cluster_blocks];
  __shared__ BulkBarrier told[2];
  __shared__ float largest_of_warp[warps], sum_of_warp[warps];
  auto cluster = cooperative_groups::this_cluster();
  const int rank = static_cast<int>(cluster.block_rank());
  const int step = gridDim.x / cluster_blocks;
  if (threadIdx.x == 0) {
    for (BulkBarrier* barrier : {&arrived, &told[0], &told[1]}) start_bulk_barrier(barrier);
  }
  cluster.sync();  // the other blocks run, and their barriers are there
  const auto start = [&](int row) {
    if (threadIdx.x != 0 || row >= rows) return;
    const Place part(row, rows, columns, rank, cluster_blocks);
    arrive_expecting_bytes(&arrived, part.copied * sizeof(float));
    if (part.copied == 0) return;
    start_bulk_copy(coming, x + part.begin, part.copied * sizeof(float), &arrived);
  };
  start(blockIdx.x / cluster_blocks);

  int phase = 0;
  for (int row = blockIdx.x / cluster_blocks; row < rows; row += step, ++phase) {
    const Place part(row, rows, columns, rank, cluster_blocks);
    wait_for_bytes(&arrived, phase);
    Pack<4> kept[packs];
    float largest = take_from<threads>(kept, coming, x, part);
    // All threads hold their numbers: the place is free for the next row.
    __syncthreads();
    start(row + step);

    largest = combined_in_block<larger, warps>(largest, largest_of_warp);
    // A part without numbers: minus infinity less itself would be a NaN.
    const float base = largest == -INFINITY ? 0.0F : largest;
    float sum = 0;
#pragma unroll
    for (int i = 0; i < packs; ++i) {
#pragma unroll
      for (int e = 0; e < 4; ++e) sum += kept[i].value[e] = expf(kept[i].value[e] - base);
    }
    // The results of the row before have left `leaving` when the threads write there again.
    if (threadIdx.x == 0) wait_for_reads_of_stores();
    sum = combined_in_block<added, warps>(sum, sum_of_warp);

    const int turn = phase % 2;
    if (threadIdx.x == 0) {
      arrive_expecting_bytes(&told[turn], (cluster_blocks - 1) * sizeof(State));
      for (int other = 0; other < cluster_blocks; ++other) {
        if (other != rank) send({largest, sum}, &states[turn][rank], &told[turn], other);
      }
    }
    wait_for_bytes(&told[turn], phase / 2);
    // The first block has a number: with its state first, no join is of two without any.
    State whole = rank == 0 ? State{largest, sum} : states[turn][0];
#pragma unroll
    for (int other = 1; other < cluster_blocks; ++other) {
      whole = joined(whole, other == rank ? State{largest, sum} : states[turn][other]);
    }
    const float scale = expf(base - whole.x) / whole.y;

    // Whole packs leave by one copy. Those at the ends of the part hold other rows' elements as
    // well.
    const int from = (part.first + 3) / 4 * 4, to = max(part.end / 4 * 4, from);
#pragma unroll
    for (int i = 0; i < packs; ++i) {
      const int first = (i * threads + threadIdx.x) * 4;
#pragma unroll
      for (int e = 0; e < 4; ++e) kept[i].value[e] *= scale;
      if (first >= from && first < to) {
        *reinterpret_cast<Pack<4>*>(leaving + first) = kept[i];
      } else {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          if (part.has(first + e, i)) y[part.begin + first + e] = kept[i].value[e];
        }
      }
    }
    show_to_copies();
    __syncthreads();
    if (threadIdx.x == 0 && from < to) {
      start_bulk_store(y + part.begin + from, leaving + from, (to - from) * sizeof(float));
    }
  }
  if (threadIdx.x == 0) wait_for_reads_of_stores();
}

/// Clusters that the GPU holds at once: fewer than its SMs have room for, because the SMs of a
/// cluster are neighbours.
template <class Kernel>
int resident_clusters(Kernel* kernel, const lesson::Shape& shape) {
  lesson::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(shape.shared_bytes)));
  cudaLaunchConfig_t launch{};
  launch.gridDim = shape.grid;
  launch.blockDim = shape.block;
  launch.dynamicSmemBytes = shape.shared_bytes;
  int clusters = 0;
  lesson::check(cudaOccupancyMaxActiveClusters(&clusters, kernel, &launch));
  return clusters;
}

}  // namespace

void cluster_rung(lesson::Trial& run, const float* x, float* y, int rows, int columns) {
  const char* name = "softmax, cluster per row";
  int major = 0;
  lesson::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  if (major < 9) return run.skip(name, "clusters of blocks need sm_90");
  const auto rung = [&](auto packs) {
    constexpr int count = decltype(packs)::value;
    // At most half as many clusters as rows, so that each cluster sees a next row.
    lesson::Shape shape{.grid = cluster_blocks * ceil_div(rows, 2),
                        .block = threads,
                        .shared_bytes = sizeof(float) * 2 * 4 * count * threads};
    shape.grid = cluster_blocks *
                 std::min(ceil_div(rows, 2), resident_clusters(softmax_6_cluster<count>, shape));
    run.variant(name, softmax_6_cluster<count>, shape, x, y, rows, columns);
  };
  const int lines = ceil_div(columns + line - 1, line);
  const int packs = ceil_div(ceil_div(lines, cluster_blocks) * line, 4 * threads);
  if (packs <= 1) return rung(std::integral_constant<int, 1>());
  if (packs <= 3) return rung(std::integral_constant<int, 3>());
  if (packs <= 13) return rung(std::integral_constant<int, 13>());
  run.skip(name, "more than 53217 columns do not fit two blocks per SM");
}

}  // namespace rows
