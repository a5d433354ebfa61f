#include "simulator/watch/launches/footprint.h"

#include <doctest/doctest.h>

namespace warpwise::watch {
namespace {

using Piece = Footprint::Piece;

Piece piece(std::uint64_t begin, std::uint64_t end, std::uint32_t site = 0, std::uint16_t first = 0,
            std::uint16_t last = 0) {
  return {begin, end, site, 0, first, last, Piece::none};
}

Footprint of(LineAccess::Kind kind, const std::vector<Piece>& pieces) {
  Footprint made(4);
  for (const Piece& one : pieces) made.add(kind, one);
  made.complete({10, 20});
  return made;
}

TEST_CASE("a write overlaps with whatever touches a byte of it, reads and atomics agree") {
  const std::vector<Piece> here = {piece(1000, 1128)}, behind = {piece(1128, 1256)};
  const LineAccess::Kind kinds[] = {LineAccess::read, LineAccess::write, LineAccess::strong};
  for (const LineAccess::Kind mine : kinds)
    for (const LineAccess::Kind theirs : kinds) {
      const bool agree = mine == theirs && mine != LineAccess::write;
      CHECK(of(mine, here).overlaps(of(theirs, {piece(1127, 1130)})).size() == (agree ? 0 : 1));
      CHECK(of(mine, here).overlaps(of(theirs, behind)).empty());
      CHECK(of(mine, behind).overlaps(of(theirs, here)).empty());
    }
}

TEST_CASE("atomics of two devices agree where both are for the whole system") {
  const auto by = [](int device, bool is_of_device) {
    Footprint made = of(LineAccess::strong, {piece(1000, 1004)});
    made.set_device(device, {is_of_device, false});
    return made;
  };
  CHECK(by(0, true).overlaps(by(0, true)).empty());
  CHECK(by(0, false).overlaps(by(1, false)).empty());
  CHECK(by(0, true).overlaps(by(1, false)).size() == 1);
  CHECK(by(0, false).overlaps(by(1, true)).size() == 1);
}

TEST_CASE("one overlap is reported for each pair of sites, with its thread and its bytes") {
  const Footprint mine = of(
      LineAccess::write, {piece(256, 384, 0, 32, 63), piece(0, 128, 0, 0, 31), piece(128, 256, 1)});
  const Footprint theirs = of(LineAccess::read, {piece(64, 512, 1)});
  const auto found = mine.overlaps(theirs);
  REQUIRE(found.size() == 2);
  CHECK(found[0].address == 64);
  CHECK(found[0].bytes == 64 + 128);
  CHECK(found[0].thread() == 16);
  CHECK(mine.line(found[0].mine) == 10);
  CHECK(theirs.line(found[0].theirs) == 20);
  CHECK(mine.line(found[1].mine) == 20);
  CHECK(found[1].address == 128);
}

TEST_CASE("long pieces are found after short ones, and the other way round") {
  const Footprint one = of(LineAccess::write, {piece(0, 1 << 20), piece(10, 14), piece(20, 24)});
  const Footprint other = of(LineAccess::read, {piece((1 << 20) - 1, 1 << 20)});
  CHECK(one.overlaps(other).size() == 1);
  CHECK(other.overlaps(one).size() == 1);
}

TEST_CASE("what both stored with the same value does not count") {
  const auto storing = [](std::uint64_t begin, std::vector<std::uint16_t> hashes) {
    Footprint made(4);
    made.add(LineAccess::write, piece(begin, begin + 4 * hashes.size()), hashes.data());
    made.complete();
    return made;
  };
  CHECK(storing(0, {1, 2, 3}).overlaps(storing(4, {2, 3, 4})).empty());
  CHECK(storing(0, {1, 2, 3}).overlaps(storing(4, {2, 9, 4})).size() == 1);
  CHECK(storing(0, {1, 2, 3}).overlaps(of(LineAccess::write, {piece(0, 4)})).size() == 1);
}

}  // namespace
}  // namespace warpwise::watch
