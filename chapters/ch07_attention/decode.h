#pragma once
#include "cache.h"
#include "lesson/ladder.h"

/// \file
/// One query per sequence against a cache of keys and values.
namespace attention {

/// Blocks per head: enough for so many on each SM, each with 64 keys at least.
int splits_of(const Extents& e, int blocks_of_sm = 4);

/// decode_bulk.cu: rungs 6 and 7, keys and values by bulk copies. @param arrived N zeros, device.
/// @pre parts for splits_of(e) pieces of a head.
void decode_bulk_rungs(warpwise::lesson::Trial& run, const Cache& cache, float* parts,
                       unsigned* arrived, bf16* out, const Extents& e, float scale);

/// Starts both kernels on the default stream. @param parts N * splits * 66 floats, device.
/// @param[out] out (B, H, 64), device. @throws Stop when a launch is refused.
void start_decode(const Cache& cache, float* parts, bf16* out, int N, int splits, float scale);

/// The same as one kernel, on any stream. @param arrived N zeros, device; zeros again at the end.
void start_decode_in_one(const Cache& cache, float* parts, unsigned* arrived, bf16* out, int N,
                         int splits, float scale, cudaStream_t stream = nullptr);

/// Rung 6 or 7 on the default stream. @pre sm_90; otherwise as start_decode_in_one.
void start_decode_bulk(const Cache& cache, float* parts, unsigned* arrived, bf16* out, int N,
                       int splits, float scale, bool evicted_first);

}  // namespace attention
