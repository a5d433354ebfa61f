#pragma once
#include <cstdint>
#include <unordered_map>

#include "simulator/memory/prefetch.h"
#include "simulator/watch/cells/line_lanes.h"
#include "simulator/watch/global/touched_tile.h"
#include "simulator/watch/global/zeroed_memory.h"

namespace warpwise::watch {

/// The cells that blocks have touched, by kind, but not which blocks they were: enough to say that
/// no block meets another in conflict.
class SeenCells {
 public:
  /// Adds cells of a line that a block touched. Each line of a block once.
  /// @param cells by kind. @return true where blocks before did there what is in conflict with it.
  bool add(std::uint64_t line, const std::uint32_t* cells) {
    Region& region = region_of(line);
    const std::uint64_t at = line % lines_per_region;
    bool meets = false;
    for (LineAccess::Kind kind : kinds)
      if (cells[kind]) meets |= (conflicting(region, kind, at) & cells[kind]) != 0;
    for (LineAccess::Kind kind : kinds)
      if (cells[kind]) of_kind(region, kind)[at] |= cells[kind];
    return meets;
  }
  /// The same for some of its cells, which the block touches in this way alone. Cells may come
  /// again, but those of stores.
  bool add(std::uint64_t line, LineAccess::Kind kind, std::uint32_t cells) {
    Region& region = region_of(line);
    const std::uint64_t at = line % lines_per_region;
    const bool meets = (conflicting(region, kind, at) & cells) != 0;
    of_kind(region, kind)[at] |= cells;
    return meets;
  }
  /// Adds cells to which a block stores, in the midst of it. @return those of them that were new.
  /// @param meets out: true where some were not, or a block has touched them in another way.
  std::uint32_t add_stored(std::uint64_t line, std::uint32_t cells, bool& meets) {
    Region& region = region_of(line);
    const std::uint64_t at = line % lines_per_region;
    std::uint32_t& stored = of_kind(region, LineAccess::write)[at];
    const std::uint32_t added = cells & ~stored;
    meets |= (conflicting(region, LineAccess::write, at) & cells) != 0;
    stored |= cells;
    return added;
  }
  /// Prefetches what is known of stores to a line: for lines that are far from each other, which
  /// are asked for together before they are added one by one.
  void ask_for_stored(std::uint64_t line) const {
    const std::uint64_t number = line / lines_per_region;
    const Found& found = found_[number % places];
    if (found.number == number && found.region->cells[LineAccess::write])
      memory::prefetch(&found.region->cells[LineAccess::write][line % lines_per_region]);
  }
  /// Takes back what was new when it was added.
  void take_back_stored(std::uint64_t line, std::uint32_t cells) {
    of_kind(region_of(line), LineAccess::write)[line % lines_per_region] &= ~cells;
  }
  /// Adds what other blocks have touched.
  bool add(const SeenCells& others);

 private:
  static constexpr LineAccess::Kind kinds[] = {LineAccess::read, LineAccess::write,
                                               LineAccess::strong};
  static constexpr unsigned lines_per_region = 2048;
  /// Cells of its lines by kind; null where none was touched in this way.
  struct Region {
    std::uint32_t* cells[3];
  };

  static bool conflict(LineAccess::Kind one, LineAccess::Kind other) {
    return one != other || one == LineAccess::write;
  }
  /// Cells where an access of the kind is in conflict with what is there.
  static std::uint32_t conflicting(const Region& region, LineAccess::Kind kind,
                                   std::uint64_t line) {
    std::uint32_t cells = 0;
    for (LineAccess::Kind other : kinds)
      if (conflict(kind, other) && region.cells[other]) cells |= region.cells[other][line];
    return cells;
  }
  static std::uint32_t common(const std::uint32_t* a, const std::uint32_t* b);
  static void join(std::uint32_t* cells, const std::uint32_t* others);
  std::uint32_t* of_kind(Region& region, LineAccess::Kind kind) {
    if (!region.cells[kind]) region.cells[kind] = memory_.make<std::uint32_t>(lines_per_region);
    return region.cells[kind];
  }
  Region& region_of(std::uint64_t line) {
    const std::uint64_t number = line / lines_per_region;
    Found& found = found_[number % places];
    if (found.number != number) found = {number, &region(number)};
    return *found.region;
  }
  Region& region(std::uint64_t number);

  static constexpr std::uint64_t places = 1024;
  /// Mostly few regions are asked for again and again.
  struct Found {
    std::uint64_t number = ~0ull;
    Region* region = nullptr;
  } found_[places];
  ZeroedMemory memory_;
  std::unordered_map<std::uint64_t, Region*> regions_;
};

}  // namespace warpwise::watch
