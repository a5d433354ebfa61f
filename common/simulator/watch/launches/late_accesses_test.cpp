#include "simulator/watch/launches/late_accesses.h"

#include <doctest/doctest.h>

namespace warpwise::watch {
namespace late_accesses_test {
namespace {

/// Two warps of a block, of which all lanes read a word each.
struct Late {
  Late() { order.start_block(0); }
  void read(unsigned warp, std::uint32_t lanes = ~0u) {
    std::uint64_t addresses[32];
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = 0x1000 + 128 * warp + 4 * lane;
    AccessEvent event{};
    event.mask = lanes;
    event.addresses = addresses;
    event.bytes = 4;
    accesses.access(order, warp, event, {}, false);
  }
  std::uint64_t bytes(const std::shared_ptr<Footprint>& footprint) {
    std::uint64_t sum = 0;
    for (const Footprint::Piece& piece : footprint->pieces(LineAccess::read))
      sum += piece.end - piece.begin;
    return sum;
  }

  HappensBefore order{2};
  LateAccesses accesses{2};
};

TEST_CASE("what a lane does after it has launched is late, what others do is not") {
  Late block;
  block.read(0);
  const auto late = block.accesses.launches(block.order, 0, 3);
  block.read(0);
  block.read(1);
  block.accesses.finish({});
  CHECK(block.bytes(late) == 4);
}

TEST_CASE("past a barrier after a launch all are late") {
  Late block;
  block.order.block_barrier(3);
  const auto late = block.accesses.launches(block.order, 0, 0);
  block.read(1);
  block.order.block_barrier(3);
  block.read(0);
  block.read(1);
  block.accesses.finish({});
  CHECK(block.bytes(late) == 256);
}

TEST_CASE("each launch has its own, and another block is after none") {
  Late block;
  const auto first = block.accesses.launches(block.order, 0, 0);
  block.read(0, 1);
  const auto second = block.accesses.launches(block.order, 0, 0);
  block.read(0, 1);
  block.order.start_block(1);
  block.read(0);
  block.accesses.finish({});
  CHECK(block.bytes(first) == 8);
  CHECK(block.bytes(second) == 4);
}

TEST_CASE("a block that launches again and again is followed for a while") {
  Late block;
  for (std::size_t i = 0; i < LateAccesses::most_followed; ++i)
    CHECK(block.accesses.launches(block.order, 0, 0) != nullptr);
  CHECK(block.accesses.launches(block.order, 0, 0) == nullptr);
}

}  // namespace
}  // namespace late_accesses_test
}  // namespace warpwise::watch
