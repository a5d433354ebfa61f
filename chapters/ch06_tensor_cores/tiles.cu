/// \file
/// The same pipeline with other sizes of tiles.
///
/// The question: a larger tile uses each number more often, and needs more registers and shared
/// memory, so that fewer blocks fit an SM. Where is the best place?
///
///     build/ch06_tensor_cores --only tile_sizes
///     build/ch06_tensor_cores --only 256x128
#include <string>

#include "pipelined_product.h"
#include "product_problem.h"

namespace lesson = warpwise::lesson;

namespace tensor {
namespace {

/// "256x128x64 x 4, 8 warps": the tile, its stages, the warps of a block.
template <class T>
std::string name_of() {
  const auto text = [](int number) { return std::to_string(number); };
  return text(T::block_m) + "x" + text(T::block_n) + "x" + text(T::block_k) + " x " +
         text(T::stages) + ", " + text(T::threads / 32) + " warps";
}

template <class T>
void tiling(lesson::Trial& run, const Product& p) {
  run.variant(name_of<T>(), product_pipelined<T>,
              {.grid = ceil_div(p.M, T::block_m) * ceil_div(p.N, T::block_n),
               .block = T::threads,
               .shared_bytes = T::shared_bytes},
              p.a_bf16, p.b_bf16, p.c, p.M, p.N, p.depth);
}

/// One line for each choice of block_m, block_n, block_k, stages, warp_m, warp_n, blocks an SM.
void tile_sizes(lesson::Trial& run) {
  if (!has_bf16_mma()) return run.skip("tile sizes", needs_sm_80);
  const Product p(run);
  tiling<Tiling<64, 64, 32, 4, 32, 32, 4>>(run, p);
  tiling<Tiling<128, 64, 64, 3, 64, 32, 2>>(run, p);
  tiling<Tiling<128, 128, 32, 2, 64, 64, 2>>(run, p);
  tiling<Tiling<128, 128, 32, 4, 64, 64, 2>>(run, p);
  tiling<Tiling<128, 128, 64, 3, 64, 64, 2>>(run, p);
  tiling<Tiling<256, 128, 32, 4, 64, 64, 1>>(run, p);
  tiling<Tiling<256, 128, 64, 4, 64, 64, 1>>(run, p);
  tiling<Tiling<128, 256, 64, 4, 64, 64, 1>>(run, p);
  run.yardstick("cuBLAS bf16",
                lesson::cublas_product(lesson::CublasPrecision::bf16, p.M, p.N, p.depth, p.a_bf16,
                                       p.b_bf16, p.c, lesson::SecondMatrix::transposed));
}

}  // namespace
}  // namespace tensor

void tile_sizes_ladder(lesson::Run& run) {
  run.ladder({.name = "tile_sizes",
              .title = "the pipeline with block_m x block_n x block_k tiles, M x N x K",
              .full = {4096, 4096, 4096},
              .small = {256, 256, 128},
              .awkward = {{130, 67, 100}},
              .needs = [](const lesson::Size& size) { return tensor::product_needs(size, 2); },
              .limit = "cuBLAS bf16"},
             tensor::tile_sizes);
}
