#include "simulator/watch/global/touched_pieces.h"

#include <doctest/doctest.h>

#include <array>

namespace touched_pieces_test {

using namespace warpwise::watch;

/// A warp's access to words with a distance of `stride` bytes.
struct Access {
  Access(std::uint64_t start, std::uint64_t stride) {
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = start + lane * stride;
    event.mask = ~0u;
    event.addresses = addresses.data();
    event.bytes = 4;
  }
  std::array<std::uint64_t, 32> addresses{};
  AccessEvent event{};
};

bool meets(const TouchedPieces& pieces, std::uint64_t start, std::uint64_t stride = 4) {
  const Access access(start, stride);
  return pieces.meets(TouchedPieces::Reach(access.event, AddressShape(access.event)));
}

void add(TouchedPieces& pieces, std::uint64_t start, std::uint64_t stride = 4) {
  const Access access(start, stride);
  pieces.add(TouchedPieces::Reach(access.event, AddressShape(access.event)));
}

constexpr std::uint64_t start = 0x7f0000000000, page = 4096, megabyte = 1 << 20;

TEST_CASE("arrays at a distance of a few hundred megabytes have no piece in common") {
  TouchedPieces reads, stores;
  for (std::uint64_t at = 0; at < 64 * megabyte; at += 128) {
    add(reads, start + at);
    add(stores, start + 128 * megabyte + page + at);
  }
  CHECK_FALSE(reads.meets(stores));
  CHECK_FALSE(meets(reads, start + 64 * megabyte));
  CHECK(meets(reads, start + 64 * megabyte - 128));
  CHECK(meets(stores, start + 128 * megabyte + page));
  CHECK_FALSE(meets(stores, start + 128 * megabyte));
  add(reads, start + 193 * megabyte, 2 * page);
  CHECK_FALSE(reads.meets(stores));
  add(reads, start + 193 * megabyte - 64 * page, 8 * page);
  CHECK_FALSE(reads.meets(stores));
  add(reads, start + 193 * megabyte - 512 * page, 8 * page);
  CHECK(reads.meets(stores));
}

TEST_CASE("what was cleared does not come back when its part of memory is used again") {
  TouchedPieces pieces, others;
  CHECK_FALSE(pieces.any());
  add(pieces, start);
  pieces.clear();
  CHECK_FALSE(pieces.any());
  CHECK_FALSE(meets(pieces, start));
  add(pieces, start + page);
  CHECK_FALSE(meets(pieces, start));
  CHECK(meets(pieces, start + page));
  pieces.clear();
  add(others, start + 2 * page);
  pieces.add(others);
  CHECK(meets(pieces, start + 2 * page));
  CHECK_FALSE(meets(pieces, start + page));
}

}  // namespace touched_pieces_test
