/// \file
/// Checks exercise 02_fragment_map: accumulators of m16n8k16 written to their matrix.
#include "base/numbers.h"
#include "check/exercise.h"
#include "half_input.h"

namespace lesson = warpwise::lesson;

namespace {

/// held: a tile after the other, 32 lanes with 4 floats each, device. c: M x N, row-major, device.
/// @pre blocks of 32 threads, gridDim = (N / 8, M / 16) rounded up.
using FragmentMap = void(const float* held, float* c, int M, int N);

constexpr int tile_m = 16, tile_n = 8, lanes = 32, floats = 4;

int tiles(int extent, int tile) { return (extent + tile - 1) / tile; }

void attempt(lesson::Attempt<FragmentMap>& attempt) {
  const int M = attempt.size()[0];
  const int N = attempt.size()[1];
  const int tiles_m = tiles(M, tile_m), tiles_n = tiles(N, tile_n);
  // Each float is different, up to 2^24 of them.
  std::vector<float> held(std::size_t{lanes} * floats * tiles_m * tiles_n);
  const std::size_t first = 1 + lesson::seeded(0) % 4096;
  for (std::size_t i = 0; i < held.size(); ++i) held[i] = static_cast<float>(first + i);
  std::vector<double> expected(attempt.size().elements());
  for (int row = 0; row < M; ++row) {
    for (int column = 0; column < N; ++column) {
      const std::size_t tile = static_cast<std::size_t>(row / tile_m) * tiles_n + column / tile_n;
      const int in_m = row % tile_m, in_n = column % tile_n;
      // As the PTX manual states it for the accumulators of m16n8k16.
      const int lane = in_m % 8 * 4 + in_n / 2;
      const int index = in_m / 8 * 2 + in_n % 2;
      expected[static_cast<std::size_t>(row) * N + column] =
          held[(tile * lanes + lane) * floats + index];
    }
  }
  const float* device_held = attempt.input("held", held);
  float* c = attempt.output("c", expected, {}, N);
  attempt.launch(
      {.grid = {static_cast<unsigned>(tiles_n), static_cast<unsigned>(tiles_m)}, .block = lanes},
      device_held, c, M, N);
}

}  // namespace

int main(int argc, char** argv) {
  const lesson::Size last{64, 64};
  const double tiles_of_last = 4 * 8;
  return lesson::check_exercise<FragmentMap>(
      argc, argv,
      {.kernel = "fragment_map",
       .sizes = {{1, 1}, {16, 8}, {9, 17}, {33, 15}, {40, 7}, last},
       .budget = 10'000'000,
       .far_budget = 2'000'000'000,
       .lesson = "chapters/ch06_tensor_cores/README.md, \"Which lane holds which element\"",
       .gates = {{.name = "loads",
                  .what = "sectors loaded for each tile of 128 floats",
                  .access = "global load",
                  .measure = lesson::Measure::sectors,
                  .per = tiles_of_last,
                  .at_least = 16,
                  .at_most = 16,
                  .mistake = "four_loads"},
                 {.name = "stores",
                  .what = "sectors stored for each tile of 16 x 8",
                  .access = "global store",
                  .measure = lesson::Measure::sectors,
                  .per = tiles_of_last,
                  .at_least = 16,
                  .at_most = 32},
                 {.name = "threads",
                  .what = "threads that load their floats",
                  .access = "global load",
                  .measure = lesson::Measure::threads,
                  .at_least = 32 * tiles_of_last,
                  .array = "held"}},
       .beyond = {{33001, 3}, {3, 33001}},
       .full = {4096, 4096}},
      attempt);
}
