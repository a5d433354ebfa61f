// The remembered layout and cost of an instruction's addresses are those of the addresses
// themselves.

#include "simulator/watch/launches/seen_addresses.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "simulator/watch/launches/seen_costs.h"
#include "simulator/watch/report/coalescing.h"

using namespace warpwise::watch;

namespace seen_addresses_test {

using Offset = std::uint64_t (*)(std::uint64_t lane);
std::uint64_t in_rows(std::uint64_t lane) { return lane / 16 * 4096 + lane % 16 * 4; }
std::uint64_t in_columns(std::uint64_t lane) { return lane * 132; }
std::uint64_t alone(std::uint64_t lane) { return lane * 4; }

/// An instruction whose addresses are asked about again and again.
struct Asked {
  std::uint64_t addresses[32];
  unsigned computed = 0;
  SeenAddresses seen;
  SeenCosts costs;
  AddressShape::Pattern latest = AddressShape::no_pattern;

  /// True where the answers are those of the addresses.
  bool is_right(std::uint64_t first, Offset offset, std::uint32_t mask = ~0u,
                bool is_shared = false) {
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      addresses[lane] = mask >> lane & 1 ? first + offset(lane) : random_();
    auto cost = [&] {
      return is_shared ? wavefronts(addresses, mask, 4, true) : sectors(addresses, mask, 4);
    };
    const AddressShape shape = seen.look(addresses, mask, 4, latest);
    return is_shape(shape, mask) && has_lines(seen.outline(addresses), mask) &&
           are_together(seen.lanes_together(), shape, mask) &&
           costs.cost(shape.pattern, addresses[std::countr_zero(mask)], is_shared,
                      [&] { return ++computed, cost(); }) == cost();
  }

 private:
  /// They are, and twice as many are not, where all take part in a pattern.
  bool are_together(unsigned lanes, const AddressShape& shape, std::uint32_t mask) const {
    if (mask != ~0u || shape.pattern == AddressShape::no_pattern) return lanes == 1;
    const auto are = [&](unsigned some) {
      bool are = true;
      for (unsigned lane = 0; lane < 32; ++lane)
        are &= lane % some == 0 || addresses[lane] == addresses[lane - 1] + 4;
      return are;
    };
    return are(lanes) && (lanes == 16 || !are(2 * lanes));
  }
  /// Lane by lane.
  bool is_shape(const AddressShape& shape, std::uint32_t mask) const {
    std::uint64_t lowest = ~0ull, highest = 0, low = 0;
    bool is_regular = true, is_consecutive = mask == ~0u;
    const auto first = static_cast<unsigned>(std::countr_zero(mask));
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (!(mask >> lane & 1)) continue;
      lowest = std::min(lowest, addresses[lane]);
      highest = std::max(highest, addresses[lane]);
      low |= addresses[lane];
      is_regular &= addresses[lane] == addresses[first] + shape.stride * (lane - first);
      is_consecutive &= addresses[lane] == addresses[0] + lane * 4;
    }
    bool is_right = shape.first == addresses[first] && shape.lowest == lowest &&
                    shape.highest == highest && shape.is_regular == is_regular &&
                    shape.is_consecutive == is_consecutive;
    for (unsigned to = 1; to <= 16; to *= 2)
      is_right &= shape.is_aligned(to) ? low % to == 0 : low % to != 0 || mask != ~0u;
    return is_right;
  }
  /// Every lane is at most half a line from one of the outline.
  bool has_lines(std::uint32_t outline, std::uint32_t mask) const {
    bool all = (outline & ~mask) == 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      bool has = !(mask >> lane & 1);
      for (unsigned other = 0; other < 32 && !has; ++other)
        has = (outline >> other & 1) && addresses[other] + 31 - addresses[lane] < 63;
      all &= has;
    }
    return all;
  }
  std::mt19937 random_;
};

}  // namespace seen_addresses_test

using namespace seen_addresses_test;

TEST_CASE("what moves by sectors is computed once, what has another place in its sector anew") {
  Asked asked;
  for (std::uint64_t step = 0; step < 64; ++step) CHECK(asked.is_right(4096 + 4 * step, in_rows));
  CHECK(asked.computed == 8);
  CHECK(asked.latest == 1);
}

TEST_CASE("other offsets, other lanes and the other memory are other patterns") {
  Asked asked;
  CHECK(asked.is_right(1024, in_columns));
  CHECK(asked.is_right(1024, in_columns, 0x00ff00ff));
  CHECK(asked.is_right(1024, in_rows, 0x00ff00ff));
  CHECK(asked.is_right(1024, in_rows));
  CHECK(asked.is_right(1024, alone));
  CHECK(asked.is_right(1024, alone, ~0u, true));
  CHECK(asked.is_right(1024, in_columns, ~0u, true));
  CHECK(asked.is_right(1024, in_columns, ~0u, false));
  CHECK(asked.computed == 8);
  // Lanes that take no part have any address.
  CHECK(asked.is_right(2048, in_columns, 0xffff, true));
  CHECK(asked.is_right(4096, in_columns, 0xffff, true));
  CHECK(asked.computed == 9);
}

TEST_CASE("lanes alone, with gaps, downwards and off by a byte have the shape that they have") {
  Asked asked;
  for (std::uint32_t mask : {1u, 1u << 31, 0x80000001u, 0x55555555u, 0x11110000u, 0x7ffffffeu, ~0u})
    for (Offset offset :
         {in_rows, in_columns, alone, Offset([](std::uint64_t lane) { return 4096 - lane * 6; }),
          Offset([](std::uint64_t lane) { return lane * 2; }),
          Offset([](std::uint64_t lane) { return lane / 31; }),
          Offset([](std::uint64_t) { return std::uint64_t{0}; })})
      for (std::uint64_t first : {4096, 4097, 4100, 65536})
        CHECK(asked.is_right(first, offset, mask));
}

TEST_CASE("a step that goes around all numbers is not regular, and is inside of nothing") {
  // 31 times this is 8.
  constexpr std::uint64_t around = 0x7bdef7bdef7bdef8;
  std::uint64_t addresses[32];
  for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = 4096 + lane * around;
  const AddressShape shape(addresses, ~0u, 4);
  CHECK_FALSE(shape.is_inside(4096, 4096, 4));
  for (std::uint64_t lane = 0; lane < 32; ++lane) addresses[lane] = 4096 + lane * 4;
  const AddressShape row(addresses, ~0u, 4);
  CHECK(row.is_inside(4096, 128, 4));
  CHECK_FALSE(row.is_inside(4096, 127, 4));
  CHECK_FALSE(row.is_inside(4097, 4096, 4));
  CHECK_FALSE(row.is_inside(4096, 2, 4));
}

TEST_CASE("addresses that come from data are computed every time") {
  Asked asked;
  static std::uint64_t seed;
  auto scattered = [](std::uint64_t lane) { return (lane + seed) * 0x9e3779b1u % 1024 * 4; };
  for (seed = 0; seed < 200; ++seed) CHECK(asked.is_right(4096, scattered));
  CHECK(asked.computed == 200);
  CHECK(asked.is_right(4096, alone));
}
