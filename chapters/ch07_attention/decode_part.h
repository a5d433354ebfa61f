#pragma once
#include "../ch05_warp_reduce/softmax.h"
#include "attention_problem.h"
#include "cache.h"

/// \file
/// A partial softmax of one head's keys, and what its block does with it: the rungs of decode.cu
/// and decode_bulk.cu differ in how the keys arrive.
namespace attention {

/// Sixteen bytes of a key per lane: eight lanes share a key, a warp reads four per request.
inline constexpr int own_columns = 8, lanes_of_key = head_size / own_columns;
inline constexpr int keys_of_warp = 32 / lanes_of_key;
inline constexpr int warps = 4, threads = warps * 32;
/// Requests of keys, and of values, that a warp has in flight.
inline constexpr int ahead = 4;
struct Eight {
  float value[own_columns];
};

__device__ inline Eight widened(const uint4& chunk) {
  Eight eight;
  const auto* pairs = reinterpret_cast<const __nv_bfloat162*>(&chunk);
#pragma unroll
  for (int i = 0; i < own_columns / 2; ++i) {
    const float2 pair = __bfloat1622float2(pairs[i]);
    eight.value[2 * i] = pair.x;
    eight.value[2 * i + 1] = pair.y;
  }
  return eight;
}

/// A partial softmax: of the keys that a lane, a warp or a block has seen.
struct Part {
  float m = -INFINITY, l = 0;
  Eight o = {};

  /// Takes a few scores and their values at once. Scores of minus infinity do not count.
  __device__ void take(const float (&score)[ahead], const uint4 (&value)[ahead], float scale) {
    float largest = m;
#pragma unroll
    for (int i = 0; i < ahead; ++i) largest = fmaxf(largest, score[i]);
    if (largest == -INFINITY) return;
    const float factor = power_of_two((m - largest) * scale);
    l *= factor;
    for (float& column : o.value) column *= factor;
#pragma unroll
    for (int i = 0; i < ahead; ++i) {
      const float p = power_of_two((score[i] - largest) * scale);
      const Eight v = widened(value[i]);
      l += p;
#pragma unroll
      for (int c = 0; c < own_columns; ++c) o.value[c] += p * v.value[c];
    }
    m = largest;
  }

  /// Joins another part. Two empty parts are one: minus infinity less itself would be a NaN.
  __device__ void join(const Part& other, float scale) {
    const float largest = fmaxf(m, other.m);
    if (largest == -INFINITY) return;
    const float own = power_of_two((m - largest) * scale);
    const float others = power_of_two((other.m - largest) * scale);
    l = l * own + other.l * others;
#pragma unroll
    for (int c = 0; c < own_columns; ++c) {
      o.value[c] = o.value[c] * own + other.o.value[c] * others;
    }
    m = largest;
  }

  /// The part of the lane `distance` away.
  __device__ Part of_lane_across(int distance) const {
    Part other;
    other.m = __shfl_xor_sync(0xFFFFFFFF, m, distance);
    other.l = __shfl_xor_sync(0xFFFFFFFF, l, distance);
#pragma unroll
    for (int c = 0; c < own_columns; ++c) {
      other.o.value[c] = __shfl_xor_sync(0xFFFFFFFF, o.value[c], distance);
    }
    return other;
  }
};

/// The products of a lane's eight columns, summed over the eight lanes of a key.
__device__ inline float dot(const Eight& q, const uint4& key) {
  const Eight k = widened(key);
  float sum = 0;
#pragma unroll
  for (int c = 0; c < own_columns; ++c) sum += q.value[c] * k.value[c];
  return rows::combined_in_warp<rows::added, lanes_of_key>(sum);
}

/// A warp's next keys and values: `ahead` requests of each.
struct Batch {
  uint4 k[ahead], v[ahead];
};

/// Takes a batch of keys and values into a part.
/// @param inside whether the key of each request is one of the piece's.
__device__ inline void attend(Part& own, const Eight& q, const Batch& batch,
                              const bool (&inside)[ahead], float scale) {
  float score[ahead];
#pragma unroll
  for (int i = 0; i < ahead; ++i) {
    const float sum = dot(q, batch.k[i]);
    score[i] = inside[i] ? sum : -INFINITY;
  }
  own.take(score, batch.v, scale);
}

/// The block's part of all its lanes' parts: in the first eight threads, eight columns each.
/// @param of_warp shared. @pre all 128 threads call it.
__device__ inline Part joined_in_block(Part own, float scale,
                                       Part (&of_warp)[warps][lanes_of_key]) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  // The four keys of a request, then the warps.
  for (int distance = 16; distance >= lanes_of_key; distance /= 2) {
    own.join(own.of_lane_across(distance), scale);
  }
  if (lane < lanes_of_key) of_warp[warp][lane] = own;
  __syncthreads();
  if (threadIdx.x < lanes_of_key) {
    for (int other = 1; other < warps; ++other) own.join(of_warp[other][lane], scale);
  }
  return own;
}

