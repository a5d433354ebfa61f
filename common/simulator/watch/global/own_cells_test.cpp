#include "simulator/watch/global/own_cells.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>

namespace own_cells_test {

using namespace warpwise::watch;

constexpr unsigned shift = 2;

/// The accesses to a cell since the last barrier.
struct Done {
  std::set<unsigned> read, wrote;
  bool updated = false;
  bool is_right() const {
    if (wrote.size() > 1 || (!wrote.empty() && updated) || (!read.empty() && updated)) return false;
    return wrote.empty() || read.empty() || read == wrote;
  }
};

struct Access {
  LineAccess::Kind kind;
  unsigned warp, cells_of_lane = 1;
  std::uint32_t mask = ~0u;
  alignas(64) std::array<std::uint64_t, 32> addresses{};

  AccessEvent event() const {
    AccessEvent event{};
    event.mask = mask;
    event.addresses = addresses.data();
    event.bytes = cells_of_lane << shift;
    event.is_consecutive = mask == ~0u;
    for (unsigned lane = 0; lane < 32; ++lane)
      event.is_consecutive &= addresses[lane] == addresses[0] + std::uint64_t{lane} * event.bytes;
    event.is_store = kind != LineAccess::read;
    return event;
  }
};

/// Rows, columns up and down and lanes anywhere, of some or all lanes, around the end of a tile.
Access made(std::mt19937& random) {
  Access access{};
  access.kind = static_cast<LineAccess::Kind>(random() % 3);
  access.warp = random() % 3;
  access.cells_of_lane = 1u << (random() % 4 ? 0 : random() % 3);
  const unsigned from = random() % 32, to = from + random() % (32 - from);
  access.mask = random() % 2   ? ~0u
                : random() % 2 ? ~0u >> (31 - (to - from)) << from
                               : random() | 1;
  const std::uint64_t start = 1024 - 128 + random() % 16 * 8;
  const bool is_column = random() % 4;
  const unsigned step = access.cells_of_lane * (1 + random() % 10);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint64_t cell = is_column ? start + lane * step : start + random() % 256;
    access.addresses[lane] = (cell & ~std::uint64_t{access.cells_of_lane - 1}) << shift;
  }
  // Mostly each thread has cells of its own.
  if (random() % 4)
    for (std::uint64_t& address : access.addresses)
      address += std::uint64_t{access.warp} * 1024 << shift;
  return access;
}

TEST_CASE("own cells: it holds while no two threads conflict, and tells what was done to each") {
  unsigned held = 0, ended = 0, barriers = 0;
  for (unsigned seed = 0; seed < 20000; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    OwnCells own(shift);
    own.start_block();
    std::map<std::uint64_t, Done> now;
    std::map<std::uint64_t, std::uint32_t> ever;  // kinds by cell
    Epoch epoch{0, 1, 0, 0, 0};
    for (unsigned count = 1 + random() % 8; count > 0; --count) {
      if (random() % 6 == 0) {
        epoch.common_floor = epoch.clock++;
        now.clear();
        ++barriers;
      }
      const Access access = made(random);
      const AccessEvent event = access.event();
      std::set<std::uint64_t> touched;
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned part = 0; (access.mask >> lane & 1) && part < access.cells_of_lane; ++part) {
          const std::uint64_t cell = (access.addresses[lane] >> shift) + part;
          const unsigned thread = access.warp * 32 + lane;
          touched.insert(cell);
          if (access.kind == LineAccess::read) now[cell].read.insert(thread);
          if (access.kind == LineAccess::write) now[cell].wrote.insert(thread);
          if (access.kind == LineAccess::strong) now[cell].updated = true;
          ever[cell] |= 1u << access.kind;
        }
      const bool is_right = std::all_of(touched.begin(), touched.end(),
                                        [&](std::uint64_t cell) { return now[cell].is_right(); });
      REQUIRE(own.add(access.kind, epoch, access.warp, event, AddressShape(event)) == is_right);
      if (!is_right) {
        ++ended;
        break;
      }
      ++held;
      if (count > 1) continue;
      std::map<std::uint64_t, std::uint32_t> reported;
      own.for_lines([&](std::uint64_t line, const std::uint32_t* cells) {
        for (unsigned kind = 0; kind < 3; ++kind)
          for (unsigned cell = 0; cell < cells_per_line; ++cell)
            if (cells[kind] >> cell & 1) reported[line * cells_per_line + cell] |= 1u << kind;
      });
      // For cells that were written it is not known whether they were also read.
      constexpr std::uint32_t read = 1u << LineAccess::read;
      for (auto* of : {&reported, &ever})
        for (auto& [cell, kinds] : *of)
          if (kinds != read) kinds &= ~read;
      REQUIRE(reported == ever);
    }
  }
  CHECK(held > 20000);
  CHECK(ended > 5000);
  CHECK(barriers > 5000);
}

}  // namespace own_cells_test
