/// \file
/// Chapter 3: shared memory and its banks. `./learn run ch03_shared_memory_banks`, or
/// build/ch03_shared_memory_banks --help.
#include "lesson/run.h"

/// barriers.cu: threads that read what other threads wrote.
void barrier_ladders(warpwise::lesson::Run& run);
/// conflicts.cu: wavefronts by stride and width; broadcast; what the compiler merges.
void conflict_sweep(warpwise::lesson::Run& run);
/// transpose.cu: a tile that turns strided stores into whole sectors.
void transpose_ladder(warpwise::lesson::Run& run);
/// staged_embedding.cu: shared memory where it does not help.
void staged_embedding_ladder(warpwise::lesson::Run& run);
/// product.cu: a product of matrices by tiles, and the roofline.
void product_ladder(warpwise::lesson::Run& run);

int main(int argc, char** argv) {
  warpwise::lesson::Run run(argc, argv,
                            "Chapter 3: what does shared memory buy, and at what price?");
  barrier_ladders(run);
  conflict_sweep(run);
  transpose_ladder(run);
  staged_embedding_ladder(run);
  product_ladder(run);
  return run.finish();
}
