#include "simulator/watch/cells/lane_runs.h"

#include <doctest/doctest.h>

#include <random>
#include <utility>
#include <vector>

using namespace warpwise::watch;

TEST_CASE("runs of lanes hold each cell of an instruction once, in the order of its lanes") {
  std::mt19937_64 random(11);
  unsigned joined = 0;  // runs of several lanes
  for (int round = 0; round < 3000; ++round) {
    AccessEvent event{};
    event.mask = static_cast<std::uint32_t>(round % 3 ? random() : ~0u);
    event.bytes = 4u << random() % 3;
    if (event.mask == 0) continue;
    std::uint64_t addresses[32], next = 0;
    for (std::uint64_t& address : addresses) {
      address = random() % 6 ? next : random() % 4000 * 16;
      next = address + event.bytes;
    }
    event.addresses = addresses;
    using Touched = std::vector<std::pair<std::uint64_t, unsigned>>;  // cells, and by which lane
    Touched expected, found;
    const unsigned each = event.bytes / 4;
    for_cells(event.mask, [&](unsigned lane) {
      for (unsigned i = 0; i < each; ++i) expected.emplace_back(addresses[lane] / 4 + i, lane);
    });
    unsigned runs = 0;
    for_lane_runs(event, 2, [&](const LaneRun& run) {
      ++runs;
      joined += run.count > each;
      REQUIRE(run.cell + run.count <= cells_per_line);
      for (unsigned i = 0; i < run.count; ++i) {
        REQUIRE((run.cells() >> (run.cell + i) & 1) == 1);
        found.emplace_back(run.line * cells_per_line + run.cell + i, run.lane + i / each);
      }
    });
    REQUIRE(runs <= most_lane_runs);
    REQUIRE(found == expected);
  }
  CHECK(joined > 1000);
}
