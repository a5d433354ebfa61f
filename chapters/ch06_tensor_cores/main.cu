/// \file
/// Chapter 6: tensor cores. `./learn run ch06_tensor_cores`, or build/ch06_tensor_cores --help.
#include "lesson/run.h"

/// The ladder of product.cu.
void product_ladder(warpwise::lesson::Run& run);

/// The ladder of tiles.cu.
void tile_sizes_ladder(warpwise::lesson::Run& run);
/// The ladder of in_flight.cu.
void in_flight_ladder(warpwise::lesson::Run& run);
/// The ladder of bias.cu.
void bias_ladder(warpwise::lesson::Run& run);
/// The ladders of layers.cpp.
void layer_ladders(warpwise::lesson::Run& run);

/// The tables of fragments.cu.
void fragment_tables(warpwise::lesson::Run& run);
/// The table of precision.cpp.
void precision(warpwise::lesson::Run& run);

int main(int argc, char** argv) {
  warpwise::lesson::Run run(argc, argv, "Chapter 6: what must surround a tensor core's product?");
  fragment_tables(run);
  product_ladder(run);
  tile_sizes_ladder(run);
  in_flight_ladder(run);
  bias_ladder(run);
  layer_ladders(run);
  precision(run);
  return run.finish();
}
