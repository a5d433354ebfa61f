/// \file
/// Rung 5 of attention.cpp: both products on tensor cores, by mma.sync in bf16. The scores of a
/// warp are accumulators of the first product and become, rounded, the first operand of the second.
#include "../ch06_tensor_cores/async_copy.h"
#include "attention_rungs.h"
#include "row_softmax.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

using tensor::Accumulator, tensor::FragmentA, tensor::FragmentB;
using Place = tensor::Swizzled<head_size>;

constexpr int warps = 4, threads = warps * 32;
/// Rows of a tile of queries and of a tile of keys: 16 queries per warp.
constexpr int rows = warps * tensor::mma_m;
constexpr int tile_bytes = rows * head_size * 2;
constexpr int stages = 2;
/// Q, and two stages of K and V.
constexpr std::size_t shared_bytes = tile_bytes + stages * 2 * tile_bytes;
/// Steps of 16 in a head, or in a tile of keys; groups of 8 keys, or of 8 columns.
constexpr int steps = head_size / tensor::mma_k, groups = rows / tensor::mma_n;

/// Starts the copies of 64 rows of a head; rows past the end become zeros.
/// @param to shared address of a tile, in which chunks are as in Swizzled<64>.
__device__ void start_rows(unsigned to, const bf16* from, int first, const Extents& e) {
  constexpr int chunks = head_size / tensor::chunk_elements;
#pragma unroll
  for (int i = 0; i < rows * chunks / threads; ++i) {
    const int row = threadIdx.x / chunks + i * (threads / chunks), chunk = threadIdx.x % chunks;
    const int token = first + row;
    tensor::start_copy(token < e.T, to + Place::offset(row, chunk),
                       from + static_cast<std::size_t>(min(token, e.T - 1)) * e.pitch() +
                           chunk * tensor::chunk_elements);
  }
}

/// As tensor::load_matrices, each matrix transposed: rows of V are the depth of the product.
__device__ void load_transposed(unsigned row, unsigned& first, unsigned& second, unsigned& third,
                                unsigned& fourth) {
#if __CUDA_ARCH__ >= 750
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(first), "=r"(second), "=r"(third), "=r"(fourth)
               : "r"(row)
               : "memory");
#else
  __trap();
#endif
}

/// What a warp holds: its 16 queries, their running softmax, and their results so far.
struct Queries {
  FragmentA q[steps];
  Accumulator o[groups] = {};
  RowPair state;

  /// @param tile shared address of the block's queries.
  __device__ void load(unsigned tile) {
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32 * tensor::mma_m + lane % 16;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
      tensor::load_matrices(tile + Place::offset(row, step * 2 + lane / 16), q[step].pair[0],
                            q[step].pair[1], q[step].pair[2], q[step].pair[3]);
    }
  }

  /// s = Q * K^T. A key's row is along the depth, as mma wants its second operand.
  __device__ void scores(Accumulator (&s)[groups], unsigned tile_k) const {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int step = 0; step < steps; ++step) {
#pragma unroll
      for (int n = 0; n < groups; n += 2) {
        FragmentB k[2];
        const int row = n * tensor::mma_n + lane / 16 * 8 + lane % 8;
        tensor::load_matrices(tile_k + Place::offset(row, step * 2 + lane / 8 % 2), k[0].pair[0],
                              k[0].pair[1], k[1].pair[0], k[1].pair[1]);
        tensor::multiply_add(s[n], q[step], k[0]);
        tensor::multiply_add(s[n + 1], q[step], k[1]);
      }
    }
  }

  /// Scores become weights; sums and results come to the scale of the new maxima.
  __device__ void weigh(Accumulator (&s)[groups], float scale) {
    float largest[2] = {state.m[0], state.m[1]}, factor[2];
#pragma unroll
    for (int n = 0; n < groups; ++n) RowPair::look(s[n].value, largest);
    state.agree(largest, scale, factor);
    const float minus_m[2] = {-state.m[0] * scale, -state.m[1] * scale};
#pragma unroll
    for (int n = 0; n < groups; ++n) {
      state.weigh(s[n].value, scale, minus_m);
#pragma unroll
      for (int i = 0; i < 4; ++i) o[n].value[i] *= factor[i / 2];
    }
  }

  /// o += P * V. Step j takes the weights of the groups 2j and 2j + 1 of 8 keys from the registers
  /// in which the first product left them.
  //! [add_values]
  __device__ void add_values(const Accumulator (&s)[groups], unsigned tile_v) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int step = 0; step < rows / tensor::mma_k; ++step) {
      const float *left = s[2 * step].value, *right = s[2 * step + 1].value;
      const FragmentA p = {as_pair(left[0], left[1]), as_pair(left[2], left[3]),
                           as_pair(right[0], right[1]), as_pair(right[2], right[3])};
#pragma unroll
      for (int n = 0; n < groups; n += 2) {
        FragmentB v[2];
        const int row = step * tensor::mma_k + lane % 16;
        load_transposed(tile_v + Place::offset(row, n + lane / 16), v[0].pair[0], v[0].pair[1],
                        v[1].pair[0], v[1].pair[1]);
        tensor::multiply_add(o[n], p, v[0]);
        tensor::multiply_add(o[n + 1], p, v[1]);
      }
    }
  }
  //! [add_values]

  /// By way of the warp's own rows of shared memory, so that a request writes whole sectors.
  /// @param tile in shared memory; the warp's 16 rows are free. @param first_query of the block.
  __device__ void store(unsigned char* tile, bf16* out, int first_query, const Extents& e) {
    state.add_up();
    const int lane = threadIdx.x % 32, first_row = threadIdx.x / 32 * tensor::mma_m;
#pragma unroll
    for (int n = 0; n < groups; ++n) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const float* two = o[n].value + 2 * i;
        const int row = first_row + lane / 4 + 8 * i;
        *reinterpret_cast<unsigned*>(tile + Place::offset(row, n) + lane % 4 * 4) =
            as_pair(two[0] / state.l[i], two[1] / state.l[i]);
      }
    }
    // The rows are read by the warp that wrote them.
    __syncwarp();
    constexpr int chunks = head_size / tensor::chunk_elements;
