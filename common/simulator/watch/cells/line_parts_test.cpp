// Which lane touched which cell: what is kept in short says the same as a table of all.

#include "simulator/watch/cells/line_parts.h"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "simulator/watch/cells/column_parts.h"

using namespace warpwise::watch;

namespace {

/// The lowest lane at one cell, and whether there are others.
struct Touched {
  unsigned lane = 0;
  bool several = false;
  bool operator==(const Touched&) const = default;
};
using Cells = std::map<std::uint64_t, Touched>;  // by number in memory

struct Access {
  std::uint64_t addresses[32];
  AccessEvent event{};
};

Access random_access(std::mt19937& random) {
  Access access;
  const unsigned bytes = 4u << random() % 4, shape = random() % 6;
  const std::uint64_t start = 4096 + random() % 64 * bytes, stride = 1 + random() % 40;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::uint64_t at = shape == 0   ? lane
                             : shape == 1 ? lane * stride
                             : shape == 2 ? lane / 8 * 64 + lane % 8
                             : shape == 3 ? lane % 8
                             : shape == 4 ? 31 - lane
                                          : random() % 100;
    access.addresses[lane] = start + at * bytes;
  }
  access.event.mask = random() % 2 ? ~0u : random() | 1;
  access.event.bytes = bytes;
  access.event.is_consecutive = shape == 0 && access.event.mask == ~0u;
  return access;
}

Cells expected(const Access& access) {
  Cells cells;
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned byte = 0; access.event.mask >> lane & 1 && byte < access.event.bytes; byte += 4) {
      auto [at, is_new] = cells.try_emplace((access.addresses[lane] + byte) / 4, Touched{lane});
      at->second.several |= !is_new;
    }
  return cells;
}

void add(Cells& cells, std::uint64_t line, std::uint32_t set, const LineLanes& lanes) {
  for_cells(set, [&](unsigned cell) {
    const auto [at, is_new] = cells.try_emplace(line * cells_per_line + cell,
                                                Touched{lanes.lane(cell), lanes.has_several(cell)});
    CHECK(is_new);
  });
}

}  // namespace

TEST_CASE("random instructions, tile by tile: columns say the same of all cells, or nothing") {
  std::mt19937 random(3);
  unsigned columns = 0;
  for (int round = 0; round < 5000; ++round) {
    Access access = random_access(random);
    access.event.addresses = access.addresses;
    if (access.event.is_consecutive) continue;
    Cells cells;
    const ColumnParts parts(access.event, 2,
                            stride_of(access.event, AddressShape(access.event), 2));
    for (const ColumnPart& part : parts)
      for_cells(part.lines, [&](unsigned line) {
        add(cells, part.tile * lines_per_tile + line, part.cells[line],
            LineLanes(part.lanes.of[line]));
      });
    columns += parts.any();
    CAPTURE(round);
    if (parts.any()) REQUIRE(cells == expected(access));
  }
  CHECK(columns > 500);
}

TEST_CASE("the distance between lanes") {
  Access access;
  access.event.addresses = access.addresses;
  auto stride = [&](std::uint64_t apart, unsigned bytes, std::uint32_t mask = ~0u) {
    for (std::uint64_t lane = 0; lane < 32; ++lane)
      access.addresses[lane] = mask >> lane & 1 ? 4096 + lane * apart : 7;
    access.event.bytes = bytes;
    access.event.mask = mask;
    return stride_of(access.event, AddressShape(access.event), 2);
  };
  CHECK(stride(28, 4) == 7);
  CHECK(stride(28, 4, 0x80000421) == 7);
  CHECK(stride(4096, 16) == 1024);
  CHECK(stride(8, 8) == 2);
  CHECK(stride(4, 8) == 0);  // lanes share cells
  CHECK(stride(0, 4) == 0);
  CHECK(stride(0 - std::uint64_t{16}, 4) == 0);
  CHECK(stride(28, 4, 1) == 0);  // one lane
  stride(28, 4);
  access.addresses[31] += 4;
  CHECK(stride_of(access.event, AddressShape(access.event), 2) == 0);
}

TEST_CASE("a row names the lanes of another where its lanes reach so far") {
  const LaneRow row = LaneRow::through(3, 10, 7);
  CHECK(row.lane(10) == 3);
  CHECK(row.lane(16) == 3);
  CHECK(row.lane(17) == 4);
  CHECK(row.includes(LaneRow::through(3, 12, 7), 4));
  CHECK(row.includes(LaneRow::through(3, 13, 7), 4));
  CHECK_FALSE(row.includes(LaneRow::through(3, 14, 7), 4));
  CHECK_FALSE(row.includes(LaneRow::through(3, 9, 7), 1));
  CHECK_FALSE(row.includes(LaneRow::through(3, 10, 8), 1));
  CHECK_FALSE(LaneRow::of_one(3).includes(LaneRow::of_one(4), 1));
}

TEST_CASE("random instructions, line by line") {
  std::mt19937 random(1);
  for (int round = 0; round < 5000; ++round) {
    Access access = random_access(random);
    access.event.addresses = access.addresses;
    Cells cells;
    for (const LinePart& part :
         LineParts(access.event, 2, stride_of(access.event, AddressShape(access.event), 2)))
      add(cells, part.line, part.cells, part.lanes);
    CAPTURE(round);
    REQUIRE(cells == expected(access));
  }
}

TEST_CASE("random instructions one after another: lanes that differ become several") {
  struct Line {
    std::uint32_t cells = 0;
    LineLanes lanes;
  };
  std::mt19937 random(2);
  for (int round = 0; round < 1000; ++round) {
    std::map<std::uint64_t, Line> lines;
    Cells all;
    for (int event = 0; event < 5; ++event) {
      Access access = random_access(random);
      access.event.addresses = access.addresses;
      for (const LinePart& part :
           LineParts(access.event, 2, stride_of(access.event, AddressShape(access.event), 2))) {
        Line& line = lines[part.line];
        std::uint32_t same = 0;
        for_cells(line.cells & part.cells, [&](unsigned cell) {
          const Touched& before = all.at(part.line * cells_per_line + cell);
          if (!before.several && !part.lanes.has_several(cell) &&
              before.lane == part.lanes.lane(cell))
            same |= 1u << cell;
        });
        if (line.cells) {
          REQUIRE(line.lanes.same_lane(part.lanes, line.cells & part.cells) == same);
          line.lanes.join(line.cells, part.lanes, part.cells);
        } else {
          line.lanes = part.lanes;
        }
        line.cells |= part.cells;
      }
      for (const auto& [cell, touched] : expected(access)) {
        auto [at, is_new] = all.try_emplace(cell, touched);
        at->second.several |= touched.several || at->second.lane != touched.lane;
      }
    }
    Cells cells;
    for (const auto& [number, line] : lines) add(cells, number, line.cells, line.lanes);
    CAPTURE(round);
    REQUIRE(cells == all);
  }
}
