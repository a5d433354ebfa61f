// Random programs of two blocks against vector clocks.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "simulator/watch/global/global_races_fixture.h"

namespace global_races_test {

TEST_CASE(
    "random programs: a race in global memory is reported exactly where vector clocks have one") {
  struct Access {
    unsigned thread;
    std::uint64_t cell;
    bool store, strong;
    std::uint32_t time;
  };
  constexpr unsigned blocks = 2, warps = 2, per_block = warps * 32, threads = blocks * per_block;
  unsigned reported_races = 0, missed = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    std::mt19937 random(seed);
    Launch launch(blocks, warps, 2 - seed % 3, true);
    std::vector<std::vector<std::uint32_t>> knows(threads, std::vector<std::uint32_t>(threads));
    std::vector<std::uint32_t> time(threads, 1);
    std::vector<Access> past;
    struct Update {
      unsigned thread = threads;  // of a cell; none where several lanes were
      std::uint32_t time = 0;
    };
    struct Seen {
      std::set<unsigned> by, first;  // of one warp
      std::uint32_t time = 0;        // when the first saw it
    };
    std::map<std::uint64_t, Update> updater;
    std::map<std::uint64_t, Seen> observers;  // of its last update
    bool is_exact = true;
    auto meet = [&](unsigned first, unsigned count, std::uint32_t lanes) {
      std::vector<std::uint32_t> joined(threads);
      auto each = [&](auto visit) {
        for (unsigned a = first; a < first + count; ++a)
          if (lanes >> a % 32 & 1) visit(a);
      };
      each([&](unsigned a) {
        for (unsigned b = 0; b < threads; ++b) joined[b] = std::max(joined[b], knows[a][b]);
        joined[a] = std::max(joined[a], time[a]);
      });
      each([&](unsigned a) { knows[a] = joined, ++time[a]; });
    };
    auto comes_after = [&](unsigned thread, unsigned other, std::uint32_t when) {
      return other != threads && (other == thread || knows[thread][other] >= when);
    };
    auto knows_last_update = [&](unsigned thread, std::uint64_t cell) {
      if (!updater.count(cell)) return false;
      const Seen& seen = observers[cell];
      return comes_after(thread, updater[cell].thread, updater[cell].time) ||
             seen.by.count(thread) ||
             std::any_of(seen.first.begin(), seen.first.end(),
                         [&](unsigned other) { return comes_after(thread, other, seen.time); });
    };
    std::uint32_t stored = 1;
    for (int step = 0; step < 40; ++step) {
      launch.block = random() % blocks;
      launch.warp = random() % warps;
      const unsigned first = launch.block * per_block + launch.warp * 32;
      unsigned what = random() % 10;
      if (seed % 2 && (what == 1 || what == 3)) --what;
      if (what == 0) {
        launch.order[launch.block]->block_barrier(3);
        meet(launch.block * per_block, per_block, all);
      } else if (what == 1) {
        HappensBefore::meet({launch.order[0].get(), launch.order[1].get()});
        is_exact = false;
        meet(0, threads, all);
      } else if (what <= 3) {
        std::uint32_t some = what == 2 ? all : random();
        is_exact &= some == all;
        launch.order[launch.block]->warp_barrier(launch.warp, some, some == all);
        meet(first, 32, some);
      } else {
        const bool store = random() % 3 == 0, strong = random() % 4 == 0;
        const unsigned bytes = random() % 3 ? 4 : 8, shape = random() % 9;
        const std::uint32_t mask = random() % 3 ? all : random() | 1;
        launch.is_atomic = random() % 4;
        // Half of the programs read and update memory far from where they store.
        const std::uint64_t start = (seed % 4 < 2       ? 4096
                                     : store && !strong ? 20480
                                                        : 4096) +
                                    random() % 6 * 64 * (random() % 3);
        std::array<std::uint64_t, 32> addresses;
        std::uint32_t values[32];
        for (unsigned lane = 0; lane < 32; ++lane) {
          addresses[lane] = shape == 0   ? start
                            : shape == 1 ? start + random() % 64 * 8
                            : shape == 2 ? start + lane * 128
                            : shape == 3 ? start + (lane ^ 1) * 136
                            : shape == 4 ? start + lane * 24
                            : shape == 5 ? start + lane * 56 + start % 128 / 8
                                         : start + lane * bytes;
          values[lane] = stored++;
        }
        bool expected = false;
        std::vector<Access> fresh;
        for (unsigned lane = 0; lane < 32; ++lane)
          for (unsigned word = 0; mask >> lane & 1 && word < bytes / 4; ++word)
            fresh.push_back(
                {first + lane, addresses[lane] / 4 + word, store, strong, time[first + lane]});
        for (const Access& now : fresh) {
          for (const Access& before : past)
            expected |=
                before.cell == now.cell && (before.store || store) && !(before.strong && strong) &&
                before.thread != now.thread &&
                !(before.strong && before.store && knows_last_update(now.thread, now.cell)) &&
                knows[now.thread][before.thread] < before.time;
          for (const Access& other : fresh)
            expected |= store && !strong && other.cell == now.cell && other.thread != now.thread;
        }
        const bool reported =
            launch.access(addresses, mask, bytes, store,
                          strong ? Order::relaxed : warpwise::code::Order::none, values);
        CAPTURE(seed);
        CAPTURE(step);
        // One of several lanes that read one place represents all, where only some of them may have
        // met others.
        if (is_exact)
          REQUIRE(reported == expected);
        else
          REQUIRE_FALSE((reported && !expected));
        missed += expected && !reported;
        reported_races += reported;
        if (expected) break;
        past.insert(past.end(), fresh.begin(), fresh.end());
        if (!strong) continue;
        for (const Access& now : fresh) {
          if (!store) {
            if (!updater.count(now.cell)) continue;
            Seen& seen = observers[now.cell];
            if (seen.by.empty() || *seen.by.begin() / 32 != now.thread / 32)
              seen = {{}, {}, now.time};
            seen.by.insert(now.thread);
            if (seen.time == now.time) seen.first.insert(now.thread);
            continue;
          }
          observers[now.cell] = {};
          const auto lanes = std::count_if(fresh.begin(), fresh.end(),
                                           [&](const Access& a) { return a.cell == now.cell; });
          updater[now.cell] = {lanes == 1 ? now.thread : threads, now.time};
        }
      }
    }
  }
  CHECK(reported_races > 1000);
  CHECK(missed < reported_races / 50);
}