#pragma unroll
    for (int i = 0; i < tensor::mma_m * chunks / 32; ++i) {
      const int row = first_row + lane / chunks + i * (32 / chunks), chunk = lane % chunks;
      if (first_query + row >= e.T) continue;
      *reinterpret_cast<uint4*>(out + static_cast<std::size_t>(first_query + row) * e.C() +
                                chunk * tensor::chunk_elements) =
          *reinterpret_cast<const uint4*>(tile + Place::offset(row, chunk));
    }
  }
};

/// Four warps take 16 queries each through the tiles of 64 keys that count. The next tile's copies
/// run while this one is multiplied.
/// @param[in] qkv (B, T, 3C), 16 aligned, device. @param[out] out (B, T, C), 16 aligned, device.
/// @pre blocks of 128 threads, shared_bytes dynamic; grid (N, ceil(T / 64)), the last queries
/// first.
/// @cost 4 N T T d flops in bf16, about half of it if causal; each key and value is read once per
/// 64 queries.
/// @source Dao, "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning".
__global__ void __launch_bounds__(threads, 4)
    attention_5_warp_products(const bf16* qkv, bf16* out, Extents e, float scale, bool causal) {
  extern __shared__ __align__(128) unsigned char storage[];
  const unsigned tile_q = tensor::shared_address(storage);
  const Head<bf16> head(qkv, out, e, blockIdx.x);
  const int first_query = (gridDim.y - 1 - blockIdx.y) * rows;
  const int keys = causal ? min(e.T, first_query + rows) : e.T;
  const int tiles = ceil_div(keys, rows);
  const auto tile_k = [&](int tile) { return tile_q + tile_bytes * (1 + tile % stages * 2); };
  const auto start_tile = [&](int tile) {
    start_rows(tile_k(tile), head.k, tile * rows, e);
    start_rows(tile_k(tile) + tile_bytes, head.v, tile * rows, e);
  };
  start_rows(tile_q, head.q, first_query, e);
  start_tile(0);
  tensor::end_group();
  Queries own;
  const int query = first_query + threadIdx.x / 32 * tensor::mma_m + threadIdx.x % 32 / 4;
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) start_tile(tile + 1);
    tensor::end_group();
    tensor::wait_for_groups<1>();
    // All threads' copies of this tile have arrived.
    __syncthreads();
    if (tile == 0) own.load(tile_q);
    Accumulator s[groups] = {};
    own.scores(s, tile_k(tile));
    const bool on_diagonal = causal && (tile + 1) * rows > first_query;
    if (on_diagonal || (tile + 1) * rows > e.T) {
#pragma unroll
      for (int n = 0; n < groups; ++n) {
        RowPair::mask(s[n].value, query, tile * rows + n * tensor::mma_n, e.T, causal);
      }
    }
    own.weigh(s, scale);
    own.add_values(s, tile_k(tile) + tile_bytes);
    // All threads have read this stage before the next iteration's copies overwrite it.
    __syncthreads();
  }
  own.store(storage, head.out, first_query, e);
}

lesson::Shape shape_of(const Extents& e) {
  return {.grid = dim3(e.N(), ceil_div(e.T, rows)), .block = threads, .shared_bytes = shared_bytes};
}

}  // namespace

void start_warp_products(const bf16* qkv, bf16* out, Extents e, float scale, bool causal,
                         cudaStream_t stream) {
  lesson::Shape shape = shape_of(e);
  shape.stream = stream;
  lesson::bind_launch(reinterpret_cast<const void*>(attention_5_warp_products), shape,
                      std::tuple(qkv, out, e, scale, causal))();
}

void warp_product_rungs(lesson::Trial& run, const Attention& a) {
  run.variant("mma bf16, tiles of 64", attention_5_warp_products, shape_of(a.e), a.qkv_bf16,
              a.out_bf16, a.e, a.scale, a.causal);
}

}  // namespace attention
