#include "simulator/watch/order/participation.h"

#include <doctest/doctest.h>

namespace warpwise::watch::participation_test {
namespace {

/// An access of the lanes in a mask, four bytes from lane to lane.
struct Access {
  Access(std::uint64_t first, std::uint32_t mask) {
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = first + 4 * lane;
    event.mask = mask;
    event.addresses = addresses;
    event.bytes = 4;
  }
  std::uint64_t addresses[32];
  AccessEvent event{};
};

ArrayCounts counts_of(const Participation& participation, const std::string& array,
                      const std::string& access) {
  LaunchReport report;
  participation.write(report);
  for (const ArrayCounts& counts : report.counts.arrays) {
    if (counts.array == array && counts.access == access) return counts;
  }
  return {};
}

}  // namespace

TEST_CASE("threads, warps and the busiest thread are counted by array and kind of access") {
  Participation participation({{"x", 1000, 1256}, {"y", 2000, 2256}}, 64);
  Access store(2000, 0xF);
  store.event.is_store = true;
  participation.access(store.event, {1, 1}, 0);
  participation.access(store.event, {1, 1}, 0);
  Access other(2128, 1);
  other.event.is_store = true;
  participation.access(other.event, {1, 1}, 32);
  const ArrayCounts y = counts_of(participation, "y", "global store");
  CHECK(y.threads == 5);
  CHECK(y.warps == 2);
  CHECK(y.most_of_thread == 2);
  CHECK(y.requests == 3);
  CHECK(counts_of(participation, "y", "global load").threads == 0);
  CHECK(counts_of(participation, "x", "global store").threads == 0);
}

TEST_CASE("memory without a name is kept separately, and atomics are neither loads nor stores") {
  Participation participation({{"x", 1000, 1256}}, 32);
  participation.access(Access(8000, ~0u).event, {1, 4}, 0);
  Access atomic(1000, ~0u);
  atomic.event.is_store = atomic.event.is_atomic = true;
  participation.access(atomic.event, {1, 4}, 0);
  CHECK(counts_of(participation, "", "global load").sectors == 4);
  CHECK(counts_of(participation, "x", "global load").sectors == 0);
  CHECK(counts_of(participation, "x", "global store").threads == 0);
  CHECK(counts_of(participation, "x", "global atomic").threads == 32);
}

TEST_CASE("what several host threads saw is one launch, and times count") {
  Participation one({{"x", 1000, 1256}}, 64), other = one;
  Access load(1000, 1);
  load.event.times = 3;
  one.access(load.event, {3, 3}, 0);
  other.access(load.event, {3, 3}, 0);
  other.access(load.event, {3, 3}, 32);
  one.add(other);
  const ArrayCounts x = counts_of(one, "x", "global load");
  CHECK(x.threads == 2);
  CHECK(x.most_of_thread == 6);
  CHECK(x.requests == 9);
}

}  // namespace warpwise::watch::participation_test
