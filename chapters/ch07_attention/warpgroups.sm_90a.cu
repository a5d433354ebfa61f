/// \file
/// Rungs 6 and 7 of attention.cpp: both products by warpgroups, wgmma in bf16, tiles by bulk
/// copies. Code for sm_90a, which runs on no other GPU.

#include "../ch06_tensor_cores/swizzle.h"
#include "../ch06_tensor_cores/tensor_copy.h"
#include "../ch06_tensor_cores/warpgroup_matrix.h"
#include "attention_rungs.h"
#include "base/algorithm.h"
#include "head_map.h"
#include "row_softmax.h"
#include "second_product.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

using tensor::StageBarrier;
using WarpgroupTile = tensor::WarpgroupTile<>;
using Place = tensor::Swizzled<head_size>;

/// Two warpgroups of 64 queries each, and a third of which one thread has tiles copied.
constexpr int block_queries = 128, block_keys = 128, group_queries = 64;
constexpr int threads = 3 * tensor::warpgroup_threads;
constexpr int tile_bytes = 128 * head_size * 2, group_bytes = tile_bytes / 2;
constexpr int stages = 2;
/// The block's queries, and the stages of keys and values.
constexpr std::size_t shared_bytes = tile_bytes * (1 + 2 * stages);
constexpr int groups = block_keys / 8, column_groups = head_size / 8;
constexpr int key_steps = block_keys / tensor::wgmma_k;

/// What the block's threads share. Keys and values have barriers of their own, because the scores
/// need the keys alone.
struct Barriers {
  StageBarrier q_full, q_empty;
  StageBarrier k_full[stages], k_empty[stages], v_full[stages], v_empty[stages];

  /// @pre one thread calls it, before a barrier of the block.
  __device__ void start() {
    tensor::start_barrier(&q_full, 1);
    tensor::start_barrier(&q_empty, 2);
    for (int stage = 0; stage < stages; ++stage) {
      tensor::start_barrier(&k_full[stage], 1);
      tensor::start_barrier(&k_empty[stage], 2);
      tensor::start_barrier(&v_full[stage], 1);
      tensor::start_barrier(&v_empty[stage], 2);
    }
    tensor::show_barriers();
  }
};

/// The work: tiles of 128 queries of all heads, the longest first. Rounds of the grid go forth and
/// back, so that the block with the longest tile of one round gets the shortest of the next.
struct Work {
  Extents e;
  bool causal;
  int tiles;  ///< of 128 queries of a head

  __device__ Work(const Extents& e, bool causal)
      : e(e), causal(causal), tiles(ceil_div(e.T, block_queries)) {}
  /// The block's piece number `round`; at or past count() there is none.
  __device__ int piece(int round) const {
    const int at = round % 2 ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    return round * gridDim.x + at;
  }
  __device__ int count() const { return tiles * e.N(); }
  __device__ int head(int piece) const { return piece % e.N(); }
  __device__ int first_query(int piece) const {
    return (tiles - 1 - piece / e.N()) * block_queries;
  }
  /// Tiles of 128 keys.
  __device__ int key_tiles(int piece) const {
    return ceil_div(causal ? min(e.T, first_query(piece) + block_queries) : e.T, block_keys);
  }
};

/// Where tiles are in shared memory.
struct Tiles {
  unsigned q;

  __device__ unsigned k(int turn) const { return q + tile_bytes * (1 + turn % stages * 2); }
  __device__ unsigned v(int turn) const { return k(turn) + tile_bytes; }
};

