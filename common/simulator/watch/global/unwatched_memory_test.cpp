// Launches with more accesses than can be kept: what is reported is still true.

#include <doctest/doctest.h>

#include <deque>
#include <random>
#include <vector>

#include "simulator/watch/global/global_races.h"
#include "simulator/watch/shared/block_steps_fixture.h"

namespace unwatched_memory_test {

using namespace block_steps;

constexpr unsigned blocks = 3, warps = 2;

/// Blocks that have one history, in the eyes of one that has so much room.
class Watch {
 public:
  explicit Watch(std::size_t small) : races_(2, false, small) {
    for (unsigned block = 0; block < blocks; ++block) order_.emplace_back(warps).start_block(block);
  }
  bool tells(unsigned block, const Step& step, const std::vector<std::byte>& memory) {
    if (step.is_barrier) {
      order_[block].block_barrier(3);
      return false;
    }
    const StepAccess access(step, 2, memory);
    const AddressShape shape(access.event);
    return races_.access(order_[block], step.warp, access.event, shape, access.values).has_value();
  }
  bool has_noted(LineAccess::Kind kind) const { return !races_.noted(kind).empty(); }

 private:
  GlobalRaces races_;
  std::deque<HappensBefore> order_;
};

TEST_CASE("beyond the available room, no false race is reported, and some races are") {
  const std::vector<std::byte> memory(std::size_t{1} << 20, std::byte{0xff});
  unsigned reported = 0, reported_with_room = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    Watch narrow(1000), wide(std::size_t{64} << 20);
    const unsigned kind = seed % 3;
    bool holds = true;
    for (unsigned i = 0; i < 700 && holds; ++i) {
      // First they touch much in one way only, and then in any.
      Step step = random_step(random, Mostly::anything);
      if (i < 600) {
        step.is_store = kind != LineAccess::read;
        step.is_atomic = kind == LineAccess::strong;
        for (unsigned lane = 0; lane < 32; ++lane)
          step.cells[lane] =
              kind == LineAccess::write ? i * 32u + lane * 29 % 32 : random() % 20000;
      }
      const unsigned block = random() % blocks;
      const bool by_wide = wide.tells(block, step, memory);
      const bool by_narrow = narrow.tells(block, step, memory);
      holds = by_wide || !by_narrow;
      REQUIRE(holds);
      reported += by_narrow;
      reported_with_room += by_wide;
    }
  }
  CHECK(reported > 100);
  CHECK(reported_with_room > reported + 1000);
}

TEST_CASE("where there is room for no more, what is noted down grows by a sample alone") {
  GlobalRaces races(2, false, 4096);
  HappensBefore order(1);
  order.start_block(0);
  std::mt19937 random(1);
  std::vector<std::uint32_t> noted;
  for (unsigned i = 0; i < 4000; ++i) {
    std::array<std::uint64_t, 32> addresses;
    for (std::uint64_t& address : addresses) address = 4096 + random() % 65536 * 4;
    AccessEvent event{};
    event.mask = ~0u;
    event.addresses = addresses.data();
    event.bytes = 4;
    event.is_store = event.is_atomic = true;
    event.order = warpwise::code::Order::relaxed;
    event.scope = warpwise::code::Scope::gpu;
    CHECK(!races.access(order, 0, event, AddressShape(event), StoredValues()));
    if (i % 500 != 499) continue;
    unsigned count = 0;
    races.noted(LineAccess::strong)
        .for_all([&](const AccessLog::Made&, const AccessEvent& one, const StoredValues&) {
          count += static_cast<unsigned>(std::popcount(one.mask));
        });
    noted.push_back(count);
  }
  // 256 KB hold the offsets of about 2000 warps.
  CHECK(noted[0] == 500 * 32);
  CHECK(noted[7] - noted[6] > 500 * 32 / 32);
  CHECK(noted[7] - noted[6] < 500 * 32 / 8);
}

}  // namespace unwatched_memory_test
