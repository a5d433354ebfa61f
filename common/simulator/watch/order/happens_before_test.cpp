// Release and acquire through memory: fences, flags, locks, scopes, and what barriers pass on.

#include "simulator/watch/order/happens_before.h"

#include <doctest/doctest.h>

using namespace warpwise;
using namespace warpwise::watch;
using code::Order;
using code::Scope;

namespace happens_before_test {

constexpr std::uint32_t all = ~0u;
constexpr std::uint64_t flag = 4096, other_flag = 8192;

/// Blocks of one grid, two warps each, and the flags in the memory that they share.
struct Grid {
  HappensBefore blocks[2] = {HappensBefore(2), HappensBefore(2)};
  SyncPoints points;

  Grid() {
    blocks[0].start_block(0);
    blocks[1].start_block(1);
  }
  void access(unsigned block, unsigned warp, unsigned lane, std::uint64_t address, bool is_store,
              bool is_atomic, Order order = Order::relaxed, Scope scope = Scope::gpu) {
    std::uint64_t addresses[32];
    for (std::uint64_t& one : addresses) one = address;
    AccessEvent event{};
    event.mask = 1u << lane;
    event.addresses = addresses;
    event.bytes = 4;
    event.is_store = is_store;
    event.is_atomic = is_atomic;
    event.order = order;
    event.scope = scope;
    blocks[block].synchronize(warp, event, points);
  }
  /// True where an access that lane 3 of warp 0 of block 0 makes now would come before all that the
  /// lane does later.
  struct Mark {
    std::uint32_t clock;
  };
  Mark mark() { return {blocks[0].clock(0)}; }
  bool is_before(Mark mark, unsigned block, unsigned warp, unsigned lane) {
    return blocks[block].unordered_in_grid(warp, 1u << lane, 0, 3, mark.clock) == 0;
  }
};

TEST_CASE("fence and flag on both sides order; either fence alone does not") {
  for (int fences = 0; fences < 4; ++fences) {
    CAPTURE(fences);
    for (unsigned reader : {0u, 1u}) {
      Grid grid;
      auto mark = grid.mark();
      if (fences & 1) grid.blocks[0].fence(0, 1u << 3, Scope::gpu);
      grid.access(0, 0, 3, flag, true, false);
      grid.access(reader, 1, 7, flag, false, false);
      if (fences & 2) grid.blocks[reader].fence(1, 1u << 7, Scope::gpu);
      CHECK(grid.is_before(mark, reader, 1, 7) == (fences == 3));
      CHECK_FALSE(grid.is_before(mark, reader, 1, 8));  // another lane has learned nothing
    }
  }
}

TEST_CASE("warps that know of different blocks still do when their past is forgotten") {
  Grid grid;
  const auto mark = grid.mark();
  grid.blocks[0].fence(0, 1u << 3, Scope::gpu);
  grid.access(0, 0, 3, flag, true, false);
  for (unsigned warp : {0u, 1u}) {  // both read and meet, each by itself; one what was published
    grid.access(1, warp, 0, warp == 0 ? flag : other_flag, false, false);
    grid.blocks[1].fence(warp, all, Scope::gpu);
    grid.blocks[1].warp_barrier(warp, all, true);
  }
  VectorClock past;
  past.append(100, VectorClock::every_lane, 1);
  Forgetting forgetting(past);
  grid.blocks[1].forget(forgetting);
  for (unsigned lane : {0u, 7u}) {
    CHECK(grid.is_before(mark, 1, 0, lane));
    CHECK_FALSE(grid.is_before(mark, 1, 1, lane));
  }
}

TEST_CASE("what comes after the fence, or by another lane, is not published") {
  Grid grid;
  grid.blocks[0].fence(0, all, Scope::gpu);
  auto late = grid.mark();
  grid.access(0, 0, 3, flag, true, false);
  grid.access(1, 0, 0, flag, false, false, Order::acquire);
  CHECK_FALSE(grid.is_before(late, 1, 0, 0));
  Grid other;
  auto mark = other.mark();
  other.access(0, 0, 4, flag, true, false, Order::release);
  other.access(1, 0, 0, flag, false, false, Order::acquire);
  CHECK_FALSE(other.is_before(mark, 1, 0, 0));
}

TEST_CASE("release and acquire order by themselves, relaxed does not") {
  for (bool release : {false, true})
    for (bool acquire : {false, true}) {
      Grid grid;
      auto mark = grid.mark();
      grid.access(0, 0, 3, flag, true, true, release ? Order::release : Order::relaxed);
      grid.access(1, 0, 0, flag, false, false, acquire ? Order::acquire : Order::relaxed);
      CHECK(grid.is_before(mark, 1, 0, 0) == (release && acquire));
    }
}

TEST_CASE("the flag that was read counts, and a later plain value takes it back") {
  Grid grid;
  auto mark = grid.mark();
  grid.access(0, 0, 3, flag, true, false, Order::release);
  grid.access(1, 0, 0, other_flag, false, false, Order::acquire);
  CHECK_FALSE(grid.is_before(mark, 1, 0, 0));
  grid.access(0, 1, 0, flag, true, false);  // another thread's relaxed store
  grid.access(1, 0, 0, flag, false, false, Order::acquire);
  CHECK_FALSE(grid.is_before(mark, 1, 0, 0));
}

TEST_CASE("atomics between release and acquire pass on what was published") {
  Grid grid;
  auto mark = grid.mark();
  grid.access(0, 0, 3, flag, true, true, Order::release);
  grid.access(0, 1, 0, flag, true, true);
  grid.access(1, 1, 9, flag, true, true, Order::acquire_release);
  CHECK(grid.is_before(mark, 1, 1, 9));
  grid.access(1, 0, 1, flag, true, true, Order::acquire);
  CHECK(grid.is_before(mark, 1, 0, 1));
}

TEST_CASE("order is transitive: through a third thread, and through lanes and barriers") {
  Grid grid;
  auto mark = grid.mark();
  grid.access(0, 0, 3, flag, true, false, Order::release);
  grid.access(0, 1, 5, flag, false, false, Order::acquire);
  grid.access(0, 1, 5, other_flag, true, false, Order::release);
  grid.access(1, 0, 0, other_flag, false, false, Order::acquire);
  CHECK(grid.is_before(mark, 1, 0, 0));
  CHECK_FALSE(grid.is_before(mark, 1, 0, 1));
  grid.blocks[1].warp_barrier(0, 3, false);
  CHECK(grid.is_before(mark, 1, 0, 1));
  CHECK_FALSE(grid.is_before(mark, 1, 0, 2));
  grid.blocks[1].block_barrier(3);
  CHECK(grid.is_before(mark, 1, 0, 2));
  CHECK(grid.is_before(mark, 1, 1, 31));
}

TEST_CASE("the last block: every thread fences, a barrier, one counts; a barrier, all may read") {
  for (bool fences : {false, true}) {
    Grid grid;
    auto mark = grid.mark();
    for (unsigned warp : {0u, 1u})
      if (fences) grid.blocks[0].fence(warp, all, Scope::gpu);
    grid.blocks[0].block_barrier(3);
    grid.access(0, 1, 0, flag, true, true);
    grid.access(1, 1, 0, flag, true, true);
    grid.blocks[1].block_barrier(3);
    CHECK(grid.is_before(mark, 1, 0, 17) == fences);
  }
}

TEST_CASE("grid sync: barrier, one thread's fence and counter on each side, barrier") {
  Grid grid;
  auto mark = grid.mark();
  for (unsigned block : {0u, 1u}) {
    grid.blocks[block].block_barrier(3);
    grid.blocks[block].fence(0, 1, Scope::gpu);
    grid.access(block, 0, 0, flag, true, true);
  }
  for (unsigned block : {0u, 1u}) {
    grid.access(block, 0, 0, flag, false, false);
    grid.blocks[block].fence(0, 1, Scope::gpu);
    grid.blocks[block].block_barrier(3);
  }
  CHECK(grid.is_before(mark, 1, 1, 30));
  CHECK(grid.is_before(mark, 0, 1, 30));
}

TEST_CASE("a fence or access within the block orders nothing between blocks") {
  for (Scope fence : {Scope::cta, Scope::gpu})
    for (Scope scope : {Scope::cta, Scope::gpu})
      for (unsigned reader : {0u, 1u}) {
        Grid grid;
        auto mark = grid.mark();
        grid.blocks[0].fence(0, 1u << 3, fence);
        grid.access(0, 0, 3, flag, true, false, Order::relaxed, scope);
        grid.access(reader, 1, 7, flag, false, false, Order::acquire);
        bool reaches = reader == 0 || (fence == Scope::gpu && scope == Scope::gpu);
        CHECK(grid.is_before(mark, reader, 1, 7) == reaches);
      }
  Grid grid;
  auto mark = grid.mark();
  grid.access(0, 0, 3, flag, true, false, Order::release);
  grid.access(1, 0, 0, flag, false, false, Order::acquire, Scope::cta);
  CHECK_FALSE(grid.is_before(mark, 1, 0, 0));
}

TEST_CASE("a thread that only arrives comes before those that wait, and not the other way") {
  HappensBefore block(2);
  block.start_block(0);
  std::uint32_t producer = block.clock(0), consumer = block.clock(1);
  block.arrive(1, 4);
  std::uint32_t later = block.clock(0);
  block.block_barrier(2, 4);
  CHECK(block.unordered(1, 1, 0, 0, producer) == 0);
  CHECK(block.unordered(1, 1, 0, 0, later) == 1);
  CHECK(block.unordered(0, 1, 1, 0, consumer) == 1);
}

TEST_CASE("the next block knows nothing of what the one before learned or published") {
  Grid grid;
  auto mark = grid.mark();
  grid.access(0, 0, 3, flag, true, false, Order::release);
  grid.access(1, 0, 0, flag, false, false, Order::acquire);
  REQUIRE(grid.is_before(mark, 1, 0, 0));
  grid.blocks[1].start_block(2);
  CHECK_FALSE(grid.is_before(mark, 1, 0, 0));
}

TEST_CASE("a place passes on what came before its publishers, to whole warps and to single lanes") {
  for (bool whole_publisher : {true, false})
    for (bool whole_reader : {true, false}) {
      CAPTURE(whole_publisher);
      CAPTURE(whole_reader);
      Grid grid;
      HappensBefore& block = grid.blocks[0];
      HappensBefore::Published place;
      auto mark = grid.mark();
      block.publish_at(place, 0, whole_publisher ? all : 1u << 3, whole_publisher);
      auto later = grid.mark();
      CHECK_FALSE(grid.is_before(mark, 0, 1, 5));
      block.acquire_from(place, 1, whole_reader ? all : 1u << 5, whole_reader);
      CHECK(grid.is_before(mark, 0, 1, 5));
      CHECK(grid.is_before(mark, 0, 1, 6) == whole_reader);
      CHECK_FALSE(grid.is_before(later, 0, 1, 5));
      // And on from there.
      HappensBefore::Published next;
      block.publish_at(next, 1, 1u << 5, false);
      block.acquire_from(next, 0, 1u << 9, false);
      CHECK(grid.is_before(mark, 0, 0, 9));
    }
}

}  // namespace happens_before_test
