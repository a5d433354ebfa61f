#include "simulator/watch/launches/early_accesses.h"

#include <doctest/doctest.h>

namespace warpwise::watch {
namespace {

constexpr std::uint64_t base = 0x1000;

/// Two warps of a block, of which all lanes read a word each.
struct Early {
  explicit Early(bool has_one_history = false) : accesses(2, has_one_history) {
    order.start_block(0);
    accesses.start_block();
  }
  void read(unsigned warp, std::uint32_t lanes = ~0u) {
    std::uint64_t addresses[32];
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = base + 128 * warp + 4 * lane;
    AccessEvent event{};
    event.mask = lanes;
    event.addresses = addresses;
    event.bytes = 4;
    accesses.access(order, warp, event, {}, false);
  }
  /// Bytes of all that was early.
  std::uint64_t bytes() {
    const Footprint found = accesses.finish({});
    std::uint64_t sum = 0;
    for (const Footprint::Piece& piece : found.pieces(LineAccess::read))
      sum += piece.end - piece.begin;
    return sum;
  }

  HappensBefore order{2};
  EarlyAccesses accesses;
};

TEST_CASE("what a lane does before it waits is early") {
  Early launch;
  launch.read(0);
  launch.accesses.wait(launch.order, 0, 0xffff);
  launch.read(0);
  launch.read(1);
  CHECK(launch.bytes() == 128 + 64 + 128);
}

TEST_CASE("past a barrier after a wait nothing is early, before it all is") {
  Early launch;
  launch.order.block_barrier(3);
  launch.read(1);
  launch.accesses.wait(launch.order, 0, 1);
  launch.order.warp_barrier(0, ~0u, true);
  launch.read(0);
  launch.read(1, 1);
  launch.order.block_barrier(3);
  launch.read(0);
  launch.read(1);
  CHECK(launch.bytes() == 128 + 4);
}

TEST_CASE("each block waits for itself, unless blocks may tell each other") {
  for (const bool has_one_history : {false, true}) {
    Early launch(has_one_history);
    launch.accesses.wait(launch.order, 0, ~0u);
    launch.order.start_block(1);
    launch.accesses.start_block();
    launch.read(0);
    CHECK(launch.bytes() == (has_one_history ? 0 : 128));
  }
}

TEST_CASE("a launch that lets others begin before it has waited is known") {
  Early early, late;
  early.accesses.let_dependents_begin(early.order, 0, 1);
  CHECK(early.accesses.was_early_to_let_begin());
  late.accesses.wait(late.order, 0, ~0u);
  late.accesses.let_dependents_begin(late.order, 0, 1);
  CHECK_FALSE(late.accesses.was_early_to_let_begin());
}

}  // namespace
}  // namespace warpwise::watch
