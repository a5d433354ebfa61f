/// \file
/// Attention: for each query the mean of all values, weighted by the softmax of its scores.
///
/// The question: the two products of a head are small, yet attention takes a seventh of GPT-2's
/// time. What does it move, and which of those bytes need not be moved at all?
///
///     build/ch07_attention --only attention
///     build/ch07_attention --only "warp per query" --size 1x197x192     # B x T x C, heads of 64
///
/// The rungs of `attention` (causal), `full_attention` and `ordinary_attention`, and their kernels:
///
///      1  three kernels, fp32                 attention_1_scores, _softmax, _weighted
///      2  cuBLAS fp32, three kernels          the library, and attention_1_softmax
///      3  warp per query, fp32                attention_3_online
///      4  tiles of 64 keys, fp32              attention_4_tiles
///      5  mma bf16, tiles of 64               attention_5_warp_products
///      6  wgmma bf16, bulk copies             attention_6_warpgroups<false>
///      7  wgmma bf16, persistent              attention_6_warpgroups<false>, a block per SM
///      8  wgmma bf16, softmax under products  attention_6_warpgroups<true>, a block per SM
///
/// The rungs of `long_attention`, whose rows have 4096 tokens, and their kernels:
///
///      1  tiles of 64 keys, fp32              attention_4_tiles
///      2  mma bf16, tiles of 64               attention_5_warp_products
///      3  wgmma bf16, bulk copies             attention_6_warpgroups<false>
///      4  wgmma bf16, persistent              attention_6_warpgroups<false>, a block per SM
///      5  wgmma bf16, softmax under products  attention_6_warpgroups<true>, a block per SM
///
/// Kernels are in three_kernels.cu, online.cu, tiles.cu, warp_products.cu and warpgroups.sm_90a.cu.
/// `ordinary_attention` computes with the numbers of a model, the others with exact ones.
#include "attention_rungs.h"

namespace lesson = warpwise::lesson;

namespace attention {
namespace {

void bf16_rungs(lesson::Trial& run, Attention& a) {
  if (compute_capability_major() < 8) {
    return run.skip("mma bf16", "bf16 on tensor cores and cp.async begin with sm_80");
  }
  a.expect_bf16(run);
  warp_product_rungs(run, a);
  if (compute_capability_major() == 9)
    warpgroup_rungs(run, a);
  else
    run.skip("wgmma bf16", "wgmma is an instruction of Hopper (sm_90a) alone");
}

void all_rungs(lesson::Trial& run, bool causal, Numbers numbers) {
  Attention a(run, causal, numbers);
  a.expect_float(run);
  three_kernel_rungs(run, a);
  online_rungs(run, a);
  tile_rungs(run, a);
  bf16_rungs(run, a);
}

void fused_rungs(lesson::Trial& run) {
  Attention a(run, true, Numbers::exact);
  a.expect_float(run);
  tile_rungs(run, a);
  bf16_rungs(run, a);
}

lesson::Ladder ladder(const char* name, const char* title, bool causal) {
  return {.name = name,
          .title = title,
          .full = {4, 1024, 768},
          .small = {1, 256, 128},
          .awkward = {{1, 1, 64},
                      {1, 31, 128},
                      {2, 33, 64},
                      {1, 63, 64},
                      {2, 65, 128},
                      {1, 197, 192},
                      {1, 257, 64}},
          .needs = [causal](const lesson::Size& size) { return attention_needs(size, causal); },
          .limit = "cuBLAS fp32, three kernels"};
}

}  // namespace
}  // namespace attention

void attention_ladder(lesson::Run& run) {
  using namespace attention;
  run.ladder(ladder("attention", "causal attention, B x T x C, heads of 64", true),
             [](lesson::Trial& trial) { all_rungs(trial, true, Numbers::exact); });
  run.ladder(ladder("full_attention", "attention without a mask, B x T x C, heads of 64", false),
             [](lesson::Trial& trial) { all_rungs(trial, false, Numbers::exact); });
  lesson::Ladder ordinary =
      ladder("ordinary_attention", "causal attention on the numbers of a model", true);
  ordinary.small = {1, 129, 128};
  run.ladder(ordinary, [](lesson::Trial& trial) { all_rungs(trial, true, Numbers::ordinary); });
  lesson::Ladder longer = ladder("long_attention", "causal attention, fused, long rows", true);
  longer.full = {4, 4096, 768};
  longer.small = {1, 321, 64};
  longer.awkward = {};
  longer.limit = {};
  run.ladder(longer, fused_rungs);
}
