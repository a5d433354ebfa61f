// Races in global memory, access by access.

#include <doctest/doctest.h>

#include "simulator/watch/global/global_races_fixture.h"

namespace global_races_test {

TEST_CASE("global memory within a block: warps, lanes, barriers") {
  Launch launch(1, 2);
  CHECK_FALSE(launch.write(own));
  CHECK_FALSE(launch.read(own));
  CHECK(launch.read(next));  // of another lane, unsynchronised
  CHECK(launch.last->other_lane == launch.last->lane + 1);
  launch.order[0]->warp_barrier(0, all, true);
  CHECK_FALSE(launch.read(next, 0x7fffffff));
  launch.warp = 1;
  launch.site = 7;
  CHECK(launch.read(next, 4));
  CHECK(launch.last->lane == 2);
  CHECK(launch.last->other_warp == 0);
  CHECK(launch.last->other_lane == 3);
  CHECK(launch.last->other_is_store);
  CHECK(launch.last->address == 4096 + 12);
  launch.order[0]->block_barrier(3);
  CHECK_FALSE(launch.read(next));
  launch.warp = 0;
  CHECK(launch.write(own));
  CHECK(launch.last->other_site == 7);
  CHECK_FALSE(launch.last->other_is_store);
}

TEST_CASE(
    "a stencil that reads its neighbours and writes in place is a race; into another array not") {
  Launch launch(1, 1);
  CHECK_FALSE(launch.read(own));
  CHECK_FALSE(launch.read(next));
  CHECK_FALSE(launch.write(far));
  CHECK(launch.write(own));
}

TEST_CASE("no order lets a load by another cache see a store; a store after such a load is right") {
  Launch launch(1, 2);
  launch.is_non_coherent = true;
  CHECK_FALSE(launch.read(own));
  CHECK_FALSE(launch.write(own));  // in place
  launch.order[0]->block_barrier(3);
  CHECK_FALSE(launch.read(far));
  CHECK(launch.read(own));
  CHECK(launch.last->by_cache);
  launch.warp = 1;
  CHECK(launch.read(next, 0xffff));
  CHECK(launch.last->by_cache);
  CHECK(launch.last->other_is_store);
  launch.is_non_coherent = false;
  CHECK_FALSE(launch.read(own));
}

TEST_CASE("equal values do not race, different ones do") {
  Launch launch(1, 2);
  CHECK_FALSE(launch.write(zero, all, ten));
  launch.start(0);
  CHECK(launch.write(zero, 3, own_value));
  launch.start(0);
  CHECK_FALSE(launch.read(zero));
  launch.warp = 1;
  CHECK_FALSE(launch.write(zero, 1, [](unsigned) { return 0u; }));  // what is there already
  CHECK(launch.write(zero, 1, ten));
}

TEST_CASE("a thread that has stored what others store there in no order may read it") {
  constexpr auto eight = [](unsigned) { return 8u; };
  constexpr auto nothing = [](unsigned) { return 0u; };  // what is there already
  Launch launch(1, 2);
  for (unsigned warp : {0u, 1u, 0u}) {
    launch.warp = warp;
    CHECK_FALSE(launch.write(zero, all, nothing));
    CHECK_FALSE(launch.read(zero));
    CHECK_FALSE(launch.read(zero, 1u << 9));
  }
  launch.start(0);  // half of a warp
  launch.warp = 0;
  CHECK_FALSE(launch.write(zero, 0xffff, ten));
  CHECK_FALSE(launch.read(zero, 0xff));
  CHECK(launch.read(zero));
  CHECK(launch.last->lane == 16);
  CHECK(launch.last->other_lane == 0);
  launch.warp = 1;
  CHECK(launch.read(zero, 1));
  launch.start(0);  // one thread each
  launch.warp = 0;
  CHECK_FALSE(launch.write(zero, 1, nothing));
  launch.warp = 1;
  CHECK_FALSE(launch.write(zero, 4, nothing));
  CHECK_FALSE(launch.read(zero, 4));
  CHECK(launch.read(zero, 8));
  launch.warp = 0;
  CHECK_FALSE(launch.read(zero, 1));
  launch.start(0);  // something else, later
  CHECK_FALSE(launch.write(zero, 3, ten));
  launch.order[0]->warp_barrier(0, all, true);
  CHECK_FALSE(launch.write(zero, 1, eight));
  CHECK_FALSE(launch.read(zero, 1));
  CHECK(launch.read(zero, 2));
  launch.start(0);  // the same, but down columns
  CHECK_FALSE(launch.write(column, all, nothing));
  launch.warp = 1;
  CHECK_FALSE(launch.write(column, all, nothing));
  CHECK_FALSE(launch.read(column));
  CHECK(launch.read(next_row, 0x7fffffff));
  launch.order[0]->block_barrier(3);
  CHECK_FALSE(launch.write(column, all, eight));
  launch.warp = 0;
  CHECK(launch.read(column));
}

TEST_CASE("lanes that go down columns: each its own row, or the next one's") {
  Launch launch(1, 2);
  CHECK_FALSE(launch.write(column));
  CHECK_FALSE(launch.read(column));
  CHECK_FALSE(launch.write(column, 0xffff));
  CHECK(launch.read(next_row, 0x7fffffff));
  CHECK(launch.last->lane == 0);
  CHECK(launch.last->other_lane == 1);
  CHECK(launch.last->address == 4096 + 128);
  launch.start(0);
  launch.site = 7;
  CHECK_FALSE(launch.write(column));
  launch.warp = 1;
  launch.site = 8;
  CHECK(launch.read(column));
  CHECK(launch.last->other_warp == 0);
  CHECK(launch.last->other_site == 7);
  CHECK(launch.read(own, 1));  // lines against columns, and columns against lines
  launch.start(0);
  launch.warp = 0;
  CHECK_FALSE(launch.write(own));
  launch.warp = 1;
  CHECK(launch.read(column));
  launch.order[0]->block_barrier(3);
  CHECK_FALSE(launch.write(column));
  CHECK_FALSE(launch.read(column));
}

TEST_CASE("lanes at equal distances: fields of structures, in one block and in several") {
  constexpr Index first = [](std::uint64_t lane) { return lane * 7; };
  constexpr Index third = [](std::uint64_t lane) { return lane * 7 + 2; };
  constexpr Index of_next = [](std::uint64_t lane) { return lane * 7 + 7; };
  Launch launch(1, 2);
  CHECK_FALSE(launch.write(first));
  CHECK_FALSE(launch.write(third));
  CHECK_FALSE(launch.read(first));
  CHECK(launch.read(of_next, 0x7fffffff));
  CHECK(launch.last->lane == 0);
  CHECK(launch.last->other_lane == 1);
  launch.warp = 1;
  CHECK(launch.write(third));
  CHECK(launch.last->other_lane == 0);
  launch.order[0]->block_barrier(3);
  CHECK_FALSE(launch.write(third));
  const auto clean = between({0, 1, 2}, [&](Launch& on, unsigned block) {
    if (block == 0) on.write(first);
    if (block == 1) on.write(third);
    if (block == 2) on.read([](std::uint64_t lane) { return lane * 7 + 1; });
  });
  CHECK(clean.empty());
  const auto races = between({1, 0}, [&](Launch& on, unsigned block) {
    if (block == 1) return void(on.read(of_next));
    on.write(first, 0xffff);
    // The same instruction after a barrier, at other places.
    on.order[0]->block_barrier(3);
    on.write(first, 0xffff0000);
  });
  REQUIRE(!races.empty());
  unsigned cells = 0;
  for (const auto& race : races) {
    cells += race.cells;
    CHECK(race.lower.thread == race.higher.thread + 1);
    CHECK(race.lower.thread == (race.address - 4096) / 28);
  }
  CHECK(cells == 31);
}

TEST_CASE("one instruction goes through the same lines by other lanes") {
  const Index again[] = {[](std::uint64_t lane) { return lane * 32 + 33; },
                         [](std::uint64_t lane) { return lane * 8 + 9; }};
  const Index before[] = {column, [](std::uint64_t lane) { return lane * 8; }};
  for (int i : {0, 1}) {
    Launch launch(1, 1);
    launch.site = 5;
    CHECK_FALSE(launch.read(before[i]));
    CHECK_FALSE(launch.read(again[i]));
    launch.site = 6;
    CHECK_FALSE(launch.write(again[i]));
    CHECK_FALSE(launch.write(before[i]));
  }
}

TEST_CASE("all words of wide columns are compared between blocks") {
  const auto races = between({0, 1}, [&](Launch& launch, unsigned block) {
    launch.bytes = 8;
    launch.write([](std::uint64_t lane) { return lane * 3; }, all, block ? ten : own_value);
  });
  unsigned cells = 0;
  for (const auto& race : races) cells += race.cells;
  CHECK(cells == 64);
}

TEST_CASE("wide accesses are sets of words, narrow ones of bytes") {
  Launch launch(1, 2);
  launch.bytes = 16;
  CHECK_FALSE(launch.write(own));
  launch.bytes = 4;
  CHECK_FALSE(launch.read([](std::uint64_t lane) { return lane * 4 + 3; }));
  CHECK(launch.read([](std::uint64_t lane) { return lane * 4 + 4; }, 1));
  Launch halves(1, 2, 1);
  halves.bytes = 2;
  CHECK_FALSE(halves.write(own));
  halves.warp = 1;
  CHECK_FALSE(halves.write([](std::uint64_t lane) { return lane + 32; }));
  CHECK(halves.read(next, 1));
  CHECK_FALSE(halves.read([](std::uint64_t) { return std::uint64_t{32}; }, 1));
  halves.bytes = 4;
  CHECK(halves.read([](std::uint64_t) { return std::uint64_t{16}; }, 1));
  CHECK(halves.last->other_lane == 1);
  Launch bytes(1, 2, 0);
  bytes.bytes = 1;
  CHECK_FALSE(bytes.write(own));
  bytes.warp = 1;
  CHECK_FALSE(bytes.write([](std::uint64_t lane) { return lane + 32; }));
  CHECK(bytes.read(next, 1u << 30));
}

TEST_CASE("atomics agree with each other") {
  Launch launch(1, 2);
  CHECK_FALSE(launch.update(zero));
  launch.warp = 1;
  CHECK_FALSE(launch.update(zero));
  CHECK_FALSE(launch.read(zero, 1, true));
  CHECK(launch.read(zero, 2));
}

TEST_CASE("only the thread that updated a counter last may reset it") {
  for (unsigned resets : {0u, 1u}) {
    Launch launch(2, 1, 2, true);
    CHECK_FALSE(launch.update(zero, 1));
    launch.block = 1;
    CHECK_FALSE(launch.update(zero, 1));
    launch.block = resets;
    CHECK(launch.write(zero, 1) == (resets == 0));
  }
  // Another lane of the last one's warp, and lanes that updated together.
  Launch launch(1, 2, 2, true);
  CHECK_FALSE(launch.update(zero, 1));
  launch.warp = 1;
  CHECK_FALSE(launch.update(zero, 1));
  CHECK(launch.write(zero, 2));
  Launch together(1, 2, 2, true);
  CHECK_FALSE(together.update(zero, 1));
  together.warp = 1;
  CHECK_FALSE(together.update(zero, 3));
  CHECK(together.write(zero, 1));
  // An update that comes later still races with the reset.
  Launch later(2, 1, 2, true);
  CHECK_FALSE(later.update(zero, 1));
  CHECK_FALSE(later.write(zero, 1));
  later.block = 1;
  CHECK(later.update(zero, 1));
}

TEST_CASE("a thread after the last update, or after one that saw it, may reset the counter") {
  for (unsigned which = 0; which < 8; ++which) {
    const bool meets = which & 1, sees = which & 2;
    CAPTURE(meets);
    CAPTURE(sees);
    Launch launch(2, 2, 2, true);
    CHECK_FALSE(launch.update(zero, 1));
    launch.block = 1;
    if (sees)
      CHECK_FALSE(launch.read(zero, 4, true));
    else
      CHECK_FALSE(launch.update(zero, 4));
    if (meets) launch.order[1]->block_barrier(3);
    launch.warp = 1;
    // One lane, or several that store the same.
    CHECK(launch.write(zero, which & 4 ? 0xff0 : 1 << 9, ten) != meets);
  }
  // Another one updates it after the last of the block.
  Launch launch(2, 2, 2, true);
  launch.block = 1;
  CHECK_FALSE(launch.update(zero, 1));
  launch.order[1]->block_barrier(3);
  launch.block = 0;
  CHECK_FALSE(launch.update(zero, 1));
  launch.block = 1;
  launch.warp = 1;
  CHECK(launch.write(zero, 1));
}

}  // namespace global_races_test