/// Leaves a block's part for the one that combines. @param part 66 floats, device.
__device__ inline void leave_part(float* part, const Part& own) {
  if (threadIdx.x >= lanes_of_key) return;
  if (threadIdx.x == 0) {
    part[0] = own.m;
    part[1] = own.l;
  }
#pragma unroll
  for (int c = 0; c < own_columns; ++c) part[2 + threadIdx.x * own_columns + c] = own.o.value[c];
}

/// A column of a head's result. @param parts of the head. @param column 0 to 63
__device__ inline float combined(const float* parts, int splits, float scale, int column) {
  float largest = -INFINITY;
  for (int s = 0; s < splits; ++s) largest = fmaxf(largest, parts[s * part_floats]);
  float l = 0, o = 0;
  for (int s = 0; s < splits; ++s) {
    const float* part = parts + s * part_floats;
    // An empty part has the weight 2^-infinity = 0.
    const float weight = power_of_two((part[0] - largest) * scale);
    l += part[1] * weight;
    o += part[2 + column] * weight;
  }
  return o / l;
}

/// The result of a block that has a whole head: nothing is left for another one.
__device__ inline void store_alone(bf16* out, const Part& own) {
  if (threadIdx.x >= lanes_of_key) return;
  uint4 chunk;
  auto* pairs = reinterpret_cast<__nv_bfloat162*>(&chunk);
#pragma unroll
  for (int i = 0; i < own_columns / 2; ++i) {
    pairs[i] = __floats2bfloat162_rn(own.o.value[2 * i] / own.l, own.o.value[2 * i + 1] / own.l);
  }
  reinterpret_cast<uint4*>(out)[threadIdx.x] = chunk;
}

/// Ends a block: alone it stores the head's result, else it leaves its part, and the block of a
/// head that arrives last combines them.
/// @param own in the first eight threads. @param parts (N, splits, 66) floats, device.
/// @param[in,out] arrived (N), zeros before and after, device. @pre all 128 threads call it, grid
/// (splits, N). @source CUDA C++ Programming Guide, memory fence functions.
__device__ inline void store_or_combine(const Part& own, float* parts, unsigned* arrived, bf16* out,
                                        int splits, float scale) {
  __shared__ bool last;
  const std::size_t n = blockIdx.y;
  float* parts_of_head = parts + n * splits * part_floats;
  if (splits == 1) return store_alone(out + n * head_size, own);
  leave_part(parts_of_head + blockIdx.x * part_floats, own);
  // Each writer's part is visible to the device before its block counts as arrived.
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(&arrived[n], 1U) == static_cast<unsigned>(splits) - 1;
    if (last) arrived[n] = 0;
    __threadfence();
  }
  __syncthreads();
  if (!last || threadIdx.x >= head_size) return;
  out[n * head_size + threadIdx.x] =
      __float2bfloat16(combined(parts_of_head, splits, scale, threadIdx.x));
}

}  // namespace attention
