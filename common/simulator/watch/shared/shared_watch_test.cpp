#include "simulator/watch/shared/shared_watch.h"

#include <doctest/doctest.h>

#include <array>
#include <random>

namespace shared_watch_test {

using namespace warpwise::watch;

constexpr std::uint32_t base = 1024, bytes = 16384;
constexpr unsigned warps = 2;

/// One block, as SharedWatch sees it and as a check sees it that always looks closely.
struct Block {
  HappensBefore order{warps}, listed_order{warps};
  SharedWatch watch{order, base, bytes, 2};
  SharedRaces listed{listed_order, base, bytes, 2};

  void start(std::uint64_t block) {
    for (HappensBefore* one : {&order, &listed_order}) one->start_block(block);
    watch.start_block();
    listed.start_block();
  }
  /// Lets both do the same between two accesses.
  template <class Act>
  void both(Act act) {
    act(order);
    act(listed_order);
  }
  /// @return whether there is a race, which both say.
  bool access(unsigned warp, const AccessEvent& event, bool stores_same) {
    const auto same = [&](unsigned, unsigned) { return stores_same; };
    const bool reported = watch.access(warp, event, same).has_value();
    REQUIRE(reported == listed.access(warp, event, same).has_value());
    return reported;
  }
};

TEST_CASE("a first look at shared memory: the reports are those of a close look at all") {
  unsigned races = 0, quiet_blocks = 0;
  for (unsigned seed = 0; seed < 6000; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    Block block;
    for (unsigned number = 0; number < 3; ++number) {
      block.start(number);
      // Tidy blocks keep to their cells, untidy ones do what they like.
      const bool is_tidy = random() % 2;
      unsigned before = races, barriers = 0;
      for (unsigned count = 2 + random() % 30; count > 0; --count) {
        const unsigned warp = random() % warps, what = random() % 12;
        if (what < 2) {
          block.both([](HappensBefore& order) { order.block_barrier((1u << warps) - 1); });
          ++barriers;
          continue;
        }
        if (what == 2) {
          const std::uint32_t lanes = random() % 2 ? ~0u : random() | 1;
          block.both([&](HappensBefore& order) { order.warp_barrier(warp, lanes, lanes == ~0u); });
          continue;
        }
        if (what == 3 && random() % 8 == 0) {  // some warps meet, or one only arrives
          const bool arrives = random() % 2;
          block.both([&](HappensBefore& order) {
            arrives ? order.arrive(1u << warp, 1) : order.block_barrier(1u << warp, 1);
          });
          continue;
        }
        std::array<std::uint64_t, 32> addresses;
        AccessEvent event{};
        event.site = random() % 4;
        event.mask = random() % 3 ? ~0u : random() | 1;
        event.addresses = addresses.data();
        event.bytes = 4u << random() % 3;
        event.is_shared = true;
        event.is_store = random() % 2;
        const unsigned shape = random() % 6, start = random() % 32 * 16;
        if (random() % 8 == 0) {
          event.order = warpwise::code::Order::relaxed;
          event.is_atomic = event.is_store;
          event.scope = warpwise::code::Scope::cta;
        }
        for (unsigned lane = 0; lane < 32; ++lane) {
          const std::uint64_t thread = warp * 32 + lane, place = (thread + barriers * 5) % 64;
          const std::uint64_t tidy = event.is_strong()               ? 12288 + lane % 4 * 16
                                     : shape == 0 && !event.is_store ? 14336 + lane / 16 * 16
                                     : shape < 3                     ? place * 16
                                                                     : 2048 + place * 29 % 64 * 64;
          const std::uint64_t untidy = shape == 0   ? start
                                       : shape == 1 ? start + random() % 64 * 16
                                       : shape == 2 ? start + lane * 64
                                       : shape == 3 ? start + lane / 16 * 16
                                                    : start + std::uint64_t{lane} * event.bytes;
          addresses[lane] = base + (is_tidy ? tidy : untidy);
        }
        event.is_consecutive = event.mask == ~0u;
        for (unsigned lane = 0; lane < 32; ++lane)
          event.is_consecutive &=
              addresses[lane] == addresses[0] + std::uint64_t{lane} * event.bytes;
        races += block.access(warp, event, random() % 4 == 0);
      }
      quiet_blocks += races == before;
    }
  }
  CHECK(races > 10000);
  CHECK(quiet_blocks > 3000);
}

}  // namespace shared_watch_test
