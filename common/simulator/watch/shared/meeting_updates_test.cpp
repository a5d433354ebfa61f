// Which updates of shared memory may happen at the same time.

#include "simulator/watch/shared/meeting_updates.h"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace warpwise;
using namespace warpwise::watch;

namespace {

constexpr std::uint32_t base = 1024;

/// A block of three warps.
struct Updates {
  HappensBefore order{3};
  MeetingUpdates updates{order, base, 4096};

  Updates() { order.start_block(0); }
  /// All lanes of the warp add to the word.
  bool add(unsigned warp, std::uint64_t word, std::uint32_t mask = ~0U) {
    std::uint64_t addresses[32];
    for (std::uint64_t& address : addresses) address = base + 4 * word;
    AccessEvent event{};
    event.mask = mask;
    event.addresses = addresses;
    event.bytes = 4;
    event.is_shared = event.is_store = event.is_atomic = true;
    return updates.add(warp, event);
  }
};

}  // namespace

TEST_CASE("updates of one word by two warps may meet, unless a barrier parts them") {
  Updates block;
  CHECK_FALSE(block.add(0, 5));
  CHECK_FALSE(block.add(0, 5));
  CHECK(block.add(1, 5));
  block.order.block_barrier(0b111);
  CHECK_FALSE(block.add(0, 5));
  CHECK(block.add(2, 5, 1U << 7));
}

TEST_CASE("updates of adjacent words do not meet") {
  Updates block;
  for (unsigned warp : {0U, 1U, 2U, 1U, 0U}) CHECK_FALSE(block.add(warp, warp));
}

TEST_CASE("a barrier of two warps does not order the third") {
  Updates block;
  CHECK_FALSE(block.add(0, 9));
  block.order.block_barrier(0b011, 1);
  CHECK_FALSE(block.add(1, 9));
  CHECK(block.add(2, 9));
}

TEST_CASE("the next block starts over") {
  Updates block;
  CHECK_FALSE(block.add(0, 3));
  block.order.start_block(1);
  CHECK_FALSE(block.add(1, 3));
}
