/// \file
/// Chapter 1: the programming model. `./learn run ch01_programming_model`, or
/// build/ch01_programming_model --help.
#include "lesson/run.h"

void product_ladder(warpwise::lesson::Run& run);            // product.cu
void index_tables(warpwise::lesson::Run& run);              // index_maps.cu
void divergence_demonstration(warpwise::lesson::Run& run);  // divergence.cu
void error_table(warpwise::lesson::Run& run);               // errors.cu

int main(int argc, char** argv) {
  warpwise::lesson::Run run(argc, argv, "Chapter 1: who computes what, and how is it launched?");
  index_tables(run);
  product_ladder(run);
  divergence_demonstration(run);
  // Last: after it this process can no longer use the device.
  error_table(run);
  return run.finish();
}