/// One thread has everything copied that the block needs.
__device__ void copy_tiles(const Work& work, const Tiles& tiles, Barriers& b,
                           const CUtensorMap& map) {
  const int C = work.e.C();
  const auto copy = [&](unsigned to, int column, int row, int sequence, StageBarrier* full) {
    tensor::arrive_expecting(full, tile_bytes);
    start_head_box(to, map, column, row, sequence, full);
  };
  int turn = 0;
  for (int round = 0; work.piece(round) < work.count(); ++round) {
    const int piece = work.piece(round), n = work.head(piece);
    const int sequence = n / work.e.H, column = n % work.e.H * head_size;
    if (round > 0) tensor::wait_for_phase(&b.q_empty, round - 1);
    copy(tiles.q, column, work.first_query(piece), sequence, &b.q_full);
    for (int tile = 0; tile < work.key_tiles(piece); ++tile, ++turn) {
      const int stage = turn % stages, lap = turn / stages;
      if (lap > 0) tensor::wait_for_phase(&b.k_empty[stage], lap - 1);
      copy(tiles.k(turn), column + C, tile * block_keys, sequence, &b.k_full[stage]);
      if (lap > 0) tensor::wait_for_phase(&b.v_empty[stage], lap - 1);
      copy(tiles.v(turn), column + 2 * C, tile * block_keys, sequence, &b.v_full[stage]);
    }
  }
}

/// A warpgroup's 64 queries of a piece.
struct GroupQueries {
  WarpgroupTile s;
  unsigned p[key_steps][4];
  ValueTile o;
  RowPair state;

  /// Starts s = Q * K^T. @param q of this warpgroup, @param k shared addresses.
  __device__ void start_scores(unsigned q, unsigned k) {
    tensor::begin_products();
#pragma unroll
    for (int step = 0; step < head_size / tensor::wgmma_k; ++step) {
      start_score_product(s, tensor::tile_descriptor(q + step * 32),
                          tensor::tile_descriptor(k + step * 32), step > 0);
    }
    tensor::end_products();
  }

  /// Starts o += P * V. Sixteen keys are 2048 bytes of V.
  __device__ void start_values(unsigned v) {
    tensor::begin_products();
#pragma unroll
    for (int step = 0; step < key_steps; ++step) {
      start_value_product(o, p[step], tensor::tile_descriptor(v + step * 2048));
    }
    tensor::end_products();
  }

  __device__ void mask(int query, int first_key, int T, bool causal) {
#pragma unroll
    for (int n = 0; n < groups; ++n) {
      RowPair::mask(s.value + 4 * n, query, first_key + 8 * n, T, causal);
    }
  }

  /// Scores become weights. @param[out] factor for the results so far.
  __device__ void weigh(float scale, float (&factor)[2]) {
    float largest[2] = {state.m[0], state.m[1]};
#pragma unroll
    for (int n = 0; n < groups; ++n) RowPair::look(s.value + 4 * n, largest);
    state.agree(largest, scale, factor);
    const float minus_m[2] = {-state.m[0] * scale, -state.m[1] * scale};
#pragma unroll
    for (int n = 0; n < groups; ++n) state.weigh(s.value + 4 * n, scale, minus_m);
  }

  /// Results come to the new scale. @pre no product of o is in flight.
  __device__ void rescale(const float (&factor)[2]) {
#pragma unroll
    for (int i = 0; i < 4 * column_groups; ++i) o.value[i] *= factor[i % 4 / 2];
  }

  /// The weights as the second product's first operand. @pre no product of p is in flight.
  __device__ void round_weights() {
#pragma unroll
    for (int step = 0; step < key_steps; ++step) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        p[step][i] = as_pair(s.value[8 * step + 2 * i], s.value[8 * step + 2 * i + 1]);
      }
    }
  }

  /// By way of the rows of the warp's queries, so that a request writes whole sectors.
  /// @param tile the block's queries in shared memory. @param row of them, of this warp's first.
  /// @pre no thread of the warpgroup needs the queries any more.
  __device__ void store(unsigned char* tile, int row, bf16* out, int first_query,
                        const Extents& e) {
    state.add_up();
    const int lane = threadIdx.x % 32;
    const float inverse[2] = {1 / state.l[0], 1 / state.l[1]};
#pragma unroll
    for (int n = 0; n < column_groups; ++n) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const float* two = o.value + 4 * n + 2 * i;
        *reinterpret_cast<unsigned*>(tile + Place::offset(row + lane / 4 + 8 * i, n) +
                                     lane % 4 * 4) =
            as_pair(two[0] * inverse[i], two[1] * inverse[i]);
      }
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int at = row + lane / 8 + 4 * i, chunk = lane % 8;
      if (first_query + at >= e.T) continue;
      *reinterpret_cast<uint4*>(out + static_cast<std::size_t>(first_query + at) * e.C() +
                                chunk * tensor::chunk_elements) =
          *reinterpret_cast<const uint4*>(tile + Place::offset(at, chunk));
    }
  }
};

