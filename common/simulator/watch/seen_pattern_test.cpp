// What is remembered of an instruction's addresses costs what they cost.

#include "simulator/watch/seen_pattern.h"

#include <doctest/doctest.h>

#include <random>

#include "simulator/watch/coalescing.h"

using namespace warpwise::watch;

namespace {

using Offset = std::uint64_t (*)(std::uint64_t lane);
std::uint64_t in_rows(std::uint64_t lane) { return lane / 16 * 4096 + lane % 16 * 4; }
std::uint64_t in_columns(std::uint64_t lane) { return lane * 132; }
std::uint64_t alone(std::uint64_t lane) { return lane * 4; }

/// An instruction whose addresses are asked about again and again.
struct Asked {
  std::uint64_t addresses[32];
  unsigned computed = 0;
  SeenPattern pattern;

  /// True where the answer is that of the addresses.
  bool is_right(std::uint64_t first, Offset offset, std::uint32_t mask = ~0u,
                bool is_shared = false) {
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      addresses[lane] = mask >> lane & 1 ? first + offset(lane) : random_();
    auto cost = [&] {
      return is_shared ? wavefronts(addresses, mask, 4, true) : sectors(addresses, mask, 4);
    };
    return pattern.cost(addresses, mask, is_shared, [&] { return ++computed, cost(); }) == cost();
  }

 private:
  std::mt19937 random_;
};

}  // namespace

TEST_CASE("what moves by sectors is computed once, what lies otherwise in its sector anew") {
  Asked asked;
  for (std::uint64_t step = 0; step < 64; ++step) CHECK(asked.is_right(4096 + 4 * step, in_rows));
  CHECK(asked.computed == 8);
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

TEST_CASE("addresses that come from data are computed every time") {
  Asked asked;
  static std::uint64_t seed;
  auto scattered = [](std::uint64_t lane) { return (lane + seed) * 0x9e3779b1u % 1024 * 4; };
  for (seed = 0; seed < 200; ++seed) CHECK(asked.is_right(4096, scattered));
  CHECK(asked.computed == 200);
  CHECK(asked.is_right(4096, alone));
}
