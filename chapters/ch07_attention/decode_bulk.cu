/// \file
/// Rungs 6 and 7 of decode.cu: the copy engine brings keys and values to shared memory, many at a
/// time.
#include <tuple>

#include "../ch05_warp_reduce/bulk_copy.h"
#include "base/algorithm.h"
#include "decode.h"
#include "decode_part.h"
#include "lesson/device/launch.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

/// A request of each lane for keys, and one for values, times `ahead`.
constexpr int stage_keys = ahead * warps * keys_of_warp;
constexpr int stages = 4;
constexpr int chunks_of_stage = stage_keys * lanes_of_key;

/// What of a cache is in flight for a block.
struct Ring {
  uint4 keys[stages][chunks_of_stage], values[stages][chunks_of_stage];
};

/// As decode_parts_and_combine, but keys and values come through shared memory: while a stage is
/// used, copies into three others are under way, and no register waits for them.
/// @tparam evicted_first whether the cache's lines are the first to leave the L2 cache.
/// @param[in] cache, [out] parts, out, [in,out] arrived device: as of decode_parts_and_combine.
/// @pre sm_90; blocks of 128 threads, grid (splits, N), sizeof(Ring) bytes of dynamic shared
/// memory.
/// @cost reads 4 d bytes per key; 4 d flops. @source PTX manual, cp.async.bulk.
template <bool evicted_first>
__global__ void __launch_bounds__(threads)
    decode_bulk(Cache cache, float* parts, unsigned* arrived, bf16* out, int splits, float scale) {
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ rows::BulkBarrier come[stages];
  __shared__ Part of_warp[warps][lanes_of_key];
  Ring& ring = *reinterpret_cast<Ring*>(memory);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int column = lane % lanes_of_key, n = blockIdx.y;
  const auto* all_keys = reinterpret_cast<const uint4*>(cache.keys);
  const auto* all_values = reinterpret_cast<const uint4*>(cache.values);
  const std::size_t of_head = static_cast<std::size_t>(n) * cache.Tmax * lanes_of_key;
  // Copies a stage of the keys from `first` on, of which there are `count`.
  const auto start = [&](int stage, int first, int count) {
    const int left = min(stage_keys, count - stage * stage_keys);
    if (left <= 0) return;
    const int slot = stage % stages;
    const std::size_t from =
        of_head + static_cast<std::size_t>(first + stage * stage_keys) * lanes_of_key;
    const std::size_t bytes = sizeof(uint4) * lanes_of_key * left;
    rows::arrive_expecting_bytes(&come[slot], 2 * bytes);
    const auto copy = [&](uint4* to, const uint4* all) {
      if constexpr (evicted_first) {
        rows::start_bulk_copy_evicted_first(to, all + from, bytes, &come[slot]);
      } else {
        rows::start_bulk_copy(to, all + from, bytes, &come[slot]);
      }
    };
    copy(ring.keys[slot], all_keys);
    copy(ring.values[slot], all_values);
  };
  // Alone, a block begins with key 0. The first copies need not wait for the position, which is a
  // load from device memory: they take what there is room for, and what is past it is not used.
  const int sure = splits == 1 ? cache.Tmax : 0;
  if (threadIdx.x == 0) {
    for (auto& barrier : come) rows::start_bulk_barrier(&barrier);
    for (int stage = 0; stage < stages; ++stage) start(stage, 0, sure);
  }
  const Eight q = widened(reinterpret_cast<const uint4*>(cache.q)[n * lanes_of_key + column]);
  const int keys = cache.position[n / cache.H] + 1;
  const int piece = (keys + splits - 1) / splits;
  const int first = blockIdx.x * piece, count = max(0, min(keys - first, piece));
  if (threadIdx.x == 0 && sure == 0) {
    for (int stage = 0; stage < stages; ++stage) start(stage, first, count);
  }
  __syncthreads();
  Part own;
  int stage = 0;
  for (; stage * stage_keys < count; ++stage) {
    const int slot = stage % stages;
    rows::wait_for_bytes(&come[slot], stage / stages);
    Batch batch;
    bool inside[ahead];
#pragma unroll
    for (int i = 0; i < ahead; ++i) {
      const int key = (i * warps + warp) * keys_of_warp + lane / lanes_of_key;
      inside[i] = stage * stage_keys + key < count;
      batch.k[i] = inside[i] ? ring.keys[slot][key * lanes_of_key + column] : uint4{};
      batch.v[i] = inside[i] ? ring.values[slot][key * lanes_of_key + column] : uint4{};
    }
    attend(own, q, batch, inside, scale);
    // All threads have used what the stage held: its place is free.
    __syncthreads();
    if (threadIdx.x == 0) start(stage + stages, first, count);
  }
  // Shared memory is the block's own until every copy into it has come.
  for (; stage < stages && stage * stage_keys < sure; ++stage) {
    rows::wait_for_bytes(&come[stage], 0);
  }
  store_or_combine(joined_in_block(own, scale, of_warp), parts, arrived, out, splits, scale);
}

lesson::Shape bulk_shape(int splits, int N) {
  return {.grid = dim3(splits, N), .block = threads, .shared_bytes = sizeof(Ring)};
}

}  // namespace

void decode_bulk_rungs(lesson::Trial& run, const Cache& cache, float* parts, unsigned* arrived,
                       bf16* out, const Extents& e, float scale) {
  // As many blocks as rings fit on the SMs, three on each.
  const int splits = splits_of(e, 2);
  const auto rung = [&](const char* name, auto* kernel) {
    if (compute_capability_major() < 9)
      return run.skip(name, "copies of many bytes that count on a barrier need sm_90");
    run.variant(name, kernel, bulk_shape(splits, e.N()), cache, parts, arrived, out, splits, scale);
  };
  rung("keys by bulk copies", decode_bulk<false>);
  rung("keys evicted first", decode_bulk<true>);
}

void start_decode_bulk(const Cache& cache, float* parts, unsigned* arrived, bf16* out, int N,
                       int splits, float scale, bool evicted_first) {
  lesson::bind_launch(
      reinterpret_cast<const void*>(evicted_first ? decode_bulk<true> : decode_bulk<false>),
      bulk_shape(splits, N), std::tuple(cache, parts, arrived, out, splits, scale))();
}

}  // namespace attention
