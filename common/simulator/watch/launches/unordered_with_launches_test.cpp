#include "simulator/watch/launches/unordered_with_launches.h"

#include <doctest/doctest.h>

namespace warpwise::watch {
namespace unordered_with_launches_test {
namespace {

/// Blocks of two warps each, of which all lanes write a word of their own.
struct Grid {
  Grid() {
    one.start_block(0);
    other.start_block(1);
  }
  void write(HappensBefore& block, unsigned warp, std::uint32_t lanes = ~0u,
             bool is_strong = false) {
    std::uint64_t addresses[32];
    for (unsigned lane = 0; lane < 32; ++lane)
      addresses[lane] = 0x1000 * (block.block() + 1) + 128 * warp + 4 * lane;
    AccessEvent event{};
    event.mask = lanes;
    event.addresses = addresses;
    event.bytes = 4;
    event.is_store = true;
    if (is_strong) event.order = code::Order::relaxed;
    accesses.access(block, warp, event, {}, false);
  }
  std::uint64_t bytes(const std::shared_ptr<Footprint>& footprint,
                      LineAccess::Kind kind = LineAccess::write) {
    std::uint64_t sum = 0;
    for (const Footprint::Piece& piece : footprint->pieces(kind)) sum += piece.end - piece.begin;
    return sum;
  }

  HappensBefore one{2}, other{2};
  UnorderedWithLaunches accesses{2};
};

TEST_CASE("what a lane did before it launches is in front, what the others did is not") {
  Grid grid;
  grid.write(grid.one, 0);
  grid.write(grid.one, 1);
  const auto beside = grid.accesses.launches(grid.one, 0, 3);
  grid.accesses.finish({});
  CHECK(grid.bytes(beside) == 63 * 4);
  for (const Footprint::Piece& piece : beside->pieces(LineAccess::write)) {
    if (piece.first_thread < 32) CHECK(piece.begin == 0x1000 + 4ull * piece.first_thread);
    CHECK((piece.first_thread != 3 || piece.last_thread != 3));
  }
}

TEST_CASE("a barrier puts what came before it in front, for the block alone") {
  Grid grid;
  grid.write(grid.one, 0);
  grid.write(grid.one, 1);
  grid.write(grid.other, 1);
  grid.one.block_barrier(3);
  const auto beside = grid.accesses.launches(grid.one, 0, 0);
  grid.accesses.finish({});
  CHECK(grid.bytes(beside) == 128);
  CHECK(beside->pieces(LineAccess::write).front().block == 1);
}

TEST_CASE("what any thread does after a launch is unordered with it") {
  Grid grid;
  const auto beside = grid.accesses.launches(grid.one, 0, 0);
  grid.write(grid.one, 0, 1);
  grid.one.block_barrier(3);
  grid.write(grid.one, 1);
  grid.write(grid.other, 0, 0xf);
  grid.accesses.finish({});
  CHECK(grid.bytes(beside) == 4 + 128 + 16);
}

TEST_CASE("what came before a barrier of the grid is before all that follows") {
  Grid grid;
  grid.write(grid.other, 0);
  VectorClock past;
  past.append(grid.other.in_grid(0), VectorClock::every_lane, grid.other.clock(0));
  grid.accesses.forget(past);
  grid.write(grid.other, 1);
  const auto beside = grid.accesses.launches(grid.one, 0, 0);
  grid.accesses.finish({});
  CHECK(grid.bytes(beside) == 128);
}

TEST_CASE("atomics of others may have informed the block that they were made, where it made some") {
  Grid grid;
  grid.write(grid.one, 0, 1, true);
  grid.write(grid.one, 1, 1, true);
  const auto of_writer = grid.accesses.launches(grid.one, 0, 0);
  const auto of_stranger = grid.accesses.launches(grid.other, 0, 0);
  grid.accesses.finish({});
  CHECK(grid.bytes(of_writer, LineAccess::strong) == 0);
  CHECK(grid.bytes(of_stranger, LineAccess::strong) == 8);
}

TEST_CASE("a grid that does too much is not followed") {
  constexpr std::size_t accesses = 1 << 12, launches = UnorderedWithLaunches::most_looks / accesses;
  Grid grid;
  for (std::size_t i = 0; i < accesses; ++i) grid.write(grid.one, 1);
  for (std::size_t i = 0; i < launches; ++i)
    CHECK(grid.accesses.launches(grid.one, 1, 0) != nullptr);
  CHECK(grid.accesses.launches(grid.one, 1, 0) == nullptr);
}

}  // namespace
}  // namespace unordered_with_launches_test
}  // namespace warpwise::watch
