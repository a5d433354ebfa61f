/// \file
/// Chapter 4: what limits the warps on an SM, and when more of them help. `./learn run
/// ch04_occupancy`, or build/ch04_occupancy --help.
#include "lesson/run.h"

using warpwise::lesson::Run;

void occupancy_tables(Run& run);    ///< occupancy_tables.cpp
void latency_ladders(Run& run);     ///< latency.cu
void waves_sweep(Run& run);         ///< waves.cu
void embedding_sweep(Run& run);     ///< embedding.cu
void product_ladder(Run& run);      ///< product.cu
void tile_sizes_ladders(Run& run);  ///< tile_sizes.cu

int main(int argc, char** argv) {
  Run run(argc, argv, "Chapter 4: how many warps does an SM hold, and how many does it need?");
  occupancy_tables(run);
  latency_ladders(run);
  waves_sweep(run);
  embedding_sweep(run);
  product_ladder(run);
  tile_sizes_ladders(run);
  return run.finish();
}
