// Happens-before in a block's shared memory: every race is found, and none where there is none.

#include "simulator/watch/shared/shared_races.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace warpwise::watch;

namespace shared_races_test {

constexpr std::uint32_t all = ~0u;
constexpr std::uint32_t base = 1024;

/// A block's shared memory of 4-byte words, with stores that store what the test says.
class Block {
 public:
  explicit Block(unsigned warps, unsigned cell_shift = 2)
      : order(warps), races(order, base, 4096, cell_shift), memory(4096) {}

  using Index = std::uint64_t (*)(std::uint64_t lane);

  auto read(unsigned warp, std::uint32_t mask, Index index, bool strong = false,
            unsigned bytes = 4) {
    return access(warp, mask, index, bytes, false, false, strong, [](unsigned) { return 0u; });
  }
  /// Every lane stores another value.
  auto write(unsigned warp, std::uint32_t mask, Index index, bool strong = false,
             unsigned bytes = 4) {
    ++version_;
    return access(warp, mask, index, bytes, true, false, strong,
                  [&](unsigned lane) { return version_ * 1024 + warp * 32 + lane; });
  }
  auto write_value(unsigned warp, std::uint32_t mask, Index index, std::uint32_t value) {
    return access(warp, mask, index, 4, true, false, false, [&](unsigned) { return value; });
  }
  auto update(unsigned warp, std::uint32_t mask, Index index) {
    return access(warp, mask, index, 4, true, true, true, [](unsigned) { return 0u; });
  }

  HappensBefore order;
  SharedRaces races;
  std::uint32_t site = 0;  ///< of the accesses that follow

 private:
  template <class Value>
  std::optional<SharedRaces::Race> access(unsigned warp, std::uint32_t mask, Index index,
                                          unsigned bytes, bool is_store, bool is_atomic,
                                          bool is_strong, Value value) {
    std::uint64_t addresses[32] = {};
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = base + index(lane) * bytes;
    AccessEvent event{};
    event.site = site;
    event.mask = mask;
    event.addresses = addresses;
    event.bytes = bytes;
    event.is_shared = true;
    event.is_store = is_store;
    event.is_atomic = is_atomic;
    event.order = is_strong ? warpwise::code::Order::relaxed : warpwise::code::Order::none;
    auto same = [&](unsigned lane, unsigned other) {
      return value(lane) ==
             (other == SharedRaces::none ? memory[addresses[lane] - base] : value(other));
    };
    auto race = races.access(warp, event, same);
    for (unsigned lane = 0; lane < 32 && is_store; ++lane)
      if (mask >> lane & 1) memory[addresses[lane] - base] = value(lane);
    return race;
  }