/// Waits for the 128 threads of a warpgroup. @param group 0 or 1; barrier 0 is __syncthreads().
__device__ void meet(int group) { asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory"); }

/// A warpgroup takes its half of each of the block's pieces.
/// @tparam overlapped the scores of the next tile are multiplied while this tile's are weighed.
template <bool overlapped>
__device__ void attend(const Work& work, const Tiles& tiles, Barriers& b, unsigned char* storage,
                       const bf16* qkv, bf16* out, float scale) {
  const int group = threadIdx.x / tensor::warpgroup_threads;
  const int warp = threadIdx.x % tensor::warpgroup_threads / 32;
  const int own_row = group * group_queries + warp * 16;
  const bool speaks = threadIdx.x % tensor::warpgroup_threads == 0;
  const auto leave = [&](StageBarrier* barrier) {
    if (speaks) tensor::arrive(barrier);
  };
  const unsigned q = tiles.q + group * group_bytes;
  int turn = 0;
  for (int round = 0; work.piece(round) < work.count(); ++round) {
    const int piece = work.piece(round), first_query = work.first_query(piece);
    const int key_tiles = work.key_tiles(piece);
    const int query = first_query + own_row + threadIdx.x % 32 / 4;
    const auto stage_of = [&](int at) { return at % stages; };
    const auto phase_of = [&](int at) { return at / stages; };
    GroupQueries own;
    float factor[2];
    const auto weigh = [&](int tile) {
      const int end = (tile + 1) * block_keys;
      if ((work.causal && end > first_query + group * group_queries) || end > work.e.T) {
        own.mask(query, tile * block_keys, work.e.T, work.causal);
      }
      own.weigh(scale, factor);
    };
    // The steps of a tile; turn + tile numbers it among all that this block has had.
    const auto start_scores = [&](int tile) {
      tensor::wait_for_phase(&b.k_full[stage_of(turn + tile)], phase_of(turn + tile));
      own.start_scores(q, tiles.k(turn + tile));
    };
    const auto start_values = [&](int tile) {
      tensor::wait_for_phase(&b.v_full[stage_of(turn + tile)], phase_of(turn + tile));
      own.start_values(tiles.v(turn + tile));
    };
    const auto leave_keys = [&](int tile) { leave(&b.k_empty[stage_of(turn + tile)]); };
    const auto leave_values = [&](int tile) { leave(&b.v_empty[stage_of(turn + tile)]); };

    tensor::wait_for_phase(&b.q_full, round);
    start_scores(0);
    tensor::wait_for_products<0>();
    leave_keys(0);
    weigh(0);
    own.round_weights();
#pragma unroll 1
    for (int tile = 1; tile < key_tiles; ++tile) {
      if constexpr (overlapped) {
        start_scores(tile);
        start_values(tile - 1);
        // The scores are there; the values are still being added while scores become weights.
        tensor::wait_for_products<1>();
        leave_keys(tile);
        weigh(tile);
        tensor::wait_for_products<0>();
        leave_values(tile - 1);
      } else {
        start_values(tile - 1);
        tensor::wait_for_products<0>();
        leave_values(tile - 1);
        start_scores(tile);
        tensor::wait_for_products<0>();
        leave_keys(tile);
        weigh(tile);
      }
      own.rescale(factor);
      own.round_weights();
    }
    start_values(key_tiles - 1);
    tensor::wait_for_products<0>();
    leave_values(key_tiles - 1);
    turn += key_tiles;
    // All four warps have multiplied their queries before results take their place.
    meet(group);
    const Head<bf16> head(qkv, out, work.e, work.head(piece));
    own.store(storage, own_row, head.out, first_query, work.e);
    // The copy engine may overwrite what was written and read here by ordinary accesses.
    tensor::show_to_tensor_core();
    meet(group);
    leave(&b.q_empty);
  }
}

/// Two warpgroups attend, 64 queries each; one thread of a third has Q, K and V copied. Registers
/// move from the third to the first two.
/// @param map of qkv in boxes of 128 rows of a head. @param[in] qkv (B, T, 3C), device: addresses
/// of heads only. @param[out] out (B, T, C), 16 aligned, device.
/// @pre 384 threads, shared_bytes dynamic; at most a block per 128 queries of each head.
/// @cost as attention_5_warp_products; each key and value is read once per 128 queries.
/// @source Shah and others, "FlashAttention-3: Fast and Accurate Attention with Asynchrony and
/// Low-precision"; PTX manual, wgmma and setmaxnreg.
template <bool overlapped>
__global__ void __launch_bounds__(threads, 1)
    attention_6_warpgroups(const __grid_constant__ CUtensorMap map, const bf16* qkv, bf16* out,
                           Extents e, float scale, bool causal) {
  extern __shared__ __align__(1024) unsigned char storage[];
  __shared__ Barriers barriers;
  if (threadIdx.x == 0) barriers.start();
  __syncthreads();
  const Work work(e, causal);
  const Tiles tiles = {tensor::shared_address(storage)};
  if (threadIdx.x >= 2 * tensor::warpgroup_threads) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x == 2 * tensor::warpgroup_threads) copy_tiles(work, tiles, barriers, map);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    attend<overlapped>(work, tiles, barriers, storage, qkv, out, scale);
  }
}