TEST_CASE(
    "random programs: a look that is made so many times at once is as good as each by itself") {
  constexpr unsigned blocks = 3, warps = 2;
  unsigned races = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    std::mt19937 random(seed);
    Launch one_by_one(blocks, warps, 2, true), at_once(blocks, warps, 2, true);
    for (int step = 0; step < 150; ++step) {
      const unsigned block = random() % blocks, warp = random() % warps, what = random() % 40;
      const unsigned site = random() % 4, place = random() % 3 * 40, shape = random() % 4;
      const std::uint32_t mask = random() % 2 ? all : random() | 1;
      const unsigned times = random() % 2 ? 1 : 2 + random() % 40;
      const bool store = what < 8, strong = what != 0 && what != 39, is_atomic = random() % 2;
      std::array<std::uint64_t, 32> addresses;
      std::uint32_t values[32];
      for (unsigned lane = 0; lane < 32; ++lane) {
        addresses[lane] = 4096 + 4 * (place + (shape == 0   ? 0
                                               : shape == 1 ? lane
                                               : shape == 2 ? lane * 32
                                                            : lane * 7 % 13));
        values[lane] = step * 32 + lane;
      }
      auto make = [&](Launch& launch, unsigned made) {
        launch.block = block, launch.warp = warp, launch.site = site, launch.times = made;
        launch.is_atomic = is_atomic;
        if (what == 38) return launch.order[block]->block_barrier(3), false;
        return launch.access(addresses, mask, 4, store, strong ? Order::relaxed : Order::none,
                             values);
      };
      const bool repeats = strong && !store;
      make(one_by_one, 1);
      make(at_once, 1);
      for (unsigned i = 0; repeats && i < times; ++i) make(one_by_one, 1);
      if (repeats) make(at_once, times);
      CAPTURE(seed);
      CAPTURE(step);
      REQUIRE(one_by_one.last.has_value() == at_once.last.has_value());
      if (!at_once.last) continue;
      ++races;
      REQUIRE(one_by_one.last->lane == at_once.last->lane);
      REQUIRE(one_by_one.last->address == at_once.last->address);
      REQUIRE(one_by_one.last->other_warp == at_once.last->other_warp);
      REQUIRE(one_by_one.last->other_lane == at_once.last->other_lane);
      REQUIRE(one_by_one.last->other_site == at_once.last->other_site);
    }
  }
  CHECK(races > 1000);
}

}  // namespace global_races_test
