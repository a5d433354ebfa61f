/// \file
/// Chapter 5: reductions by warps. `./learn run ch05_warp_reduce`, or build/ch05_warp_reduce
/// --help.
#include "lesson/run.h"

/// The ladder of reduce_scale.cu.
void reduce_scale_ladder(warpwise::lesson::Run& run);

int main(int argc, char** argv) {
  warpwise::lesson::Run run(argc, argv, "Chapter 5: what does a row's reduction cost, and why?");
  reduce_scale_ladder(run);
  return run.finish();
}
