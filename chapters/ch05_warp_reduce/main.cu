/// \file
/// Chapter 5: reductions by warps. `./learn run ch05_warp_reduce`, or build/ch05_warp_reduce
/// --help.
#include "lesson/run.h"

/// The ladder of reduce_scale.cu.
void reduce_scale_ladder(warpwise::lesson::Run& run);
/// The ladder of layernorm.cu.
void layernorm_ladder(warpwise::lesson::Run& run);
/// The ladder of residual_layernorm.cu.
void residual_layernorm_ladder(warpwise::lesson::Run& run);
/// The ladder of softmax.cu.
void softmax_ladder(warpwise::lesson::Run& run);
/// The ladder of softmax_short.cu.
void softmax_short_ladder(warpwise::lesson::Run& run);
/// The tables of sums.cu.
void sum_tables(warpwise::lesson::Run& run);

int main(int argc, char** argv) {
  warpwise::lesson::Run run(argc, argv, "Chapter 5: what does a row's reduction cost, and why?");
  reduce_scale_ladder(run);
  layernorm_ladder(run);
  residual_layernorm_ladder(run);
  softmax_ladder(run);
  softmax_short_ladder(run);
  sum_tables(run);
  return run.finish();
}
