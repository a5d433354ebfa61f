/// \file
/// Rung 4 of attention.cpp: 64 queries share each tile of 64 keys and values in shared memory.
#include "attention_rungs.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

constexpr int block_queries = 64, block_keys = 64;
constexpr int threads = 256;
/// Four floats more per row: rows begin at multiples of 16 bytes, and the same column of eight
/// neighbouring rows is in eight different groups of banks.
constexpr int shared_pitch = head_size + 4;
constexpr int tile_floats = 64 * shared_pitch;
/// Q, K, V and the weights P.
constexpr std::size_t shared_bytes = 4 * tile_floats * sizeof(float);
/// Queries and keys, or queries and columns, of a thread.
constexpr int own = 4;

/// Copies 64 rows of a head to shared memory; rows past the end are zeros.
__device__ void copy_rows(float* to, const float* rows, int first, const Extents& e) {
  for (int i = threadIdx.x; i < 64 * head_size / 4; i += threads) {
    const int row = i / (head_size / 4), column = i % (head_size / 4) * 4;
    float4 four = {};
    if (first + row < e.T) {
      four = *reinterpret_cast<const float4*>(
          rows + static_cast<std::size_t>(first + row) * e.pitch() + column);
    }
    *reinterpret_cast<float4*>(to + row * shared_pitch + column) = four;
  }
}

__device__ float4 four_at(const float* tile, int row, int column) {
  return *reinterpret_cast<const float4*>(tile + row * shared_pitch + column);
}

__device__ float dot(float4 a, float4 b, float sum) {
  return sum + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// A thread's part of a row's state; the 16 threads of a row agree on m, and each has its own l.
struct RowState {
  float m = -INFINITY, l = 0;
};

/// A thread (tx, ty) of the 16 x 16: queries 4 ty to 4 ty + 3; keys tx, tx + 16, ...; columns 4 tx
/// to 4 tx + 3 of the result.
struct Tile {
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  RowState row[own];
  float o[own][own] = {};

  /// The scores of a tile of keys.
  __device__ void scores(float (&s)[own][own], const float* q, const float* k) const {
#pragma unroll 4
    for (int column = 0; column < head_size; column += 4) {
      float4 of_q[own];
#pragma unroll
      for (int i = 0; i < own; ++i) of_q[i] = four_at(q, ty * own + i, column);
#pragma unroll
      for (int j = 0; j < own; ++j) {
        const float4 of_k = four_at(k, tx + 16 * j, column);
#pragma unroll
        for (int i = 0; i < own; ++i) s[i][j] = dot(of_q[i], of_k, s[i][j]);
      }
    }
  }

  /// Keys that do not count get minus infinity. Only tiles on the diagonal or at the end ask.
  __device__ void mask(float (&s)[own][own], int first_query, int first_key, int T,
                       bool causal) const {
#pragma unroll
    for (int i = 0; i < own; ++i) {
#pragma unroll
      for (int j = 0; j < own; ++j) {
        const int query = first_query + ty * own + i, key = first_key + tx + 16 * j;
        if (key >= T || (causal && key > query)) s[i][j] = -INFINITY;
      }
    }
  }

  /// The tile's maxima join the running ones; sum and result come to the new scale; scores become
  /// weights, which are stored for the other threads of the row.
  __device__ void weigh(float (&s)[own][own], float scale, float* p) {
#pragma unroll
    for (int i = 0; i < own; ++i) {
      float largest = row[i].m;
#pragma unroll
      for (int j = 0; j < own; ++j) largest = fmaxf(largest, s[i][j]);
      // The 16 lanes of a row are half a warp.
      for (int distance = 8; distance > 0; distance /= 2) {
        largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFF, largest, distance));
      }
      const float factor = power_of_two((row[i].m - largest) * scale);
      row[i].m = largest;
      row[i].l *= factor;
#pragma unroll
      for (int j = 0; j < own; ++j) {
        o[i][j] *= factor;
        const float weight = power_of_two((s[i][j] - largest) * scale);
        row[i].l += weight;
        p[(ty * own + i) * shared_pitch + tx + 16 * j] = weight;
      }
    }
  }

  /// o += P * V
  __device__ void add_values(const float* p, const float* v) {
#pragma unroll 4
    for (int key = 0; key < block_keys; key += 4) {
      float4 of_p[own];
#pragma unroll
      for (int i = 0; i < own; ++i) of_p[i] = four_at(p, ty * own + i, key);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const float4 of_v = four_at(v, key + k, tx * 4);
        const float values[own] = {of_v.x, of_v.y, of_v.z, of_v.w};
#pragma unroll
        for (int i = 0; i < own; ++i) {
          const float weights[4] = {of_p[i].x, of_p[i].y, of_p[i].z, of_p[i].w};
#pragma unroll
          for (int j = 0; j < own; ++j) o[i][j] += weights[k] * values[j];
        }
      }
    }
  }

  __device__ void store(float* out, int first_query, const Extents& e) const {
#pragma unroll
    for (int i = 0; i < own; ++i) {
      float sum = row[i].l;
      for (int distance = 8; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(0xFFFFFFFF, sum, distance);
      }
      const int query = first_query + ty * own + i;
      if (query >= e.T) continue;
      *reinterpret_cast<float4*>(out + static_cast<std::size_t>(query) * e.C() + tx * 4) = {
          o[i][0] / sum, o[i][1] / sum, o[i][2] / sum, o[i][3] / sum};
    }
  }
};

