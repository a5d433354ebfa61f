#include "simulator/memory/free_ranges.h"

#include <doctest/doctest.h>

namespace warpwise::memory {
namespace {

constexpr std::uint64_t begin = 0x10000, size = 0x1000;

TEST_CASE("a search goes on where the last one ended, and starts over at the end") {
  FreeRanges ranges;
  ranges.start(begin, 0x100, size);
  CHECK(ranges.take(0x400, 0x100) == begin + 0x100);
  CHECK(ranges.take(0x400, 0x100) == begin + 0x500);
  ranges.give_back(begin + 0x100, 0x400);
  CHECK(ranges.take(0x400, 0x100) == begin + 0x900);
  CHECK(ranges.laps() == 0);
  CHECK(ranges.take(0x400, 0x100) == begin + 0x100);
  CHECK(ranges.laps() == 1);
  CHECK(ranges.take(0x400, 0x100) == 0);
}

TEST_CASE("what an alignment passes over stays free") {
  FreeRanges ranges;
  ranges.start(begin, 0x10, size);
  CHECK(ranges.take(0x100, 0x800) == begin + 0x800);
  CHECK(ranges.take(0x700, 0x100) == begin + 0x900);
  CHECK(ranges.take(0x7f0, 0x10) == begin + 0x10);
  CHECK(ranges.take(0x10, 0x10) == 0);
}

TEST_CASE("ranges given back in any order grow together") {
  FreeRanges ranges;
  ranges.start(begin, 0, size);
  for (std::uint64_t i = 0; i < 4; ++i) REQUIRE(ranges.take(0x400, 0x400) == begin + i * 0x400);
  for (const std::uint64_t i : {1, 3, 0, 2}) ranges.give_back(begin + i * 0x400, 0x400);
  CHECK(ranges.take(size, 0x400) == begin);
}

}  // namespace
}  // namespace warpwise::memory
