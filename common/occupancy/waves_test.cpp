#include "occupancy/waves.h"

#include <doctest/doctest.h>

#include <limits>

namespace warpwise::occupancy {
namespace {

TEST_CASE("waves and the fill of the last one") {
  const Gpu& gpu = *find_gpu("h200");  // 132 SMs
  const Waves exact = waves(gpu, 10, 2640);
  CHECK(exact.blocks_per_wave == 1320);
  CHECK(exact.count == 2);
  CHECK(exact.last_wave_blocks == 1320);
  CHECK(exact.last_wave_fill == 1.0);
  CHECK(exact.idle_sms == 0);

  const Waves tail = waves(gpu, 10, 2641);
  CHECK(tail.count == 3);
  CHECK(tail.last_wave_blocks == 1);
  CHECK(tail.last_wave_fill == doctest::Approx(1.0 / 1320));

  const Waves partial = waves(gpu, 10, 660);
  CHECK(partial.count == 1);
  CHECK(partial.last_wave_fill == 0.5);
  CHECK(partial.idle_sms == 0);

  CHECK(waves(gpu, 10, 100).idle_sms == 32);
}

TEST_CASE("count and fill of many grids add up to the grid") {
  for (const Gpu& gpu : gpu_table()) {
    for (int resident = 1; resident <= 32; resident += 5) {
      for (std::int64_t grid = 1; grid < 20000; grid += 37) {
        const Waves result = waves(gpu, resident, grid);
        const std::int64_t before = (result.count - 1) * result.blocks_per_wave;
        REQUIRE(before + result.last_wave_blocks == grid);
        REQUIRE(result.last_wave_blocks >= 1);
        REQUIRE(result.last_wave_blocks <= result.blocks_per_wave);
      }
    }
  }
}

TEST_CASE("nothing runs") {
  const Gpu& gpu = *find_gpu("t4");
  CHECK(waves(gpu, 8, 0).count == 0);
  CHECK(waves(gpu, 8, -3).count == 0);
  CHECK(waves(gpu, 0, 100).count == 0);
  CHECK(waves(gpu, -1, 100).count == 0);
  Gpu unknown = gpu;
  unknown.sms = 0;
  CHECK(waves(unknown, 8, 100).count == 0);
}

TEST_CASE("the largest grid") {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const Waves result = waves(*find_gpu("h200"), 1, most);
  CHECK(result.count == most / 132 + 1);
  CHECK(result.last_wave_blocks == most % 132);
}

}  // namespace
}  // namespace warpwise::occupancy
