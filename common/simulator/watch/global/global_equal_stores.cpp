// Stores of equal values: they do not race with each other, and a thread that made one may read
// what others have made of it.

#include "simulator/watch/global/global_races.h"

namespace warpwise::watch {

/// Lanes of one instruction store to the same cells: equal values do not race.
void GlobalRaces::compare_lanes(Now& now, const LinePart& part) const {
  for_cells(part.lanes.several(), [&](unsigned cell) {
    const std::uint64_t address = this->address(part, cell);
    const unsigned other = part.lanes.lane(cell);
    auto value = [&](unsigned lane) {
      return stored(now, lane, address - now.event.addresses[lane]);
    };
    for_cells(lanes_at(now, part, cell), [&](unsigned lane) {
      if (!now.found && value(lane) != value(other))
        now.found = Race{lane, address, now.by.warp, other, true, now.by.site};
    });
  });
}

/// True where a store leaves what is there.
bool GlobalRaces::stores_same(const Now& now, const LinePart& part, unsigned cell) const {
  if (now.by.kind() != LineAccess::write) return false;
  const std::uint64_t at = address(part, cell);
  const unsigned lane = part.lanes.lane(cell);
  return stored(now, lane, at - now.event.addresses[lane]) ==
         now.values.in_memory(at, 1u << shift_);
}

/// The lanes of a warp that reads a cell which have stored there what the lane of the earlier
/// access stored.
std::uint32_t GlobalRaces::equal_storers(const Now& now, const Accessor& earlier, unsigned lane,
                                         std::uint64_t cell) const {
  const bool reads_store = now.by.kind() == LineAccess::read && earlier.kind() == LineAccess::write;
  if (!reads_store || now.event.is_non_coherent || equal_stores_.empty()) return 0;
  const bool is_one_of_them = equal_stores_.lanes(cell, earlier.warp) >> lane & 1;
  return is_one_of_them ? equal_stores_.lanes(cell, now.by.warp) : 0;
}

/// After the part was checked.
void GlobalRaces::keep_equal_stores(Now& now, const LinePart& part) {
  std::uint32_t equal = 0;  // cells
  for (const EqualStore& store : now.equal) {
    const std::uint64_t cell = store.cell - number(part, 0);
    if (cell >= cells_per_line || now.found) continue;
    equal_stores_.add(store.cell, store.warp, 1u << store.lane);
    equal |= 1u << cell;
  }
  const std::uint32_t several = now.found ? 0 : part.lanes.several();
  const std::uint32_t known = equal_stores_.empty() ? 0 : part.cells;
  for_cells(equal | several | known, [&](unsigned cell) {
    const std::uint64_t at = number(part, cell);
    if (equal >> cell & 1)
      equal_stores_.add(at, now.by.warp, lanes_at(now, part, cell));
    else if (several >> cell & 1)
      equal_stores_.replace(at, now.by.warp, lanes_at(now, part, cell));
    else
      equal_stores_.forget(at);
  });
}

}  // namespace warpwise::watch
