// Races in global memory between blocks.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "simulator/watch/global/global_races_fixture.h"

namespace global_races_test {

TEST_CASE("blocks with places of their own, shared input, atomics, equal flags: no race") {
  for (auto blocks : {std::vector<unsigned>{0, 1, 2, 3}, {3, 1, 0, 2}}) {
    CHECK(between(blocks, [](Launch& launch, unsigned block) {
            CHECK_FALSE(launch.read(far));
            CHECK_FALSE(launch.write([](std::uint64_t lane) { return 5000 + lane; }, 1, ten));
            static unsigned at;
            at = block;
            CHECK_FALSE(launch.write([](std::uint64_t lane) { return at * 16 + lane; }, 0xffff));
            CHECK_FALSE(launch.read([](std::uint64_t lane) { return at * 16 + lane; }, 0xffff));
            CHECK_FALSE(launch.update([](std::uint64_t lane) { return 3000 + lane % 4; }));
            CHECK_FALSE(launch.write([](std::uint64_t lane) { return 6000 + lane; }));  // a table
            CHECK_FALSE(launch.read([](std::uint64_t lane) { return 6000 + lane; }));
          }).empty());
  }
}

TEST_CASE("blocks that touch what others write: the same two are reported in every order") {
  struct Case {
    void (*lower)(Launch&);
    void (*higher)(Launch&);
    LineAccess::Kind lower_kind, higher_kind;
  };
  const Case cases[] = {
      {[](Launch& l) { l.write(own); }, [](Launch& l) { l.read(next); }, LineAccess::write,
       LineAccess::read},
      {[](Launch& l) { l.write(column); }, [](Launch& l) { l.read(own); }, LineAccess::write,
       LineAccess::read},
      {[](Launch& l) { l.read(own); }, [](Launch& l) { l.write(column); }, LineAccess::read,
       LineAccess::write},
      {[](Launch& l) { l.read(own); }, [](Launch& l) { l.write(next); }, LineAccess::read,
       LineAccess::write},
      {[](Launch& l) { l.write(zero, 1); }, [](Launch& l) { l.write(zero, 2); }, LineAccess::write,
       LineAccess::write},
      {[](Launch& l) { l.update(zero); }, [](Launch& l) { l.read(zero, 1); }, LineAccess::strong,
       LineAccess::read},
      {[](Launch& l) { l.write(zero, 1); }, [](Launch& l) { l.update(zero); }, LineAccess::write,
       LineAccess::strong},
  };
  for (const Case& c : cases) {
    std::vector<unsigned> blocks = {0, 1, 2, 3, 4, 5, 6, 7};
    std::mt19937 random(1);
    for (int round = 0; round < 50; ++round) {
      auto races = between(blocks, [&](Launch& launch, unsigned block) {
        launch.warp = block % 2;
        if (block == 3) c.lower(launch);
        if (block == 5) c.higher(launch);
        if (block != 3 && block != 5) launch.read(far);
      });
      REQUIRE(races.size() == 1);
      CHECK(races[0].lower.block == 3);
      CHECK(races[0].higher.block == 5);
      CHECK(races[0].lower.kind == c.lower_kind);
      CHECK(races[0].higher.kind == c.higher_kind);
      std::shuffle(blocks.begin(), blocks.end(), random);
    }
  }
  auto races = between({1, 0}, [](Launch& launch, unsigned block) {
    launch.site = block;
    launch.warp = block;
    block == 0 ? launch.write(own) : launch.read(next);
  });
  REQUIRE(races.size() == 1);
  CHECK(races[0].address == 4096 + 4);
  CHECK(races[0].cells == 31);
  CHECK(races[0].lower.thread == 1);
  CHECK(races[0].higher.thread == 32);
  CHECK(races[0].higher.site == 1);
}

TEST_CASE(
    "a thread that saw the last update by a strong load, or comes after one, may store there") {
  for (const bool sees : {true, false})
    for (const bool is_updated_since : {true, false})
      for (const unsigned storing : {2u, 1u}) {
        Launch launch(3, 1, 2, true);
        launch.update(zero, 1);
        launch.block = 1;
        launch.update(zero, 1);
        launch.block = 2;
        if (sees) launch.read(zero, 1, true);
        launch.block = 0;
        if (is_updated_since) launch.update(zero, 1);
        launch.block = storing;
        // Block 1 made it: only a read of another thread is in its way.
        const bool knows = !is_updated_since && sees == (storing == 2);
        CHECK(launch.write(zero, 1) == !knows);
      }
  // The lane of the warp that looked, and those that met it since.
  for (const std::uint32_t met : {all, 3u}) {
    Launch launch(2, 1, 2, true);
    launch.update(zero, 1);
    launch.block = 1;
    launch.read(zero, 2, true);
    launch.order[1]->warp_barrier(0, met, met == all);
    CHECK(launch.write(zero, 4) == (met != all));
  }
}

TEST_CASE("many blocks at the same cells: the reports depend on no order") {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<unsigned> blocks(8), what(8), mask(8);
    std::iota(blocks.begin(), blocks.end(), 0);
    for (unsigned b = 0; b < 8; ++b) what[b] = random() % 5, mask[b] = random();
    std::string first;
    for (int shuffle = 0; shuffle < 6; ++shuffle) {
      auto races = between(blocks, [&](Launch& launch, unsigned b) {
        if (what[b] == 0) launch.write(own, mask[b] | 1);
        if (what[b] == 1) launch.write(own, mask[b] | 1, ten);
        if (what[b] == 2) launch.update(own, mask[b] | 1);
        if (what[b] >= 3) launch.read(own, mask[b] | 1);
      });
      std::string text;
      for (const auto& race : races)
        text += std::to_string(race.lower.block) + " " + std::to_string(race.higher.block) + " " +
                std::to_string(race.address) + " " + std::to_string(race.cells) + " " +
                std::to_string(race.lower.kind * 3 + race.higher.kind) + "\n";
      if (shuffle == 0) first = text;
      REQUIRE(text == first);
      std::shuffle(blocks.begin(), blocks.end(), random);
    }
  }
}

