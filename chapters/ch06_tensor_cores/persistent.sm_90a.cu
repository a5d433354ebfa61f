/// \file
/// The product by blocks that stay, whose C leaves through shared memory: rungs 12 to 14 of
/// product.cu, and what the layers of layers.cpp choose from. Code for sm_90a, which runs on no
/// other GPU.
///
///     build/ch06_tensor_cores --only "by boxes"

#include "base/algorithm.h"
#include "persistent_product.h"
#include "product_problem.h"

namespace lesson = warpwise::lesson;

namespace tensor {
namespace {

// ---- rung 13: C leaves through shared memory, by the copy engine ----
using Together = Cut<256, 128, 4, 2>;
// ---- rung 14: the warpgroups take turns: one stores while the other multiplies ----
using PingPong = Cut<128, 128, 6, 8, Work::in_turns>;
// ---- for the layers: a tile that divides 768 without a rest; one box less for a fifth stage ----
using Narrow = Cut<128, 192, 5, 4, Work::together, 1>;
// ---- for few columns: half as high, so that each warpgroup has a tile ----
using Low = Cut<64, 192, 6, 8, Work::in_turns>;

// ---- rung 12: mma.sync, whose tiles one thread has copied ----
using Copied = Cut<128, 256, 4, 8>;
using Warps = Tiling<128, 256, 64, 4, 64, 64, 1>;

int sms_of_device() {
  int sms = 0;
  lesson::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  return sms;
}

/// A block per SM. Where there are few tiles a block takes two, so that a small problem shows what
/// a large one does.
int blocks_of(int tiles) {
  const int sms = sms_of_device();
  return 2 * tiles > sms ? std::min(tiles, sms) : (tiles + 1) / 2;
}

template <class T>
void boxes_rung(lesson::Trial& run, const char* name, const Product& p) {
  if (p.N % 4 != 0) return run.skip(name, "rows of C must begin at multiples of 16 bytes");
  const int tiles = ceil_div(p.M, T::block_m) * ceil_div(p.N, T::block_n);
  run.variant(name, product_by_boxes<T>,
              {.grid = blocks_of(tiles), .block = T::threads, .shared_bytes = T::shared_bytes},
              tensor_map(p.a_bf16, p.M, p.depth, T::block_m),
              tensor_map(p.b_bf16, p.N, p.depth, T::block_n), tensor_map_of_c(p.c, p.M, p.N), p.M,
              p.N, p.depth);
}

/// The cut for a shape. Many tiles: ping-pong, whose 128 x 128 read least. Few: 192 columns, which
/// divide GPT-2's 768 without a rest; in turns where a tile has few steps, so that its store is a
/// large part, together where it has many.
void chosen_rung(lesson::Trial& run, const Product& p) {
  const char* name = "chosen by shape";
  const int tiles = ceil_div(p.M, PingPong::block_m) * ceil_div(p.N, PingPong::block_n);
  constexpr int many_waves = 5, many_steps = 32;
  if (tiles >= many_waves * sms_of_device()) return boxes_rung<PingPong>(run, name, p);
  if (ceil_div(p.depth, Low::block_k) < many_steps) return boxes_rung<Low>(run, name, p);
  boxes_rung<Narrow>(run, name, p);
}

}  // namespace

void persistent_rungs(lesson::Trial& run, const Product& p) {
  const int tiles = ceil_div(p.M, Copied::block_m) * ceil_div(p.N, Copied::block_n);
  run.variant("mma bf16, bulk, persistent", product_12_bulk_mma<Copied, Warps>,
              {.grid = blocks_of(tiles),
               .block = Copied::consumers + warpgroup_threads,
               .shared_bytes = Copied::stages * Copied::stage_bytes},
              tensor_map(p.a_bf16, p.M, p.depth, Copied::block_m),
              tensor_map(p.b_bf16, p.N, p.depth, Copied::block_n), p.c, p.M, p.N, p.depth);
  boxes_rung<Together>(run, "wgmma bf16, C by boxes", p);
  boxes_rung<PingPong>(run, "wgmma bf16, ping-pong", p);
}

void layer_rungs(lesson::Trial& run, const Product& p) {
  boxes_rung<Together>(run, "256 x 128 together", p);
  boxes_rung<Narrow>(run, "128 x 192 together", p);
  boxes_rung<PingPong>(run, "128 x 128 ping-pong", p);
  boxes_rung<Low>(run, "64 x 192 ping-pong", p);
  chosen_rung(run, p);
}

}  // namespace tensor
