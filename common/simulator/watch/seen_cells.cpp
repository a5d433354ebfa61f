#include "simulator/watch/seen_cells.h"

namespace warpwise::watch {

bool SeenCells::add(Line& line, const std::uint32_t* cells) {
  std::uint32_t met = 0;
  for (Contact::Kind kind : {Contact::read, Contact::write, Contact::strong})
    met |= conflicting(line, kind) & cells[kind];
  for (unsigned kind = 0; kind < 3; ++kind) line.cells[kind] |= cells[kind];
  return met != 0;
}

bool SeenCells::add(const SeenCells& others) {
  bool meets = false;
  for (const auto& [number, theirs] : others.regions_) {
    Region& mine = region(number);
    for (unsigned line = 0; line < lines_per_region; ++line)
      meets |= add(mine.lines[line], theirs->lines[line].cells);
  }
  return meets;
}

SeenCells::Region& SeenCells::region(std::uint64_t number) {
  Region*& region = regions_[number];
  if (region) return *region;
  region = memory_.make<Region>();
  // A page that is read before it is written to is mapped twice.
  *region = {};
  return *region;
}

}  // namespace warpwise::watch