  std::vector<std::uint32_t> memory;
  std::uint32_t version_ = 0;
};

std::uint64_t own(std::uint64_t lane) { return lane; }
std::uint64_t next(std::uint64_t lane) { return (lane + 1) % 32; }
std::uint64_t second(std::uint64_t lane) { return lane + 32; }
std::uint64_t zero(std::uint64_t) { return 0; }
std::uint64_t two_words(std::uint64_t lane) { return lane / 2; }

TEST_CASE("warps are unordered until a barrier") {
  Block block(2);
  CHECK_FALSE(block.write(0, all, own));
  auto race = block.read(1, all, next);
  REQUIRE(race);
  CHECK(race->lane == 0);
  CHECK(race->other_thread == 1);
  CHECK(race->other_is_store);
  CHECK(race->address == base + 4);
  block.order.block_barrier(3);
  CHECK_FALSE(block.read(1, all, next));
  CHECK(block.write(0, all, own));  // the read of warp 1 may come before or after
}

TEST_CASE("a write after a read by another warp races, a read after a read does not") {
  Block block(3);
  block.site = 5;
  CHECK_FALSE(block.read(0, 1u << 7, zero));
  CHECK_FALSE(block.read(1, all, zero));
  block.site = 6;
  auto race = block.write(2, 1, zero);
  REQUIRE(race);
  CHECK(race->other_thread == 7);
  CHECK_FALSE(race->other_is_store);
  CHECK(race->other_site == 5);
}

TEST_CASE("every reader counts, not only the last one") {
  for (unsigned writer : {0u, 1u, 2u}) {
    Block block(3);
    for (unsigned warp : {0u, 1u, 2u}) CHECK_FALSE(block.read(warp, 1, zero));
    block.order.block_barrier(all & ~(1u << ((writer + 1) % 3)));  // one of them has not arrived
    auto race = block.write(writer, 1, zero);
    REQUIRE(race);
    CHECK(race->other_thread == (writer + 1) % 3 * 32);
  }
}

TEST_CASE("a barrier of some warps orders those, and through them what came before") {
  Block block(3);
  CHECK_FALSE(block.write(0, all, own));
  block.order.block_barrier(0b011);
  CHECK_FALSE(block.read(1, all, next));
  CHECK(block.read(2, all, next));
  Block chain(3);
  CHECK_FALSE(chain.write(0, all, own));
  chain.order.block_barrier(0b011);
  chain.order.block_barrier(0b110);
  CHECK_FALSE(chain.read(2, all, next));
  CHECK_FALSE(chain.write(2, all, second));
  CHECK(chain.read(0, all, second));
}

TEST_CASE("lanes of a warp are ordered by bar.warp.sync only") {
  Block block(1);
  CHECK_FALSE(block.write(0, all, own));
  CHECK_FALSE(block.read(0, all, own));
  auto race = block.read(0, all, next);
  REQUIRE(race);
  CHECK(race->other_thread == 1);
  block.order.warp_barrier(0, all, true);
  CHECK_FALSE(block.read(0, all, next));
  CHECK(block.write(0, all, own));
}

TEST_CASE("a sync of some lanes orders those among each other and no others") {
  Block block(1);
  CHECK_FALSE(block.write(0, all, own));
  block.order.warp_barrier(0, 0x0000ffff, false);
  CHECK_FALSE(block.read(0, 0x00007fff, next));
  CHECK(block.read(0, 0x00008000, next));  // lane 15 reads what lane 16 wrote
  CHECK(block.read(0, 0x40000000, next));
  block.order.warp_barrier(0, 0xffff0000, false);
  CHECK_FALSE(block.read(0, 0x7fff0000, next));
  block.order.block_barrier(1);
  CHECK_FALSE(block.write(0, all, next));
}

TEST_CASE("a lane that reads again after a partial sync does not hide or make a race") {
  Block block(1);
  CHECK_FALSE(block.read(0, 0x0000ffff, zero));
  block.order.warp_barrier(0, 0x0000ffff, false);
  CHECK_FALSE(block.read(0, 1, zero));
  CHECK_FALSE(block.write(0, 1, zero));
  Block other(1);
  CHECK_FALSE(other.read(0, 0x0001ffff, zero));
  other.order.warp_barrier(0, 0x0000ffff, false);
  CHECK_FALSE(other.read(0, 1, zero));
  auto race = other.write(0, 1, zero);
  REQUIRE(race);
  CHECK(race->other_thread == 16);
}

TEST_CASE("the lanes that are left may be the whole warp") {
  Block block(1);
  CHECK_FALSE(block.write(0, 0xff, own));
  block.order.warp_barrier(0, 0xff, true);
  CHECK_FALSE(block.read(0, 0x7f, next));
}

TEST_CASE("lanes of one store race unless they store the same") {
  Block block(1);
  auto race = block.write(0, all, two_words);
  REQUIRE(race);
  CHECK(race->lane == 1);
  CHECK(race->other_thread == 0);
  Block same(1);
  CHECK_FALSE(same.write_value(0, all, zero, 7));
}

TEST_CASE(
    "lanes of one store that store different values are reported rather than an earlier reader") {
  for (const unsigned reader : {0u, 1u, 31u}) {
    CAPTURE(reader);
    Block block(1);
    CHECK_FALSE(block.read(0, 1u << reader, zero));
    const auto race = block.write(0, all, zero);
    REQUIRE(race);
    CHECK(race->other_is_store);
    CHECK(race->lane == 1);
    CHECK(race->other_thread == 0);
  }
}

TEST_CASE("a lane that stores first does not hide from the others what it comes after itself") {
  const auto one = [](std::uint64_t) -> std::uint64_t { return 5; };
  for (const bool syncs : {false, true}) {
    Block stored(1), read(1);
    CHECK_FALSE(stored.write_value(0, 1, one, 7));
    CHECK_FALSE(read.read(0, 1, one));
    if (syncs)
      for (Block* block : {&stored, &read}) block->order.warp_barrier(0, all, true);
    for (Block* block : {&stored, &read}) {
      const auto race = block->write_value(0, all, one, 9);
      CHECK(race.has_value() == !syncs);
      if (race) CHECK(race->lane == 1);
      if (race) CHECK(race->other_thread == 0);
    }
  }
}

TEST_CASE("a store of what the memory already holds races with no thread") {
  Block block(2);
  CHECK_FALSE(block.write_value(0, 1, zero, 7));
  CHECK_FALSE(block.write_value(1, 1, zero, 7));
  CHECK(block.write_value(1, 2, zero, 8));
  Block reader(2);
  reader.write_value(0, 1, zero, 7);
  reader.order.block_barrier(3);
  CHECK_FALSE(reader.read(1, 1, zero));
  CHECK_FALSE(reader.write_value(0, 1, zero, 7));
  CHECK(reader.write_value(0, 2, zero, 8));  // the read is not forgotten
}

TEST_CASE("a thread that has stored what others store there in no order may read it") {
  Block block(2);
  for (unsigned warp : {0u, 1u}) {
    CHECK_FALSE(block.write_value(warp, all, zero, 7));
    CHECK_FALSE(block.read(warp, all, zero));
  }
  CHECK_FALSE(block.read(0, all, zero));
  Block half(2);
  CHECK_FALSE(half.write_value(0, 0xffff, zero, 7));
  CHECK_FALSE(half.read(0, 0xff, zero));
  CHECK(half.read(0, 1u << 20, zero));
  CHECK(half.read(1, 1, zero));
  Block changed(1);
  CHECK_FALSE(changed.write_value(0, 3, zero, 7));
  changed.order.warp_barrier(0, all, true);
  CHECK_FALSE(changed.write_value(0, 1, zero, 8));
  CHECK_FALSE(changed.read(0, 1, zero));
  CHECK(changed.read(0, 2, zero));
}

TEST_CASE("atomics do not race with each other, but with plain accesses") {
  Block block(2);
  CHECK_FALSE(block.update(0, all, zero));
  CHECK_FALSE(block.update(1, all, zero));
  CHECK(block.read(1, 1, zero));
  CHECK_FALSE(block.read(1, 1, zero, true));
  block.order.block_barrier(3);
  CHECK_FALSE(block.read(0, all, zero));
  CHECK(block.update(1, 1, zero));
  Block plain(2);
  CHECK_FALSE(plain.write(0, 1, zero));
  CHECK(plain.update(1, 1, zero));
}

TEST_CASE("volatile accesses race with plain ones only") {
  Block block(2);
  CHECK_FALSE(block.write(0, 1, zero, true));
  CHECK_FALSE(block.read(1, 1, zero, true));
  CHECK_FALSE(block.write(1, 1, zero, true));
  CHECK(block.read(0, 1, zero));
  Block legacy(1);  // a warp's last steps of a reduction with volatile pointers
  CHECK_FALSE(legacy.read(0, all, next, true));
  CHECK_FALSE(legacy.write(0, all, own, true));
  CHECK_FALSE(legacy.read(0, all, next, true));
}

TEST_CASE("a plain read stays known when a strong write comes after it") {
  Block block(3);
  CHECK_FALSE(block.read(0, 1, zero));
  block.order.block_barrier(0b011);
  CHECK_FALSE(block.write(1, 1, zero, true));
  CHECK(block.write(2, 1, zero, true));
}

TEST_CASE("the last one of many atomics does not hide the others") {
  Block block(2);
  CHECK_FALSE(block.update(0, all, zero));
  CHECK_FALSE(block.update(1, all, zero));
  auto race = block.read(1, 1u << 31, zero);
  REQUIRE(race);
  CHECK(race->other_is_store);
  CHECK(race->other_thread / 32 == 0);
  Block strong(3);
  CHECK_FALSE(strong.write(0, 1, zero));
  strong.order.block_barrier(0b011);
  CHECK_FALSE(strong.write(1, 1, zero, true));
  CHECK(strong.update(2, 1, zero));  // of the plain write before the barrier
}

TEST_CASE("bytes of a word belong to different threads where the program has narrow accesses") {
  Block block(1, 0);
  CHECK_FALSE(block.write(0, all, own, false, 1));
  CHECK_FALSE(block.read(0, all, own, false, 1));
  CHECK(block.read(0, all, next, false, 1));
  Block wide(2, 0);
  CHECK_FALSE(wide.write(0, 2, own, false, 2));  // bytes 2 and 3
  CHECK_FALSE(wide.read(1, 1, own, false, 2));
  CHECK(wide.read(1, 1, own, false, 4));
}

TEST_CASE("halves of a word belong to different threads where no access is narrower") {
  Block block(2, 1);
  CHECK_FALSE(block.write(0, all, own, false, 2));
  CHECK_FALSE(block.write(1, all, second, false, 2));
  CHECK(block.read(0, 1, second, false, 2));
  CHECK_FALSE(block.read(1, 1, second, false, 2));
  auto race = block.read(
      1, 1, [](std::uint64_t) { return std::uint64_t{16}; }, false, 4);
  REQUIRE(race);
  CHECK(race->other_thread == 33);  // the word's other half
}

TEST_CASE("lanes that read by different instructions are reported each with its own") {
  Block block(2);
  block.site = 5;
  CHECK_FALSE(block.read(0, 1, zero));
  block.site = 6;
  CHECK_FALSE(block.read(0, 3, zero));  // lane 0 again, lane 1 for the first time
  block.site = 7;
  CHECK_FALSE(block.read(0, 4, zero));
  auto race = block.write(0, 1, zero);
  REQUIRE(race);
  CHECK(race->other_thread == 1);
  CHECK(race->other_site == 6);
  race = block.write(1, 1, zero);
  REQUIRE(race);
  CHECK(race->other_thread == 0);
}

TEST_CASE("reads before partial syncs are remembered until all lanes have met") {
  Block block(1);
  for (std::uint32_t lane = 4; lane < 8; ++lane) {
    CHECK_FALSE(block.read(0, 1u << lane, zero));
    block.order.warp_barrier(0, 1u << lane | 1, false);
  }
  CHECK_FALSE(block.write(0, 1, zero));  // has met each of them
  Block other(1);
  for (std::uint32_t lane = 4; lane < 8; ++lane) {
    CHECK_FALSE(other.read(0, 1u << lane, zero));
    other.order.warp_barrier(0, lane == 5 ? 0x300 : 1u << lane | 1, false);
  }
  auto race = other.write(0, 1, zero);
  REQUIRE(race);
  CHECK(race->other_thread == 5);
  other.order.warp_barrier(0, all, true);
  CHECK_FALSE(other.read(0, 1, zero));
  CHECK_FALSE(other.write(0, 1, zero));
}

TEST_CASE("an access of 16 bytes touches four words") {
  Block block(2);
  CHECK_FALSE(block.write(0, all, own, false, 16));
  CHECK(block.read(1, 1, [](std::uint64_t) { return std::uint64_t{7}; }));
  CHECK(block.read(1, 1, [](std::uint64_t) { return std::uint64_t{127}; }));
  CHECK_FALSE(block.read(1, 1, [](std::uint64_t) { return std::uint64_t{128}; }));
}

TEST_CASE("the next block races with nothing of the one before") {
  Block block(2);
  CHECK_FALSE(block.write(0, all, own));
  CHECK_FALSE(block.read(0, all, second));
  block.order.warp_barrier(0, 3, false);
  block.order.start_block(1);
  block.races.start_block();
  CHECK_FALSE(block.read(1, all, next));
  CHECK_FALSE(block.write(1, all, second));
  CHECK(block.read(0, all, next) == std::nullopt);
  CHECK(block.write(0, all, own));
}

TEST_CASE("the textbook reduction and transpose are clean") {
  Block block(2);
  for (unsigned round = 0; round < 3; ++round) {
    for (unsigned warp : {0u, 1u}) CHECK_FALSE(block.write(warp, all, warp ? second : own));
    block.order.block_barrier(3);
    CHECK_FALSE(block.read(0, all, second));
    CHECK_FALSE(block.write(0, all, own));
    for (std::uint32_t half = 0xffff; half; half /= 2) {
      block.order.warp_barrier(0, all, true);
      CHECK_FALSE(block.read(0, half, next));
      block.order.warp_barrier(0, all, true);
      CHECK_FALSE(block.write(0, half, own));
    }
    block.order.block_barrier(3);
    for (unsigned warp : {0u, 1u}) CHECK_FALSE(block.read(warp, all, zero));
    block.order.block_barrier(3);
  }
}

TEST_CASE(
    "random programs: a race is reported exactly where vector clocks of all threads have one") {
  // Every access is remembered with the full clock of its thread: slow and simple.
  struct Access {
    unsigned thread, cell;
    bool store, strong;
    std::uint32_t time;
  };
  constexpr unsigned warps = 3, threads = warps * 32, cells = 4;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    Block block(warps);
    std::vector<std::vector<std::uint32_t>> knows(threads, std::vector<std::uint32_t>(threads));
    std::vector<std::uint32_t> time(threads, 1);
    std::vector<Access> past;
    auto meet = [&](const std::vector<unsigned>& who) {
      std::vector<std::uint32_t> joined(threads);
      for (unsigned a : who) {
        for (unsigned b = 0; b < threads; ++b) joined[b] = std::max(joined[b], knows[a][b]);
        joined[a] = std::max(joined[a], time[a]);
      }
      for (unsigned a : who) knows[a] = joined, ++time[a];
    };
    for (int step = 0; step < 40; ++step) {
      unsigned warp = random() % warps;
      std::uint32_t lanes = random() % 4 ? 1u << random() % 4 : 0xfu << 8 * (random() % 2);
      if (unsigned what = random() % 8; what == 0) {
        std::uint32_t some = 1 + random() % 7;
        block.order.block_barrier(some);
        std::vector<unsigned> who;
        for (unsigned t = 0; t < threads; ++t)
          if (some >> t / 32 & 1) who.push_back(t);
        meet(who);
      } else if (what <= 2) {
        std::uint32_t some = what == 1 ? all : random();
        block.order.warp_barrier(warp, some, some == all);
        std::vector<unsigned> who;
        for (unsigned lane = 0; lane < 32; ++lane)
          if (some >> lane & 1) who.push_back(warp * 32 + lane);
        meet(who);
      } else {
        bool store = random() % 3 == 0, strong = random() % 4 == 0;
        if (store) lanes &= 0 - lanes;
        static unsigned cell;
        cell = random() % cells;
        auto index = [](std::uint64_t) { return std::uint64_t{cell}; };
        bool expected = false;
        for (unsigned lane = 0; lane < 32; ++lane) {
          if (!(lanes >> lane & 1)) continue;
          unsigned thread = warp * 32 + lane;
          for (const Access& access : past)
            expected |= access.cell == cell && (access.store || store) &&
                        !(access.strong && strong) && access.thread != thread &&
                        knows[thread][access.thread] < access.time;
        }
        bool reported = store ? block.write(warp, lanes, index, strong).has_value()
                              : block.read(warp, lanes, index, strong).has_value();
        CAPTURE(seed);
        CAPTURE(step);
        REQUIRE(reported == expected);
        // After the first race the checker remembers only the newest write: the program ends here.
        if (expected) break;
        for (unsigned lane = 0; lane < 32; ++lane)
          if (lanes >> lane & 1)
            past.push_back({warp * 32 + lane, cell, store, strong, time[warp * 32 + lane]});
      }
    }
  }
}

}  // namespace shared_races_test
