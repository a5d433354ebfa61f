// Launches that race for more memory than the report can hold: it shows a sample.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "simulator/watch/global/global_races.h"
#include "simulator/watch/global/inter_block_races.h"
#include "simulator/watch/shared/block_steps_fixture.h"

namespace raced_sample_test {

using namespace block_steps;
using Reported =
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, unsigned, unsigned, int, int>;

constexpr unsigned blocks = 12, cells_of_chunk = 512 * 32;
/// A chunk of which all is raced for, and one where few cells are.
constexpr unsigned crowded = 0, quiet = 2 * cells_of_chunk;

/// Loads or stores by the lanes of a warp. @param cells one for each lane
Step step_at(const std::array<std::uint64_t, 32>& cells, bool is_store, unsigned value) {
  Step step{};
  step.mask = ~0u;
  step.words = 1;
  step.is_store = is_store;
  step.cells = cells;
  for (unsigned lane = 0; lane < 32; ++lane) step.values[lane] = value + lane;
  return step;
}

/// The work of each block: it adds to cells anywhere, and to a few that the next block also adds
/// to.
std::vector<std::vector<Step>> random_launch(std::mt19937& random) {
  std::vector<std::vector<Step>> steps(blocks);
  for (unsigned block = 0; block < blocks; ++block) {
    std::array<std::uint64_t, 32> cells;
    const auto add = [&](unsigned value) {
      steps[block].push_back(step_at(cells, false, 0));
      steps[block].push_back(step_at(cells, true, value));
    };
    for (unsigned i = 0; i < 300; ++i) {
      std::set<std::uint64_t> chosen;
      while (chosen.size() < 32) chosen.insert(crowded + random() % cells_of_chunk);
      std::copy(chosen.begin(), chosen.end(), cells.begin());
      add(1000 * block + i);
    }
    for (unsigned lane = 0; lane < 32; ++lane) cells[lane] = quiet + 40 * (block + lane);
    add(1000 * block + 999);
  }
  return steps;
}

/// All that is reported about a launch.
std::set<Reported> reported(const std::vector<std::vector<Step>>& steps,
                            const std::vector<unsigned>& order, std::size_t room) {
  const std::vector<std::byte> memory(std::size_t{1} << 20, std::byte{0xff});
  InterBlockRaces inter_block(2, false, room);
  for (const unsigned block : order) {
    GlobalRaces races(2, true);
    HappensBefore happens(1);
    happens.start_block(block);
    races.start_block();
    for (const Step& step : steps[block]) {
      const StepAccess access(step, 2, memory);
      races.access(happens, 0, access.event, AddressShape(access.event), access.values);
    }
    inter_block.add(block, races);
  }
  std::set<Reported> all;
  inter_block.for_races([&](const InterBlockRaces::Race& race) {
    all.insert({race.address, race.lower.block, race.higher.block, race.lower.thread,
                race.higher.thread, race.lower.kind, race.higher.kind});
  });
  return all;
}

bool is_quiet(const Reported& race) { return std::get<0>(race) >= quiet * 4; }

TEST_CASE(
    "a sample of what is raced for is reported, in any order of blocks, and all of the rest") {
  for (unsigned seed = 0; seed < 4; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const std::vector<std::vector<Step>> steps = random_launch(random);
    std::vector<unsigned> order(blocks);
    for (unsigned block = 0; block < blocks; ++block) order[block] = block;
    const std::set<Reported> everything = reported(steps, order, InterBlockRaces::room_of_launch);
    const std::set<Reported> sample = reported(steps, order, 1000);
    CHECK(std::includes(everything.begin(), everything.end(), sample.begin(), sample.end()));
    const auto quiet_in = [](const std::set<Reported>& races) {
      return std::count_if(races.begin(), races.end(), is_quiet);
    };
    CHECK(quiet_in(sample) == quiet_in(everything));
    CHECK(quiet_in(sample) > 0);
    const std::size_t crowded_in_sample =
        sample.size() - static_cast<std::size_t>(quiet_in(sample));
    CHECK(crowded_in_sample > 0);
    CHECK(crowded_in_sample * 8 < everything.size());
    std::shuffle(order.begin(), order.end(), random);
    CHECK(reported(steps, order, 1000) == sample);
  }
}

}  // namespace raced_sample_test
