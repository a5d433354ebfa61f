#include "simulator/watch/cells/noted_accesses.h"

#include <doctest/doctest.h>

#include <array>

namespace noted_accesses_test {

using namespace warpwise::watch;

constexpr std::uint64_t start = 0x7f0000000000, page = 4096;

/// A warp reads 32 words side by side.
void read(NotedAccesses& noted, std::uint64_t first) {
  std::array<std::uint64_t, 32> addresses{};
  for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = first + lane * 4;
  AccessEvent event{};
  event.mask = ~0u;
  event.addresses = addresses.data();
  event.bytes = 4;
  const AddressShape shape(event);
  const TouchedPieces::Reach reach(event, shape);
  REQUIRE(noted.add({Epoch{}, 0, false}, event, shape, reach, TouchedPieces(), StoredValues()));
}

/// How often a page may be read until the notes are full.
unsigned reads_until_full(NotedAccesses& noted, std::uint64_t first) {
  unsigned reads = 0;
  for (; reads < 1000 && !noted.is_full(); ++reads) read(noted, first);
  return reads;
}

TEST_CASE("noted accesses may take what the memory takes that they touch") {
  NotedAccesses noted(LineAccess::read, 1000);
  const unsigned of_one_page = reads_until_full(noted, start);
  CHECK(of_one_page > 1000 / 64);
  CHECK(of_one_page < 1000);
  CHECK(noted.is_full());
  noted.clear();
  CHECK(!noted.is_full());
  // Each is of a page of its own.
  for (unsigned i = 0; i < 1000; ++i) {
    CHECK(!noted.is_full());
    read(noted, start + i * page);
  }
  // Cleared, it knows nothing of them.
  noted.clear();
  CHECK(reads_until_full(noted, start) == of_one_page);
}

}  // namespace noted_accesses_test
