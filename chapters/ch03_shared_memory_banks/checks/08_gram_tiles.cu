/// \file
/// Checks exercise 08_gram_tiles: a matrix times its own transpose.
#include <vector>

#include "base/numbers.h"
#include "check/exercise.h"
#include "lesson/compare/product_reference.h"

namespace lesson = warpwise::lesson;

namespace {

/// @pre blocks of (16, 16) threads, one for each tile of c.
using GramTiles = void(const float* a, float* c, int M, int K);

/// size: M x K.
void attempt(lesson::Attempt<GramTiles>& attempt) {
  const int M = attempt.size()[0];
  const int K = attempt.size()[1];
  const std::vector<float> host = lesson::uniform_numbers(attempt.size().elements());
  const float* a = attempt.input("a", host);
  // K products below 1, each rounded, and each sum, the k-th of them below k.
  float* c = attempt.output(
      "c", lesson::product_reference(host, host, M, M, K, lesson::SecondMatrix::transposed),
      {.absolute = 0x1p-25 * K * (K + 3)}, M);
  const int tiles = lesson::ceil_div(M, 16);
  attempt.launch({.grid = dim3(tiles, tiles), .block = {16, 16}}, a, c, M, K);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{64, 64};
  const double tiles = last[0] / 16.0;
  const double steps = tiles * tiles * (last[1] / 16.0);
  // A tile of 16 x 16 floats is 32 sectors; a step brings two.
  return lesson::check_exercise<GramTiles>(
      argc, argv,
      {.kernel = "gram_tiles",
       .sizes = {{17, 33}, {5, 5}, {1, 1}, {16, 40}, {33, 3}, {30, 17}, last},
       .budget = 40'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch03_shared_memory_banks/README.md, \"A tile used many times\"",
       .gates = {{.name = "sectors",
                  .what = "sectors loaded for each step of two tiles",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = steps,
                  .at_least = 32,
                  .at_most = 64,
                  .mistake = "straight_from_global"},
                 {.name = "shared",
                  .what = "loads from shared memory for each step of two tiles",
                  .access = "shared load",
                  .measure = lesson::Measure::requests,
                  .per = steps,
                  .at_least = 8 * 5},
                 {.name = "conflicts",
                  .what = "bank conflicts of the loads for each step of two tiles",
                  .access = "shared load",
                  .measure = lesson::Measure::bank_conflicts,
                  .per = steps,
                  .at_most = 0,
                  .mistake = "no_padding",
                  .announced = "loads without bank conflicts"},
                 // A padded tile costs each of the eight warps one, because it stores two rows;
                 // both tiles may be padded.
                 {.name = "stores",
                  .what = "bank conflicts of the stores for each step of two tiles",
                  .access = "shared store",
                  .measure = lesson::Measure::bank_conflicts,
                  .per = steps,
                  .at_most = 16,
                  .mistake = "turned_unpadded",
                  .announced = "at most one bank conflict per store"},
                 {.name = "results",
                  .what = "sectors stored for each tile of c",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = tiles * tiles,
                  .at_least = 32,
                  .at_most = 32,
                  .mistake = "down_the_columns"},
                 {.name = "threads",
                  .what = "threads that store an element",
                  .access = "global store",
                  .measure = lesson::Measure::threads,
                  .at_least = static_cast<double>(last[0]) * last[0],
                  .mistake = "half_of_the_block",
                  .array = "c"}},
       .beyond = {{3, 40009}, {401, 2}},
       .full = {1024, 1024},
       .needs =
           [](const lesson::Size& size) {
             return lesson::Needs{.flops = 2.0 * size[0] * size.elements()};
           }},
      attempt);
}