/// A block takes 64 queries through all tiles of 64 keys that count. Tiles above the diagonal are
/// skipped; those on it compare indices.
/// @param[in] qkv (B, T, 3C), 16 aligned, device. @param[out] out (B, T, C), device.
/// @pre blocks of 256 threads, shared_bytes dynamic; grid (N, ceil(T / 64)), the last queries
/// first.
/// @cost 4 N T T d flops, about half of it if causal; each key and value is read once per 64
/// queries.
/// @source Dao and others, "FlashAttention: Fast and Memory-Efficient Exact Attention".
__global__ void __launch_bounds__(threads, 3)
    attention_4_tiles(const float* qkv, float* out, Extents e, float scale, bool causal) {
  extern __shared__ float4 storage[];
  float* q = reinterpret_cast<float*>(storage);
  float *k = q + tile_floats, *v = k + tile_floats, *p = v + tile_floats;
  const Head<float> head(qkv, out, e, blockIdx.x);
  const int first_query = (gridDim.y - 1 - blockIdx.y) * block_queries;
  const int keys = causal ? min(e.T, first_query + block_queries) : e.T;
  copy_rows(q, head.q, first_query, e);
  Tile tile;
  for (int first_key = 0; first_key < keys; first_key += block_keys) {
    copy_rows(k, head.k, first_key, e);
    copy_rows(v, head.v, first_key, e);
    // Q, K and V have arrived.
    __syncthreads();
    float s[own][own] = {};
    tile.scores(s, q, k);
    const bool on_diagonal = causal && first_key + block_keys > first_query;
    if (on_diagonal || first_key + block_keys > e.T) {
      tile.mask(s, first_query, first_key, e.T, causal);
    }
    tile.weigh(s, scale, p);
    // The weights of a row are written and read by the same half of a warp.
    __syncwarp();
    tile.add_values(p, v);
    // All threads have read K and V before the next tiles overwrite them.
    __syncthreads();
  }
  tile.store(head.out, first_query, e);
}

lesson::Shape tile_shape(const Extents& e) {
  return {.grid = dim3(e.N(), ceil_div(e.T, block_queries)),
          .block = threads,
          .shared_bytes = shared_bytes};
}

}  // namespace

void start_tiles(const float* qkv, float* out, Extents e, float scale, bool causal,
                 cudaStream_t stream) {
  lesson::Shape shape = tile_shape(e);
  shape.stream = stream;
  lesson::bind_launch(reinterpret_cast<const void*>(attention_4_tiles), shape,
                      std::tuple(qkv, out, e, scale, causal))();
}

void tile_rungs(lesson::Trial& run, const Attention& a) {
  run.variant("tiles of 64 keys, fp32", attention_4_tiles, tile_shape(a.e), a.qkv, a.out, a.e,
              a.scale, a.causal);
}

}  // namespace attention
