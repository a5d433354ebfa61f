/// \file
/// The last rung of the product, cut in other ways, and with other limits on its registers.
///
/// The question: larger tiles for a thread mean fewer reads and fewer warps. Where is the best? And
/// what happens when the compiler has to leave room for more warps than the registers have?
///
///     build/ch04_occupancy --only tile_sizes
///     build/ch04_occupancy --only launch_bounds
#include "product_problem.h"

namespace {

void tile_sizes_rungs(lesson::Trial& run) {
  const Problem p(run);
  tiling<Tiling<64, 64, 16, 32, 32, 8, 4, 4>>(run, "64x64x16, 8x4", p);
  tiling<Tiling<128, 64, 16, 64, 32, 8, 8, 4>>(run, "128x64x16, 8x8", p);
  tiling<Tiling<64, 128, 16, 32, 64, 8, 8, 4>>(run, "64x128x16, 8x8", p);
  tiling<Tiling<128, 128, 8, 64, 32, 8, 8, 2>>(run, "128x128x8, 8x8", p);
  tiling<Tiling<128, 128, 16, 64, 32, 8, 8, 2>>(run, "128x128x16, 8x8", p);
  tiling<Tiling<128, 128, 16, 32, 64, 8, 8, 2>>(run, "128x128x16, wide warps", p);
  tiling<Tiling<128, 128, 16, 64, 64, 16, 8, 2>>(run, "128x128x16, 16x8", p);
  tiling<Tiling<128, 128, 16, 64, 64, 8, 16, 2>>(run, "128x128x16, 8x16", p);
  tiling<Tiling<256, 128, 8, 64, 64, 16, 8, 1>>(run, "256x128x8, 16x8", p);
  run.yardstick(product_yardstick, p.cublas());
}

/// Launch bounds that ask for so many resident blocks of 256 threads.
template <int blocks_per_sm>
using Bounded = Tiling<128, 128, 16, 64, 32, 8, 8, blocks_per_sm>;

void launch_bounds_rungs(lesson::Trial& run) {
  const Problem p(run);
  const char* name = "128x128x16, 8x8";
  if (run.value() == 1) tiling<Bounded<1>>(run, name, p);
  if (run.value() == 2) tiling<Bounded<2>>(run, name, p);
  if (run.value() == 3) tiling<Bounded<3>>(run, name, p);
  if (run.value() == 4) tiling<Bounded<4>>(run, name, p);
}

}  // namespace

void tile_sizes_ladders(lesson::Run& run) {
  run.ladder({.name = "tile_sizes",
              .title = "the last rung cut otherwise: BM x BN x BK of a block, TM x TN of a thread",
              .full = product_full,
              .small = product_small,
              .awkward = {{127, 131, 17}, {129, 132, 20}},
              .needs = product_needs,
              .limit = product_yardstick},
             tile_sizes_rungs);
  run.sweep(
      {.parameter = "blocks asked for",
       .values = {1, 2, 3, 4},
       .shows = {lesson::Shown::registers, lesson::Shown::local_bytes, lesson::Shown::occupancy}},
      {.name = "launch_bounds",
       .title = "the same kernel, compiled to leave room for 1 to 4 blocks of 256 threads per SM",
       .full = product_full,
       .small = product_small,
       .awkward = {{129, 132, 20}},
       .needs = product_needs},
      launch_bounds_rungs);
}
