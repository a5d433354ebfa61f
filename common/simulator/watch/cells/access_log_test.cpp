#include "simulator/watch/cells/access_log.h"

#include <doctest/doctest.h>

#include <array>

namespace access_log_test {

using namespace warpwise::watch;

constexpr std::uint64_t start = 0x7f0000000000, page = 4096;

/// A warp reads 32 words side by side.
void read(AccessLog& log, std::uint64_t first) {
  std::array<std::uint64_t, 32> addresses{};
  for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = first + lane * 4;
  AccessEvent event{};
  event.mask = ~0u;
  event.addresses = addresses.data();
  event.bytes = 4;
  const AddressShape shape(event);
  const TouchedPieces::Reach reach(event, shape);
  REQUIRE(log.add({Epoch{}, 0, false}, event, shape, reach, TouchedPieces(), StoredValues()));
}

/// How often a page may be read until the log is full.
unsigned reads_until_full(AccessLog& log, std::uint64_t first) {
  unsigned reads = 0;
  for (; reads < 1000 && !log.is_full(); ++reads) read(log, first);
  return reads;
}

TEST_CASE("a log may be as long as the memory that its accesses touch") {
  AccessLog log(Contact::read, 1000);
  const unsigned of_one_page = reads_until_full(log, start);
  CHECK(of_one_page > 1000 / 64);
  CHECK(of_one_page < 1000);
  CHECK(log.is_full());
  log.clear();
  CHECK(!log.is_full());
  // Each is of a page of its own.
  for (unsigned i = 0; i < 1000; ++i) {
    CHECK(!log.is_full());
    read(log, start + i * page);
  }
  // Cleared, it knows nothing of them.
  log.clear();
  CHECK(reads_until_full(log, start) == of_one_page);
}

}  // namespace access_log_test