unsigned pieces_of(const Extents& e) {
  return static_cast<unsigned>(ceil_div(e.T, block_queries) * e.N());
}

lesson::Shape shape_of(const Extents& e, bool persistent) {
  int sms = 0;
  lesson::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  // Two pieces for a block at least, so that small problems come back for a second.
  const unsigned most = std::clamp(pieces_of(e) / 2, 1U, static_cast<unsigned>(sms));
  return {.grid = persistent ? most : pieces_of(e), .block = threads, .shared_bytes = shared_bytes};
}

}  // namespace

int warpgroup_rung_for(const Extents& e) {
  int sms = 0;
  lesson::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  return pieces_of(e) > static_cast<unsigned>(sms) ? 1 : 0;
}

void start_warpgroup_rung(int rung, const bf16* qkv, bf16* out, Extents e, float scale, bool causal,
                          cudaStream_t stream) {
  using Kernel = decltype(&attention_6_warpgroups<true>);
  const Kernel kernel = rung < 2 ? &attention_6_warpgroups<false> : &attention_6_warpgroups<true>;
  lesson::Shape shape = shape_of(e, rung > 0);
  shape.stream = stream;
  lesson::bind_launch(reinterpret_cast<const void*>(kernel), shape,
                      std::tuple(head_map(qkv, e, block_keys), qkv, out, e, scale, causal))();
}

void warpgroup_rungs(lesson::Trial& run, const Attention& a) {
  const CUtensorMap map = head_map(a.qkv_bf16, a.e, block_keys);
  const auto rung = [&](const char* name, auto* kernel, bool persistent) {
    run.variant(name, kernel, shape_of(a.e, persistent), map, a.qkv_bf16, a.out_bf16, a.e, a.scale,
                a.causal);
  };
  rung("wgmma bf16, bulk copies", attention_6_warpgroups<false>, false);
  rung("wgmma bf16, persistent", attention_6_warpgroups<false>, true);
  rung("wgmma bf16, softmax under products", attention_6_warpgroups<true>, true);
}

}  // namespace attention