TEST_CASE(
    "reads of two blocks that were only noted down: what one knew of its block says nothing") {
  for (const bool first_reads : {true, false}) {
    Launch launch(2, 2, 2, true);
    // More than are kept without asking which of them later ones speak for.
    for (launch.site = 0; first_reads && launch.site < 20; ++launch.site)
      launch.read(zero, 1u << launch.site);
    launch.block = 1;
    // All that its own block did until here is before this.
    launch.order[1]->block_barrier(3);
    launch.order[1]->block_barrier(3);
    launch.read(zero, 1);
    // It tells one of the other warp of the first block, which knows nothing of the first.
    SyncPoints points;
    const std::array<std::uint64_t, 32> flag = {};
    auto synchronize = [&](unsigned block, unsigned warp, bool is_store, Order order) {
      AccessEvent event{};
      event.mask = 1;
      event.addresses = flag.data();
      event.bytes = 4;
      event.is_store = is_store;
      event.order = order;
      event.scope = warpwise::code::Scope::gpu;
      launch.order[block]->synchronize(warp, event, points);
    };
    synchronize(1, 0, true, Order::release);
    synchronize(0, 1, false, Order::acquire);
    launch.block = 0;
    launch.warp = 1;
    CHECK(launch.write(zero, 1) == first_reads);
  }
}

TEST_CASE("of blocks with one history, atomics and reads of any width are noted down, in no list") {
  for (const unsigned shift : {0u, 1u, 2u}) {
    Launch launch(2, 2, shift, true);
    constexpr unsigned many = 1 << 18;
    for (unsigned i = 0; i < many; ++i) {
      launch.block = i % 2;
      std::array<std::uint64_t, 32> addresses;
      const std::uint32_t values[32] = {};
      const bool is_store = i % 4 > 0;
      for (unsigned lane = 0; lane < 32; ++lane)
        addresses[lane] = (is_store ? 32768 : 0) + ((i * 40503u + lane * 77) % 4096 << shift);
      REQUIRE_FALSE(launch.access(addresses, all, 1u << shift, is_store,
                                  is_store ? Order::relaxed : Order::none, values));
    }
    launch.races.for_tiles([](const TouchedTile&) { FAIL("something is in a list"); });
    // An access that meets them puts them there, and races.
    std::array<std::uint64_t, 32> addresses{};
    addresses.fill(32768);
    CHECK(launch.access(addresses, 1, 1u << shift, true, Order::none, {1}));
    unsigned tiles = 0;
    launch.races.for_tiles([&](const TouchedTile&) { ++tiles; });
    CHECK(tiles > 0);
  }
}

TEST_CASE("what was noted down is not looked through once the time is over") {
  for (const bool in_time : {true, false}) {
    Launch launch(1, 2, 2, true);
    std::atomic<bool> is_over = false;
    launch.races.end_when(&is_over);
    CHECK_FALSE(launch.update(far));
    launch.warp = 1;
    is_over = !in_time;
    CHECK(launch.write(far) == in_time);
  }
}

TEST_CASE(
    "of blocks with one history, strong loads are noted down, except those of waiting threads") {
  for (const bool one_history : {true, false}) {
    Launch launch(2, 2, 2, one_history);
    auto tiles = [&] {
      unsigned count = 0;
      launch.races.for_tiles([&](const TouchedTile&) { ++count; });
      return count;
    };
    launch.is_atomic = false;
    launch.update(far);
    for (launch.warp = 0; launch.warp < 2; ++launch.warp) {
      launch.read(far, all, true);
      launch.read(far, 0xff, true);
    }
    CHECK((tiles() == 0) == one_history);
    launch.warp = 0;
    launch.read(far, all, true);  // again, by the same lanes
    CHECK(tiles() > 0);
    launch.warp = 1;
    CHECK(launch.write(far));  // which the other warp has read
  }
}

}  // namespace global_races_test
